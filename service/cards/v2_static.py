"""Cards in v2, the static paths: orders of physical cards, single-use cards, uses. They stand before /cards/{id}."""

from collections.abc import Sequence
from decimal import Decimal

from django.conf import settings
from django.http import HttpResponse
from ninja import Query, Router

from service import errors, money
from service.auth import ADMINS, OFFICE, ApiRequest, requires
from service.businesses.models import Role
from service.cards import (
    authorizations,
    clearing,
    orders,
    schemas_authorizations,
    schemas_orders,
    schemas_single_use,
    selectors,
    serializers,
    single_use,
)
from service.cards.authorizations import Swipe
from service.cards.models import Authorization, Card
from service.cards.schemas_shapes import AuthorizationShape
from service.documentation import EXTENSION
from service.idempotency import idempotent
from service.pagination import page_of
from service.respond import answer

router = Router(tags=["Cards"])

MAKERS = frozenset({Role.APPROVER, Role.ADMIN})


@router.get("/physical/orders", response=schemas_orders.OrderPage, summary="List physical card orders")
@requires(scope="cards:read", roles=OFFICE, private_label=True)
def list_card_orders(request: ApiRequest, query: Query[schemas_orders.OrderQuery]) -> HttpResponse:
    """The orders of the business; 400 for a state that there is not."""
    return page_of(orders.card_orders(request.caller, query.status), request, query, show_all=orders.order_details)


@router.post("/physical/orders", response=schemas_orders.OrderResults, summary="Approve physical card orders")
@requires(scope="cards:manage", roles=MAKERS, private_label=True)
@idempotent()
def approve_card_orders(request: ApiRequest, body: schemas_orders.ApproveOrders) -> HttpResponse:
    """One or several; each is answered for itself."""
    return _results(orders.approve_many(request.caller, body.ids))


@router.patch("/physical/orders", response=schemas_orders.OrderResults, summary="Reject physical card orders")
@requires(scope="cards:manage", roles=MAKERS, private_label=True)
@idempotent()
def reject_card_orders(request: ApiRequest, body: schemas_orders.RejectOrders) -> HttpResponse:
    """One or several; each is answered for itself."""
    return _results(orders.reject_many(request.caller, body.ids, body.reason))


@router.post(
    "/physical/orders/request",
    response={201: schemas_orders.OrderOut},
    summary="Ask for a physical card",
    openapi_extra=EXTENSION,
)
@requires(scope="cards:write", private_label=True)
@idempotent()
def request_physical_card(request: ApiRequest, body: schemas_orders.WantedOrder) -> HttpResponse:
    """For oneself; approvers and admins may name somebody else. (The published POST /cards/physical/orders approves.)"""
    return answer(orders.order_details([orders.request_order(request.caller, body)])[0], 201)


def _results(outcomes: Sequence[orders.CardOrderResult]) -> HttpResponse:
    done = [outcome.row for outcome in outcomes if outcome.row is not None]
    decided = {order["_id"]: order for order in orders.order_details(done)}
    rows = [
        {
            "id": outcome.order_id,
            "ok": outcome.refusal is None,
            "code": outcome.refusal.code if outcome.refusal else "",
            "detail": outcome.refusal.detail if outcome.refusal else "",
            "order": decided.get(outcome.order_id),
        }
        for outcome in outcomes
    ]
    return answer({"results": rows})


@router.get(
    "/single-use/policy",
    response=schemas_single_use.SingleUsePolicyOut,
    summary="Read the policy",
    openapi_extra=EXTENSION,
)
@requires(scope="cards:read", private_label=True)
def read_single_use_policy(request: ApiRequest) -> HttpResponse:
    """The policy of the business for single-use cards, or the defaults where it was never set."""
    return answer(serializers.single_use_policy(single_use.policy(request.caller.business)))


@router.put(
    "/single-use/policy",
    response=schemas_single_use.SingleUsePolicyOut,
    summary="Set the policy",
    openapi_extra=EXTENSION,
)
@requires(scope="cards:manage", roles=ADMINS, private_label=True)
@idempotent()
def set_single_use_policy(request: ApiRequest, body: schemas_single_use.PolicyChange) -> HttpResponse:
    """Replaces the policy; 409 concurrent_update for another version."""
    return answer(serializers.single_use_policy(single_use.change_policy(request.caller, body)))


@router.get(
    "/single-use/requests", response=schemas_single_use.RequestPage, summary="List requests", openapi_extra=EXTENSION
)
@requires(scope="cards:read", private_label=True)
def list_single_use_requests(request: ApiRequest, query: Query[schemas_single_use.RequestQuery]) -> HttpResponse:
    """Own for a card user, those of the reviewed teams and own for a reviewer, else all of the business."""
    return page_of(
        single_use.single_use_requests(request.caller, query), request, query, serializers.single_use_request
    )


@router.post(
    "/single-use/requests",
    response={201: schemas_single_use.RequestOut},
    summary="Ask for a card",
    openapi_extra=EXTENSION,
)
@requires(scope="cards:write", private_label=True)
@idempotent()
def request_single_use_card(request: ApiRequest, body: schemas_single_use.NewRequest) -> HttpResponse:
    """Asks for a card for the acting employee (403 without one). 403 policy_blocked where the business has none of
    them, 422 for an amount above its maximum or too many open requests. Where no mandate applies and the policy
    approves such an amount by itself, the card is there at once."""
    return answer(serializers.single_use_request(single_use.request_card(request.caller, body)), 201)


@router.get(
    "/single-use/requests/{id}",
    response=schemas_single_use.RequestOut,
    summary="Read a request",
    openapi_extra=EXTENSION,
)
@requires(scope="cards:read", private_label=True)
def read_single_use_request(request: ApiRequest, id: str) -> HttpResponse:  # noqa: A002
    """One request; 404 when it is none of the caller's to see."""
    return answer(serializers.single_use_request(single_use.get_single_use_request(request.caller, id)))


@router.patch(
    "/single-use/requests/{id}",
    response=schemas_single_use.RequestOut,
    summary="Decide on a request",
    openapi_extra=EXTENSION,
)
@requires(scope="cards:manage", private_label=True)
@idempotent()
def decide_single_use_request(request: ApiRequest, id: str, body: schemas_single_use.Decide) -> HttpResponse:  # noqa: A002
    """Approves, rejects or cancels; where a mandate asks for votes, approving and rejecting is the caller's vote. 403
    for whoever asked (save for cancelling), for a role that decides nothing, and for a read-only reviewer; 409 once
    it is decided."""
    return answer(
        serializers.single_use_request(single_use.decide_request(request.caller, id, body.action, body.reason or ""))
    )


@router.get(
    "/authorizations",
    response=schemas_authorizations.AuthorizationPage,
    summary="List uses of cards",
    openapi_extra=EXTENSION,
)
@requires(scope="cards:read", private_label=True)
def list_authorizations(request: ApiRequest, query: Query[schemas_authorizations.AuthorizationQuery]) -> HttpResponse:
    """Declines with them, and why in words."""
    rows = authorizations.find(request.caller, card_id=query.card_id, status=query.status)
    return page_of(rows, request, query, lambda row: _serialize(request, row))


@router.post(
    "/authorizations",
    response={200: schemas_authorizations.AuthorizationOut, 201: schemas_authorizations.AuthorizationOut},
    summary="Try out or play a use of a card",
    openapi_extra=EXTENSION,
)
@requires(scope="cards:manage", private_label=True)
@idempotent(money=True)
def create_authorization(request: ApiRequest, body: schemas_authorizations.Purchase) -> HttpResponse:
    """`dry_run` says what would happen to a purchase, to whoever sees the card. Without, a sandbox plays it (201)."""
    card = selectors.get_card(request.caller, body.card_id)
    what = _swipe(body, card)
    if body.dry_run:
        return _tried(request, authorizations.try_out(request.caller, card.id, what))
    _check_plays(request)
    if body.force_post:
        row = authorizations.force_post(request.caller, card.id, what)
    else:
        row = authorizations.authorize(request.caller, card.id, what, settle_now=body.settle)
    return answer(_serialize(request, row), 201)


@router.post(
    "/authorizations/try",
    response=schemas_authorizations.AuthorizationOut,
    summary="Try out a purchase, under other controls too",
    openapi_extra=EXTENSION,
)
@requires(scope="cards:read", private_label=True)
def try_purchase(request: ApiRequest, body: schemas_authorizations.Trial) -> HttpResponse:
    """What would happen to a purchase, to whoever sees the card: every question is asked, nothing is changed.

    With `controls` and `funding` it is tried under these, such as somebody is about to give the card.
    """
    card, caller = selectors.get_card(request.caller, body.card_id), request.caller
    tried = authorizations.try_out(caller, card.id, _swipe(body, card), body.controls, body.funding)
    return _tried(request, tried)


def _swipe(body: schemas_authorizations.Terminal, card: Card) -> Swipe:
    return Swipe(
        amount_minor=_minor(body.amount, card.currency),
        merchant=body.merchant,
        mcc=body.mcc or "",
        merchant_id=body.merchant_id or "",
        country=body.country,
        channel=body.channel,
        at=body.at,
    )


def _tried(request: ApiRequest, row: Authorization) -> HttpResponse:
    return answer({**_serialize(request, row), "_id": None, "expires_at": None})


def _serialize(request: ApiRequest, row: Authorization) -> AuthorizationShape:
    return serializers.authorization(row, sees_wallets=request.caller.role in OFFICE)


@router.post(
    "/authorizations/{id}/clearing",
    response=schemas_authorizations.AuthorizationOut,
    summary="Play what the network presents for a use",
    openapi_extra=EXTENSION,
)
@requires(scope="cards:manage", roles=MAKERS, private_label=True)
@idempotent(required=True, money=True)
def clear_authorization(request: ApiRequest, id: str, body: schemas_authorizations.ClearingBody) -> HttpResponse:  # noqa: A002
    """Captures (partial, several, more than was held), reversals and increases; in a sandbox."""
    _check_plays(request)
    caller, authorization = request.caller, authorizations.get_authorization(request.caller, id)
    amount = None if body.amount is None else _minor(body.amount, authorization.currency)
    if body.kind == "CAPTURE":
        row = clearing.capture(caller, id, amount, final=body.final)
    elif body.kind == "REVERSE":
        row = clearing.reverse(caller, id, amount)
    else:
        row = clearing.increase(caller, id, amount or 0)
    return answer(_serialize(request, row))


def _check_plays(request: ApiRequest) -> None:
    """Only a sandbox plays the card network, and only approvers and admins let it."""
    if request.caller.role not in MAKERS:
        raise errors.insufficient_role("An approver or an admin plays a use; anybody who sees the card tries one out.")
    if not settings.SANDBOX:
        raise errors.invalid_state("Uses come from the card network here; a dry_run only says what would happen.")


def _minor(amount: Decimal, currency: str) -> int:
    try:
        return money.to_minor(amount, currency)
    except money.MoneyError as refusal:
        raise errors.validation_failed("amount", str(refusal)) from None
