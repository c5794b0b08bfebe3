"""Payouts in v2: translates between the wire and the services of this area."""

from django.http import HttpResponse
from ninja import Query, Router

from service.auth import OFFICE, ApiRequest, requires
from service.businesses.models import Role
from service.documentation import EXTENSION, OnlyDraft
from service.idempotency import idempotent
from service.pagination import PageQuery, page_of
from service.payments import (
    duplicates,
    intents,
    payout_ledger,
    progress,
    pushes,
    schemas,
    schemas_duplicates,
    schemas_progress,
    selectors,
    serializers,
    services,
)
from service.payments.models import Batch
from service.rails import catalogue
from service.respond import answer

router = Router(tags=["Payments"])

INITIATING = frozenset({Role.APPROVER, Role.ADMIN})
APPROVERS = frozenset({Role.APPROVER})


@router.get("/channels", response=schemas.ChannelList, summary="Payment channels of a country")
@requires(scope="payments:read", roles=OFFICE, private_label=True)
def list_channels(request: ApiRequest, query: Query[schemas.CountryQuery]) -> HttpResponse:
    """The channels through which payments to a country go."""
    country = query.country or request.caller.business.country
    rows = [serializers.channel(row, country) for row in catalogue.channels(country)]
    return answer({"docs": rows, "total": len(rows)})


@router.get("/banks", response=schemas.BankList, summary="Banks of a country")
@requires(scope="payments:read", roles=OFFICE, private_label=True)
def list_banks(request: ApiRequest, query: Query[schemas.CountryQuery]) -> HttpResponse:
    """Code and name of the banks of a country, by name."""
    country = query.country or request.caller.business.country
    rows = [{"code": code, "name": name, "country": country} for code, name in catalogue.banks(country)]
    return answer({"docs": rows, "total": len(rows)})


@router.get("", response=schemas.PayoutPage, summary="List payouts; one alone comes with its items")
@requires(scope="payments:read", roles=OFFICE, private_label=True)
def list_payouts(request: ApiRequest, query: Query[schemas.PayoutQuery]) -> HttpResponse:
    """The payouts that the filters let through; with `batch_no` that one comes with its items."""

    def show_all(rows: list[Batch]) -> list[serializers.PayoutShape]:
        return selectors.payout_details(rows, with_items=query.batch_no is not None)

    return page_of(selectors.payouts(request.caller, query), request, query, show_all=show_all)


@router.post("", response={201: schemas.PayoutOut}, summary="Create a payout in DRAFT")
@requires(scope="payments:write", roles=INITIATING, private_label=True)
@idempotent(required=True, money=True)
def create_payout(request: ApiRequest, body: schemas.NewPayout) -> HttpResponse:
    """A payout in DRAFT; 404 for an unknown wallet or payout to reuse, 422 naming what is wrong with the items."""
    batch = services.create_payout(request.caller, body)
    return answer(serializers.payout(batch, batch.items.order_by("position")), 201)


@router.post("/intent", response={201: schemas.IntentOut}, summary="Prepare a payment for its one-time code")
@requires(scope="payments:write", roles=INITIATING, private_label=True)
@idempotent(required=True, money=True)
def create_intent(request: ApiRequest, body: schemas.NewIntent) -> HttpResponse:
    """An intent for a payout that waits for its code, or for a single transfer that is made and initiated here. A
    single transfer that a mandate applies to needs its votes first: REQUIRES_APPROVAL, and no code is sent yet."""
    return answer(serializers.intent(intents.create_intent(request.caller, body), intents.TRIES), 201)


@router.post("/confirm", response=schemas.IntentOut, summary="Confirm a payment with the code that was sent")
@requires(scope="payments:confirm", roles=APPROVERS, private_label=True, person=True)
@idempotent(required=True, money=True)
def confirm(request: ApiRequest, body: schemas.Confirmation) -> HttpResponse:
    """Pays what the intent stands for. 422 wrong_code, 409 when it is locked, expired, void or confirmed."""
    return answer(serializers.intent(intents.confirm(request.caller, body.intent_id, body.otp), intents.TRIES))


@router.post("/request-mpesa-payment", response={202: schemas.PushOut}, summary="Ask a phone for money")
@requires(scope="payments:write", roles=INITIATING, private_label=True)
@idempotent(required=True, money=True)
def request_mpesa_payment(request: ApiRequest, body: schemas.NewPush) -> HttpResponse:
    """Makes the phone ask; what is expected shows as pending_in of the wallet. 422 unless the wallet holds KES. The
    rail only takes the request here and answers at once; what the phone's owner does comes later."""
    return answer(serializers.push(pushes.request_push(request.caller, body)), 202)


@router.get(
    "/request-mpesa-payment",
    response=schemas.PushPage,
    summary="List the requests for mobile money",
    openapi_extra=EXTENSION,
)
@requires(scope="payments:read", roles=OFFICE, private_label=True)
def list_pushes(request: ApiRequest, query: Query[PageQuery]) -> HttpResponse:
    """The requests for mobile money of the business."""
    return page_of(selectors.pushes_of(request.caller), request, query, serializers.push_detail)


@router.post(
    "/duplicates",
    response=schemas_duplicates.DuplicatePaymentList,
    summary="What payouts paid already, or may",
    openapi_extra=EXTENSION,
)
@requires(scope="payments:read", roles=OFFICE, private_label=True)
def find_duplicate_payments(request: ApiRequest, body: schemas_duplicates.Comparison) -> HttpResponse:
    """What payouts of the last 30 days paid or may pay, drafts too, that is the same as one of these payments: the account
    and the amount. It changes nothing."""
    return answer({"docs": duplicates.duplicates_of(request.caller, body)})


@router.post("/payout/cancel", response=schemas.PayoutOut, summary="Cancel a payout")
@requires(scope="payments:write", roles=INITIATING, private_label=True)
@idempotent()
def cancel_payout(request: ApiRequest, body: schemas.CancelPayout, only_draft: OnlyDraft = False) -> HttpResponse:
    """Ends a payout for good before anything of it is paid. Its requester or an ADMIN only. With `only_draft` 409
    not_draft for one that is none any more."""
    return _respond(services.cancel(request.caller, body.batch_no, body.reason or "", only_draft=only_draft))


@router.get(
    "/{batch_no}/ledger",
    response=schemas_progress.PayoutLedgerOut,
    summary="What the ledger holds of a payout",
    openapi_extra=EXTENSION,
)
@requires(scope="payments:read", roles=OFFICE, private_label=True)
def read_payout_ledger(request: ApiRequest, batch_no: str) -> HttpResponse:
    """What was posted for a payout, read from the ledger alone: the payments' own states do not enter into it."""
    return answer(payout_ledger.ledger_of(selectors.get_payout(request.caller, batch_no)))


@router.get(
    "/{batch_no}/progress",
    response=schemas_progress.PayoutProgressOut,
    summary="How far a payout is, and which of its rows have changed",
    openapi_extra=EXTENSION,
)
@requires(scope="payments:read", roles=OFFICE, private_label=True)
def read_payout_progress(
    request: ApiRequest, batch_no: str, query: Query[schemas_progress.ProgressQuery]
) -> HttpResponse:
    """How far the payout is, with those of the rows at `positions` that stand otherwise than in `states`, a letter for
    each row in the same order (any other letter: it is not shown). 404 for another business's."""
    return answer(progress.progress_of(request.caller, batch_no, query.positions, query.states))


@router.patch("/{batch_no}/initiate", response=schemas.PayoutOut, summary="Initiate a draft payout")
@requires(scope="payments:write", roles=INITIATING, private_label=True)
@idempotent(required=True, money=True)
def initiate_payout(request: ApiRequest, batch_no: str) -> HttpResponse:
    """Asks for the votes the mandate wants; APPROVED at once where none applies (409 unless it is a DRAFT)."""
    return _respond(services.initiate(request.caller, batch_no))


@router.patch("/{batch_no}/draft", response=schemas.PayoutOut, summary="Return a payout to draft")
@requires(scope="payments:write", roles=INITIATING, private_label=True)
@idempotent()
def return_to_draft(request: ApiRequest, batch_no: str) -> HttpResponse:
    """Back to DRAFT until the first item is sent; all votes and codes are void. Its requester or an ADMIN only."""
    return _respond(services.return_to_draft(request.caller, batch_no))


def _respond(batch: Batch) -> HttpResponse:
    return answer(selectors.payout_details([batch])[0])
