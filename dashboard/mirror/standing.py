"""Where an employee stands by the copy: the teams they review, what they were granted, whether they are suspended."""

from dataclasses import replace

from django.db.models import Q
from django.utils import timezone

from dashboard.access.standing import Standing
from dashboard.mirror.models import Employee, FundAccount, Team, WalletPolicy

OPERATES = "TREASURY_OPERATOR"


def read_standing(standing: Standing, business_id: int, employee_id: str) -> Standing:
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
    """What wallet policies give now, as (permission, wallet id), and the fund accounts that the employee operates.

    Whoever was named an operator is one once another admin has confirmed it.
    """
    now = timezone.now()
    live = WalletPolicy.objects.filter(
        Q(expires_at=None) | Q(expires_at__gt=now), Q(valid_from=None) | Q(valid_from__lte=now),
        business_id=business_id, employee_id=employee_id, status="ACTIVE", tombstoned_at__isnull=True,
    )  # fmt: skip
    given = {
        (permission, wallet_id)
        for wallet_id, permissions in live.values_list("wallet_id", "permissions")
        for permission in permissions
    }
    operated = FundAccount.objects.filter(
        business_id=business_id, tombstoned_at__isnull=True,
        operators__contains=[{"employee_id": employee_id, "counts": True}],
    )  # fmt: skip
    return frozenset(given | {(OPERATES, account_id) for account_id in operated.values_list("remote_id", flat=True)})
