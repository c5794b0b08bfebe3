"""Cancelling a subscription: the checklist, and each of its steps."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_GET, require_POST

from dashboard import operations
from dashboard.access.actor import ActorRequest
from dashboard.access.decorators import needs
from dashboard.errors import FAILED, FinanceError, NotAllowed, NotFound
from dashboard.mirror.models import Subscription
from dashboard.pages.subscriptions.forms import STEP_FORMS, WithdrawalForm
from dashboard.pages.subscriptions.presenters.cancellation import checklist_context, form_of_step
from dashboard.pages.subscriptions.selectors import card_of, subscription_for
from dashboard.pages.subscriptions.services import carry_out_step
from dashboard.renewals import cancellations
from dashboard.web.respond import page
from dashboard.web.submission import form_key_of, posted_key

CHECKLIST = "subscriptions/cancellation.html"


@require_GET
@needs(operations.SET_SUBSCRIPTION_STATUS)
def cancellation(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """The checklist of one subscription, with what was done."""
    return _checklist(request, subscription_for(request.actor, remote_id))


def _checklist(
    request: ActorRequest, row: Subscription, status: int = 200, problem: str = "", **refused_forms: forms.Form
) -> HttpResponse:
    context = checklist_context(request.actor, row, card_of(request.actor, row), refused_forms)
    return page(request, CHECKLIST, {**context, "problem": problem, "key": posted_key(request)}, status=status)


@require_POST
@needs(operations.SET_SUBSCRIPTION_STATUS)
def start(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """Begins the checklist; one that is begun is shown."""
    cancellations.start(request.actor, subscription_for(request.actor, remote_id))
    return redirect("subscriptions_cancellation", business, remote_id)


@require_POST
@needs(operations.SET_SUBSCRIPTION_STATUS)
def withdraw(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """Takes the cancellation back with a reason; one that is paused stays so until it is resumed."""
    row, form = subscription_for(request.actor, remote_id), WithdrawalForm(request.POST)
    if not form.is_valid():
        return _checklist(request, row, 422, withdraw=form)
    cancellations.withdraw(request.actor, row, form.cleaned_data["reason"])
    paused = " It is still paused: resume it to keep using it." if row.status == "PAUSED" else ""
    messages.success(request, f"The cancellation of {row.name} was withdrawn.{paused}")
    return redirect("subscriptions_item", business, remote_id)


@require_POST
@needs(operations.SET_SUBSCRIPTION_STATUS)
def carry_out(request: ActorRequest, business: str, remote_id: str, step: str) -> HttpResponse:
    """Does one step; a form that was not accepted, or a refusal, stands in the checklist."""
    row = subscription_for(request.actor, remote_id)
    if step not in STEP_FORMS:
        raise Http404
    card = card_of(request.actor, row)
    form: Any = form_of_step(step, request.actor, row, card, request.POST)
    if not form.is_valid():
        return _checklist(request, row, 422, **{step: form})
    try:
        carry_out_step(step, request.actor, row, card, form, key=form_key_of(request))
    except (*FAILED, NotFound, NotAllowed) as refused:
        return _refused(request, row, refused)
    return redirect("subscriptions_cancellation", business, remote_id)


def _refused(request: ActorRequest, row: Subscription, refused: FinanceError) -> HttpResponse:
    return _checklist(request, row, refused.status, refused.on_form)
