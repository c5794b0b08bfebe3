"""What can be done with teams: find them, make them."""

from django.db import IntegrityError, transaction
from django.db.models import Prefetch, QuerySet

from service import errors
from service.auth import Caller
from service.businesses.models import Role
from service.employees.models import Employee
from service.events.audit import note
from service.events.outbox import record
from service.teams import schemas
from service.teams.models import Team, TeamReviewer
from service.teams.schemas import NewTeam
from service.text import code_from


def reviewed_teams(caller: Caller) -> QuerySet[TeamReviewer, str]:
    """The ids of the teams that the caller's person reviews now."""
    return TeamReviewer.objects.filter(employee_id=caller.employee_id).values_list("team_id", flat=True)


def teams(caller: Caller) -> QuerySet[Team]:
    """A reviewer sees the teams they review, everybody else in the office all of the business."""
    rows = Team.objects.filter(business_id=caller.business.id).prefetch_related(
        Prefetch("reviewers", queryset=TeamReviewer.objects.select_related("employee").order_by("id")),
        Prefetch("members", queryset=Employee.objects.order_by("name", "id")),
    )
    return rows.filter(id__in=reviewed_teams(caller)) if caller.role == Role.REVIEWER else rows


def team(caller: Caller, team_id: str) -> Team:
    """One team; 404 when it is none of the caller's to see."""
    found = teams(caller).filter(id=team_id).first()
    if found is None:
        raise errors.not_found("team")
    return found


def create(caller: Caller, new: NewTeam) -> Team:
    """A new team; 409 duplicate when the code is taken."""
    row = Team(
        business=caller.business,
        name=new.name,
        code=new.code or code_from(new.name),
        status=new.status,
        description=new.description,
        updated_by=caller.employee_id or "",
    )
    try:
        with transaction.atomic():
            row.save(force_insert=True)
    except IntegrityError:
        raise errors.duplicate(f"The code {row.code} is taken.") from None
    shown = schemas.team(row)
    record(caller.business, "team.created", shown, actor=caller)
    note(caller, "team.create", "team", row.id, after=shown)
    return row
