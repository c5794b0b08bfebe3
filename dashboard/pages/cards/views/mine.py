"""One's own cards: what each has left, what it may be used for, what was declined and why, and what waits for one."""

from typing import Any

from django.http import HttpResponse
from django.views.decorators.http import require_GET

from dashboard import operations
from dashboard.access.actor import ActorRequest
from dashboard.access.decorators import needs
from dashboard.pages.cards.forms.requests import PhysicalForm, SingleUseForm
from dashboard.pages.cards.selectors import mine
from dashboard.web.freshness import freshness_of
from dashboard.web.respond import page
from dashboard.web.submission import new_key

TEMPLATE = "cards/mine.html"


@require_GET
@needs(operations.LIST_OWN_CARDS)
def own_cards(request: ActorRequest, business: str) -> HttpResponse:
    """The page of one's own cards, with everything about them that is one's own to see or to do."""
    return render_own_cards(request)


def render_own_cards(request: ActorRequest, status: int = 200, **more: Any) -> HttpResponse:
    """The page; `more` is a form that was refused, by the names of cards/mine.html."""
    actor = request.actor
    context = {
        "here": "mine",
        "cards": mine.own_cards(actor),
        "declines": mine.own_declines(actor),
        "expenses": mine.expenses_to_complete(actor),
        "requests": mine.own_requests(actor),
        "fresh": freshness_of(actor.business),
        "single_use_form": SingleUseForm(actor=actor),
        "physical_form": PhysicalForm(actor=actor),
        "key": new_key(),
    }
    return page(request, TEMPLATE, context | more, status=status)
