"""Which expenses a caller sees. No query for expenses starts anywhere else."""

from django.db.models import Q, QuerySet

from service.auth import Caller
from service.businesses.models import Role, TeamReviewer
from service.expenses.models import Expense, Status
from service.teams.services import reviewed_teams


def visible(caller: Caller) -> QuerySet[Expense]:
    """Those that the caller may see: own for a card user, reviewed teams' and own for a reviewer, else all."""
    rows = _of_business(caller)
    if caller.role == Role.CARD_USER:
        return rows.filter(employee_id=caller.employee_id)
    if caller.role == Role.REVIEWER:
        return rows.filter(Q(team_id__in=reviewed_teams(caller)) | Q(employee_id=caller.employee_id))
    return rows


def listed(caller: Caller) -> QuerySet[Expense]:
    """Those that GET /expenses lists: as published, a reviewer's list holds the managed teams only.

    Whose own role is CARD_USER keeps their own expenses on it: a seat takes nothing away.
    """
    if caller.role == Role.REVIEWER and not (caller.employee and caller.employee.role == Role.CARD_USER):
        return _of_business(caller).filter(team_id__in=reviewed_teams(caller))
    return visible(caller)


def _of_business(caller: Caller) -> QuerySet[Expense]:
    return Expense.objects.filter(business_id=caller.business.id).exclude(status=Status.DELETED)


def read_only_teams(caller: Caller) -> set[str]:
    """The teams whose expenses the caller, a reviewer, may look at without deciding."""
    if caller.role != Role.REVIEWER:
        return set()
    return set(
        TeamReviewer.objects.filter(employee_id=caller.employee_id, read_only=True).values_list("team_id", flat=True)
    )
