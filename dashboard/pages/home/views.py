"""The start of the day: each widget is loaded by itself, and fails by itself."""

from collections.abc import Mapping
from typing import Any

from django.http import HttpResponse
from django.views.decorators.http import require_GET

from dashboard import operations, operations_extra, operations_pages
from dashboard.access.actor import ActorRequest
from dashboard.access.decorators import needs
from dashboard.errors import FinanceError
from dashboard.pages.home.presenters.cash import cash_of
from dashboard.pages.home.presenters.demo import demo_of
from dashboard.pages.home.presenters.due import due_of
from dashboard.pages.home.presenters.issues import issues_of
from dashboard.pages.home.presenters.widgets import frame_of, movement_of, newest_own_cards, queue_of, recent_of
from dashboard.pages.home.selectors import spent_this_month
from dashboard.pages.home.services import store_markup
from dashboard.web.respond import is_fragment_request, page
from dashboard.web.signin.sessions import polls

TEMPLATE = "home/home.html"


@require_GET
@needs(operations_pages.HOME)
def home(request: ActorRequest, business: str) -> HttpResponse:
    """Work first: what waits, what needs a look, what there is; which widgets there are follows the role."""
    return page(request, TEMPLATE, frame_of(request.actor))


@polls
@require_GET
@needs(operations_pages.HOME, operations_extra.READ_DEMO_PROGRESS)
def demo(request: ActorRequest, business: str) -> HttpResponse:
    """How far the months of a demo are, above the widgets; nothing where the business is none."""
    context = demo_of(request.actor)
    if is_fragment_request(request):
        return page(request, TEMPLATE, context, fragments=("demo",))
    return page(request, TEMPLATE, {**frame_of(request.actor), **context})


def _widget(request: ActorRequest, name: str, context: Mapping[str, Any], *, failed: bool = False) -> HttpResponse:
    # Alone into its place; without scripts, standing on the whole page.
    if is_fragment_request(request):
        answer = page(request, TEMPLATE, context, fragments=(name,))
        if not failed:
            store_markup(request.actor, name, answer.content.decode())
        return answer
    return page(request, TEMPLATE, {**frame_of(request.actor), **context, "open_widget": name})


@polls
@require_GET
@needs(operations_pages.HOME)
def queue(request: ActorRequest, business: str) -> HttpResponse:
    """How much waits for the person, what it comes to, since when; for a card user what is asked of them."""
    return _widget(request, "queue", queue_of(request.actor))


@polls
@require_GET
@needs(operations_pages.HOME, operations.LIST_OWN_CARDS)
def cards(request: ActorRequest, business: str) -> HttpResponse:
    """The person's own cards, and what is left of their limits."""
    return _widget(request, "cards", newest_own_cards(request.actor))


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
    """The part of the first page that lists what needs attention."""
    return _widget(request, "exceptions", {"issues": issues_of(request.actor)})


@polls
@require_GET
@needs(operations_pages.HOME, operations.LIST_ACCOUNTS, operations.READ_ACCOUNT_BALANCE)
def cash(request: ActorRequest, business: str) -> HttpResponse:
    """What the wallets hold, live, and what is expected; a sum per currency only where every wallet's balance is known."""
    balances = cash_of(request.actor)
    return _widget(request, "cash", {"cash": balances}, failed=bool(balances.failure))


@polls
@require_GET
@needs(operations_pages.HOME, operations.READ_MONEY_MOVEMENT)
def movement(request: ActorRequest, business: str) -> HttpResponse:
    """What came in and went out in the last three months, live."""
    try:
        return _widget(request, "movement", movement_of(request.actor))
    except FinanceError as error:
        return _widget(request, "movement", {"movement_failed": error.user_message}, failed=True)


@polls
@require_GET
@needs(operations_pages.HOME)
def spending(request: ActorRequest, business: str) -> HttpResponse:
    """What was spent this month, by category and by team, of the expenses that the person may see."""
    return _widget(request, "spending", {"spending": spent_this_month(request.actor)})


@polls
@require_GET
@needs(operations_pages.HOME)
def recent(request: ActorRequest, business: str) -> HttpResponse:
    """The newest expenses that the person may see."""
    return _widget(request, "recent", {"expenses": recent_of(request.actor)})
