"""The mandates, the people and the roles as they are printed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self
from urllib.parse import urlencode

from django.db.models import Count, Q
from django.http import QueryDict

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.access.check import Verdict, can
from dashboard.access.roles import Role
from dashboard.impact.mandate_text import amounts_of, asks, cap_of, kind_of, voting
from dashboard.impact.role_changes import role_words
from dashboard.lists.query import Cursor
from dashboard.mirror.models import Employee
from dashboard.mirror.scopes import visible_employees
from dashboard.pages.mandates.selectors import subjects_of_roles
from dashboard.schemas.permissions import EmployeeRights, HeldPermission, Overview, RoleRights
from dashboard.schemas.wallet_policies import Mandate, Seat

ROWS, LONGEST = 50, 100


@dataclass(frozen=True)
class MandateLine:
    """A mandate: between which amounts, how many of how many, and who."""

    mandate: Mandate
    amounts: str
    asks: str
    people: str

    @classmethod
    def of(cls, one: Mandate, locale: str) -> Self:
        """As it is printed."""
        return cls(one, amounts_of(one, locale), asks(one), ", ".join(seat.name for seat in voting(one)))


def by_kind(mandates: Iterable[Mandate], currency: str, locale: str) -> list[tuple[str, list[MandateLine]]]:
    """The mandates of a currency, or all, under what they are asked about."""
    groups: dict[str, list[MandateLine]] = {}
    for one in mandates:
        if not currency or one.currency == currency:
            groups.setdefault(kind_of(one), []).append(MandateLine.of(one, locale))
    return list(groups.items())


@dataclass(frozen=True)
class SeatLine:
    """An approver of a mandate."""

    seat: Seat
    cap: str
    place: int | None

    @classmethod
    def of(cls, seat: Seat, mandate: Mandate, locale: str) -> Self:
        """As it is printed; the place only where votes go in an order."""
        return cls(seat, cap_of(seat, mandate.currency, locale), seat.order if mandate.sequential else None)


@dataclass(frozen=True)
class Asked:
    """Which people an address asks for, read without trust; `problem` is a sentence."""

    q: str = ""
    role: str = ""
    after: Cursor | None = None
    problem: str = ""

    @classmethod
    def read(cls, given: QueryDict) -> Self:
        """From an address's query."""
        q, role, problem = given.get("q", "").strip(), given.get("role", ""), ""
        if len(q) > LONGEST or "\x00" in q:
            q, problem = "", f"Search with at most {LONGEST} letters and digits."
        if role and role not in Role.values:
            role, problem = "", "There is no such role."
        after = None
        if text := given.get("after"):
            try:
                after = Cursor.read(text, str)
            except ValueError:
                problem = "The page of this address is no longer known; this is the first one."
        return cls(q, role, after, problem)

    def query(self) -> str:
        """The query of an address like this one, without its page."""
        return urlencode({name: value for name, value in (("q", self.q), ("role", self.role)) if value})


def people_of(actor: Actor, asked: Asked) -> tuple[list[tuple[Employee, str]], str]:
    """A page of people with their roles, and the cursor of the next one."""
    rows = visible_employees(actor).order_by("name", "pk")
    for word in asked.q.split():
        rows = rows.filter(Q(name__icontains=word) | Q(email__icontains=word))
    rows = rows.filter(role=asked.role) if asked.role else rows
    if asked.after is not None:
        here = asked.after
        rows = rows.filter(Q(name__gt=here.value) | Q(name=here.value, pk__gt=here.id))
    found = list(rows.defer("payload")[: ROWS + 1])
    shown = found[:ROWS]
    more = str(Cursor(shown[-1].name, shown[-1].pk)) if len(found) > ROWS else ""
    return [(one, role_words(one.role)) for one in shown], more


@dataclass(frozen=True)
class RoleColumn:
    """A role: how many active people have it, and whether the actor may change it."""

    role: RoleRights
    name: str
    people: int
    verdict: Verdict


def columns_of(actor: Actor, overview: Overview) -> list[RoleColumn]:
    """The roles, in the service's order."""
    active = visible_employees(actor).filter(status="ACTIVE").order_by()
    counts = dict(active.values_list("role").annotate(count=Count("pk")))
    may = operations.UPDATE_ROLE_PERMISSIONS
    subjects = subjects_of_roles(actor, overview.roles)
    return [
        RoleColumn(one, role_words(one.id), counts.get(one.id, 0), can(actor, may, subject))
        for one, subject in zip(overview.roles, subjects, strict=True)
    ]


def matrix_of(overview: Overview) -> list[tuple[str, list[tuple[str, list[tuple[str, bool]]]]]]:
    """The permissions in their groups: (title, for each role its name and whether it has it)."""
    groups: dict[str, list[tuple[str, list[tuple[str, bool]]]]] = {}
    for one in overview.docs:
        cells = [(role_words(role.id), one.name in role.permissions) for role in overview.roles]
        groups.setdefault(one.group or "Others", []).append((one.title or one.name, cells))
    return list(groups.items())


def held_in(rights: EmployeeRights | None) -> list[tuple[str, list[HeldPermission]]]:
    """What somebody has, and what was taken from them, in its groups; groups of which they have nothing are left out."""
    groups = rights.groups if rights else []
    some = ((one.group, [each for each in one.permissions if each.held or each.source == "DENIED"]) for one in groups)
    return [(group, permissions) for group, permissions in some if permissions]
