"""Several decisions at once: first the plan, then the result row by row, then only what failed again."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from dashboard import operations_pages
from dashboard.access.actor import ActorRequest
from dashboard.access.decorators import needs
from dashboard.bulk import batches
from dashboard.bulk.models import Batch
from dashboard.bulk.plans import MOST_TICKED
from dashboard.bulk.results import BatchResult
from dashboard.decisions.bulk import result_of, retry_failed, undo_bulk
from dashboard.decisions.presenters import undone_sentence
from dashboard.decisions.registry import DECIDED, VERBS, spec_for
from dashboard.errors import Rejected
from dashboard.pages.approvals.forms import DecisionReasonForm, OptionalReasonForm
from dashboard.pages.approvals.presenters.plans import plan_context, result_context
from dashboard.pages.approvals.selectors.plans import (
    chosen_parts,
    count_access_changes,
    grouped_subjects,
    matching_subjects,
    parts_of_plan,
    plan_id_of,
    plans_of,
    store_plans,
    ticked_subjects,
)
from dashboard.pages.approvals.views.desk import filters_of
from dashboard.web.respond import page
from dashboard.web.signin.middleware import step_up, stepped_up
from dashboard.web.signin.sessions import polls
from dashboard.web.submission import posted_key


def _list_query(request: ActorRequest) -> str:
    return request.POST.get("list", "")[:1000]


@require_POST
@needs(operations_pages.INBOX)
def plan_bulk(request: ActorRequest, business: str) -> HttpResponse:
    """What deciding on the ticked rows, or on all that match, would do: nothing is decided yet."""
    verb, actor = request.POST.get("verb", ""), request.actor
    if verb not in VERBS:
        raise Rejected("Choose approve, reject or request details.", code="verb")
    filters = filters_of(request) if request.POST.get("all") == "matching" else None
    keys = request.POST.getlist("ids")[:MOST_TICKED]
    subjects = _chosen(request, keys) if filters is None else matching_subjects(actor, filters)
    plans, others = plans_of(actor, verb, subjects)
    alone = count_access_changes(actor, keys, filters)
    if not plans:
        return _nothing_planned(request, business, alone)
    return _show_plan(request, store_plans(plans, filters), others=others, alone=alone)


def _chosen(request: ActorRequest, keys: list[str]) -> list[Any]:
    """The ticked rows, and all rows of the ticked groups, each once."""
    subjects = ticked_subjects(request.actor, keys)
    subjects += grouped_subjects(request.actor, filters_of(request), request.POST.getlist("groups")[:MOST_TICKED])
    return list({(type(subject), subject.pk): subject for subject in subjects}.values())


def _nothing_planned(request: ActorRequest, business: str, alone: int) -> HttpResponse:
    why = "Access changes are decided one by one." if alone else ""
    messages.error(request, f"Nothing you selected can be decided this way. {why} Nothing was changed.")
    return HttpResponseRedirect(f"{reverse('approvals', args=[business])}?{_list_query(request)}")


@require_GET
@needs(operations_pages.INBOX)
def plan_again(request: ActorRequest, business: str, plan_id: UUID) -> HttpResponse:
    """A plan that was looked at before: after showing that it is oneself. What is carried out already shows its results."""
    parts = parts_of_plan(request.actor, str(plan_id))
    planned = [part for part in parts if part.planned]
    return _show_plan(request, planned) if planned else redirect("approvals_several", business, parts[0].pk)


def _show_plan(request: ActorRequest, planned: list[Batch], status: int = 200, **more: Any) -> HttpResponse:
    context = plan_context(request.actor, planned, _list_query(request) or planned[0].query)
    return page(request, "approvals/plan.html", context | more, status=status)


@require_POST
@needs(operations_pages.INBOX)
def decide_bulk(request: ActorRequest, business: str) -> HttpResponse:
    """Decides on the rows of a plan (or of one part of it) that passed when it was looked at, one reason for all."""
    parts = parts_of_plan(request.actor, request.POST.get("plan", ""))
    chosen = chosen_parts(request.actor, parts, request.POST.get("operation", ""))
    decided = [DECIDED[part.verb] for part in chosen]
    form = (
        DecisionReasonForm if any(spec_for(operation).needs_reason for operation in decided) else OptionalReasonForm
    )(request.POST)
    if not form.is_valid():
        return _show_refused(request, parts, form)
    if any(operation.undo_s == 0 for operation in decided) and not stepped_up(request):
        return step_up(request, reverse("approvals_plan_again", args=[business, plan_id_of(chosen[0])]))
    for part in chosen:
        batches.begin(request.actor, part, form.cleaned_data["reason"])
    return redirect("approvals_several", business, chosen[0].pk)


def _show_refused(
    request: ActorRequest, parts: list[Batch], form: DecisionReasonForm | OptionalReasonForm
) -> HttpResponse:
    """The plan with what is wrong beside the reason."""
    wrong = {"reason_for": request.POST.get("operation", ""), "reason_error": form.errors["reason"][0]}
    planned = [part for part in parts if part.planned] or parts
    return _show_plan(request, planned, status=422, reason_typed=request.POST.get("reason", ""), **wrong)


@require_GET
@needs(operations_pages.INBOX)
def bulk_result(request: ActorRequest, business: str, bulk_id: UUID) -> HttpResponse:
    """How a bulk decision stands, row by row."""
    return _show_result(request, result_of(request.actor, bulk_id))


@polls
@require_GET
@needs(operations_pages.INBOX)
def bulk_rows(request: ActorRequest, business: str, bulk_id: UUID) -> HttpResponse:
    """The same rows again: the page asks by itself while something is open."""
    return _show_result(request, result_of(request.actor, bulk_id))


def _show_result(request: ActorRequest, batch_result: BatchResult) -> HttpResponse:
    context = result_context(request.actor, batch_result, request.GET.get("only"), request.GET.get("page"))
    return page(request, "approvals/several.html", context, fragments=("result",))


@require_POST
@needs(operations_pages.INBOX)
def cancel_bulk(request: ActorRequest, business: str, bulk_id: UUID) -> HttpResponse:
    """Takes back every row that still waits here."""
    if undone := undo_bulk(request.actor, bulk_id):
        messages.success(request, undone_sentence(undone))
    else:
        messages.error(request, "None of it waits any more: it can no longer be undone.")
    return redirect("approvals_several", business, bulk_id)


@require_POST
@needs(operations_pages.INBOX)
def retry_bulk(request: ActorRequest, business: str, bulk_id: UUID) -> HttpResponse:
    """Decides again on the rows that failed, as they are now."""
    operation = result_of(request.actor, bulk_id).action.operation
    if operation.undo_s == 0 and not stepped_up(request):
        return step_up(request, reverse("approvals_several", args=[business, bulk_id]))
    again = retry_failed(request.actor, bulk_id, key=posted_key(request))
    if again is None:
        messages.error(request, "Nothing in it can be retried. Nothing was changed.")
    return redirect("approvals_several", business, again.pk if again is not None else bulk_id)
