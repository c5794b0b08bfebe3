"""The start of the day: each widget is asked for by itself, and fails by itself."""

from typing import Any

from django.http import HttpResponse
from django.views.decorators.http import require_GET

from dashboard import operations, operations_pages
from dashboard.access.actor import Actor, ActorRequest
from dashboard.access.check import can_open
from dashboard.access.decorators import needs
from dashboard.cash.movement import trends_of
from dashboard.decisions.filters import Filters
from dashboard.decisions.selectors import confirms, decides, votes
from dashboard.decisions.totals import totals_of
from dashboard.errors import FinanceError
from dashboard.pages.home.cards import cards_of, holds_cards
from dashboard.pages.home.cash import cash_of
from dashboard.pages.home.due import due_of
from dashboard.pages.home.exceptions import troubles_of
from dashboard.pages.home.last import keep, last
from dashboard.pages.home.movement import spending_of
from dashboard.pages.home.queue import asked_of, risk_of
from dashboard.pages.home.table import recent_of
from dashboard.web.respond import page, wants_fragment
from dashboard.web.signin.sessions import polls

TEMPLATE = "home/home.html"


@require_GET
@needs(operations_pages.HOME)
def home(request: ActorRequest, business: str) -> HttpResponse:
    """Work first: what waits, what needs a look, what there is; what is shown follows the role."""
    actor = request.actor
    return page(request, TEMPLATE, _frame(actor))


def _frame(actor: Actor) -> dict[str, Any]:
    waits, whole = decides(actor) or votes(actor) or confirms(actor), bool(can_open(actor, operations_pages.INBOX))
    widgets = [("queue", "Waiting for you" if waits else "Asked of you")]
    # Whoever is here for their cards finds the place where they will be; the others, where they have some.
    cards = [("cards", "Your cards")] if not whole or holds_cards(actor) else []
    if can_open(actor, operations.LIST_APPROVALS):
        widgets.append(("due", "Payments due"))
    widgets += [("exceptions", "Needs a look")] if whole else [*cards, ("exceptions", "Needs a look")]
    if can_open(actor, operations.LIST_ACCOUNTS) and can_open(actor, operations.READ_ACCOUNT_BALANCE):
        widgets.append(("cash", "Cash"))
    widgets += cards if whole else []
    if can_open(actor, operations.READ_MONEY_MOVEMENT):
        widgets.append(("movement", "Money in and out"))
    widgets.append(("spending", "Spent this month"))
    names = [name for name, _ in widgets]
    shown = last(actor, [*names, "recent"])
    return {
        "widgets": [(name, label, shown.get(name, "")) for name, label in widgets],
        "latest": "Latest expenses" if whole else "Your latest expenses",
        "recently": shown.get("recent", ""),
    }


def _widget(request: ActorRequest, name: str, context: dict[str, Any], *, failed: bool = False) -> HttpResponse:
    # Alone into its place; without scripts, standing on the whole page.
    if wants_fragment(request):
        answer = page(request, TEMPLATE, context, fragments=(name,))
        if not failed:
            keep(request.actor, name, answer.content.decode())
        return answer
    return page(request, TEMPLATE, _frame(request.actor) | context | {"shown": name})


@polls
@require_GET
@needs(operations_pages.HOME)
def queue(request: ActorRequest, business: str) -> HttpResponse:
    """How much waits for one, what it comes to, since when; for a card user what is asked of them."""
    deciding = decides(request.actor) or votes(request.actor) or confirms(request.actor)
    waiting = totals_of(request.actor, Filters()) if deciding else None
    risk = risk_of(request.actor) if deciding else None
    context = {"waiting": waiting, "risk": risk, "asked": asked_of(request.actor)}
    return _widget(request, "queue", context)


@polls
@require_GET
@needs(operations_pages.HOME, operations.LIST_OWN_CARDS)
def cards(request: ActorRequest, business: str) -> HttpResponse:
    """One's own cards, and what is left of their limits."""
    own, more, seen = cards_of(request.actor)
    return _widget(request, "cards", {"own": own, "more": more, "seen": seen})


@polls
@require_GET
@needs(operations_pages.HOME, operations.LIST_APPROVALS)
def due(request: ActorRequest, business: str) -> HttpResponse:
    """The payments of the next seven days."""
    return _widget(request, "due", {"due": due_of(request.actor)})


@polls
@require_GET
@needs(operations_pages.HOME)
def exceptions(request: ActorRequest, business: str) -> HttpResponse:
    """What needs attention."""
    return _widget(request, "exceptions", {"troubles": troubles_of(request.actor)})


@polls
@require_GET
@needs(operations_pages.HOME, operations.LIST_ACCOUNTS, operations.READ_ACCOUNT_BALANCE)
def cash(request: ActorRequest, business: str) -> HttpResponse:
    """What the wallets hold, live; a sum per currency only where every wallet's balance is known."""
    found = cash_of(request.actor)
    return _widget(request, "cash", {"cash": found}, failed=bool(found.trouble))


@polls
@require_GET
@needs(operations_pages.HOME, operations.READ_MONEY_MOVEMENT)
def movement(request: ActorRequest, business: str) -> HttpResponse:
    """What came in and went out in the last three months, live."""
    try:
        trends, seen = trends_of(request.actor)
    except FinanceError as error:
        return _widget(request, "movement", {"unmoved": error.user_message}, failed=True)
    return _widget(request, "movement", {"trends": trends, "seen": seen})


@polls
@require_GET
@needs(operations_pages.HOME)
def spending(request: ActorRequest, business: str) -> HttpResponse:
    """What was spent this month, by category and by team, of the expenses that one may see."""
    return _widget(request, "spending", {"spent": spending_of(request.actor)})


@polls
@require_GET
@needs(operations_pages.HOME)
def recent(request: ActorRequest, business: str) -> HttpResponse:
    """The newest expenses that one may see."""
    return _widget(request, "recent", {"recent": recent_of(request.actor)})
