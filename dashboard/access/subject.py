"""The subject of an operation: what the gate needs to know of a row, whatever its table is.

None means that a fact is not known, and what is not known is denied.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import singledispatch
from typing import Any

from dashboard.access.roles import Role


@dataclass(frozen=True)
class SubjectSeat:
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
    seats: tuple[SubjectSeat, ...] | None = None
    voters: frozenset[str] = frozenset()
    # Whose turn it is, where votes go in an order; None where it is not known.
    at_turn: frozenset[str] | None = None
    amount_minor: int | None = None
    # Roles: the one that is given, and in a handover the one that is left.
    gives_role: Role | None = None
    leaves_role: Role | None = None
    # Cards.
    blocked_by_id: str | None = None
    is_virtual: bool | None = None
    # A change of payee details: who else confirmed it, or whether the service holds it until somebody else does.
    confirmed_by_id: str | None = None
    held_until_confirmed: bool = False


def person(value: Any) -> str:
    """An employee's id, from the id itself or from a nested person."""
    if isinstance(value, dict):
        value = value.get("employee_id") or value.get("_id") or value.get("id")
    return value if isinstance(value, str) else ""


def people(*values: Any) -> frozenset[str]:
    """The employees among these, without the empty ones."""
    return frozenset(employee_id for value in values if (employee_id := person(value)))


@singledispatch
def subject_of(row: object) -> Subject:
    """The Subject of a row; TypeError for a table without a registered function.

    Each function stands beside its table (dashboard/mirror/mappers/, dashboard/lists/subjects.py).
    """
    raise TypeError(f"no function says what the gate must know of {type(row).__name__}")


@subject_of.register
def _(subject: Subject) -> Subject:
    return subject


def created_subject(subject: object, resource: object) -> object:
    """The subject of what an answer has created: by the id that it has from now on, where it had none before. Any other as it is."""
    created_id = resource.get("_id") if isinstance(resource, dict) else None
    if isinstance(subject, Subject) and subject.kind and not subject.id and isinstance(created_id, str):
        return replace(subject, id=created_id)
    return subject


def subjects_of(rows: object) -> list[Subject]:
    """The Subjects of one row or of several; TypeError as `subject_of`."""
    if isinstance(rows, Iterable) and not isinstance(rows, str | bytes | dict):
        return [subject_of(row) for row in rows]
    return [subject_of(rows)]
