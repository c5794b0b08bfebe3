"""What can be done with teams: find them, make them, change them, delete them. Who reviews them is in reviewers.py."""

from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Prefetch, QuerySet
from django.utils import timezone

from service import errors
from service.auth import Caller
from service.businesses.models import Employee, Role, Team, TeamReviewer
from service.events.audit import note
from service.events.outbox import record
from service.teams import schemas
from service.teams.schemas import NewTeam
from service.text import code_from


def reviewed_teams(caller: Caller) -> QuerySet[TeamReviewer, str]:
    """The ids of the teams that the caller's person reviews now."""
    return TeamReviewer.objects.filter(employee_id=caller.employee_id).values_list("team_id", flat=True)


def teams(caller: Caller) -> QuerySet[Team]:
    """A reviewer sees the teams they review, everybody else in the office all of the business."""
    rows = Team.objects.filter(business_id=caller.business.id).exclude(status=Team.Status.DELETED)
    rows = rows.prefetch_related(*_people())
    return rows.filter(id__in=reviewed_teams(caller)) if caller.role == Role.REVIEWER else rows


def _people() -> "list[Prefetch[Any]]":
    members = Employee.objects.exclude(status=Employee.Status.DELETED).order_by("name", "id")
    reviewers = TeamReviewer.objects.select_related("employee").order_by("id")
    return [Prefetch("reviewers", queryset=reviewers), Prefetch("members", queryset=members)]


def team(caller: Caller, team_id: str) -> Team:
    """One team; 404 when it is none of the caller's to see."""
    found = teams(caller).filter(id=team_id).first()
    if found is None:
        raise errors.not_found("team")
    return found


def named(caller: Caller, *, team_id: str | None, team_code: str | None) -> Team:
    """The active team that a body names by its id or its code; 422 where there is none."""
    field, value = ("id", team_id) if team_id else ("code", team_code)
    found = Team.objects.filter(
        business_id=caller.business.id, status=Team.Status.ACTIVE, **{field: value or ""}
    ).first()
    if found is None:
        raise errors.validation_failed(f"team_{field}", "There is no such active team.", "unknown")
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


def update(caller: Caller, team_id: str, changes: dict[str, Any]) -> Team:
    """Changes name, code, status or description; 404, 409 duplicate for a code that is taken."""
    with transaction.atomic():
        row = locked(caller, team_id)
        before = {name: getattr(row, name) for name, value in changes.items() if getattr(row, name) != value}
        if before:
            for name in before:
                setattr(row, name, changes[name])
            try:
                with transaction.atomic():
                    save(caller, row, list(before))
            except IntegrityError:
                raise errors.duplicate(f"The code {row.code} is taken.") from None
            record_change(caller, row, "team.updated", "team.update", before)
    return team(caller, team_id)


def delete(caller: Caller, team_id: str) -> Team:
    """Deletes a team without members; what was spent in it keeps its name. 404, 409 in_use."""
    with transaction.atomic():
        row = locked(caller, team_id)
        if count := Employee.objects.filter(team=row).exclude(status=Employee.Status.DELETED).count():
            raise errors.conflict("in_use", f"The team has {count} members: move them to another team first.")
        TeamReviewer.objects.filter(team=row).delete()
        before, row.status = {"status": row.status}, Team.Status.DELETED
        save(caller, row, ["status"])
        return record_change(caller, row, "team.deleted", "team.delete", before)


def locked(caller: Caller, team_id: str) -> Team:
    """The team with its row locked: what every change begins with; 404 where it is none of the caller's to see."""
    found = teams(caller).select_for_update(no_key=True, of=("self",)).filter(id=team_id).first()
    if found is None:
        raise errors.not_found("team")
    return found


def save(caller: Caller, row: Team, fields: list[str]) -> None:
    """Writes the fields with the next version, and who it was."""
    row.version += 1
    row.updated_by = caller.employee_id or ""
    row.updated_at = timezone.now()
    row.save(update_fields=[*fields, "version", "updated_by", "updated_at"])


def record_change(caller: Caller, row: Team, kind: str, action: str, before: dict[str, Any]) -> Team:
    """Writes the event and the audit row of a change that was just saved; the team with its people as they are now."""
    fresh = Team.objects.prefetch_related(*_people()).get(pk=row.pk)
    shown = schemas.team(fresh)
    record(caller.business, kind, shown, previous=before, actor=caller)
    note(caller, action, "team", row.id, before, {name: shown.get(name) for name in before})
    return fresh
