"""Where an employee stands now: their teams, grants, suspension, and for whom they stand in; known by higher floors.

The gate asks, and does not know who answers: the mirror and the delegations each register, at start-up, the reader of
what they know. Without every one of them nobody's standing is known, and nobody acts.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import cast
from uuid import UUID

from dashboard import cache

STANDING_LASTS_S = 60


@dataclass(frozen=True)
class StandIn:
    """A delegation that holds now, small enough to be cached with the standings of its people."""

    id: UUID
    delegator_id: int
    delegator_employee: str
    delegator_name: str
    delegate_id: int
    delegate_employee: str
    delegate_name: str
    kinds: frozenset[str]
    cap_minor: int | None
    currency: str
    begins_at: datetime
    ends_at: datetime

    def covers(self, kind: str, amount_minor: int | None, currency: str) -> bool:
        """Whether items of this kind and amount are handed over; what is not known is not under a cap."""
        if kind not in self.kinds:
            return False
        if self.cap_minor is None:
            return True
        return amount_minor is not None and currency == self.currency and amount_minor <= self.cap_minor

    def holds_at(self, moment: datetime) -> bool:
        """Whether the delegation holds at a moment: from `begins_at` until before `ends_at`."""
        return self.begins_at <= moment < self.ends_at


@dataclass(frozen=True)
class Standing:
    """Where an employee stands: the teams they review now, what they were granted, if they are suspended, and the role
    that the service says they have ("" where it is not known); by the mirror.

    And by our own table, for whom they stand in now, who for them, and since when until when they are away with nobody
    who does.
    """

    teams: frozenset[str] = frozenset()
    read_only_teams: frozenset[str] = frozenset()
    suspended: bool = False
    service_role: str = ""
    grants: frozenset[tuple[str, str]] = frozenset()
    stands_in_for: tuple[StandIn, ...] = ()
    stood_in_by: tuple[StandIn, ...] = ()
    absences: tuple[StandIn, ...] = ()


# (standing, business id, employee id) -> the standing with the part that the reader knows.
Reader = Callable[[Standing, int, str], Standing]
# Whose answers a standing is made of.
NEEDED = frozenset({"mirror", "delegation"})
READERS: dict[str, Reader] = {}


def register_reader(name: str, reader: Reader) -> None:
    """Registers the reader of a part of every standing, once, at start-up; ValueError for a part not in NEEDED."""
    if name not in NEEDED:
        raise ValueError(f"nobody asks {name} where an employee stands")
    READERS[name] = reader


def standing_of(business_id: int, employee_id: str, *, fresh: bool = False) -> Standing:
    """Where an employee stands now, by all registered readers; cached for at most a minute, read anew where `fresh`."""
    if not employee_id:
        return Standing()
    name = f"access:standing:{business_id}:{employee_id}"
    if not fresh and (cached := cache.load(name)) is not None:
        return cast(Standing, cached)
    standing = _read_standing(business_id, employee_id)
    cache.store(name, standing, STANDING_LASTS_S)
    return standing


def forget_standing(business_id: int, employee_id: str) -> None:
    """Makes the next look at an employee a fresh one: called when the mirror learns that one has changed."""
    cache.delete(f"access:standing:{business_id}:{employee_id}")


def _read_standing(business_id: int, employee_id: str) -> Standing:
    if missing := NEEDED - READERS.keys():
        raise LookupError(f"nobody has said who reads the standing of {', '.join(sorted(missing))}")
    standing = Standing()
    for name in sorted(NEEDED):
        standing = READERS[name](standing, business_id, employee_id)
    return standing
