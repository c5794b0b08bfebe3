"""What the gate needs to know of the thing that is acted on, whatever kind of thing it is.

None means that it is not known, and what is not known is denied.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import singledispatch
from typing import Any

from dashboard.access.roles import Role


@dataclass(frozen=True)
class Seat:
    """Someone the mandate lets vote, and up to how much (None: without a cap)."""

    employee_id: str
    max_amount_minor: int | None = None


@dataclass(frozen=True, kw_only=True)
class Subject:
    """The facts that rows and rules are judged by. People are the service's employee ids."""

    business_id: int
    kind: str
    id: str
    title: str = ""
    # Whose row it is, and of which team: what `scoped` and `own` look at.
    holder_id: str = ""
    team_id: str = ""
    # Maker, submitter, holder, last editor: whoever may not decide on it.
    makers: frozenset[str] | None = None
    # Whom the change is about.
    about: frozenset[str] | None = None
    requester_id: str | None = None
    # Votes.
    seats: tuple[Seat, ...] | None = None
    voters: frozenset[str] = frozenset()
    # Whose turn it is, where votes go in an order; None where that is not told.
    at_turn: frozenset[str] | None = None
    amount_minor: int | None = None
    # Roles: the one that is given, and in a handover the one that is left.
    gives_role: Role | None = None
    leaves_role: Role | None = None
    # Cards.
    blocked_by_id: str | None = None
    is_virtual: bool | None = None
    # A change of payee details: who else confirmed it.
    confirmed_by_id: str | None = None


def person(value: Any) -> str:
    """An employee's id, from the id itself or from a nested person."""
    if isinstance(value, dict):
        value = value.get("employee_id") or value.get("_id") or value.get("id")
    return value if isinstance(value, str) else ""


def people(*values: Any) -> frozenset[str]:
    """The employees among these, without the empty ones."""
    return frozenset(found for value in values if (found := person(value)))


@singledispatch
def subject_of(thing: object) -> Subject:
    """The facts of a thing; TypeError for a kind of thing that nobody has described yet.

    Each kind is described beside its tables (dashboard/mirror/mappers/, dashboard/lists/subjects.py) at start-up.
    """
    raise TypeError(f"nobody has said what the gate must know of a {type(thing).__name__}")


@subject_of.register
def _(thing: Subject) -> Subject:
    return thing


def subjects_of(thing: object) -> list[Subject]:
    """The facts of one thing, or of each of several."""
    if isinstance(thing, Iterable) and not isinstance(thing, str | bytes | dict):
        return [subject_of(one) for one in thing]
    return [subject_of(thing)]
