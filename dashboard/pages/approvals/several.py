"""Several decisions at once: first the plan, then the result row by row, then only what failed again."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from dashboard import operations_pages
from dashboard.access.actor import ActorRequest
from dashboard.access.check import can_open
from dashboard.access.decorators import needs
from dashboard.access.operation import Operation
from dashboard.decisions.bulk import BulkResult, result_of, retry_failed, submit_bulk, undo_bulk
from dashboard.decisions.fingerprints import fingerprint_of
from dashboard.decisions.kept import keep, kept_plan, seen_rows
from dashboard.decisions.models import Bulk, KeptPlan, State
from dashboard.decisions.registry import DECIDED, VERBS, spec_for, visible
from dashboard.errors import NotAllowed, Rejected
from dashboard.pages.approvals.desk import filters_of
from dashboard.pages.approvals.forms import OptionalReasonForm, ReasonForm
from dashboard.pages.approvals.planning import TITLES, Section, matching, read_alone, sections, ticked
from dashboard.web.respond import page
from dashboard.web.signin.middleware import step_up, stepped_up
from dashboard.web.signin.sessions import polls
from dashboard.web.submission import form_key, new_key

SAYS = {"approve": "Approve", "reject": "Reject", "ask": "Ask for details on"}
WHOLE = "all"
ROWS = 100
MOST_TICKED = 500


def _back(request: ActorRequest, business: str) -> str:
    return f"{reverse('approvals', args=[business])}?{request.POST.get('list', '')[:1000]}"


@require_POST
@needs(operations_pages.INBOX)
def plan_several(request: ActorRequest, business: str) -> HttpResponse:
    """What deciding on the ticked rows, or on all that match, would do: nothing is decided yet."""
    verb = request.POST.get("verb", "")
    if verb not in VERBS:
        raise Rejected("Choose approve, reject or ask for details.", code="verb")
    actor, filters = request.actor, filters_of(request)
    whole = request.POST.get("all") == "matching"
    ids = request.POST.getlist("ids")[:MOST_TICKED]
    found, others = sections(actor, verb, matching(actor, filters) if whole else ticked(actor, ids))
    alone = read_alone(actor, ids, filters if whole else None)
    if not found:
        why = "A change of access is read and decided on by itself." if alone else ""
        messages.error(request, f"Nothing is ticked that you could decide on in this way. {why} Nothing was changed.")
        return HttpResponseRedirect(_back(request, business))
    kept = keep(actor, verb, filters.query() if whole else "", [each.plan for each in found])
    return _show_plan(request, kept, found, others=others, alone=alone)


@require_GET
@needs(operations_pages.INBOX)
def plan_again(request: ActorRequest, business: str, plan_id: UUID) -> HttpResponse:
    """A plan that was made before, as it stands now: after showing that it is oneself."""
    return _plan_afresh(request, kept_plan(request.actor, plan_id))


def _plan_afresh(request: ActorRequest, kept: KeptPlan, status: int = 200, **more: Any) -> HttpResponse:
    things = [one for name, seen in kept.rows.items() for one in _visible(request, DECIDED[name], list(seen))]
    found, _ = sections(request.actor, kept.verb, things)
    return _show_plan(request, kept, found, status=status, **more)


def _show_plan(
    request: ActorRequest, kept: KeptPlan, found: list[Section], status: int = 200, **more: Any
) -> HttpResponse:
    query = request.POST.get("list", "")[:1000] or kept.query
    back = f"{reverse('approvals', args=[request.actor.business.slug])}?{query}"
    context = {"kept": kept, "sections": found, "says": SAYS[kept.verb], "back": back, "list": query}
    context |= {"passing": sum(each.passing for each in found), "undone": all(not each.money_leaves for each in found)}
    return page(request, "approvals/plan.html", context | more, status=status)


@require_POST
@needs(operations_pages.INBOX)
def decide_several(request: ActorRequest, business: str) -> HttpResponse:
    """Decides on the rows of a plan (or of one part of it) that passed when it was looked at, one reason for all."""
    kept = kept_plan(request.actor, request.POST.get("plan", ""))
    chosen = _operations(request, kept)
    needs_reason = any(spec_for(one).needs_reason for one in chosen)
    form = (ReasonForm if needs_reason else OptionalReasonForm)(request.POST)
    if not form.is_valid():
        wrong = {"reason_for": request.POST.get("operation", ""), "reason_error": form.errors["reason"][0]}
        return _plan_afresh(request, kept, status=422, reason_typed=request.POST.get("reason", ""), **wrong)
    if any(one.undo_s == 0 for one in chosen) and not stepped_up(request):
        return step_up(request, reverse("approvals_plan_again", args=[business, kept.pk]))
    bulks = [_carry_out(request, kept, one, form.cleaned_data["reason"]) for one in chosen]
    return redirect("approvals_several", business, bulks[0].pk)


def _operations(request: ActorRequest, kept: KeptPlan) -> list[Operation]:
    name = request.POST.get("operation", "")
    names = [each for each, rows in kept.rows.items() if rows] if name == WHOLE else [name]
    if not names or not set(names) <= kept.rows.keys() & DECIDED.keys():
        raise Rejected("The plan says nothing of this.", code="operation")
    for each in names:
        if not (door := can_open(request.actor, DECIDED[each])):
            raise NotAllowed(door.reason)
    return [DECIDED[each] for each in names]


def _carry_out(request: ActorRequest, kept: KeptPlan, operation: Operation, reason: str) -> Bulk:
    seen = seen_rows(kept, operation)
    things = _visible(request, operation, list(seen))
    key = f"{kept.pk}:{operation.name}"
    return submit_bulk(request.actor, operation, things, fingerprints=seen, key=key, reason=reason)


def _visible(request: ActorRequest, operation: Operation, ids: list[str]) -> list[Any]:
    # Ids are the service's own, unique whatever the kind: each kind that the operation may be about is looked through.
    kinds = {"expense"} if spec_for(operation).answers == "expense" else {"approval", spec_for(operation).answers}
    return [one for kind in sorted(kinds) for one in visible(request.actor, kind).filter(remote_id__in=ids)]


@require_GET
@needs(operations_pages.INBOX)
def several(request: ActorRequest, business: str, bulk_id: UUID) -> HttpResponse:
    """How a bulk decision stands, row by row."""
    return _show(request, result_of(request.actor, bulk_id))


@polls
@require_GET
@needs(operations_pages.INBOX)
def several_rows(request: ActorRequest, business: str, bulk_id: UUID) -> HttpResponse:
    """The same rows again: the page asks by itself while something is open."""
    return _show(request, result_of(request.actor, bulk_id))


def _show(request: ActorRequest, result: BulkResult) -> HttpResponse:
    only = request.GET.get("only", "" if result.counts else "LEFT_OUT")
    counts = [(State(state), count) for state, count in sorted(result.counts.items())]
    if only == "LEFT_OUT":
        rows: Any = result.bulk.left_out
    else:
        rows = result.rows.filter(state=only) if only in State.values else result.rows
    pages = Paginator(rows, ROWS).get_page(request.GET.get("page"))
    context = {
        "result": result, "counts": counts, "only": only, "pages": pages, "key": new_key(),
        "siblings": _siblings(result.bulk), "waiting": result.counts.get(State.WAITING, 0),
    }  # fmt: skip
    return page(request, "approvals/several.html", context, fragments=("result",))


def _siblings(bulk: Bulk) -> list[tuple[Bulk, str]]:
    # The parts of one plan that were carried out, each with what its things are called.
    plan_id = bulk.key.partition(":")[0]
    same = Bulk.objects.filter(business_id=bulk.business_id, membership_id=bulk.membership_id)
    parts = same.filter(key__startswith=f"{plan_id}:").order_by("created_at") if plan_id else same.none()
    return [(each, TITLES.get(each.operation, "Items")) for each in parts]


@require_POST
@needs(operations_pages.INBOX)
def undo_several(request: ActorRequest, business: str, bulk_id: UUID) -> HttpResponse:
    """Takes back every row that still waits here."""
    count = undo_bulk(request.actor, bulk_id)
    messages.success(request, f"{count:,} taken back. Nothing of them was sent.")
    return redirect("approvals_several", business, bulk_id)


@require_POST
@needs(operations_pages.INBOX)
def retry_several(request: ActorRequest, business: str, bulk_id: UUID) -> HttpResponse:
    """Decides again on the rows that failed, as they are now."""
    before = result_of(request.actor, bulk_id)
    operation = DECIDED[before.bulk.operation]
    if operation.undo_s == 0 and not stepped_up(request):
        return step_up(request, reverse("approvals_several", args=[business, bulk_id]))
    things = _visible(request, operation, [one.object_id for one in before.failed])
    seen = {one.remote_id: fingerprint_of(one) for one in things}
    key = form_key(request)
    again = retry_failed(request.actor, bulk_id, things, fingerprints=seen, key=key)
    return redirect("approvals_several", business, again.pk)
