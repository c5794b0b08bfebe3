"""What is asked for about cards: orders of physical ones, single-use ones. Several are decided on by the inbox's own plan."""

from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet
from django.http.response import HttpResponseBase
from django.views.decorators.http import require_GET

from dashboard import operations, operations_extra
from dashboard.access.actor import Actor, ActorRequest
from dashboard.access.check import can, can_open
from dashboard.access.decorators import needs
from dashboard.access.operation import Operation
from dashboard.decisions.items import REQUEST_STATES
from dashboard.decisions.registry import REQUEST_KINDS
from dashboard.lists.columns import Column, List
from dashboard.lists.expressions import amount, label, minute, plain
from dashboard.lists.filters import ANY, Choice, Holds
from dashboard.lists.registry import register
from dashboard.lists.states import words
from dashboard.lists.view import list_page, totals_part
from dashboard.mirror.models import Request
from dashboard.mirror.scopes import visible_requests
from dashboard.times import day_and_time
from dashboard.web.signin.sessions import polls

TEMPLATE = "cards/queue.html"
WAITING = frozenset({"REQUESTED", "PENDING"})
PATHS = {"card_order": "approvals_card_order", "card_request": "approvals_card_request"}


@dataclass(frozen=True)
class Asked:
    """A request as its queue shows it: `refusal` says before the click why it is not this person's to decide."""

    key: str
    id: str
    title: str
    holder: str
    about: str
    amount: str
    asked: str
    state: str
    tone: str
    waits: bool
    refusal: str
    reason: str


def asked(actor: Actor, request: Request) -> Asked:
    """One line of a queue."""
    state, tone = REQUEST_STATES.get(request.status, (request.status.capitalize(), ""))
    waits = request.status in WAITING and not request.voted
    verdict = can(actor, REQUEST_KINDS[request.kind].approve, request) if waits else None
    votes = "A mandate asks for votes: it is in the inbox." if request.voted and request.status in WAITING else ""
    return Asked(
        key=f"{request.kind.replace('_', '-')}/{request.remote_id}",
        id=request.remote_id,
        title=request.title.partition(": ")[2] or request.title,
        holder=request.holder_name,
        about=_about(request),
        amount=request.amount_text,
        asked=day_and_time(request.requested_at, actor.business),
        state=state,
        tone=tone,
        waits=waits and bool(verdict),
        refusal=votes or (verdict.reason if verdict is not None and not verdict else ""),
        reason=str(request.payload.get("reason") or ""),
    )


def _about(request: Request) -> str:
    if request.kind == "card_order":
        address = request.payload.get("shipping") or {}
        return ", ".join(str(address[part]) for part in ("street", "city", "country") if address.get(part))
    how = "exactly" if request.payload.get("comparison") == "EQUALS" else "at most"
    return f"{how} this, {f'at {request.payee}' if request.payee else 'at any merchant'}"


def _rows(kind: str) -> Any:
    def rows(actor: Actor) -> QuerySet[Request]:
        return visible_requests(actor).filter(kind=kind)

    return rows


def _queue(name: str, title: str, noun: tuple[str, str], kind: str, opens: Operation, states: tuple[str, ...]) -> List:
    return register(
        List(
            name=f"card_{name}",
            title=title,
            noun=noun,
            icon="credit-card",
            opens=opens,
            rows=_rows(kind),
            line=asked,
            address=f"cards_{name}",
            sort="-asked",
            money=("currency", "amount_minor") if kind == "card_request" else None,
            empty="What people ask for waits here until somebody else decides.",
            filters=(
                Choice(
                    "status", "State", "status", usual=states[0],
                    of=(*((state, REQUEST_STATES.get(state, (state.capitalize(), ""))[0]) for state in states), (ANY, "Any state")),
                ),
                Holds("holder", "Holder", "holder_name"),
            ),
            columns=(
                Column("what", "What", "title", exported=plain("title"), always=True),
                Column("holder", "Holder", "holder_name", exported=plain("holder_name"), always=True),
                Column("state", "State", "status", exported=label("status", words(REQUEST_STATES)), always=True),
                Column(
                    "amount", "Amount", "amount_minor", exported=amount("amount_minor", "currency"), always=True,
                ),
                Column(
                    "asked", "Asked", "requested_at", exported=minute("requested_at"), sort="requested_at", always=True
                ),
            ),
            file_only=(Column("id", "Id", "remote_id"), Column("currency", "Currency", "currency")),
        )
    )  # fmt: skip


ORDERS = _queue(
    "orders", "Orders of physical cards", ("order", "orders"), "card_order", operations.LIST_CARD_ORDERS,
    ("REQUESTED", "ORDERED", "SHIPPED", "DELIVERED", "REJECTED", "CANCELLED"),
)  # fmt: skip
REQUESTS = _queue(
    "requests", "Single-use cards asked for", ("request", "requests"), "card_request", operations_extra.LIST_CARD_REQUESTS,
    ("PENDING", "APPROVED", "REJECTED", "CANCELLED", "EXPIRED"),
)  # fmt: skip


@require_GET
@needs(operations.LIST_CARD_ORDERS)
def orders(request: ActorRequest, business: str) -> HttpResponseBase:
    """The orders of physical cards; those that wait can be ticked and decided on together."""
    return list_page(request, ORDERS, template=TEMPLATE, shown=_shown(request, "card_order", "orders"))


@polls
@require_GET
@needs(operations.LIST_CARD_ORDERS)
def orders_totals(request: ActorRequest, business: str) -> HttpResponseBase:
    """How many there are."""
    return totals_part(request, ORDERS, template=TEMPLATE, shown=_shown(request, "card_order", "orders"))


@require_GET
@needs(operations_extra.LIST_CARD_REQUESTS)
def requests(request: ActorRequest, business: str) -> HttpResponseBase:
    """The requests for single-use cards that one may see."""
    return list_page(request, REQUESTS, template=TEMPLATE, shown=_shown(request, "card_request", "requests"))


@polls
@require_GET
@needs(operations_extra.LIST_CARD_REQUESTS)
def requests_totals(request: ActorRequest, business: str) -> HttpResponseBase:
    """How many there are, and what they come to."""
    return totals_part(request, REQUESTS, template=TEMPLATE, shown=_shown(request, "card_request", "requests"))


def _shown(request: ActorRequest, kind: str, here: str) -> dict[str, Any]:
    may = bool(can_open(request.actor, REQUEST_KINDS[kind].approve))
    return {"here": here, "item_address": PATHS[kind], "may_decide": may}
