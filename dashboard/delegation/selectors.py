"""What a delegation is to the gate: who stands in for whom right now, for what, up to how much; and who is away."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from typing import Any

from django.db.models import Q
from django.utils import timezone

from dashboard.access.standing import StandIn, Standing
from dashboard.delegation.models import Delegation

# The id of the delegate where there is none: no membership has it.
NO_DELEGATE = 0
# The gate looks before each request and each send: two people of whom an id and a name are needed are not read whole.
COLUMNS = (
    "kinds", "cap_minor", "currency", "begins_at", "ends_at", "delegator__employee_id", "delegator__user__name",
    "delegator__user__email", "delegate__employee_id", "delegate__user__name", "delegate__user__email",
)  # fmt: skip


def holding(
    business_id: int, *who: Q, moment: datetime | None = None, with_absences: bool = False
) -> tuple[StandIn, ...]:
    """The delegations of a business that hold at a moment (now), of these people or of all.

    Absences without a delegate hand nothing over: they are among them only where asked for, for who is there.
    """
    at = moment or timezone.now()
    given = Q(delegate__is_active=True)
    delegations = Delegation.objects.filter(
        given | Q(delegate=None) if with_absences else given,
        *who,
        business_id=business_id,
        begins_at__lte=at,
        ends_at__gt=at,
        ended_at=None,
        delegator__is_active=True,
    )
    return read_stand_ins(delegations)


def read_delegations(standing: Standing, business_id: int, employee_id: str) -> Standing:
    """The standing with the delegations of an employee that hold now, in both directions, and their absences: one look."""
    theirs = Q(delegate__employee_id=employee_id) | Q(delegator__employee_id=employee_id)
    all_of_them = holding(business_id, theirs, with_absences=True)
    given = [stand_in for stand_in in all_of_them if stand_in.delegate_id != NO_DELEGATE]
    return replace(
        standing,
        stands_in_for=tuple(stand_in for stand_in in given if stand_in.delegate_employee == employee_id),
        stood_in_by=tuple(stand_in for stand_in in given if stand_in.delegator_employee == employee_id),
        absences=tuple(stand_in for stand_in in all_of_them if stand_in.delegate_id == NO_DELEGATE),
    )


def read_stand_ins(delegations: Any) -> tuple[StandIn, ...]:
    """Delegations as the gate sees them, the first that ends first."""
    people = delegations.select_related("delegator__user", "delegate__user").only(*COLUMNS)
    rows: Iterable[Delegation] = people.order_by("ends_at", "id")
    return tuple(
        _stand_in(
            delegation,
            delegation.delegator.employee_id,
            delegation.delegate.employee_id if delegation.delegate is not None else "",
        )
        for delegation in rows
    )


def _stand_in(delegation: Delegation, delegator_employee: str, delegate_employee: str) -> StandIn:
    return StandIn(
        id=delegation.pk,
        delegator_id=delegation.delegator_id,
        delegator_employee=delegator_employee,
        delegator_name=delegation.delegator_name,
        delegate_id=delegation.delegate_id or NO_DELEGATE,
        delegate_employee=delegate_employee,
        delegate_name=delegation.delegate_name,
        kinds=frozenset(delegation.kinds),
        cap_minor=delegation.cap_minor,
        currency=delegation.currency,
        begins_at=delegation.begins_at,
        ends_at=delegation.ends_at,
    )


def handed_over(stand_ins: Iterable[StandIn], kind: str, **more: str) -> Q:
    """The rows of a mirrored table that these delegations hand over; with a seat for whoever stands in (`seat`).

    Matches nothing where none does.
    """
    condition = Q(pk__in=[])
    for stand_in in stand_ins:
        if kind not in stand_in.kinds:
            continue
        mine = (
            Q() if stand_in.cap_minor is None else Q(currency=stand_in.currency, amount_minor__lte=stand_in.cap_minor)
        )
        if seat := more.get("seat"):
            mine &= Q(**{f"{seat}__contains": [{"employee_id": stand_in.delegate_employee}]})
        condition |= mine if mine else Q(pk__isnull=False)
    return condition
