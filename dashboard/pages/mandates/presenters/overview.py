"""The mandates, the approvers, the roles and a person's rights as they are printed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self, TypedDict

from django.db.models import Count

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.access.check import Verdict, can
from dashboard.impact.mandate_text import amounts_of, cap_of, mandate_kind, mandate_title, quorum_text, voting
from dashboard.impact.role_changes import role_words
from dashboard.mirror.scopes import visible_employees
from dashboard.pages.mandates.selectors import subjects_of_roles
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
