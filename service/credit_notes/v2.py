"""Credit notes of vendors in v2, beside the published interface: translates between the wire and the services."""

from django.http import HttpResponse
from ninja import Query, Router

from service.auth import OFFICE, ApiRequest, requires
from service.businesses.models import Role
from service.credit_notes import schemas, selectors, serializers, services
from service.documentation import EXTENSION
from service.idempotency import idempotent
from service.pagination import page_of
from service.respond import answer

router = Router(tags=["Bills"])

BUYERS = frozenset({Role.APPROVER, Role.ADMIN})


@router.get("", response=schemas.CreditNotePage, summary="List credit notes", openapi_extra=EXTENSION)
@requires(scope="bills:read", roles=OFFICE)
def list_credit_notes(request: ApiRequest, query: Query[schemas.CreditNoteQuery]) -> HttpResponse:
    """A page of the credit notes that the filters let through."""
    return page_of(selectors.filter_credit_notes(request.caller, query), request, query, serializers.credit_note)


@router.post("", response={201: schemas.CreditNoteOut}, summary="Record a credit note", openapi_extra=EXTENSION)
@requires(scope="bills:write", roles=BUYERS)
@idempotent(money=True)
def create_credit_note(request: ApiRequest, body: schemas.NewCreditNote) -> HttpResponse:
    """It moves no money and posts nothing, as a bill does not: what is open on the bill falls."""
    return answer(serializers.credit_note(services.create(request.caller, body)), 201)


@router.get("/{id}", response=schemas.CreditNoteOut, summary="Read a credit note", openapi_extra=EXTENSION)
@requires(scope="bills:read", roles=OFFICE)
def read_credit_note(request: ApiRequest, id: str) -> HttpResponse:  # noqa: A002  as the other areas name it
    """One credit note; 404 when the business has none such."""
    return answer(serializers.credit_note(selectors.get_credit_note(request.caller, id)))


@router.post(
    "/{id}/apply", response=schemas.CreditNoteOut, summary="Apply a credit note to a bill", openapi_extra=EXTENSION
)
@requires(scope="bills:write", roles=BUYERS)
@idempotent(money=True)
def apply_credit_note(request: ApiRequest, id: str, body: schemas.ApplyCredit) -> HttpResponse:  # noqa: A002
    """Lowers what is open on a bill by a credit note of its vendor. 404; 409 for a bill that takes none; 422 above what
    remains of the note or is open, and for another vendor or currency."""
    return answer(serializers.credit_note(services.apply(request.caller, id, body)))
