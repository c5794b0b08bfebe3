"""One team with who reviews it and who is in it."""

from dataclasses import dataclass
from typing import NotRequired, TypedDict

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.access.check import can
from dashboard.lists.detail_page import Facts
from dashboard.lists.states import state_in
from dashboard.mirror.models import Employee, Team
from dashboard.mirror.scopes import visible_employees
from dashboard.pages.people.forms.people import (
    ReviewerForm,
    TeamForm,
)
from dashboard.pages.people.presenters.labels import TEAM_STATES
from dashboard.pages.people.selectors.people import (
    reviewer_choices,
    team_members,
)
from dashboard.pages.people.selectors.teams import TeamTie, ties_of
from dashboard.times import as_of
from dashboard.web.submission import new_key


@dataclass(frozen=True, slots=True)
class Seat:
    """Somebody who reviews a team."""

    employee_id: str
    name: str
    read_only: bool


class TeamContext(TypedDict):
    """What people/team.html reads: each form is there where the actor may use it; `ties` is what has to be done before who may
    delete it can (empty for everybody else)."""

    team: Team
    state: tuple[str, str]
    facts: Facts
    seen: str
    key: str
    seats: list[Seat]
    members: list[Employee]
    count: int
    may_remove: bool
    may_delete: bool
    ties: list[TeamTie]
    form: NotRequired[TeamForm]
    reviewer_form: NotRequired[ReviewerForm]


def team_context(actor: Actor, team: Team) -> TeamContext:
    """One team with who reviews it and who is in it, and what the actor may change."""
    members, count = team_members(actor, team)
    is_there, description = team.status != "DELETED", str(team.payload.get("description") or "")
    deletes = is_there and bool(can(actor, operations.DELETE_TEAM, team))
    ties = ties_of(actor, team) if deletes else []
    context: TeamContext = {
        "team": team,
        "state": state_in(TEAM_STATES, team.status),
        "facts": [("Code", team.code), *([("Description", description)] if description else [])],
        "seen": as_of(team.last_seen, actor.business),
        "key": new_key(),
        "seats": seats_of(actor, team),
        "members": members,
        "count": count,
        "may_remove": is_there and bool(can(actor, operations.REMOVE_TEAM_REVIEWER, team)),
        "may_delete": deletes and not ties,
        "ties": ties,
    }
    if is_there and can(actor, operations.UPDATE_TEAM, team):
        initial = {"name": team.name, "code": team.code, "status": team.status, "description": description}
        context["form"] = TeamForm(initial=initial, exists=True)
    if is_there and can(actor, operations.MAKE_TEAM_REVIEWER, team):
        context["reviewer_form"] = ReviewerForm(people=reviewer_choices(actor, team))
    return context


def seats_of(actor: Actor, team: Team) -> list[Seat]:
    """Who reviews a team, by name; of whom the actor does not see, no name."""
    ids = [seat["employee_id"] for seat in team.reviewers]
    names = dict(visible_employees(actor).filter(remote_id__in=ids).values_list("remote_id", "name"))
    seats = [
        Seat(seat["employee_id"], names.get(seat["employee_id"], ""), seat["read_only"]) for seat in team.reviewers
    ]
    return sorted(seats, key=lambda seat: (not seat.name, seat.name.casefold()))
