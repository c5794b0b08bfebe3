"""What is read for the people: one of them with their money, the choices of the forms, and what a leaver leaves behind."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Case, Q, QuerySet, When
from django.shortcuts import get_object_or_404
from pydantic import ValidationError

from dashboard import operations, operations_pages
from dashboard.access.actor import Actor
from dashboard.access.check import can, can_open
from dashboard.access.roles import MOVING_MONEY, STAFF, Role
from dashboard.client.page import read_page, typed
from dashboard.client.reads import read_live
from dashboard.commands.employees import subject_of_handover, subject_of_new
from dashboard.errors import FinanceError
from dashboard.mirror.employee_cards import refresh_employee_cards
from dashboard.mirror.models import Card, Employee, Team, Wallet
from dashboard.mirror.scopes import (
    visible_cards,
    visible_employees,
    visible_expenses,
    visible_subscriptions,
    visible_teams,
    visible_wallets,
)
from dashboard.proposals.four_eyes import requires_second_admin
from dashboard.schemas import accounts, employees
from dashboard.web.card_text import ENDED_CARD_STATES
from dashboard.web.person_field import PersonChoices, person_choices

LIVE_S = 2.0
ENTRIES = 50
MAX_CHOICES = 500
MAX_MEMBERS = 50


def person_of(actor: Actor, remote_id: str) -> Employee:
    """The employee of that id; Http404 outside what the actor may see."""
    employee: Employee = get_object_or_404(visible_employees(actor), remote_id=remote_id)
    return employee


def team_of(actor: Actor, remote_id: str) -> Team:
    """The team of that id; Http404 outside what the actor may see."""
    team: Team = get_object_or_404(visible_teams(actor), remote_id=remote_id)
    return team


def profile_of(employee: Employee) -> employees.Employee:
    """The employee as the service last sent them, with phone and supervisor."""
    columns = {"_id": employee.remote_id, "name": employee.name, "email": employee.email, "role": employee.role}
    try:
        return employees.Employee.model_validate(employee.payload)
    except ValidationError:
        return employees.Employee.model_validate(columns)


def balances_of(actor: Actor, employee: Employee) -> list[employees.EmployeeWallet] | None:
    """What the employee has, currency by currency; None where the service does not say it of them.

    Raises the FinanceError tree. A service that does not know the filter answers with its first page.
    """
    query: dict[str, str | int] = {"employee_id": employee.remote_id, "limit": 100}
    answer = read_live(actor, operations.LIST_EMPLOYEE_BALANCES, query=query, subject=employee, deadline=LIVE_S)
    rows = typed(read_page(answer.data).rows, employees.EmployeeBalances)
    return next((row.wallets for row in rows if row.id == employee.remote_id), None)


@dataclass(frozen=True, slots=True)
class StatementPage:
    """A page of what happened on an employee's wallet, the newest first; read when."""

    entries: list[accounts.Entry]
    pages: int
    total: int
    as_of: datetime


def read_statement(actor: Actor, employee: Employee, currency: str, number: int) -> StatementPage:
    """One page, by its number from 1; of the business's currency where `currency` is "". Raises the FinanceError tree,
    NotFound where the employee has no wallet in it."""
    query: dict[str, str | int] = {"employee_id": employee.remote_id, "page": number, "limit": ENTRIES}
    if currency:
        query["currency"] = currency
    answer = read_live(actor, operations.VIEW_STATEMENT, query=query, subject=employee, deadline=LIVE_S)
    read = read_page(answer.data)
    entries = typed(read.rows, accounts.Entry)
    return StatementPage(entries, read.pages or 1, read.total or len(entries), answer.as_of)


def currencies_of(actor: Actor, employee: Employee) -> list[str]:
    """The currencies in which there may be a statement: of the employee's cards, and of the wallets that the actor sees."""
    of_cards = visible_cards(actor).filter(employee_id=employee.remote_id).values_list("currency", flat=True)
    of_wallets = visible_wallets(actor).values_list("currency", flat=True)
    return sorted({*of_cards.distinct(), *of_wallets.distinct()} - {""})


def funding_wallets(actor: Actor) -> list[Wallet]:
    """The wallets of the business that money is allocated from, and taken back to."""
    rows = visible_wallets(actor).filter(status="ACTIVE").order_by("currency", "name", "remote_id")
    return list(rows[:MAX_CHOICES])


def roles_to_give(actor: Actor) -> list[Role]:
    """The roles that the actor may give to somebody new, the least first. Where a second admin is required, none that moves
    money: nobody makes an approver or an admin alone."""
    roles = [role for role in Role if can(actor, operations.CREATE_EMPLOYEE, subject_of_new(actor, role))]
    return _given_alone(actor, roles)


def successor_roles(actor: Actor, employee: Employee) -> list[Role]:
    """The roles that the actor may give to whoever takes an account over, the least first; none: they may not hand it over.
    Where a second admin is required, none that moves money: the successor is somebody new."""
    return _given_alone(actor, _heir_roles(actor, employee))


def _heir_roles(actor: Actor, employee: Employee) -> list[Role]:
    return [role for role in Role if can(actor, operations.TRANSFER_OWNERSHIP, subject_of_handover(employee, role))]


def _given_alone(actor: Actor, roles: list[Role]) -> list[Role]:
    if MOVING_MONEY.isdisjoint(roles) or not requires_second_admin(actor.business):
        return roles
    return [role for role in roles if role not in MOVING_MONEY]


def is_second_admin_missed_by_heir(actor: Actor, employee: Employee) -> bool:
    """Whether roles are left out of `successor_roles` since two people give them."""
    return not MOVING_MONEY.isdisjoint(_heir_roles(actor, employee)) and requires_second_admin(actor.business)


def is_second_admin_missed(actor: Actor) -> bool:
    """Whether roles are left out of `roles_to_give` since two people give them."""
    may = any(can(actor, operations.CREATE_EMPLOYEE, subject_of_new(actor, role)) for role in MOVING_MONEY)
    return may and requires_second_admin(actor.business)


def may_offboard(actor: Actor, employee: Employee) -> bool:
    """Whether the actor may start the offboarding of somebody."""
    is_theirs = can_open(actor, operations_pages.OFFBOARDING) and can(actor, operations.SUSPEND_EMPLOYEE, employee)
    return employee.status != "DELETED" and bool(is_theirs)


def may_invite(actor: Actor) -> bool:
    """Whether the actor may make somebody a member of the dashboard."""
    return bool(can_open(actor, operations_pages.MEMBERS))


def active_teams(actor: Actor) -> QuerySet[Team]:
    """The teams that somebody can be moved to, by name."""
    return visible_teams(actor).filter(status="ACTIVE").order_by("name", "remote_id")[:MAX_CHOICES]


def supervisors_for(actor: Actor, employee: Employee) -> PersonChoices:
    """Who can be somebody's supervisor: everybody active but a card user and themselves; who is now, in any case."""
    now = profile_of(employee).supervisor_id
    rows = visible_employees(actor).exclude(remote_id=employee.remote_id)
    rows = rows.filter(Q(remote_id=now) | (Q(status="ACTIVE") & Q(role__in=STAFF)))
    return person_choices(actor, rows.order_by("sort_name", "pk"))


def reviewer_choices(actor: Actor, team: Team) -> PersonChoices:
    """Who can be made a reviewer of the team: everybody active, reviewers before card users."""
    after_staff = Case(When(role__in=STAFF, then=0), default=1)
    rows = visible_employees(actor).filter(status="ACTIVE")
    return person_choices(actor, rows.order_by(after_staff, "sort_name", "pk"))


def team_members(actor: Actor, team: Team) -> tuple[list[Employee], int]:
    """The first members of a team by name, MAX_MEMBERS at most, and how many there are."""
    rows = visible_employees(actor).filter(team_id=team.remote_id).exclude(status="DELETED")
    return list(rows.order_by("sort_name", "pk")[:MAX_MEMBERS]), rows.count()


def reviewed_teams(actor: Actor, employee: Employee) -> list[tuple[Team, bool]]:
    """The teams that somebody reviews, as far as the actor sees them, each with whether they only read."""
    rows = visible_teams(actor).filter(reviewers__contains=[{"employee_id": employee.remote_id}]).order_by("name")
    return [
        (team, any(seat["employee_id"] == employee.remote_id and seat["read_only"] for seat in team.reviewers))
        for team in rows[:MAX_CHOICES]
    ]


@dataclass(frozen=True, slots=True)
class HoldingCount:
    """How many of something of somebody there are, what it is called, and the name of the address of its list."""

    count: int
    singular: str
    plural: str
    list_address: str


def spending_of(actor: Actor, employee: Employee) -> list[HoldingCount]:
    """What somebody spends with, as the copy knows it and the actor sees it: usable cards, open expenses, and running
    subscriptions."""
    own = {"employee_id": employee.remote_id}
    cards = visible_cards(actor).filter(**own).exclude(status__in=("REJECTED", "RETIRED", "EXPIRED"))
    expenses = visible_expenses(actor).filter(**own, status__in=("PENDING", "DETAILS_REQUESTED"))
    subscriptions = visible_subscriptions(actor).filter(**own, status="ACTIVE")
    rows = [
        HoldingCount(cards.count(), "card", "cards", "cards"),
        HoldingCount(expenses.count(), "open expense", "open expenses", "expenses"),
        HoldingCount(subscriptions.count(), "active subscription", "active subscriptions", "subscriptions"),
    ]
    return [row for row in rows if row.count]


def cards_of(actor: Actor, employee: Employee) -> tuple[list[Card], str]:
    """The cards of somebody that have not ended, the newest first, and why the service did not give them just now."""
    trouble = refresh_employee_cards(actor, employee)
    rows = visible_cards(actor).filter(employee_id=employee.remote_id).exclude(status__in=ENDED_CARD_STATES)
    return list(rows.order_by("-created_at", "-pk")[:MAX_CHOICES]), trouble


def left_behind(actor: Actor, employee: Employee) -> list[HoldingCount]:
    """What a leaver has that no handover moves: what they spend with, and the teams that they review."""
    teams = len(reviewed_teams(actor, employee))
    reviews = [HoldingCount(teams, "team to review", "teams to review", "teams")] if teams else []
    return [*spending_of(actor, employee), *reviews]


def may_read_balances(actor: Actor, employee: Employee) -> bool:
    """Whether the actor may see what somebody has on their wallets."""
    return bool(can(actor, operations.LIST_EMPLOYEE_BALANCES, employee))


def live_balances(actor: Actor, employee: Employee) -> tuple[list[employees.EmployeeWallet] | None, str]:
    """As `balances_of`, with the sentence of what went wrong where the service did not answer."""
    try:
        return balances_of(actor, employee), ""
    except FinanceError as trouble:
        return None, trouble.user_message
