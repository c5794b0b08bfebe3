"""What is read of teams: within the business of the caller, and as far as they may see."""

from typing import Any

from django.db.models import Prefetch, QuerySet

from service import errors
from service.auth import Caller
from service.businesses.models import Employee, Role, Team, TeamReviewer


def reviewed_teams(caller: Caller) -> QuerySet[TeamReviewer, str]:
    """The ids of the teams that the caller's person reviews now."""
    return TeamReviewer.objects.filter(employee_id=caller.employee_id).values_list("team_id", flat=True)


def teams(caller: Caller) -> QuerySet[Team]:
    """A reviewer sees the teams they review, everybody else in the office all of the business."""
    rows = Team.objects.filter(business_id=caller.business.id).exclude(status=Team.Status.DELETED)
    rows = rows.prefetch_related(*people_prefetch())
    return rows.filter(id__in=reviewed_teams(caller)) if caller.role == Role.REVIEWER else rows


def people_prefetch() -> "list[Prefetch[Any]]":
    """How lists of teams read their reviewers and their members that are not deleted: two queries for all of them."""
    members = Employee.objects.exclude(status=Employee.Status.DELETED).order_by("name", "id")
    reviewers = TeamReviewer.objects.select_related("employee").order_by("id")
    return [Prefetch("reviewers", queryset=reviewers), Prefetch("members", queryset=members)]


def get_team(caller: Caller, team_id: str) -> Team:
    """One team; 404 when it is none of the caller's to see."""
    team = teams(caller).filter(id=team_id).first()
    if team is None:
        raise errors.not_found("team")
    return team


def get_named_team(caller: Caller, *, team_id: str | None, team_code: str | None) -> Team:
    """The active team that a body names by its id or its code; 422 where there is none."""
    field, value = ("id", team_id) if team_id else ("code", team_code)
    team = Team.objects.filter(
        business_id=caller.business.id, status=Team.Status.ACTIVE, **{field: value or ""}
    ).first()
    if team is None:
        raise errors.validation_failed(f"team_{field}", "There is no such active team.", "unknown")
    return team


def lock_team(caller: Caller, team_id: str) -> Team:
    """The team with its row locked: what every change begins with; 404 where it is none of the caller's to see."""
    team = teams(caller).select_for_update(no_key=True, of=("self",)).filter(id=team_id).first()
    if team is None:
        raise errors.not_found("team")
    return team
