"""The renewal terms of a subscription: its notice, when it renews, and how long before people are reminded."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from dashboard import operations
from dashboard.access.actor import ActorRequest
from dashboard.access.decorators import needs
from dashboard.audit.record import check_or_record_denial
from dashboard.pages.subscriptions.forms import SubscriptionTermsForm, terms_initial
from dashboard.pages.subscriptions.selectors import subscription_for
from dashboard.renewals.selectors import terms_of
from dashboard.renewals.services import set_terms
from dashboard.web.respond import page

TERMS = "subscriptions/terms.html"


@require_http_methods(["GET", "POST"])
@needs(operations.SET_SUBSCRIPTION_LIMITS)
def terms(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """The form of the terms, and their change."""
    row = subscription_for(request.actor, remote_id)
    check_or_record_denial(request.actor, operations.SET_SUBSCRIPTION_LIMITS, row)
    initial = terms_initial(terms_of(request.actor.business, remote_id))
    form = SubscriptionTermsForm(request.POST if request.method == "POST" else None, initial=dict(initial))
    if request.method == "GET" or not form.is_valid():
        return page(request, TERMS, {"row": row, "form": form}, status=200 if request.method == "GET" else 422)
    set_terms(request.actor, row, **form.terms())
    messages.success(request, "Renewal terms saved.")
    return redirect("subscriptions_item", business, remote_id)
