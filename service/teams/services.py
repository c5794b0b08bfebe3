"""What can be done with teams: make them, change them, delete them. Who reviews them is in reviewers.py."""

from collections.abc import Iterator

from django.db import IntegrityError, transaction
from django.utils import timezone

from service import errors
from service.approvals import workflows
from service.auth import Caller
from service.businesses.models import Employee, Team, TeamReviewer
from service.events.audit import record_audit
from service.events.outbox import record_event
from service.respond import ChangedFields
from service.teams import hooks, serializers
from service.teams.schemas import NewTeam, TeamChange
from service.teams.selectors import get_team, lock_team, people_prefetch
from service.text import code_from


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
    payload = serializers.team(row)
    record_event(caller.business, "team.created", payload, actor=caller)
    record_audit(caller, "team.create", "team", row.id, after=payload)
    return row


def update(caller: Caller, team_id: str, changes: TeamChange) -> Team:
    """Changes name, code, status or description, not the reviewers; 404, 409 duplicate for a code that is taken."""
    with transaction.atomic():
        row = lock_team(caller, team_id)
        columns = changes.model_dump(exclude={"reviewers"}, exclude_none=True)
        before = {name: getattr(row, name) for name, value in columns.items() if getattr(row, name) != value}
        if before:
            for name in before:
                setattr(row, name, columns[name])
            try:
                with transaction.atomic():
                    save(caller, row, list(before))
            except IntegrityError:
                raise errors.duplicate(f"The code {row.code} is taken.") from None
            record_change(caller, row, "team.updated", "team.update", before)
    return get_team(caller, team_id)


def delete(caller: Caller, team_id: str) -> Team:
    """Deletes a team without members that no active workflow and no policy names; what was spent in it keeps its name.
    404, 409 in_use with all that names it."""
    with transaction.atomic():
        # Until it is gone no workflow is made for it; one that is made then finds it no more.
        workflows.lock_for_use(caller.business)
        row = lock_team(caller, team_id)
        if obstacles := [*_members(row), *_workflows_for(row), *hooks.obstacles_to_delete(row)]:
            raise errors.conflict("in_use", " ".join(obstacles))
        TeamReviewer.objects.filter(team=row).delete()
        before, row.status = {"status": row.status}, Team.Status.DELETED
        save(caller, row, ["status"])
        return record_change(caller, row, "team.deleted", "team.delete", before)


def _members(row: Team) -> Iterator[str]:
    if count := Employee.objects.filter(team=row).exclude(status=Employee.Status.DELETED).count():
        yield f"The team has {count} member{'s' * (count != 1)}: move them to another team first."


def _workflows_for(row: Team) -> Iterator[str]:
    if names := workflows.active_for_team(row):
        yield f"Active workflows apply to it ({hooks.enumerated(names)}): change their conditions first."


def save(caller: Caller, row: Team, fields: list[str]) -> None:
    """Writes the fields with the next version, and who it was."""
    row.version += 1
    row.updated_by = caller.employee_id or ""
    row.updated_at = timezone.now()
    row.save(update_fields=[*fields, "version", "updated_by", "updated_at"])


def record_change(caller: Caller, row: Team, kind: str, action: str, before: ChangedFields) -> Team:
    """Writes the event and the audit row of a change that was just saved; the team with its people as they are now."""
    fresh = Team.objects.prefetch_related(*people_prefetch()).get(pk=row.pk)
    payload = serializers.team(fresh)
    record_event(caller.business, kind, payload, previous=before, actor=caller)
    record_audit(caller, action, "team", row.id, before, {name: payload.get(name) for name in before})
    return fresh
