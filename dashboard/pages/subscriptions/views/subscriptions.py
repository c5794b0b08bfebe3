"""Subscriptions: the list, one with what it costs, a new one, those that past charges look like, those to look into."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from dashboard import operations
from dashboard.access.actor import ActorRequest
from dashboard.access.check import can_open
from dashboard.access.decorators import needs
from dashboard.audit.record import check_or_record_denial
from dashboard.commands import subscriptions as commands
from dashboard.errors import FinanceError
from dashboard.lists.view import list_page, totals_part
from dashboard.mirror.models import Subscription
from dashboard.pages.subscriptions.forms import NewSubscriptionForm
from dashboard.pages.subscriptions.presenters import subscriptions as presenters
from dashboard.pages.subscriptions.selectors import (
    attention_of,
    charges_cursor,
    charges_of,
    choices_of,
    subscription_for,
)
from dashboard.pages.subscriptions.services import add_proposals, identity_of, resume
from dashboard.pages.subscriptions.tables import SUBSCRIPTIONS
from dashboard.web.respond import page
from dashboard.web.signin.sessions import polls
from dashboard.web.submission import form_key_of, posted_key

LIST, ITEM, NEW = "subscriptions/list.html", "subscriptions/item.html", "subscriptions/new.html"
FIND, ATTENTION = "subscriptions/find.html", "subscriptions/attention.html"
MIN_CONFIDENCE = "0.5"


@require_GET
@needs(operations.LIST_SUBSCRIPTIONS)
def subscriptions(request: ActorRequest, business: str) -> HttpResponseBase:
    """The page of the subscriptions, filtered and sorted by the query."""
    may_add = bool(can_open(request.actor, operations.CREATE_SUBSCRIPTION))
    return list_page(request, SUBSCRIPTIONS, template=LIST, area_context={"may_add": may_add})


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
    return _item(request, subscription_for(request.actor, remote_id))


def _item(request: ActorRequest, row: Subscription, status: int = 200, **refused: Any) -> HttpResponse:
    after = charges_cursor(request.GET.get("charges_after", ""))
    charges = charges_of(request.actor, row, after)
    context = presenters.item_context(request.actor, row, charges, refused, is_newest=not after)
    return page(request, ITEM, {**context, "key": posted_key(request)}, status=status)


@require_POST
@needs(operations.ASSIGN_SUBSCRIPTION)
def change(request: ActorRequest, business: str, remote_id: str, part: str) -> HttpResponse:
    """Changes one part of a subscription: its owner and card, its team, its limit and billing, or its category."""
    if part not in presenters.PARTS:
        raise Http404
    row, operation = subscription_for(request.actor, remote_id), presenters.PARTS[part][1]
    check_or_record_denial(request.actor, operation, row)
    form: Any = presenters.form_of(part, request.actor, row, choices_of(request.actor), request.POST)
    if not form.is_valid():
        return _item(request, row, 422, **{part: form})
    try:
        commands.change(request.actor, operation, row, form.body(), key=form_key_of(request), form=form)
    except commands.REFUSALS as refused:
        return _item(request, row, refused.status, **{part: form})
    messages.success(request, "Changes saved.")
    return redirect("subscriptions_item", business, remote_id)


@require_POST
@needs(operations.SET_SUBSCRIPTION_STATUS)
def set_status(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """Pauses an active subscription, or resumes a paused one, as the button said; 409 for resuming one that is cancelled."""
    row = subscription_for(request.actor, remote_id)
    command, done = {
        "pause": (commands.pause, "was paused"),
        "resume": (resume, "was resumed"),
    }.get(request.POST.get("to", ""), (None, ""))
    if command is None:
        raise Http404
    command(request.actor, row, key=form_key_of(request))
    messages.success(request, f"{row.name} {done}.")
    return redirect("subscriptions_item", business, remote_id)


@require_http_methods(["GET", "POST"])
@needs(operations.CREATE_SUBSCRIPTION)
def new_subscription(request: ActorRequest, business: str) -> HttpResponse:
    """The form of a new subscription; posted, it is added."""
    data, locale = request.POST if request.method == "POST" else None, request.actor.business.locale
    form = NewSubscriptionForm(data, choices=choices_of(request.actor), locale=locale)
    if request.method == "GET" or not form.is_valid():
        return _new(request, form, 200 if request.method == "GET" else 422)
    try:
        added = commands.create(request.actor, form.body(), key=form_key_of(request), form=form)
    except commands.REFUSALS as refused:
        return _new(request, form, refused.status)
    messages.success(request, f"{form.cleaned_data['name']} was added.")
    return redirect("subscriptions_item", business, added.id)


def _new(request: ActorRequest, form: NewSubscriptionForm, status: int) -> HttpResponse:
    return page(request, NEW, {"form": form, "key": posted_key(request)}, status=status)


@require_http_methods(["GET", "POST"])
@needs(operations.GENERATE_SUBSCRIPTIONS)
def find(request: ActorRequest, business: str) -> HttpResponse:
    """Searches past charges for subscriptions; what was chosen of what was found is added, one by one."""
    searched = request.method == "POST"
    context: dict[str, Any] = {"key": posted_key(request), "searched": searched, "proposals": [], "problem": ""}
    status = 200
    if searched:
        try:
            proposals = commands.search_past_charges(request.actor, MIN_CONFIDENCE, key=None).proposals
        except FinanceError as trouble:
            context["problem"], status = trouble.user_message, trouble.status
        else:
            if chosen := request.POST.getlist("chosen"):
                return _add(request, proposals, chosen)
            context["proposals"] = presenters.proposal_rows(proposals, request.actor)
    return page(request, FIND, context, status=status)


def _add(request: ActorRequest, proposals: list[Any], chosen: list[str]) -> HttpResponse:
    wished = [row for row in proposals if identity_of(row) in set(chosen)]
    added, problems = add_proposals(request.actor, wished, key=posted_key(request))
    if added:
        messages.success(request, f"Added: {', '.join(added)}.")
    for problem in problems:
        messages.error(request, problem)
    if not wished:
        messages.error(request, "Nothing of what you chose is proposed any more.")
    return redirect("subscriptions", request.actor.business.slug)


@require_GET
@needs(operations.LIST_SUBSCRIPTIONS)
def attention(request: ActorRequest, business: str) -> HttpResponse:
    """Active subscriptions that may be paid for without being used."""
    subscriptions_to_check, is_whole = attention_of(request.actor)
    rows = presenters.attention_rows(subscriptions_to_check, request.actor)
    return page(request, ATTENTION, {"rows": rows, "is_whole": is_whole})
