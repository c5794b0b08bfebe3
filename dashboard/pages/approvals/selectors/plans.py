"""What a plan of several decisions is about: the rows that are ticked, or all that match, by what decides on them."""

import uuid
from collections.abc import Iterable
from typing import Any

from dashboard.access.actor import Actor
from dashboard.access.check import can_open
from dashboard.access.operation import Operation
from dashboard.bulk.batches import has_expired
from dashboard.bulk.models import Batch
from dashboard.bulk.plans import Plan, all_matching, plan, store_plan
from dashboard.decisions.bulk import BulkDecision
from dashboard.decisions.described_requests import load_described
from dashboard.decisions.filters import CHANGE_SOURCE, GROUPED, Filters
from dashboard.decisions.inbox import rows_of_group
from dashboard.decisions.registry import DECIDED, verbs_on, visible
from dashboard.decisions.sources import CHANGES, sources_of
from dashboard.errors import NotAllowed, NotFound, Rejected
from dashboard.mirror.models import Approval
from dashboard.pages.approvals.selectors.desk import kind_of_key

# In place of an operation's name: all parts of a plan.
WHOLE = "all"


def count_access_changes(actor: Actor, keys: Iterable[str], filters: Filters | None) -> int:
    """How many changes of access are among the keys, or among all that the filters show: no bulk decides on them."""
    if filters is None:
        return sum(key.startswith(f"{CHANGE_SOURCE}/") for key in set(keys))
    return CHANGES.rows(actor, filters).count() if CHANGES.is_open_to(actor) else 0


def ticked_subjects(actor: Actor, keys: Iterable[str]) -> list[Any]:
    """The subjects of keys of the inbox, as they are visible to the actor now; what is no key is left out, and what is
    read by itself."""
    by_kind: dict[str, list[str]] = {}
    for key in dict.fromkeys(keys):
        kind, _, remote_id = key.partition("/")
        if remote_id and kind != CHANGE_SOURCE:
            by_kind.setdefault(kind_of_key(kind), []).append(remote_id)
    return [subject for kind, ids in by_kind.items() for subject in visible(actor, kind).filter(remote_id__in=ids)]


def grouped_subjects(actor: Actor, filters: Filters, keys: Iterable[str]) -> list[Any]:
    """All rows of these groups of the list that the filters show, on every page, but for changes of access; Rejected where
    that is too much at once."""
    groups = dict.fromkeys(keys) if filters.order in GROUPED else ()
    sources = [source for source in sources_of(actor) if source is not CHANGES] if groups else []
    parts = (rows_of_group(source, actor, filters, key) for key in groups for source in sources)
    return all_matching((rows.order_by("id") for rows in parts), "items")


def matching_subjects(actor: Actor, filters: Filters) -> list[Any]:
    """All that the filters show, on every page, but for changes of access; Rejected where that is too much at once."""
    sources = (source for source in sources_of(actor) if source is not CHANGES)
    return all_matching((source.waiting(actor, filters).order_by("id") for source in sources), "items")


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
    return [plan(actor, BulkDecision(operation), rows) for operation, rows in by_operation.items()], others


def store_plans(plans: list[Plan], filters: Filters | None) -> list[Batch]:
    """Stores plans as the parts of one, each under the key of its form: "<plan>:<operation>"; `filters` where all that match
    them are meant."""
    plan_id, query = uuid.uuid4(), filters.query() if filters is not None else ""
    return [
        store_plan(part, query=query, whole=filters is not None, key=f"{plan_id}:{part.action.name}") for part in plans
    ]


def plan_id_of(batch: Batch) -> str:
    """The plan that a batch is a part of; "" for one that was planned by itself."""
    plan_id, separator, _ = (batch.key or "").partition(":")
    return plan_id if separator else ""


def _parts(actor: Actor, plan_id: str) -> list[Batch]:
    own = Batch.objects.filter(business=actor.business, membership_id=actor.member_id)
    keys = [f"{plan_id}:{name}" for name in DECIDED]
    return list(own.filter(key__in=keys).order_by("created_at")) if plan_id else []


def parts_of_plan(actor: Actor, plan_id: str) -> list[Batch]:
    """The parts of one of the actor's own plans; NotFound for anybody else's, and once it has expired."""
    parts = _parts(actor, plan_id)
    if not parts or any(has_expired(part) for part in parts):
        raise NotFound("This review has expired: start again.", code="plan_over")
    return parts


def begun_parts(actor: Actor, batch: Batch) -> list[Batch]:
    """The parts of the plan of a batch that were carried out, this one among them, the first first."""
    return [part for part in _parts(actor, plan_id_of(batch)) if not part.planned]


def chosen_parts(actor: Actor, parts: list[Batch], name: str) -> list[Batch]:
    """The parts of a plan that are to be carried out: that of the named operation, or for WHOLE all in which anything
    passes. Rejected where the plan says nothing of it, NotAllowed where one of them is not open to the actor."""
    chosen = [
        part for part in parts if (part.rows.exclude(state="LEFT_OUT").exists() if name == WHOLE else part.verb == name)
    ]
    if not chosen:
        raise Rejected("The plan says nothing of this.", code="operation")
    for part in chosen:
        if not (verdict := can_open(actor, DECIDED[part.verb])):
            raise NotAllowed(verdict.reason)
    return chosen
