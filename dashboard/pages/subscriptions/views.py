"""Subscriptions: the list, and one of them with whose it is and what it costs."""

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_GET

from dashboard import operations
from dashboard.access.actor import ActorRequest
from dashboard.access.decorators import needs
from dashboard.lists.detail_page import detail_page
from dashboard.lists.states import state_in
from dashboard.lists.view import list_page, totals_part
from dashboard.mirror.models import Subscription
from dashboard.mirror.scopes import visible_subscriptions
from dashboard.pages.subscriptions.presenters import facts_of
from dashboard.pages.subscriptions.tables import STATES, SUBSCRIPTIONS
from dashboard.web.signin.sessions import polls


@require_GET
@needs(operations.LIST_SUBSCRIPTIONS)
def subscriptions(request: ActorRequest, business: str) -> HttpResponseBase:
    """The page of the subscriptions, filtered and sorted by the query."""
    return list_page(request, SUBSCRIPTIONS)


@polls
@require_GET
@needs(operations.LIST_SUBSCRIPTIONS)
def totals(request: ActorRequest, business: str) -> HttpResponseBase:
    """The fragment with how many there are and what they cost a period, per currency."""
    return totals_part(request, SUBSCRIPTIONS)


@require_GET
@needs(operations.LIST_SUBSCRIPTIONS)
def subscription(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """The page of one subscription; 404 outside what the actor may see."""
    row: Subscription = get_object_or_404(visible_subscriptions(request.actor), remote_id=remote_id)
    state, facts = state_in(STATES, row.status), facts_of(request.actor, row)
    return detail_page(request, SUBSCRIPTIONS, row, row.name, state, facts, row.amount_text)
