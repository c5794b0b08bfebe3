"""The mandates, the roles and somebody's rights as they are now, or were when the service last answered."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.access.subject import Subject
from dashboard.client.page import read_page, typed
from dashboard.errors import NotFound, Unavailable
from dashboard.impact.mandate_text import title_of
from dashboard.mirror.cached_responses import CachedResponse, read_or_cached
from dashboard.mirror.models import Employee
from dashboard.proposals.models import OPEN, Proposal
from dashboard.proposals.selectors import visible_proposals
from dashboard.proposals.targets import MANDATE, MOST
from dashboard.schemas.permissions import EmployeeRights, Overview
from dashboard.schemas.wallet_policies import Mandate
from dashboard.times import as_of

T = TypeVar("T")


@dataclass(frozen=True)
class Read(Generic[T]):
    """What was read; how old it is, and why, where the service does not answer."""

    found: T
    as_of: str
    trouble: str


def _read(actor: Actor, kept: CachedResponse, found: T) -> Read[T]:
    return Read(found, as_of(kept.as_of, actor.business), kept.trouble)


def mandates_of(actor: Actor) -> Read[list[Mandate]]:
    """All of the business; none where they were never read."""
    kept = read_or_cached(actor, operations.LIST_MANDATES, query={"limit": MOST})
    rows = [] if kept.data is None else typed(read_page(kept.data).rows, Mandate)
    return _read(actor, kept, sorted(rows, key=lambda one: (one.action_type, one.currency, one.min_amount_minor)))


def mandate_of(actor: Actor, mandate_id: str) -> Read[Mandate]:
    """One. NotFound where there is none; Unavailable where none was ever read."""
    every = mandates_of(actor)
    found = next((one for one in every.found if one.id == mandate_id), None)
    if found is not None:
        return Read(found, every.as_of, every.trouble)
    raise Unavailable(every.trouble) if every.trouble and not every.found else NotFound(code="not_found")


def roles_of(actor: Actor) -> Read[Overview]:
    """The permissions, and the roles with theirs."""
    kept = read_or_cached(actor, operations.LIST_PERMISSIONS)
    found = Overview(docs=[], roles=[]) if kept.data is None else typed([kept.data], Overview)[0]
    return _read(actor, kept, found)


def rights_of(actor: Actor, person: Employee) -> Read[EmployeeRights | None]:
    """What somebody may; None where that was never read."""
    kept = read_or_cached(
        actor, operations.READ_EMPLOYEE_PERMISSIONS, item=person.remote_id, path={"employee_id": person.remote_id},
        subject=person,
    )  # fmt: skip
    return _read(actor, kept, None if kept.data is None else typed([kept.data], EmployeeRights)[0])


def subject_of_mandate(actor: Actor, mandate: Mandate) -> Subject:
    """What the gate must know of a mandate: it is about everybody whom it lets vote."""
    return Subject(
        business_id=actor.business.pk,
        kind=MANDATE,
        id=mandate.id,
        title=title_of(mandate, actor.business.locale),
        about=frozenset(seat.approver_id for seat in mandate.approvers),
    )


def open_proposal(actor: Actor, target_type: str, target_id: str) -> Proposal | None:
    """The change of it that waits, or is confirmed and not done yet."""
    rows = visible_proposals(actor).filter(target_type=target_type, target_id=target_id, state__in=OPEN)
    found: Proposal | None = rows.first()
    return found
