"""Where somebody decides for others, and who decides for whom: seats in workflows and mandates, fund accounts, delegations."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.db.models import Q
from django.urls import reverse
from django.utils import timezone

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.access.check import can_open
from dashboard.access.models import Membership
from dashboard.delegation.models import Delegation
from dashboard.delegation.services import delegation_text
from dashboard.impact.mandate_reads import mandates_of
from dashboard.impact.mandate_text import mandate_title
from dashboard.mirror.models import Employee
from dashboard.mirror.scopes import visible_fund_accounts
from dashboard.offboarding.holdings import workflows_naming

# So often the mandates are asked for at most: a page of somebody is no reason to read them anew.
FRESH_S = 300


@dataclass(frozen=True, slots=True)
class SeatLine:
    """A seat: what it is, where it is looked at ("" for nowhere), and what there is to know of it beside."""

    title: str
    address: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class Seats:
    """The seats of somebody, the delegations that run or are to come, and why the mandates cannot be read now ("" where they
    can); `known` whether the actor reads mandates and workflows at all, `mandates_as_of` how old the mandates are ("as of
    10:42 EAT"), "" where they were never read."""

    seats: list[SeatLine]
    delegations: list[str]
    trouble: str = ""
    known: bool = True
    mandates_as_of: str = ""


def seats_held(actor: Actor, employee: Employee) -> Seats:
    """What of it the actor may see: seats for those who read workflows and mandates, delegations also for oneself."""
    is_known = bool(can_open(actor, operations.LIST_MANDATES)) and bool(can_open(actor, operations.READ_BILL_WORKFLOW))
    delegations = list(_delegations(actor, employee)) if is_known or actor.employee_id == employee.remote_id else []
    if not is_known:
        return Seats([], delegations, known=False)
    mandates = mandates_of(actor, fresh_s=FRESH_S)
    slug = actor.business.slug
    seats = [
        SeatLine(
            f"Workflow “{row.name}”", reverse("workflows_item", args=[slug, row.id]), "" if row.active else "Inactive"
        )
        for row in workflows_naming(actor, employee)
    ]
    for mandate in mandates.value:
        seat = next((seat for seat in mandate.approvers if seat.approver_id == employee.remote_id), None)
        if seat is not None:
            title = f"Mandate “{mandate_title(mandate, actor.business.locale)}”"
            note = "Inactive seat" if not seat.active else "Required" if seat.required else ""
            seats.append(SeatLine(title, reverse("mandates_item", args=[slug, mandate.id]), note))
    operated = visible_fund_accounts(actor).filter(operators__contains=[{"employee_id": employee.remote_id}])
    for account in operated.order_by("fund_name", "remote_id"):
        address = reverse("investments_item", args=[slug, account.remote_id])
        seats.append(SeatLine(f"Operator of {account.fund_name}", address))
    read = mandates.as_of if mandates.is_known else ""
    return Seats(seats, delegations, mandates.trouble, mandates_as_of=read)


def _delegations(actor: Actor, employee: Employee) -> Iterator[str]:
    members = Membership.objects.filter(business=actor.business, employee_id=employee.remote_id)
    theirs = Q(delegator__in=members) | Q(delegate__in=members)
    rows = Delegation.objects.filter(theirs, business=actor.business, ended_at=None, ends_at__gt=timezone.now())
    for row in rows.select_related("business", "delegator__user", "delegate__user").order_by("begins_at", "id"):
        yield f"{row}: {delegation_text(row)}"
