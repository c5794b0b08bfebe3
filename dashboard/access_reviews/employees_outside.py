"""Employees who can move money at the finance service and have no access to this dashboard: a review lists them, too."""

from __future__ import annotations

from dashboard.access.actor import Actor
from dashboard.access.roles import MOVING_MONEY
from dashboard.access_reviews.models import AccessReview, ReviewedPerson
from dashboard.access_reviews.money_rights import MoneyRights
from dashboard.access_reviews.selectors import members_of
from dashboard.mirror.models import Employee
from dashboard.mirror.scopes import visible_employees


def employees_outside(actor: Actor, money_rights: MoneyRights) -> list[Employee]:
    """Those whom a role, wallet policy, mandate or fund account lets move money and who are no members, by name."""
    linked = members_of(actor.business).exclude(employee_id="").values("employee_id")
    rows = visible_employees(actor).exclude(status="DELETED").exclude(remote_id__in=linked)
    roles = MOVING_MONEY | set(money_rights.by_role)
    return [
        row
        for row in rows.order_by("sort_name", "pk")
        if row.role in roles or money_rights.by_employee.get(row.remote_id)
    ]


def reviewed_row(review: AccessReview, employee: Employee, money_rights: MoneyRights) -> ReviewedPerson:
    """Their row of a review, not stored yet: without a role here, and without anything that they did here."""
    return ReviewedPerson(
        review=review, name=employee.name[:254], email=employee.email, employee_id=employee.remote_id,
        service_role=employee.role, is_suspended=employee.status != "ACTIVE", money=money_rights.of_employee(employee),
    )  # fmt: skip
