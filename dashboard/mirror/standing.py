"""Where an employee stands by the copy: the teams they review, what they were granted, whether they are suspended."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime

from django.utils import timezone

from dashboard.access.standing import Standing
from dashboard.mirror.models import Employee, FundAccount, Team, WalletPolicy

OPERATES = "TREASURY_OPERATOR"


def read_mirrored_standing(standing: Standing, business_id: int, employee_id: str) -> Standing:
    """The standing with the teams, grants, suspension and role at the service that the copy knows of an employee."""
    reviewed = Team.objects.filter(
        business_id=business_id, tombstoned_at__isnull=True, reviewers__contains=[{"employee_id": employee_id}]
    )
    teams, read_only = set(), set()
    for team_id, reviewers in reviewed.values_list("remote_id", "reviewers"):
        teams.add(team_id)
        if all(seat.get("read_only", True) for seat in reviewers if seat.get("employee_id") == employee_id):
            read_only.add(team_id)
    employee = Employee.objects.filter(business_id=business_id, remote_id=employee_id)
    employees = list(employee.values_list("status", "tombstoned_at", "role"))
    suspended = any(status == "SUSPENDED" or tombstoned is not None for status, tombstoned, _ in employees)
    return replace(
        standing,
        teams=frozenset(teams),
        read_only_teams=frozenset(read_only),
        suspended=suspended,
        service_role=employees[0][2] if employees else "",
        grants=_granted(business_id, employee_id),
    )


def _granted(business_id: int, employee_id: str) -> frozenset[tuple[str, str]]:
    now = timezone.now()
    policies = WalletPolicy.objects.filter(
        business_id=business_id, employee_id=employee_id, status="ACTIVE", tombstoned_at__isnull=True
    ).only("employee_id", "wallet_id", "permissions", "status", "valid_from", "expires_at")
    operated = FundAccount.objects.filter(
        business_id=business_id, tombstoned_at__isnull=True,
        operators__contains=[{"employee_id": employee_id, "counts": True}],
    ).only("remote_id", "operators")  # fmt: skip
    return grants_by_employee(policies, operated, now).get(employee_id, frozenset())


def grants_by_employee(
    policies: Iterable[WalletPolicy], accounts: Iterable[FundAccount], now: datetime
) -> dict[str, frozenset[tuple[str, str]]]:
    """By the id of an employee: what wallet policies give now, as (permission, wallet id), and the fund accounts that they
    operate.

    Whoever was named an operator is one once another admin has confirmed it.
    """
    grants: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for policy in policies:
        if policy.state(now) == "ACTIVE":
            grants[policy.employee_id] |= {(permission, policy.wallet_id) for permission in policy.permissions}
    for account in accounts:
        for seat in account.operators:
            if seat.get("counts") and seat.get("employee_id"):
                grants[seat["employee_id"]].add((OPERATES, account.remote_id))
    return {employee_id: frozenset(given) for employee_id, given in grants.items()}
