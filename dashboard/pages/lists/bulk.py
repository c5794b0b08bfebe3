"""Bulk actions of any list: the plan, then carried out by a worker, the result row by row, what failed again."""

from contextlib import suppress
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import Count, QuerySet
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from dashboard import operations_pages
from dashboard.access.actor import Actor, ActorRequest
from dashboard.access.check import check_open
from dashboard.access.decorators import needs
from dashboard.audit.record import record_denial
from dashboard.errors import NotAllowed, NotFound, Rejected
from dashboard.lists import batches, plans
from dashboard.lists.actions import Action
from dashboard.lists.columns import List
from dashboard.lists.models import Batch, BatchRow
from dashboard.lists.query import LONGEST_QUERY, Query
from dashboard.lists.selection import read_selection
from dashboard.lists.tasks import work_on_batch
from dashboard.lists.view import redirect_to_list
from dashboard.pages.lists.asked import GivenForm
from dashboard.pages.lists.opened import opened
from dashboard.times import day_and_time
from dashboard.web.respond import page
from dashboard.web.signin.sessions import polls

ROWS, SHOWN, MOST_TICKED = 100, 50, 500


@require_POST
@needs(operations_pages.LISTS)
def plan_several(request: ActorRequest, business: str, list_name: str) -> HttpResponse:
    """What an action would do to the rows that are ticked, or to all that match: nothing is done yet."""
    listed = opened(request.actor, list_name)
    action = _action(request.actor, listed.declared, request.POST.get("verb", ""))
    assert listed.declared is not None
    query = Query.parse(listed.declared, request.POST.get("list", "")[:LONGEST_QUERY])
    if request.POST.get("all") == "matching":
        planned = plans.plan_matching(request.actor, listed.declared, action, query)
    else:
        ticks = read_selection(request.POST.getlist("ids")[:MOST_TICKED])
        planned = plans.plan_ticked(request.actor, listed.declared, action, query, ticks)
    if planned is None:
        messages.error(request, "Nothing is ticked that you can see. Nothing was changed.")
        return redirect_to_list(request.actor, listed, query.query())
    return redirect("bulk_item", business, planned.pk)


def _action(actor: Actor, of: List | None, name: str) -> Action:
    action = next((one for one in (of.actions if of else ()) if one.name == name), None)
    if action is None:
        raise Rejected("Choose what to do with the rows.", code="verb")
    try:
        check_open(actor, action.operation)
    except NotAllowed as denied:
        record_denial(actor, action.operation, reason=denied.detail, rule=denied.code)
        raise
    return action


def _own(request: ActorRequest, batch_id: UUID) -> Batch:
    found: Batch = get_object_or_404(Batch, pk=batch_id, membership_id=request.actor.member_id)
    opened(request.actor, found.list_name)
    return found


@require_GET
@needs(operations_pages.LISTS)
def bulk_item(request: ActorRequest, business: str, batch_id: UUID) -> HttpResponse:
    """The plan, and once it is carried out what became of each row."""
    return _show(request, _own(request, batch_id))


@polls
@require_GET
@needs(operations_pages.LISTS)
def bulk_progress(request: ActorRequest, business: str, batch_id: UUID) -> HttpResponse:
    """How far it is by now: the page asks by itself while it is on its way."""
    return _show(request, _own(request, batch_id))


def _show(request: ActorRequest, batch: Batch, status: int = 200, form: GivenForm | None = None) -> HttpResponse:
    of, action = plans.declared(batch)
    counts = _counts(batch)
    only = request.GET.get("only", "")
    rows: QuerySet[BatchRow] = batch.rows.order_by("number")
    if only in BatchRow.State.values:
        rows = rows.filter(state=only)
    context: dict[str, Any] = {
        "batch": batch, "of": of, "verb": action, "counts": counts, "only": only,
        "pages": Paginator(rows, ROWS).get_page(request.GET.get("page")),
        "total": sum(count for _, _, count in counts),
        "done": sum(count for state, _, count in counts if state == "DONE"),
        "failed": sum(count for state, _, count in counts if state in plans.FAILED),
        "passing": sum(count for state, _, count in counts if state == "WAITING"),
        "back": f"{reverse(of.address, args=[request.actor.business.slug])}?{batch.query or 'view=all'}",
    }  # fmt: skip
    if batch.state == Batch.State.PLANNED:
        context |= {"summary": plans.summary_of(batch), "form": form or _form(request.actor, action, batch)}
    return page(request, "lists/bulk.html", context, fragments=("result",), status=status)


def _counts(batch: Batch) -> list[tuple[str, str, int]]:
    found = dict(batch.rows.order_by().values_list("state").annotate(Count("pk")))
    return [(state, str(label), found[state]) for state, label in BatchRow.State.choices if state in found]


def _form(actor: Actor, action: Action, batch: Batch, given: Any = None) -> GivenForm | None:
    """What is still to be said; what is tried again has been told once."""
    if action.asks is None or batch.retry_of_id:
        return None
    return GivenForm(given, asks=action.asks, choices=action.asks.choices(actor) if action.asks.choices else None)


@require_POST
@needs(operations_pages.LISTS)
def begin_bulk(request: ActorRequest, business: str, batch_id: UUID) -> HttpResponseBase:
    """Has the plan carried out; what was begun before is only shown."""
    batch = _own(request, batch_id)
    of, _ = plans.declared(batch)
    action = _action(request.actor, of, batch.verb)
    form = _form(request.actor, action, batch, request.POST)
    if form is not None and not form.is_valid():
        return _show(request, batch, 422, form)
    given, said = form.given() if form else (batch.given, batch.given_said)
    if batches.begin(request.actor, batch, given, said):
        work_on_batch.delay(str(batch.pk))
    elif batch.state == Batch.State.PLANNED:
        messages.error(request, "This plan is over: look at the list afresh. Nothing was changed.")
    return redirect("bulk_item", business, batch.pk)


@require_POST
@needs(operations_pages.LISTS)
def stop_bulk(request: ActorRequest, business: str, batch_id: UUID) -> HttpResponse:
    """Stops it: what was done stays done."""
    if batches.stop(request.actor, _own(request, batch_id)):
        messages.success(request, "Stopped. What was done before stays done; the rest was not begun.")
    return redirect("bulk_item", business, batch_id)


@require_POST
@needs(operations_pages.LISTS)
def retry_bulk(request: ActorRequest, business: str, batch_id: UUID) -> HttpResponse:
    """A plan of the rows that failed, as they are now."""
    before = _own(request, batch_id)
    of, _ = plans.declared(before)
    action = _action(request.actor, of, before.verb)
    planned = None if before.open else plans.plan_again(request.actor, of, action, before)
    if planned is None:
        messages.error(request, "Nothing of it can be tried again. Nothing was changed.")
    return redirect("bulk_item", business, planned.pk if planned else batch_id)


@require_GET
@needs(operations_pages.LISTS)
def bulk_history(request: ActorRequest, business: str) -> HttpResponse:
    """One's own bulk actions, the newest first."""
    mine = Batch.objects.filter(membership_id=request.actor.member_id).exclude(state=Batch.State.PLANNED)
    return page(request, "lists/bulk_history.html", {"lines": _lines(request.actor, mine)})


def _lines(actor: Actor, mine: QuerySet[Batch]) -> list[dict[str, Any]]:
    found = list(mine.order_by("-created_at")[:SHOWN])
    groups = BatchRow.objects.filter(batch__in=found).order_by().values_list("batch_id", "state")
    counts: dict[UUID, list[tuple[str, str, int]]] = {one.pk: [] for one in found}
    for batch_id, state, many in groups.annotate(Count("pk")):
        counts[batch_id].append((state, BatchRow.State(state).label, many))
    lines = []
    for batch in found:
        with suppress(NotFound):  # declared no more
            of, action = plans.declared(batch)
            when = day_and_time(batch.begun_at, actor.business)
            lines.append({"batch": batch, "of": of, "verb": action, "counts": sorted(counts[batch.pk]), "when": when})
    return lines
