"""Teams: making, changing and deleting one, and who reviews it.

Raises what `run` raises; what the service refuses stands on the form. Each answers with the team, whose reviewers have
their rights from then on. Interface: Teams, and Employees (…team-reviewer).
"""

from django import forms

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.commands.run import CommandResult, Key, run
from dashboard.errors import FAILED, NotFound
from dashboard.mirror.models import Team
from dashboard.mirror.webhook_inbox import forget_standings
from dashboard.schemas.teams import TeamFields

KIND = "team"
REFUSALS = (*FAILED, NotFound)


def create(actor: Actor, body: TeamFields, *, key: Key, form: forms.BaseForm | None = None) -> CommandResult:
    """Adds a team; the service makes a code of the name where none is given."""
    return run(actor, operations.CREATE_TEAM, None, body, key=key, kind=KIND, form=form, refusals=REFUSALS)


def update(
    actor: Actor, team: Team, body: TeamFields, *, key: Key, form: forms.BaseForm | None = None
) -> CommandResult:
    """Changes name, code, status or description. Its reviewers stay."""
    return run(
        actor, operations.UPDATE_TEAM, team, body, key=key, path=_path(team), kind=KIND, form=form, refusals=REFUSALS
    )


def delete(actor: Actor, team: Team, *, key: Key) -> CommandResult:
    """Deletes a team without members; Conflict where it has any."""
    result = run(actor, operations.DELETE_TEAM, team, key=key, path=_path(team), kind=KIND)
    forget_standings(actor.business)
    return result


def add_reviewer(
    actor: Actor, team: Team, employee_id: str, *, read_only: bool, key: Key, form: forms.BaseForm | None = None
) -> CommandResult:
    """Makes somebody a reviewer of the team, or says anew whether they only read."""
    body = {"employee_id": employee_id, "team_id": team.remote_id, "read_only": read_only}
    result = run(
        actor, operations.MAKE_TEAM_REVIEWER, team, body, key=key, kind=KIND, form=form,
        names={"employee_id": "reviewer"}, refusals=REFUSALS,
    )  # fmt: skip
    forget_standings(actor.business)
    return result


def remove_reviewer(actor: Actor, team: Team, employee_id: str, *, key: Key) -> CommandResult:
    """Takes somebody's seat as a reviewer of the team away; NotFound where they have none."""
    query = {"employee_id": employee_id, "team_id": team.remote_id}
    result = run(actor, operations.REMOVE_TEAM_REVIEWER, team, key=key, query=query, kind=KIND)
    forget_standings(actor.business)
    return result


def _path(team: Team) -> dict[str, str]:
    return {"id": team.remote_id}
