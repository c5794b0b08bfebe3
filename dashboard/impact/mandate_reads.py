"""The mandates, the roles and somebody's rights as they are now, or were when the service last answered."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from typing import Generic, TypeVar

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.access.subject import Subject
from dashboard.client.page import read_page, typed
from dashboard.errors import NotFound, Unavailable
from dashboard.impact.mandate_text import mandate_title
from dashboard.mirror.cached_responses import CachedResponse, read_or_cached, stored_text
from dashboard.mirror.models import Employee
from dashboard.proposals import models, targets
from dashboard.proposals.models import Proposal
from dashboard.proposals.selectors import visible_proposals
from dashboard.proposals.targets import MANDATE
from dashboard.schemas.permissions import EmployeeRights, Overview
from dashboard.schemas.wallet_policies import Mandate
from dashboard.times import as_of

T = TypeVar("T")


@dataclass(frozen=True)
class Snapshot(Generic[T]):
    """What was read; how old it is ("as of 10:42 EAT"), and in `trouble` why the service does not answer, else ""."""

    value: T
    as_of: str
    trouble: str
    # Whether it was read at all, now or before: without that `value` is empty and says nothing.
    is_known: bool = True


def _read(actor: Actor, cached: CachedResponse, value: T) -> Snapshot[T]:
    return Snapshot(value, as_of(cached.as_of, actor.business), cached.trouble, cached.data is not None)


def mandates_of(actor: Actor, *, fresh_s: int = 0) -> Snapshot[list[Mandate]]:
    """All mandates of the business, by action type, currency and amount; [] where they were never read. Those that were
    read in the last `fresh_s` seconds are not asked for again."""
    if fresh_s and (stored := stored_text(actor, operations.LIST_MANDATES, fresh_s=fresh_s)) is not None:
        return Snapshot(list(_mandates_in(stored.text)), as_of(stored.as_of, actor.business), "")
    cached = read_or_cached(actor, operations.LIST_MANDATES, query={"limit": targets.MOST})
    return _read(actor, cached, [] if cached.data is None else _in_order(cached.data))


@lru_cache(maxsize=16)
def _mandates_in(text: str) -> tuple[Mandate, ...]:
    # Of an answer nothing but its text says what the mandates are: an equal one is never out of date.
    return tuple(_in_order(json.loads(text)))


def _in_order(answer: object) -> list[Mandate]:
    rows = typed(read_page(answer).rows, Mandate)
    return sorted(rows, key=lambda row: (row.action_type, row.currency, row.min_amount_minor))


def mandate_of(actor: Actor, mandate_id: str) -> Snapshot[Mandate]:
    """The mandate of this id. Raises NotFound where there is none, Unavailable where none was ever read."""
    every = mandates_of(actor)
    mandate = next((row for row in every.value if row.id == mandate_id), None)
    if mandate is not None:
        return Snapshot(mandate, every.as_of, every.trouble)
    raise Unavailable(every.trouble) if every.trouble and not every.value else NotFound(code="not_found")


def roles_of(actor: Actor) -> Snapshot[Overview]:
    """The permissions there are, and the roles with theirs; both empty where they were never read."""
    cached = read_or_cached(actor, operations.LIST_PERMISSIONS)
    overview = Overview(docs=[], roles=[]) if cached.data is None else typed([cached.data], Overview)[0]
    return _read(actor, cached, overview)


def rights_of(actor: Actor, person: Employee) -> Snapshot[EmployeeRights | None]:
    """What an employee may do, by role and by themselves; None where that was never read."""
    cached = read_or_cached(
        actor, operations.READ_EMPLOYEE_PERMISSIONS, item=person.remote_id, path={"employee_id": person.remote_id},
        subject=person,
    )  # fmt: skip
    return _read(actor, cached, None if cached.data is None else typed([cached.data], EmployeeRights)[0])


def subject_of_mandate(actor: Actor, mandate: Mandate) -> Subject:
    """What the gate must know of a mandate: it is about everybody whom it lets vote."""
    return Subject(
        business_id=actor.business.pk,
        kind=MANDATE,
        id=mandate.id,
        title=mandate_title(mandate, actor.business.locale),
        about=frozenset(seat.approver_id for seat in mandate.approvers),
    )


def open_proposal(actor: Actor, target_type: str, target_id: str) -> Proposal | None:
    """The proposed change of a target that waits, or is confirmed and not done yet; None without one."""
    rows = visible_proposals(actor).filter(
        target_type=target_type, target_id=target_id, state__in=models.OPEN_PROPOSAL_STATES
    )
    proposal: Proposal | None = rows.first()
    return proposal
