"""Cards in v2: translates between the wire and service/cards/actions.py. Static paths stand before parameters."""

from django.http import HttpResponse
from ninja import Query, Router

from service.auth import OFFICE, ApiRequest, requires
from service.businesses.models import Role
from service.cards import actions
from service.cards.schemas import CardOut, CardPage, NewCard
from service.idempotency import idempotent
from service.pagination import PageQuery, page_of
from service.respond import answer

router = Router(tags=["Cards"])

MAKERS = frozenset({Role.APPROVER, Role.ADMIN})


@router.get("", response=CardPage, summary="List user cards")
@requires(scope="cards:read", private_label=True)
def list_own_cards(request: ApiRequest, query: Query[PageQuery]) -> HttpResponse:
    """The cards of the acting (or bound) employee."""
    return page_of(actions.own(request.caller), request, query, show_all=actions.show)


@router.post("", response={201: CardOut}, summary="Create a card")
@requires(scope="cards:write", roles=MAKERS, private_label=True)
@idempotent(required=True, money=True)
def create_card(request: ApiRequest, body: NewCard) -> HttpResponse:
    return answer(actions.show([actions.create(request.caller, body)])[0], 201)


@router.get("/employee/{employeeId}", response=CardPage, summary="List the cards of an employee")
@requires(scope="cards:read", private_label=True)
def list_employee_cards(request: ApiRequest, employeeId: str, query: Query[PageQuery]) -> HttpResponse:  # noqa: N803
    return page_of(actions.of_employee(request.caller, employeeId), request, query, show_all=actions.show)


@router.get("/business", response=CardPage, summary="List business cards")
@requires(scope="cards:read", roles=OFFICE, private_label=True)
def list_business_cards(request: ApiRequest, query: Query[PageQuery]) -> HttpResponse:
    return page_of(actions.visible(request.caller), request, query, show_all=actions.show)


@router.get("/{id}", response=CardOut, summary="Read a card")
@requires(scope="cards:read", private_label=True)
def read_card(request: ApiRequest, id: str) -> HttpResponse:  # noqa: A002  the published name
    return answer(actions.show([actions.card(request.caller, id)])[0])
