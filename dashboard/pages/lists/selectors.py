"""What is read beside a list's rows: the list that an address names, and one's own bulk actions and exports."""

from uuid import UUID

from django.db.models import Count, QuerySet
from django.http import Http404
from django.shortcuts import get_object_or_404

from dashboard.access.actor import Actor
from dashboard.access.check import Opening, check_open
from dashboard.audit.record import record_denial
from dashboard.bulk.actions import action_of
from dashboard.bulk.models import Batch, BatchRow
from dashboard.bulk.results import Counts, own_batch
from dashboard.errors import NotAllowed, NotFound, Rejected
from dashboard.lists.bulk import ListAction, list_action
from dashboard.lists.columns import List
from dashboard.lists.models import Export
from dashboard.lists.registry import REGISTRY, Listed, find
from dashboard.lists.reports import REPORTS, ReportKind, find_report

MOST_LISTED = 50


def permitted_list(actor: Actor, list_name: str) -> Listed:
    """The list that an address names, by the same rule as its own page; Http404 where there is none of the name,
    NotAllowed (audited) where its page is not the actor's."""
    listed = find(list_name)
    if listed is None:
        raise Http404("no such list")
    _check(actor, listed.opens)
    return listed


def permitted_report(actor: Actor, name: str) -> ReportKind:
    """The report that an address names, by the same rule as its own page; Http404 where there is none of the name,
    NotAllowed (audited) where its page is not the actor's."""
    report = find_report(name)
    if report is None:
        raise Http404("no such report")
    _check(actor, report.opens)
    return report


def permitted_export(actor: Actor, export: Export) -> Listed | ReportKind:
    """What an export is of: a list or a report, which the actor may still open."""
    if export.list_name in REPORTS:
        return permitted_report(actor, export.list_name)
    return permitted_list(actor, export.list_name)


def permitted_action(actor: Actor, of: List | None, name: str) -> ListAction:
    """The action of a list with this name; Rejected where it has none, NotAllowed (audited) where it is not the actor's."""
    action = list_action(of, name) if of is not None else None
    if action is None:
        raise Rejected("Choose an action for the rows.", code="verb")
    _check(actor, action.operation)
    return action


def _check(actor: Actor, opening: Opening) -> None:
    try:
        check_open(actor, opening)
    except NotAllowed as denied:
        record_denial(actor, opening, reason=denied.detail, rule=denied.code)
        raise


def own_list_batch(actor: Actor, batch_id: UUID) -> Batch:
    """One of the actor's own bulk actions on a list; NotFound for anybody else's, Http404 where it is on no list, NotAllowed
    where its list is not the actor's."""
    batch = own_batch(actor, batch_id)
    permitted_list(actor, batch.list_name)
    return batch


def own_batches(actor: Actor) -> list[Batch]:
    """The actor's own bulk actions on lists that were begun, the newest first, at most MOST_LISTED."""
    rows = Batch.objects.filter(membership_id=actor.member_id, list_name__in=REGISTRY)
    return list(rows.exclude(state=Batch.State.PLANNED).order_by("-created_at")[:MOST_LISTED])


def row_counts_of(batches: list[Batch]) -> dict[UUID, Counts]:
    """How many rows of each bulk action are in each state, by the action's id, in one query."""
    groups = BatchRow.objects.filter(batch__in=batches).order_by().values_list("batch_id", "state")
    counts: dict[UUID, Counts] = {batch.pk: [] for batch in batches}
    for batch_id, state, count in groups.annotate(Count("pk")):
        counts[batch_id].append((state, BatchRow.State(state).label, count))
    return counts


def list_action_of(batch: Batch) -> ListAction:
    """The list and the action of a bulk action; NotFound where they are declared no more."""
    action = action_of(batch)
    if not isinstance(action, ListAction):
        raise NotFound
    return action


def own_export(actor: Actor, export_id: object) -> Export:
    """One of the actor's own exports; Http404 for anybody else's."""
    export: Export = get_object_or_404(Export, pk=export_id, membership_id=actor.member_id)
    return export


def own_exports(actor: Actor) -> QuerySet[Export]:
    """The actor's own exports, the newest first, at most MOST_LISTED."""
    return Export.objects.filter(membership_id=actor.member_id).order_by("-created_at")[:MOST_LISTED]
