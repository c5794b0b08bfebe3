"""Bulk actions of any list: the plan, then carried out by a worker, the result row by row, what failed again."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_GET, require_POST

from dashboard import operations_pages
from dashboard.access.actor import Actor, ActorRequest
from dashboard.access.decorators import needs
from dashboard.bulk import batches
from dashboard.bulk.models import Batch
from dashboard.bulk.plans import MOST_TICKED, plan_again
from dashboard.lists.actions import Action
from dashboard.lists.bulk import plan_matching, plan_ticked, plan_undo
from dashboard.lists.query import LONGEST_QUERY, Query
from dashboard.lists.registry import Listed
from dashboard.lists.selection import read_selection
from dashboard.lists.stored_ticks import CLEAR, KEEP, TOO_MANY, store_ticks
from dashboard.lists.view import redirect_to_list
from dashboard.pages.lists.forms import ActionAnswerForm
from dashboard.pages.lists.presenters import batch_context, batch_lines
from dashboard.pages.lists.selectors import list_action_of, own_list_batch, permitted_action, permitted_list
from dashboard.web.form_outcome import not_submitted
from dashboard.web.respond import is_fragment_request, page
from dashboard.web.signin.middleware import confirm_first
from dashboard.web.signin.sessions import polls


@require_POST
@needs(operations_pages.LISTS)
def plan_bulk(request: ActorRequest, business: str, list_name: str) -> HttpResponse:
    """What an action would do to the rows that are ticked, or to all that match: nothing is done yet."""
    listed = permitted_list(request.actor, list_name)
    if request.POST.get("verb") in (KEEP, CLEAR):
        return _keep(request, listed)
    action = permitted_action(request.actor, listed.declared, request.POST.get("verb", ""))
    assert listed.declared is not None
    query = Query.parse(listed.declared, request.POST.get("list", "")[:LONGEST_QUERY])
    if request.POST.get("all") == "matching":
        planned = plan_matching(request.actor, action, query)
    else:
        ticks = read_selection(request.POST.getlist("ids")[:MOST_TICKED])
        planned = plan_ticked(request.actor, action, query, ticks)
    if planned is None:
        messages.error(request, "Nothing you have access to is selected. Nothing was changed.")
        return redirect_to_list(request.actor, listed, query.query())
    return redirect("bulk_item", business, planned.pk)


def _keep(request: ActorRequest, listed: Listed) -> HttpResponse:
    """Keeps what is ticked for the list's other pages, or forgets it; nothing is planned."""
    boxes = request.POST.getlist("ids")[:MOST_TICKED] if request.POST["verb"] == KEEP else []
    is_whole = store_ticks(request, listed.name, boxes)
    if is_fragment_request(request):
        return not_submitted(HttpResponse(status=204))
    if not is_whole:
        messages.error(request, TOO_MANY)
    at = request.POST.get("at", "")[:LONGEST_QUERY]
    if at.startswith(f"/{request.actor.business.slug}/") and url_has_allowed_host_and_scheme(at, None):
        return not_submitted(redirect(at))
    text = request.POST.get("list", "")[:LONGEST_QUERY]
    query = Query.parse(listed.declared, text) if listed.declared else None
    return not_submitted(redirect_to_list(request.actor, listed, query.query() if query else ""))


@require_GET
@needs(operations_pages.LISTS)
def bulk_item(request: ActorRequest, business: str, batch_id: UUID) -> HttpResponse:
    """The plan, and once it is carried out what became of each row."""
    return _show(request, own_list_batch(request.actor, batch_id))


@polls
@require_GET
@needs(operations_pages.LISTS)
def bulk_progress(request: ActorRequest, business: str, batch_id: UUID) -> HttpResponse:
    """How far it is by now: the page asks by itself while it is on its way."""
    return _show(request, own_list_batch(request.actor, batch_id))


def _show(request: ActorRequest, batch: Batch, status: int = 200, form: ActionAnswerForm | None = None) -> HttpResponse:
    context = batch_context(request.actor, batch, request.GET.get("only", ""), request.GET.get("page"))
    if batch.planned:
        context["form"] = form or _form(request.actor, context["action"], batch)
    return page(request, "lists/bulk.html", context, fragments=("result",), status=status)


def _form(actor: Actor, action: Action, batch: Batch, posted: Any = None) -> ActionAnswerForm | None:
    """What is still to be given; what is tried again was given before."""
    if action.question is None or batch.retry_of_id:
        return None
    return ActionAnswerForm(
        posted, question=action.question, choices=action.question.choices(actor) if action.question.choices else None
    )


@require_POST
@needs(operations_pages.LISTS)
def begin_bulk(request: ActorRequest, business: str, batch_id: UUID) -> HttpResponseBase:
    """Has the plan carried out; what was begun before is only shown."""
    batch = own_list_batch(request.actor, batch_id)
    action = permitted_action(request.actor, list_action_of(batch).of, batch.verb)
    form = _form(request.actor, action.action, batch, request.POST)
    if form is not None and not form.is_valid():
        return _show(request, batch, 422, form)
    if action.action.verifies and (verification := confirm_first(request, request.path)):
        return verification
    given, given_text = form.given() if form else (batch.given, batch.given_said)
    if batches.begin(request.actor, batch, given, given_text):
        # What was ticked is under way.
        store_ticks(request, batch.list_name, ())
    elif batches.has_expired(batch):
        messages.error(request, "This review has expired: start again from the list. Nothing was changed.")
    return redirect("bulk_item", business, batch.pk)


@require_POST
@needs(operations_pages.LISTS)
def stop_bulk(request: ActorRequest, business: str, batch_id: UUID) -> HttpResponse:
    """Stops it: what was done stays done."""
    if batches.stop(request.actor, own_list_batch(request.actor, batch_id)):
        messages.success(request, "Stopped. What was already done stays done; the rest was not started.")
    return redirect("bulk_item", business, batch_id)


@require_POST
@needs(operations_pages.LISTS)
def retry_bulk(request: ActorRequest, business: str, batch_id: UUID) -> HttpResponse:
    """A plan of the rows that failed, as they are now."""
    before = own_list_batch(request.actor, batch_id)
    permitted_action(request.actor, list_action_of(before).of, before.verb)
    planned = None if before.open else plan_again(request.actor, before)
    if planned is None:
        messages.error(request, "Nothing in it can be retried. Nothing was changed.")
    return redirect("bulk_item", business, planned.pk if planned else batch_id)


@require_POST
@needs(operations_pages.LISTS)
def undo_bulk(request: ActorRequest, business: str, batch_id: UUID) -> HttpResponse:
    """A plan of undoing it, in the rows in which it was done, as they are now."""
    before = own_list_batch(request.actor, batch_id)
    action = permitted_action(request.actor, list_action_of(before).of, before.verb)
    planned = plan_undo(request.actor, action.of, before)
    if planned is None:
        messages.error(request, "Nothing in it can be undone. Nothing was changed.")
    return redirect("bulk_item", business, planned.pk if planned else batch_id)


@require_GET
@needs(operations_pages.LISTS)
def bulk_history(request: ActorRequest, business: str) -> HttpResponse:
    """One's own bulk actions, the newest first."""
    return page(request, "lists/bulk_history.html", {"lines": batch_lines(request.actor)})
