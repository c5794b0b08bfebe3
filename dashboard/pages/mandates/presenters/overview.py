"""The mandates, the approvers, the roles and a person's rights as they are printed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self, TypedDict

from django.db.models import Count

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.access.check import Verdict, can
from dashboard.impact.mandate_reads import Snapshot, mandates_of, open_proposal, rights_of
from dashboard.impact.mandate_text import amounts_of, cap_of, mandate_kind, mandate_title, quorum_text, voting
from dashboard.impact.role_changes import role_words
from dashboard.mirror.models import Employee
from dashboard.mirror.scopes import visible_employees
from dashboard.pages.mandates.selectors import subjects_of_roles
from dashboard.proposals.models import Proposal
from dashboard.proposals.selectors import confirmable_count
from dashboard.proposals.targets import RIGHTS
from dashboard.schemas.permissions import EmployeeRights, HeldPermission, Overview, RoleRights
from dashboard.schemas.wallet_policies import Mandate, Seat


@dataclass(frozen=True, slots=True)
class MandateRow:
    """A mandate: between which amounts, how many of how many, and who."""

    mandate: Mandate
    amounts: str
    requirement: str
    people: str

    @classmethod
    def of(cls, mandate: Mandate, locale: str) -> Self:
        """The row of a mandate, its amounts in the locale."""
        people = ", ".join(seat.name for seat in voting(mandate))
        return cls(mandate, amounts_of(mandate, locale), quorum_text(mandate), people)


def by_kind(mandates: Iterable[Mandate], currency: str, locale: str) -> list[tuple[str, list[MandateRow]]]:
    """The mandates of a currency, or with "" all, as (what they are asked about, their rows)."""
    groups: dict[str, list[MandateRow]] = {}
    for mandate in mandates:
        if not currency or mandate.currency == currency:
            groups.setdefault(mandate_kind(mandate), []).append(MandateRow.of(mandate, locale))
    return list(groups.items())


@dataclass(frozen=True, slots=True)
class SeatRow:
    """An approver of a mandate in its list: `cap` is "up to KES 100.00" or "any amount", `place` their turn, None
    without an order."""

    seat: Seat
    cap: str
    place: int | None

    @classmethod
    def of(cls, seat: Seat, mandate: Mandate, locale: str) -> Self:
        """The row of a seat; its place only where votes go in an order."""
        return cls(seat, cap_of(seat, mandate.currency, locale), seat.order if mandate.sequential else None)


class MandateContext(TypedDict):
    """What mandates/mandate.html prints of a mandate; the active seats come first."""

    mandate: Mandate
    title: str
    kind: str
    amounts: str
    requirement: str
    seats: list[SeatRow]


def mandate_context(mandate: Mandate, locale: str) -> MandateContext:
    """What the page of a mandate reads: what it covers and how many must approve in words, and its seats, the active
    ones first."""
    seats = sorted(mandate.approvers, key=lambda seat: (not seat.active, seat.order))
    return {
        "mandate": mandate,
        "title": mandate_title(mandate, locale),
        "kind": mandate_kind(mandate),
        "amounts": amounts_of(mandate, locale),
        "requirement": quorum_text(mandate),
        "seats": [SeatRow.of(seat, mandate, locale) for seat in seats],
    }


@dataclass(frozen=True, slots=True)
class RoleColumn:
    """A role: how many active people have it, and whether the actor may change it."""

    role: RoleRights
    name: str
    people: int
    verdict: Verdict


def columns_of(actor: Actor, overview: Overview) -> list[RoleColumn]:
    """The columns of the roles, in the service's order."""
    active = visible_employees(actor).filter(status="ACTIVE").order_by()
    counts = dict(active.values_list("role").annotate(count=Count("pk")))
    operation = operations.UPDATE_ROLE_PERMISSIONS
    subjects = subjects_of_roles(actor, overview.roles)
    return [
        RoleColumn(role, role_words(role.id), counts.get(role.id, 0), can(actor, operation, subject))
        for role, subject in zip(overview.roles, subjects, strict=True)
    ]


def matrix_of(overview: Overview) -> list[tuple[str, list[tuple[str, list[tuple[str, bool]]]]]]:
    """The permissions in their groups: (title, for each role its name and whether it has it)."""
    groups: dict[str, list[tuple[str, list[tuple[str, bool]]]]] = {}
    for permission in overview.docs:
        cells = [(role_words(role.id), permission.name in role.permissions) for role in overview.roles]
        title = permission.title or permission.name
        groups.setdefault(permission.group or "Others", []).append((title, cells))
    return list(groups.items())


def held_in(rights: EmployeeRights | None) -> list[tuple[str, list[HeldPermission]]]:
    """What somebody has, and what was taken from them, in its groups; groups of which they have nothing are left out."""
    groups = rights.groups if rights else []
    by_group = (
        (
            group.group,
            [permission for permission in group.permissions if permission.held or permission.source == "DENIED"],
        )
        for group in groups
    )
    return [(title, permissions) for title, permissions in by_group if permissions]


class MandatesContext(TypedDict):
    """What mandates/mandates.html reads: the mandates of a currency, or of all ("")."""

    read: Snapshot[list[Mandate]]
    groups: list[tuple[str, list[MandateRow]]]
    currency: str
    currencies: list[str]
    waiting: int


def mandates_context(actor: Actor, currency: str) -> MandatesContext:
    """The mandates of a currency; of all where none is of it."""
    read = mandates_of(actor)
    currencies = sorted({row.currency for row in read.value})
    currency = currency if currency in currencies else ""
    return {
        "read": read,
        "groups": by_kind(read.value, currency, actor.business.locale),
        "currency": currency,
        "currencies": currencies,
        "waiting": confirmable_count(actor),
    }


class PersonRightsContext(TypedDict):
    """What mandates/person.html reads: what a person may do, by what, and the mandates that let them vote."""

    read: Snapshot[EmployeeRights | None]
    person: Employee
    role: str
    rights: list[tuple[str, list[HeldPermission]]]
    groups: list[tuple[str, list[MandateRow]]]
    may: Verdict
    open: Proposal | None


def person_rights_context(actor: Actor, person: Employee) -> PersonRightsContext:
    """The rights of a person as the service has them now, or as they were last read."""
    seated = [
        row for row in mandates_of(actor).value if any(seat.approver_id == person.remote_id for seat in row.approvers)
    ]
    read = rights_of(actor, person)
    return {
        "read": read,
        "person": person,
        "role": role_words(read.value.role if read.value else person.role),
        "rights": held_in(read.value),
        "groups": by_kind(seated, "", actor.business.locale),
        "may": can(actor, operations.CHANGE_ROLE, person),
        "open": open_proposal(actor, RIGHTS, person.remote_id),
    }
