"""What a plan of several decisions is about: the rows that are ticked, or all that match, by what decides on them."""

from collections.abc import Iterable
from typing import Any

from dashboard.access.actor import Actor
from dashboard.access.check import can_open
from dashboard.access.operation import Operation
from dashboard.decisions.filters import CHANGE, GROUPED, Filters
from dashboard.decisions.inbox import rows_of_group
from dashboard.decisions.models import Bulk, StoredPlan
from dashboard.decisions.plan import LARGEST_BULK, Plan, plan
from dashboard.decisions.registry import DECIDED, load_described, spec_for, verbs_on, visible
from dashboard.decisions.sources import CHANGES, sources_of
from dashboard.errors import NotAllowed, Rejected
from dashboard.mirror.models import Approval
from dashboard.pages.approvals.selectors.desk import kind_of_key

# In place of an operation's name: all parts of a plan.
WHOLE = "all"


def count_access_changes(actor: Actor, keys: Iterable[str], filters: Filters | None) -> int:
    """How many changes of access are among the keys, or among all that the filters show: no bulk decides on them."""
    if filters is None:
        return sum(key.startswith(f"{CHANGE}/") for key in set(keys))
    return CHANGES.rows(actor, filters).count() if CHANGES.is_open_to(actor) else 0


def ticked_subjects(actor: Actor, keys: Iterable[str]) -> list[Any]:
    """The subjects of keys of the inbox, as they are visible to the actor now; what is no key is left out, and what is
    read by itself."""
    by_kind: dict[str, list[str]] = {}
    for key in dict.fromkeys(keys):
        kind, _, remote_id = key.partition("/")
        if remote_id and kind != CHANGE:
            by_kind.setdefault(kind_of_key(kind), []).append(remote_id)
    return [subject for kind, ids in by_kind.items() for subject in visible(actor, kind).filter(remote_id__in=ids)]


def grouped_subjects(actor: Actor, filters: Filters, keys: Iterable[str]) -> list[Any]:
    """All rows of these groups of the list that the filters show, on every page, but for changes of access; Rejected where
    that is too much at once."""
    subjects: list[Any] = []
    for key in dict.fromkeys(keys) if filters.order in GROUPED else ():
        for source in sources_of(actor):
            if source is not CHANGES:
                rows = rows_of_group(source, actor, filters, key)
                subjects += rows.order_by("id")[: LARGEST_BULK + 1 - len(subjects)]
    return _no_more_than_allowed(subjects)


def _no_more_than_allowed(subjects: list[Any]) -> list[Any]:
    if len(subjects) > LARGEST_BULK:
        raise Rejected(f"More than {LARGEST_BULK:,} match, the most at once: narrow the filters.", code="too_many_rows")
    return subjects


def matching_subjects(actor: Actor, filters: Filters) -> list[Any]:
    """All that the filters show, on every page, but for changes of access; Rejected where that is too much at once."""
    subjects: list[Any] = []
    for source in sources_of(actor):
        if source is not CHANGES:
            subjects += source.waiting(actor, filters).order_by("id")[: LARGEST_BULK + 1 - len(subjects)]
    return _no_more_than_allowed(subjects)


def subjects_by_id(actor: Actor, operation: Operation, ids: list[str]) -> list[Any]:
    """The rows of these remote ids that the operation may be about, as they are visible to the actor now."""
    # Ids are the service's own, unique whatever the kind: each kind that the operation may be about is looked through.
    kinds = {"expense"} if spec_for(operation).answers == "expense" else {"approval", spec_for(operation).answers}
    return [row for kind in sorted(kinds) for row in visible(actor, kind).filter(remote_id__in=ids)]


def planned_subjects(actor: Actor, planned: StoredPlan) -> list[Any]:
    """The rows of a plan, of all its operations, as they are visible to the actor now."""
    return [row for name, seen in planned.rows.items() for row in subjects_by_id(actor, DECIDED[name], list(seen))]


def plans_of(actor: Actor, verb: str, subjects: list[Any]) -> tuple[list[Plan], int]:
    """The plans by operation, and how many subjects there are that nobody decides on in this way."""
    load_described([row for row in subjects if isinstance(row, Approval)])
    by_operation: dict[Operation, list[Any]] = {}
    others = 0
    for subject in subjects:
        operation = verbs_on(subject).get(verb)
        if operation is None or not can_open(actor, operation):
            others += 1
        else:
            by_operation.setdefault(operation, []).append(subject)
    return [plan(actor, operation, rows) for operation, rows in by_operation.items()], others


def planned_operations(actor: Actor, planned: StoredPlan, name: str) -> list[Operation]:
    """The operations of a plan that are to be carried out: the named one, or all for WHOLE. Rejected where the plan says
    nothing of it, NotAllowed where one of them is not open to the actor."""
    names = [operation for operation, rows in planned.rows.items() if rows] if name == WHOLE else [name]
    if not names or not set(names) <= planned.rows.keys() & DECIDED.keys():
        raise Rejected("The plan says nothing of this.", code="operation")
    for operation in names:
        if not (verdict := can_open(actor, DECIDED[operation])):
            raise NotAllowed(verdict.reason)
    return [DECIDED[operation] for operation in names]


def parts_of_plan(bulk: Bulk) -> list[Bulk]:
    """The parts of one plan that were carried out, this one among them, the first first."""
    plan_id = bulk.key.partition(":")[0]
    same = Bulk.objects.filter(business_id=bulk.business_id, membership_id=bulk.membership_id)
    return list(same.filter(key__startswith=f"{plan_id}:").order_by("created_at")) if plan_id else []
