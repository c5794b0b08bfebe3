"""Transactions in v2: translates between the wire and the services."""

from django.http import FileResponse, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from ninja import File, Form, Query, Router, UploadedFile

from service import storage
from service.auth import EVERYBODY, OFFICE, ApiRequest, requires
from service.businesses.models import Role
from service.documentation import EXTENSION
from service.documents import MIMES, checked
from service.expenses.serializers import by_id
from service.idempotency import idempotent
from service.pagination import page_of
from service.respond import answer
from service.text import ObjectId
from service.transactions import attachments, manual_entries, movement, parts, schemas, selectors, serializers, services
from service.transactions.schemas_parts import Split

router = Router(tags=["Transactions"])

MAKERS = frozenset({Role.APPROVER, Role.ADMIN})
DECIDERS = frozenset({Role.APPROVER})
FILE = {"content": {mime: {"schema": {"type": "string", "format": "binary"}} for mime in MIMES.values()}}


@router.post("/new", response={201: schemas.TransactionOut}, summary="Write down a movement, to be approved")
@requires(scope="transactions:write", roles=MAKERS)
@idempotent(required=True, money=True)
def create_transaction(request: ApiRequest, body: schemas.NewTransaction) -> HttpResponse:
    """A transaction in PENDING; nothing moves before it is approved. 404 for a wallet, 409 duplicate for a known `ref`,
    409 tag_not_allowed for an IFT or REFUND with a subcategory, 422 for an amount, currency, day, person or
    subcategory that cannot be."""
    return answer(serializers.fresh(manual_entries.create(request.caller, body)), 201)


@router.get("/money-movement", response=schemas.MovementList, summary="Money in and out, per currency")
@requires(scope="transactions:read", roles=OFFICE)
def read_money_movement(request: ApiRequest, query: Query[schemas.MovementQuery]) -> HttpResponse:
    """Money in and out of each currency that moved in the period or in the three months up to now."""
    rows = movement.movement(request.caller, query)
    return answer({"docs": rows, "total": len(rows)})


@router.get("/fees", response=schemas.FeeList, summary="Fees paid, by type and channel")
@requires(scope="transactions:read", roles=OFFICE)
def read_fees(request: ApiRequest, query: Query[schemas.PeriodQuery]) -> HttpResponse:
    """What was paid in fees, by type, channel and currency: together the FEE of the movement of these days."""
    rows = movement.fees(request.caller, query)
    return answer({"docs": rows, "total": len(rows)})


@router.get("/recent", response=schemas.TransactionList, summary="The newest transactions")
@requires(scope="transactions:read", roles=EVERYBODY)
def list_recent_transactions(request: ApiRequest, query: Query[schemas.RecentQuery]) -> HttpResponse:
    """The newest transactions that the caller sees, at most as many as `limit` says."""
    rows = serializers.many(selectors.recent(request.caller, query.limit))
    return answer({"docs": rows, "total": len(rows)})


@router.post(
    "/supporting-document",
    response={200: schemas.AttachedOut, 201: schemas.AttachedOut},
    summary="Attach a document to the transaction that the form names",
)
@requires(scope="transactions:write", roles=EVERYBODY, upload=True)
@idempotent()
def add_named_document(request: ApiRequest, transaction_id: Form[ObjectId], file: File[UploadedFile]) -> HttpResponse:
    """Keeps a file with the transaction that the form names; the same file again is the document that is there. 404
    without the transaction, 422 limit_exceeded beyond 20 documents."""
    return _attach(request, transaction_id, file)


@router.get("", response=schemas.TransactionPage, summary="List transactions")
@requires(scope="transactions:read", roles=EVERYBODY)
def list_transactions(request: ApiRequest, query: Query[schemas.TransactionQuery]) -> HttpResponse:
    """Scoped by the caller's role; newest first."""
    rows = selectors.filter_transactions(request.caller, query)
    zone = request.caller.business.time_zone
    return page_of(rows, request, query, show_all=serializers.many, order="occurred_at", time_zone=zone)


@router.get("/{id}", response=schemas.TransactionOut, summary="Read a transaction")
@requires(scope="transactions:read", roles=EVERYBODY)
def read_transaction(request: ApiRequest, id: str) -> HttpResponse:  # noqa: A002  the published name
    """One transaction; 404 when it is none of the caller's to see."""
    return answer(serializers.many([selectors.get_transaction(request.caller, id)])[0])


@router.put("/{id}/approve", response=schemas.TransactionOut, summary="Approve a transaction: it is posted")
@requires(scope="transactions:approve", roles=DECIDERS, person=True)
@idempotent(money=True)
def approve_transaction(request: ApiRequest, id: str) -> HttpResponse:  # noqa: A002
    """Approves and posts it, or leaves it APPROVED until its value date. One whose own day lies in a closed book is
    posted today. 403 for its maker, holder or last editor, 409 unless it is PENDING, 422 insufficient_funds: then it
    stays PENDING."""
    return answer(serializers.fresh(manual_entries.approve(request.caller, id)))


@router.put("/{id}/reject", response=schemas.TransactionOut, summary="Reject a transaction")
@requires(scope="transactions:approve", roles=DECIDERS, person=True)
@idempotent()
def reject_transaction(request: ApiRequest, id: str, body: schemas.Rejection) -> HttpResponse:  # noqa: A002
    """Ends it without a posting; refusals as for approving it."""
    return answer(serializers.fresh(manual_entries.reject(request.caller, id, body.reason)))


@router.put(
    "/{id}/reverse",
    response=schemas.TransactionOut,
    summary="Reverse a manual transaction",
    openapi_extra=EXTENSION,
)
@requires(scope="transactions:approve", roles=DECIDERS, person=True)
@idempotent(money=True)
def reverse_transaction(request: ApiRequest, id: str, body: schemas.Rejection) -> HttpResponse:  # noqa: A002
    """Takes a posting made by hand back: the exact opposite is posted today and written down as a row of its own. 409
    for one that the service posted itself (refund that instead), and unless it is POSTED."""
    return answer(serializers.fresh(manual_entries.reverse(request.caller, id, body.reason)))


@router.post("/{id}/tag", response=schemas.TransactionOut, summary="File an expense or top-up under a subcategory")
@requires(scope="transactions:write", roles=EVERYBODY)
@idempotent()
def tag_transaction(request: ApiRequest, id: str, body: schemas.Tagging) -> HttpResponse:  # noqa: A002
    """Files an expense or top-up under a subcategory; that of an expense is the expense's own, and changes there. 409
    tag_not_allowed for an IFT or REFUND, 409 transaction_split for one that is split, 409 invalid_state in a closed
    book, 422 for an unknown subcategory. With what the caller has `seen` it filed under ("" for nothing), 409
    changed where it is not."""
    return answer(serializers.fresh(services.tag(request.caller, id, body.subcategory_id, body.seen_subcategory_id)))


@router.put("/{id}/parts", response=schemas.TransactionOut, summary="Split a transaction", openapi_extra=EXTENSION)
@requires(scope="transactions:write", roles=EVERYBODY)
@idempotent()
def split_transaction(request: ApiRequest, id: str, body: Split) -> HttpResponse:  # noqa: A002
    """An expense or top-up, into parts that are filed under subcategories of their own; all of them at once."""
    return answer(serializers.fresh(parts.split(request.caller, id, body.version, body.parts)))


@router.post(
    "/{id}/supporting-document",
    response={200: schemas.AttachedOut, 201: schemas.AttachedOut},
    summary="Attach a document",
)
@requires(scope="transactions:write", roles=EVERYBODY, upload=True)
@idempotent()
def add_document(request: ApiRequest, id: str, file: File[UploadedFile]) -> HttpResponse:  # noqa: A002
    """One of the seven formats, told by its content; at most 10 MB. The same file again is the document that is there.

    A PDF, PNG or JPEG of a purchase is the receipt of its expense, which stands in the answer. A purchase on hold has no
    transaction yet: name it by the expense's id, which goes on to name it once it is posted.
    """
    return _attach(request, id, file)


@router.post("/{id}/remove-document", response=schemas.TransactionOut, summary="Take a document off")
@requires(scope="transactions:write", roles=EVERYBODY)
@idempotent()
def remove_document(request: ApiRequest, id: str, body: schemas.DocumentRef) -> HttpResponse:  # noqa: A002
    """Of an expense or top-up; documents of other types stay."""
    return answer(serializers.fresh(attachments.remove(request.caller, id, body.document_id)))


@router.get(
    "/{id}/documents/{documentId}",
    summary="Read a document's file",
    openapi_extra={**EXTENSION, "responses": {"200": {"description": "The file", **FILE}}},
)
@requires(scope="transactions:read", roles=EVERYBODY)
def read_document(request: HttpRequest, id: str, documentId: str) -> HttpResponseBase:  # noqa: A002, N803
    """The file of a document as it was uploaded; 404 without the document or its file."""
    row = attachments.read(request.caller, id, documentId)  # type: ignore[attr-defined]  # set by @requires
    response = FileResponse(
        storage.open_file(row.path), as_attachment=True, filename=row.file_name, content_type=row.mime
    )
    response["X-Content-Type-Options"] = "nosniff"
    response["Content-Security-Policy"] = "default-src 'none'; sandbox"
    return response


def _attach(request: ApiRequest, transaction_id: str, file: UploadedFile) -> HttpResponse:
    attached = attachments.attach(request.caller, transaction_id, checked(file))
    expense = by_id(attached.expense_id) if attached.expense_id else None
    return answer({**attached.document, "expense": expense}, 201 if attached.is_new else 200)
