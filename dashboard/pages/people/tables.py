"""The lists of people and teams: whom the service knows, in which role and team, and who reviews them."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db.models import (
    Case,
    CharField,
    Count,
    DateTimeField,
    Exists,
    IntegerField,
    OuterRef,
    QuerySet,
    Subquery,
    Value,
    When,
)  # fmt: skip
from django.db.models.functions import Coalesce
from django.utils import timezone

from dashboard import operations, times
from dashboard.access.actor import Actor
from dashboard.access.check import can_open
from dashboard.access.models import Membership
from dashboard.access_reviews.usage import UNUSED_AFTER, undecided_since, unseen_since
from dashboard.commands import employees
from dashboard.lists.actions import Action
from dashboard.lists.columns import Column, List
from dashboard.lists.expressions import exported_day, exported_field, label
from dashboard.lists.filters import ChoiceFilter, Pick
from dashboard.lists.registry import register
from dashboard.lists.states import words
from dashboard.mirror.choices import teams_of
from dashboard.mirror.models import Employee, Team
from dashboard.mirror.scopes import visible_employees, visible_teams
from dashboard.onboarding.selectors import visible_newcomers
from dashboard.onboarding.services import add_newcomer
from dashboard.operations_pages import ACCESS_CHANGES
from dashboard.pages.people.presenters.labels import EMPLOYMENT_STATES, NEWCOMER_STATES, ROLES, TEAM_STATES, role_name
from dashboard.pages.people.services import MoveFunds

ACCESS = {
    "NONE": "No dashboard access", "UNUSED": "No decision in 90 days", "UNSEEN": "Not seen in 90 days", "USED": "Used",
}  # fmt: skip
# Whoever decides and was not seen has not decided either, and stands there.
ACCESS_CHOICES = ACCESS | {"UNSEEN": "Not seen in 90 days, of those who decide on nothing"}


def people_of(actor: Actor) -> QuerySet[Employee]:
    """The employees whom the actor sees, with the name of their team as `team_name`.

    For those who configure access also when they signed in last (`signed_in_at`), were last seen here (`seen_at`), and
    whether they use their access (`access`).
    """
    team = visible_teams(actor).filter(remote_id=OuterRef("team_id")).values("name")[:1]
    rows = visible_employees(actor).annotate(team_name=Coalesce(Subquery(team), Value("")))
    if not can_open(actor, ACCESS_CHANGES):
        nobody = Value(None, output_field=DateTimeField())
        return rows.annotate(signed_in_at=nobody, seen_at=nobody, access=Value("", output_field=CharField()))
    members = Membership.objects.filter(
        business=actor.business, employee_id=OuterRef("remote_id"), is_active=True, user__is_active=True
    )
    before = timezone.now() - UNUSED_AFTER
    access = Case(
        When(Exists(undecided_since(members, before)), then=Value("UNUSED")),
        When(Exists(unseen_since(members, before)), then=Value("UNSEEN")),
        When(Exists(members), then=Value("USED")), default=Value("NONE"), output_field=CharField(),
    )  # fmt: skip
    signed_in, seen = members.values("user__last_login")[:1], members.values("last_seen_at")[:1]
    return rows.annotate(signed_in_at=Subquery(signed_in), seen_at=Subquery(seen), access=access)


def _seen_text(row: Mapping[str, Any], actor: Actor) -> str:
    """The day on which they were last seen here; "" where they never were."""
    return times.day(row["seen_at"], actor.business) if row["seen_at"] else ""


def _signed_in_text(row: Mapping[str, Any], actor: Actor) -> str:
    """The day of the last sign-in; "" where there was none."""
    return times.day(row["signed_in_at"], actor.business) if row["signed_in_at"] else ""


PEOPLE = register(
    List(
        name="people",
        title="People",
        noun=("person", "people"),
        icon="users",
        opens=operations.LIST_EMPLOYEES,
        rows=people_of,
        address="people",
        item_address="people_item",
        sort="name",
        search="search",
        search_hint="Name or email",
        empty="The people of the business appear here once they have been read from the finance service.",
        filters=(
            ChoiceFilter("role", "Role", "role", of=tuple(ROLES.items())),
            Pick("team", "Team", "team_id", among=teams_of),
            ChoiceFilter("status", "Status", "status", of=tuple(words(EMPLOYMENT_STATES).items())),
            ChoiceFilter("access", "Dashboard access", "access", of=tuple(ACCESS_CHOICES.items())),
        ),
        columns=(
            Column("name", "Name", "name", exported=exported_field("name"), sort="sort_name", sorted_as=str, always=True),
            Column("email", "Email", "email", exported=exported_field("email"), less=True),
            Column("role", "Role", "role", exported=label("role", ROLES), render=lambda row, _: role_name(row["role"])),
            Column("team", "Team", "team_name", exported=exported_field("team_name"), less=True),
            Column(
                "signed_in", "Last sign-in", "signed_in_at", exported=exported_day("signed_in_at"), render=_signed_in_text,
                less=True, by_default=False,
            ),
            Column(
                "seen", "Last seen", "seen_at", exported=exported_day("seen_at"), render=_seen_text, less=True, by_default=False,
            ),
            Column(
                "access", "Dashboard access", "access", exported=label("access", ACCESS),
                render=lambda row, _: ACCESS.get(row["access"], ""), less=True, by_default=False,
            ),
            Column("state", "Status", "status", "state", states=EMPLOYMENT_STATES, exported=label("status", words(EMPLOYMENT_STATES))),
        ),
        file_only=(Column("id", "Id", "remote_id"),),
        seen=("status", "name", "role"),
        actions=(
            Action(
                "suspend", "Suspend", "suspended", operations.SUSPEND_EMPLOYEE, "employee", states=("ACTIVE",),
                command=employees.suspend, becomes="SUSPENDED", danger=True,
                confirm="They are signed out here immediately, and their cards decline until they are activated again.",
            ),
            Action(
                "activate", "Activate", "activated", operations.ACTIVATE_EMPLOYEE, "employee", states=("SUSPENDED",),
                command=employees.activate, becomes="ACTIVE",
                confirm="Their cards work again, and they can sign in again, unless their access here was suspended or ended.",
            ),
            Action(
                "allocate", "Allocate funds to", "allocated funds", operations.ALLOCATE_FUNDS, "employee",
                states=("ACTIVE",), planner=MoveFunds, verifies=True,
                choice=("Choose amount and wallet", "people_bulk_funds"),
                confirm="Each gets the same amount from the wallet, for their cards to spend.",
            ),
            Action(
                "remove_funds", "Remove funds from", "debited", operations.REMOVE_FUNDS, "employee",
                states=("ACTIVE", "SUSPENDED"), planner=MoveFunds, verifies=True,
                choice=("Choose amount and wallet", "people_bulk_funds"),
                confirm="The same amount of each goes back to the wallet; who has less keeps what they have.",
            ),
        ),
    )
)  # fmt: skip


def teams_of_list(actor: Actor) -> QuerySet[Team]:
    """The teams that the actor sees, each with how many `members` there are among the people they see."""
    among = visible_employees(actor).filter(team_id=OuterRef("remote_id")).exclude(status="DELETED").order_by()
    counted = among.values("team_id").annotate(members=Count("pk")).values("members")
    return visible_teams(actor).annotate(
        members=Coalesce(Subquery(counted, output_field=IntegerField()), Value(0)),
    )


def _reviewers_text(row: Mapping[str, Any], _: Actor) -> str:
    """How many people review a team; "none" where nobody does."""
    return str(len(row["reviewers"])) if row["reviewers"] else "none"


TEAMS = register(
    List(
        name="teams",
        title="Teams",
        noun=("team", "teams"),
        icon="users",
        opens=operations.LIST_TEAMS,
        rows=teams_of_list,
        address="teams",
        item_address="teams_item",
        sort="name",
        empty="The teams of the business appear here once they have been read from the finance service.",
        filters=(ChoiceFilter("status", "Status", "status", of=tuple(words(TEAM_STATES).items())),),
        columns=(
            Column("name", "Name", "name", exported=exported_field("name"), sort="name", sorted_as=str, always=True),
            Column("code", "Code", "code", exported=exported_field("code"), less=True),
            Column("members", "Members", "members", exported=exported_field("members")),
            Column("reviewers", "Reviewers", "reviewers", render=_reviewers_text, less=True),
            Column(
                "state", "Status", "status", "state", states=TEAM_STATES,
                exported=label("status", words(TEAM_STATES)),
            ),
        ),
        file_only=(Column("id", "Id", "remote_id"),),
        seen=("status", "name"),
    )
)  # fmt: skip


def _outcome_text(row: Mapping[str, Any], _: Actor) -> str:
    """What came of the card and of the invitation."""
    return str(row["outcome"])


NEWCOMERS = register(
    List(
        name="newcomers",
        title="New people",
        noun=("person", "people"),
        icon="users",
        opens=operations.CREATE_EMPLOYEE,
        rows=visible_newcomers,
        address="newcomers",
        sort="-added",
        empty="People whom you add together appear here.",
        mirrored=False,
        filters=(ChoiceFilter("status", "Status", "status", of=tuple(words(NEWCOMER_STATES).items())),),
        columns=(
            Column("name", "Name", "name", exported=exported_field("name"), always=True),
            Column("email", "Email", "email", exported=exported_field("email"), less=True),
            Column("role", "Role", "role", exported=label("role", ROLES), render=lambda row, _: role_name(row["role"])),
            Column(
                "added", "Checked on", "created_at", "figure", exported=exported_day("created_at"), sort="created_at",
                sorted_as=datetime, render=lambda row, actor: times.day(row["created_at"], actor.business), less=True,
            ),
            Column("outcome", "Result", "outcome", exported=exported_field("outcome"), render=_outcome_text, less=True),
            Column(
                "state", "Status", "status", "state", states=NEWCOMER_STATES,
                exported=label("status", words(NEWCOMER_STATES)),
            ),
        ),
        seen=("status", "name", "role"),
        actions=(
            Action(
                "add", "Add", "added", operations.CREATE_EMPLOYEE, "employee", states=("WAITING",),
                command=add_newcomer, becomes="ADDED",
                confirm="Each gets an account at the finance service, and a card and an invitation where they were given.",
            ),
        ),
    )
)  # fmt: skip
