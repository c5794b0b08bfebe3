"""Subscriptions: the list, and one of them with whose it is and what it costs."""

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_GET

from dashboard import operations
from dashboard.access.actor import Actor, ActorRequest
from dashboard.access.decorators import needs
from dashboard.forecast.repeats import frequency_of
from dashboard.lists.detail_page import Facts, detail_page
from dashboard.lists.states import state_in
from dashboard.lists.view import list_page, totals_part
from dashboard.mirror.models import Subscription
from dashboard.mirror.scopes import visible_employees, visible_subscriptions
from dashboard.pages.subscriptions.table import STATES, SUBSCRIPTIONS, next_charge
from dashboard.web.signin.sessions import polls


@require_GET
@needs(operations.LIST_SUBSCRIPTIONS)
def subscriptions(request: ActorRequest, business: str) -> HttpResponseBase:
    """The subscriptions, as the address asks for them."""
    return list_page(request, SUBSCRIPTIONS)


@polls
@require_GET
@needs(operations.LIST_SUBSCRIPTIONS)
def totals(request: ActorRequest, business: str) -> HttpResponseBase:
    """How many there are, and what they cost a period."""
    return totals_part(request, SUBSCRIPTIONS)


@require_GET
@needs(operations.LIST_SUBSCRIPTIONS)
def subscription(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """One subscription."""
    found: Subscription = get_object_or_404(visible_subscriptions(request.actor), remote_id=remote_id)
    facts = facts_of(request.actor, found)
    return detail_page(
        request, SUBSCRIPTIONS, found, found.name, state_in(STATES, found.status), facts, found.amount_text
    )


def facts_of(actor: Actor, found: Subscription) -> Facts:
    """What is known of a subscription; whose it is where the actor may see that person."""
    holder = visible_employees(actor).filter(remote_id=found.employee_id).values_list("name", flat=True).first()
    return [
        ("Vendor", found.vendor),
        ("Charged", frequency_of(found.billing_frequency)),
        ("Next charge", next_charge(found.next_charge_at, actor)),
        ("Limit a period", found.limit_text),
        ("Whose", holder or ""),
    ]
