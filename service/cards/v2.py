"""Cards in v2: translates between the wire and the services. Static paths are in v2_static.py and stand before these."""

from django.conf import settings
from django.http import HttpResponse
from django.utils.crypto import salted_hmac
from ninja import Query, Router

from service.auth import OFFICE, ApiRequest, requires
from service.businesses.models import Role
from service.cards import (
    authorizations,
    funding,
    issuance,
    lifecycle,
    schemas,
    schemas_authorizations,
    selectors,
    serializers,
    spend,
)
from service.cards.models import Card
from service.cards.schemas import CardOut, CardPage, NewCard
from service.documentation import EXTENSION
from service.idempotency import idempotent
from service.pagination import PageQuery, page_of
from service.rails import card_network
from service.respond import answer

router = Router(tags=["Cards"])

MAKERS = frozenset({Role.APPROVER, Role.ADMIN})


def _respond(row: Card, status: int = 200) -> HttpResponse:
    return answer(selectors.card_details([row])[0], status)


@router.get("", response=CardPage, summary="List user cards")
@requires(scope="cards:read", private_label=True)
def list_own_cards(request: ApiRequest, query: Query[PageQuery]) -> HttpResponse:
    """The cards of the acting (or bound) employee."""
    return page_of(selectors.own(request.caller), request, query, show_all=selectors.card_details)


@router.post("", response={201: CardOut}, summary="Create a card")
@requires(scope="cards:write", roles=MAKERS, private_label=True)
@idempotent(required=True, money=True)
def create_card(request: ApiRequest, body: NewCard) -> HttpResponse:
    """A physical card is ordered: somebody else approves the order."""
    return _respond(issuance.create(request.caller, body), 201)


@router.get("/employee/{employeeId}", response=CardPage, summary="List the cards of an employee")
@requires(scope="cards:read", private_label=True)
def list_employee_cards(request: ApiRequest, employeeId: str, query: Query[PageQuery]) -> HttpResponse:  # noqa: N803
    """One employee's cards; 404 when that person is none of the caller's to see."""
    return page_of(selectors.of_employee(request.caller, employeeId), request, query, show_all=selectors.card_details)


@router.get("/business", response=CardPage, summary="List business cards")
@requires(scope="cards:read", roles=OFFICE, private_label=True)
def list_business_cards(request: ApiRequest, query: Query[PageQuery]) -> HttpResponse:
    """A card user's own, a reviewer's team's and own, else all of the business."""
    return page_of(selectors.visible(request.caller), request, query, show_all=selectors.card_details)


@router.get("/{id}", response=CardOut, summary="Read a card")
@requires(scope="cards:read", private_label=True)
def read_card(request: ApiRequest, id: str) -> HttpResponse:  # noqa: A002  the published name
    """One card; 404 when it is none of the caller's to see."""
    return _respond(selectors.get_card(request.caller, id))


@router.put("/{id}", response=CardOut, summary="Update card details")
@requires(scope="cards:manage", roles=MAKERS, private_label=True)
@idempotent()
def update_card(request: ApiRequest, id: str, body: schemas.CardChange) -> HttpResponse:  # noqa: A002
    """Name, controls and funding; nobody changes their own card, and an admin lets it spend from a wallet."""
    return _respond(issuance.update(request.caller, id, body))


@router.get("/{id}/balance", response=schemas.CardBalance, summary="Card balance")
@requires(scope="cards:read", private_label=True)
def read_card_balance(request: ApiRequest, id: str) -> HttpResponse:  # noqa: A002
    """With what it spends: its holder's allocation, or a wallet of the business."""
    row = selectors.get_card(request.caller, id)
    return answer(spend.balance_of(request.caller, row, funding.paying(row)))


@router.get("/{id}/transactions", response=schemas_authorizations.CardTransactionPage, summary="Card transactions")
@requires(scope="cards:read", private_label=True)
def list_card_transactions(request: ApiRequest, id: str, query: Query[PageQuery]) -> HttpResponse:  # noqa: A002
    """What was spent with the card or is about to be; declines are in GET /cards/authorizations."""
    rows = authorizations.of_card(request.caller, id)
    return page_of(rows, request, query, serializers.transaction)


@router.get("/{id}/fingerprint", response=schemas.Fingerprint, summary="Card fingerprint", openapi_extra=EXTENSION)
@requires(scope="cards:read", private_label=True)
def read_card_fingerprint(request: ApiRequest, id: str) -> HttpResponse:  # noqa: A002
    """An HMAC of the number under a key of the business: the same number has the same one, and nothing leads back."""
    row = selectors.get_card(request.caller, id)
    key = salted_hmac("service.cards.fingerprint", row.business_id, settings.SECRET_KEY, algorithm="sha256").digest()
    fingerprint = card_network.network.fingerprint(row.id, key)
    return answer({"card_id": row.id, "fingerprint": fingerprint, "algorithm": "HMAC-SHA256"})


@router.put("/{id}/activate", response=CardOut, summary="Activate a physical card", openapi_extra=EXTENSION)
@requires(scope="cards:manage", private_label=True)
@idempotent()
def activate_card(request: ApiRequest, id: str) -> HttpResponse:  # noqa: A002
    """Its holder has it in hands, or somebody of the office."""
    return _respond(lifecycle.activate(request.caller, id))


@router.put("/{id}/block", response=CardOut, summary="Block a card")
@requires(scope="cards:manage", private_label=True)
@idempotent()
def block_card(request: ApiRequest, id: str, body: schemas.Why | None = None) -> HttpResponse:  # noqa: A002
    """Blocks a card, USER where its holder does it, else ADMIN. A block by the office takes the place of the holder's."""
    return _respond(lifecycle.block(request.caller, id, _why(body)))


@router.put("/{id}/unblock", response=CardOut, summary="Unblock a card")
@requires(scope="cards:manage", private_label=True)
@idempotent()
def unblock_card(request: ApiRequest, id: str) -> HttpResponse:  # noqa: A002
    """Who blocked it decides who may."""
    return _respond(lifecycle.unblock(request.caller, id))


@router.put("/{id}/retire", response=CardOut, summary="Close a card permanently")
@requires(scope="cards:manage", private_label=True)
@idempotent()
def retire_card(request: ApiRequest, id: str, body: schemas.Why | None = None) -> HttpResponse:  # noqa: A002
    """Ends a card for good; a second time nothing happens. 403 for a card user who has no such virtual card."""
    return _respond(lifecycle.retire(request.caller, id, _why(body)))


@router.post("/{id}/reissue", response={201: CardOut}, summary="Reissue a virtual card")
@requires(scope="cards:manage", private_label=True)
@idempotent(required=True, money=True)
def reissue_card(request: ApiRequest, id: str, body: schemas.Why | None = None) -> HttpResponse:  # noqa: A002
    """The old one is retired, a new one with its controls and what remains of its limits takes its place."""
    return _respond(issuance.reissue(request.caller, id, _why(body)), 201)


def _why(body: schemas.Why | None) -> str:
    return body.reason or "" if body else ""
