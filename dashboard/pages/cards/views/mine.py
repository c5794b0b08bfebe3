"""One's own cards: what each has left, what it may be used for, what was declined and why, and what is asked of one."""

from dataclasses import dataclass
from typing import Any

from django.db.models import Q, QuerySet
from django.http import HttpResponse
from django.views.decorators.http import require_GET

from dashboard import operations, operations_extra
from dashboard.access.actor import Actor, ActorRequest
from dashboard.access.check import Verdict, can
from dashboard.access.decorators import needs
from dashboard.client.reads import Ok, fan_out
from dashboard.decisions.items import REQUEST_STATES
from dashboard.errors import FinanceError
from dashboard.mirror.models import Card, Expense
from dashboard.mirror.scopes import visible_cards, visible_declines, visible_expenses, visible_requests
from dashboard.pages.cards.presenters import ControlsPresenter, ControlText, standing
from dashboard.pages.cards.request_forms import OnceForm, PhysicalForm
from dashboard.pages.cards.selectors import Balance, balance_in
from dashboard.times import day_and_time
from dashboard.web.card_text import ENDED, blocker_of, who_unblocks, why_declined
from dashboard.web.card_tiles import Tile, tile
from dashboard.web.freshness import freshness_of
from dashboard.web.respond import page
from dashboard.web.submission import new_key

TEMPLATE = "cards/mine.html"
MOST_CARDS, MOST_DECLINES, MOST_ASKED = 12, 8, 10


@dataclass(frozen=True)
class Own:
    """One of one's own cards."""

    tile: Tile
    balance: Balance | None
    rules: list[ControlText]
    block: Verdict | None
    unblock: Verdict | None
    activate: Verdict | None
    blocked: str


@require_GET
@needs(operations.LIST_OWN_CARDS)
def own_cards(request: ActorRequest, business: str) -> HttpResponse:
    """One's own cards, and everything about them that is one's own to see or to do."""
    return show_mine(request)


def show_mine(request: ActorRequest, status: int = 200, **more: Any) -> HttpResponse:
    """The page; `more` is a form that was refused."""
    actor = request.actor
    context = {
        "here": "mine",
        "own": _cards(actor),
        "declines": _declines(actor),
        "asked": _asked(actor),
        "requests": _requests(actor),
        "fresh": freshness_of(actor.business),
        "once_form": OnceForm(actor=actor),
        "physical_form": PhysicalForm(actor=actor),
        "key": new_key(),
    }
    return page(request, TEMPLATE, context | more, status=status)


def _mine(actor: Actor) -> QuerySet[Card]:
    rows = visible_cards(actor)
    return rows.filter(employee_id=actor.employee_id) if actor.employee_id else rows.none()


def _cards(actor: Actor) -> list[Own]:
    cards = list(_mine(actor).exclude(status__in=ENDED).order_by("-created_at", "-id")[:MOST_CARDS])
    calls = {one.remote_id: {"path": {"id": one.remote_id}, "subject": one} for one in cards if one.status == "ACTIVE"}
    try:
        results = fan_out(actor, operations.READ_CARD_BALANCE, calls)
    except FinanceError:
        results = {}
    return [_own(actor, one, results.get(one.remote_id)) for one in cards]


def _own(actor: Actor, card: Card, result: Any) -> Own:
    balance = None
    if isinstance(result, Ok):
        try:
            balance = balance_in(actor, result)
        except FinanceError:
            balance = None
    controls = standing(card.payload.get("controls") or {})
    blocked = f"Blocked by {blocker_of(actor, card)}. {who_unblocks(card)}" if card.status == "BLOCKED" else ""
    return Own(
        tile=tile(actor, card),
        balance=balance,
        rules=list(ControlsPresenter(actor.business, card.currency).texts(controls).values()),
        block=can(actor, operations.BLOCK_CARD, card) if card.status == "ACTIVE" else None,
        unblock=can(actor, operations.UNBLOCK_CARD, card) if card.status == "BLOCKED" else None,
        activate=can(actor, operations_extra.ACTIVATE_CARD, card) if card.status == "INACTIVE" else None,
        blocked=blocked,
    )


def _declines(actor: Actor) -> list[dict[str, Any]]:
    cards = dict(_mine(actor).values_list("remote_id", "last_four"))
    rows = visible_declines(actor).filter(card_id__in=list(cards)).order_by("-at", "-id")[:MOST_DECLINES]
    return [
        {
            "decline": one,
            "why": why_declined(actor, one),
            "when": day_and_time(one.at, actor.business),
            "last_four": cards[one.card_id],
        }
        for one in rows
    ]


def _wanted(actor: Actor) -> QuerySet[Expense]:
    """One's own expenses of which something is wanted: an answer, or a receipt."""
    own = visible_expenses(actor).filter(employee_id=actor.employee_id or "-")
    bare = Q(status="PENDING", has_receipt=False, payload__receipt_required=True)
    return own.filter(Q(status="DETAILS_REQUESTED") | bare)


def _asked(actor: Actor) -> list[tuple[Expense, str]]:
    rows = _wanted(actor).order_by("-transaction_date", "-id")[:MOST_ASKED]
    return [(one, "Answer the question" if one.status == "DETAILS_REQUESTED" else "Add the receipt") for one in rows]


def _requests(actor: Actor) -> list[dict[str, Any]]:
    kinds = ("card_request", "card_order")
    own = visible_requests(actor).filter(kind__in=kinds, holder_id=actor.employee_id or "-")
    return [
        {
            "request": one,
            "state": REQUEST_STATES.get(one.status, (one.status.capitalize(), "")),
            "when": day_and_time(one.requested_at, actor.business),
            "reason": str(one.payload.get("reason") or ""),
            "take_back": one.kind == "card_request" and one.status == "PENDING",
        }
        for one in own.order_by("-requested_at", "-id")[:MOST_ASKED]
    ]
