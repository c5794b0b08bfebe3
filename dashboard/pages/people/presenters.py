"""How people and teams are shown: the words for roles and states, one person with their money, one team with its people."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import NotRequired, TypedDict

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.access.check import can, can_open
from dashboard.lists.detail_page import Facts
from dashboard.lists.states import state_in
from dashboard.mirror.models import Employee, Team, Wallet
from dashboard.mirror.scopes import visible_employees, visible_teams
from dashboard.money import number, text, to_minor
from dashboard.pages.people.forms import (
    FundsForm,
    HandOverForm,
    ProfileForm,
    ReviewerForm,
    TeamForm,
    TeamMoveForm,
    role_choices,
)
from dashboard.pages.people.selectors import (
    LeftBehind,
    StatementPage,
    active_teams,
    currencies_of,
    left_behind,
    live_balances,
    may_read_balances,
    members_of,
    paying_wallets,
    profile_of,
    reviewed_teams,
    reviewer_choices,
    successor_roles,
    supervisors_for,
)
from dashboard.schemas.accounts import Entry
from dashboard.schemas.employees import EmployeeWallet, FundsMoved
from dashboard.times import as_of
from dashboard.web.submission import new_key

ROLES = {
    "CARD_USER": "Card user",
    "REVIEWER": "Reviewer",
    "APPROVER": "Approver",
    "ADMIN": "Admin",
    "SUPER_ADMIN": "Super admin",
}
STATES = {"ACTIVE": ("Active", "ok"), "SUSPENDED": ("Suspended", "bad"), "DELETED": ("Removed", "")}
TEAM_STATES = {"ACTIVE": ("Active", "ok"), "INACTIVE": ("Inactive", ""), "DELETED": ("Deleted", "")}
ALLOCATE, REMOVE = "allocate", "remove"
DONE = {ALLOCATE: "allocated to", REMOVE: "removed from"}


@dataclass(frozen=True, slots=True)
class WalletLine:
    """What somebody has in one currency: what they can spend, what is posted, and what is on hold."""

    currency: str
    available: str
    posted: str
    on_hold: str


@dataclass(frozen=True, slots=True)
class Seat:
    """Somebody who reviews a team."""

    employee_id: str
    name: str
    read_only: bool


class PersonContext(TypedDict):
    """What people/item.html reads: each form and verdict is there where the actor may use it."""

    person: Employee
    state: tuple[str, str]
    facts: Facts
    seen: str
    key: str
    shows_funds: bool
    wallets: list[WalletLine] | None
    funds_problem: str
    may_read_statement: bool
    reviews: list[tuple[Team, bool]]
    suspend: bool
    activate: bool
    remove: bool
    hand_over: bool
    allocate_form: NotRequired[FundsForm]
    remove_form: NotRequired[FundsForm]
    profile_form: NotRequired[ProfileForm]
    team_form: NotRequired[TeamMoveForm]


class HandOverContext(TypedDict):
    """What people/hand_over.html reads."""

    person: Employee
    left: list[LeftBehind]
    form: HandOverForm
    key: str


class TeamContext(TypedDict):
    """What teams/item.html reads: each form is there where the actor may use it."""

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
    form: NotRequired[TeamForm]
    reviewer_form: NotRequired[ReviewerForm]


@dataclass(frozen=True, slots=True)
class StatementLine:
    """A line of a statement: what came in or went out, and what there was after it."""

    day: str
    text: str
    came_in: str
    went_out: str
    balance: str


class StatementContext(TypedDict):
    """What people/statement.html reads: the lines, or `problem` where the service did not give them."""

    person: Employee
    currency: str
    currencies: list[str]
    lines: list[StatementLine]
    number: int
    pages: int
    total: int
    seen: str
    problem: str


def role_of(code: str) -> str:
    """A role's name: "Card user" for CARD_USER; the code in words for a role that we do not know."""
    return ROLES.get(code, code.replace("_", " ").capitalize())


def facts_of(actor: Actor, employee: Employee) -> Facts:
    """Email, phone, role, and the team where the actor sees it, each with its label."""
    team = visible_teams(actor).filter(remote_id=employee.team_id).values_list("name", flat=True).first()
    facts = [
        ("Email", employee.email),
        ("Phone", profile_of(employee).phone),
        ("Role", role_of(employee.role)),
        ("Team", team or ""),
    ]
    return [(label, value) for label, value in facts if value]


def person_context(actor: Actor, employee: Employee) -> PersonContext:
    """One person: profile, team, what they have, what they review, and what the actor may do about it."""
    shows_funds = may_read_balances(actor, employee)
    wallets, problem = live_balances(actor, employee) if shows_funds else (None, "")
    is_active = employee.status == "ACTIVE"
    is_left = employee.status == "DELETED"
    context: PersonContext = {
        "person": employee,
        "state": state_in(STATES, employee.status),
        "facts": facts_of(actor, employee),
        "seen": as_of(employee.last_seen, actor.business),
        "key": new_key(),
        "shows_funds": shows_funds,
        "wallets": None if wallets is None else [wallet_line(wallet, actor.business.locale) for wallet in wallets],
        "funds_problem": problem,
        "may_read_statement": bool(can(actor, operations.VIEW_STATEMENT, employee)),
        "reviews": reviewed_teams(actor, employee),
        "suspend": is_active and bool(can(actor, operations.SUSPEND_EMPLOYEE, employee)),
        "activate": employee.status == "SUSPENDED" and bool(can(actor, operations.ACTIVATE_EMPLOYEE, employee)),
        "remove": not is_left and bool(can(actor, operations.DELETE_EMPLOYEE, employee)),
        "hand_over": not is_left and bool(successor_roles(actor, employee)),
    }
    if not is_left:
        _add_forms(context, actor, employee)
    return context


def _add_forms(context: PersonContext, actor: Actor, employee: Employee) -> None:
    if can(actor, operations.UPDATE_PROFILE, employee):
        context["profile_form"] = profile_form(actor, employee)
    if can(actor, operations.MOVE_TO_TEAM, employee):
        context["team_form"] = team_form(actor, employee)
    if employee.status == "ACTIVE" and can(actor, operations.ALLOCATE_FUNDS, employee):
        context["allocate_form"] = funds_form(actor, ALLOCATE)
    if can(actor, operations.REMOVE_FUNDS, employee):
        context["remove_form"] = funds_form(actor, REMOVE)


def profile_form(actor: Actor, employee: Employee, posted: Mapping[str, str] | None = None) -> ProfileForm:
    """The form of a profile: whoever may only change their own, changes name and phone."""
    profile = profile_of(employee)
    may_change_all = bool(can_open(actor, operations.CREATE_EMPLOYEE))
    return ProfileForm(
        posted,
        of=profile,
        supervisors=supervisors_for(actor, employee) if may_change_all else None,
        initial=ProfileForm.initial_of(profile),
        locale=actor.business.locale,
    )


def team_form(actor: Actor, employee: Employee, posted: Mapping[str, str] | None = None) -> TeamMoveForm:
    """The form that moves somebody to another team."""
    teams = [(team.remote_id, team.name) for team in active_teams(actor)]
    return TeamMoveForm(posted, teams=teams, initial={"team": employee.team_id})


def funds_form(actor: Actor, name: str, posted: Mapping[str, str] | None = None) -> FundsForm:
    """The form that allocates money or takes it back: `name` is ALLOCATE or REMOVE."""
    wallets = paying_wallets(actor)
    labels = [(wallet.org_wallet_ref, wallet_label(wallet, actor.business.locale)) for wallet in wallets]
    form = FundsForm(posted, prefix=name, wallets=wallets, labels=labels, locale=actor.business.locale)
    form.fields["wallet"].label = "From wallet" if name == ALLOCATE else "Back to wallet"
    return form


def wallet_label(wallet: Wallet, locale: str) -> str:
    """A wallet as a choice: its name and, where it is known, what it has."""
    name = wallet.name or wallet.org_wallet_ref
    if wallet.available_minor is None:
        return f"{name} · {wallet.currency}"
    return f"{name} · {text(wallet.available_minor, wallet.currency, locale)} available"


def wallet_line(wallet: EmployeeWallet, locale: str) -> WalletLine:
    """An employee's wallet as a line."""

    def amount(value: Decimal | None) -> str:
        return "" if value is None else text(to_minor(value, wallet.currency), wallet.currency, locale)

    balances = wallet.balances
    return WalletLine(
        wallet.currency, amount(balances.available), amount(balances.posted), amount(balances.pending_out)
    )


def moved_text(actor: Actor, employee: Employee, form: FundsForm, moved: FundsMoved | None, name: str) -> str:
    """What happened to somebody's money, and what they have after it where the service said it."""
    body = form.body()
    amount = text(to_minor(body["amount"], body["currency"]), body["currency"], actor.business.locale)
    did = f"{amount} was {DONE[name]} {employee.name}."
    if moved is None:
        return f"{did} What they have now could not be read."
    return f"{did} {wallet_line(moved.wallet, actor.business.locale).available} available to them now."


def hand_over_form(actor: Actor, employee: Employee, posted: Mapping[str, str] | None = None) -> HandOverForm:
    """The form of a handover, with the roles that the successor can get."""
    roles = role_choices(successor_roles(actor, employee))
    return HandOverForm(posted, roles=roles, initial={"role": employee.role}, locale=actor.business.locale)


def hand_over_context(actor: Actor, employee: Employee, form: HandOverForm) -> HandOverContext:
    """A handover that is about to be asked for."""
    return {"person": employee, "left": left_behind(actor, employee), "form": form, "key": new_key()}


def statement_context(
    actor: Actor, employee: Employee, currency: str, number_of_page: int, read: StatementPage | None, problem: str
) -> StatementContext:
    """A page of somebody's statement, or why there is none."""
    entries = read.entries if read else []
    return {
        "person": employee,
        "currency": entries[0].currency if entries else currency,
        "currencies": currencies_of(actor, employee),
        "lines": [_statement_line(entry, actor.business.locale) for entry in entries],
        "number": number_of_page,
        "pages": read.pages if read else 1,
        "total": read.total if read else 0,
        "seen": as_of(read.as_of, actor.business) if read else "",
        "problem": problem,
    }


def _statement_line(entry: Entry, locale: str) -> StatementLine:
    def amount(value: Decimal) -> str:
        return number(to_minor(value, entry.currency), entry.currency, locale)

    on = entry.effective_on
    return StatementLine(
        f"{on.day} {on:%b %Y}" if on else "",
        entry.description or entry.ref,
        amount(entry.credit) if entry.credit else "",
        amount(entry.debit) if entry.debit else "",
        amount(entry.running_balance),
    )


def team_context(actor: Actor, team: Team) -> TeamContext:
    """One team with who reviews it and who is in it, and what the actor may change."""
    members, count = members_of(actor, team)
    is_there = team.status != "DELETED"
    context: TeamContext = {
        "team": team,
        "state": state_in(TEAM_STATES, team.status),
        "facts": [("Code", team.code)],
        "seen": as_of(team.last_seen, actor.business),
        "key": new_key(),
        "seats": seats_of(actor, team),
        "members": members,
        "count": count,
        "may_remove": is_there and bool(can(actor, operations.REMOVE_TEAM_REVIEWER, team)),
        "may_delete": is_there and not count and bool(can(actor, operations.DELETE_TEAM, team)),
    }
    if is_there and can(actor, operations.UPDATE_TEAM, team):
        initial = {"name": team.name, "code": team.code, "status": team.status}
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
