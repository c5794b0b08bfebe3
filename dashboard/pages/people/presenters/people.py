"""One person: profile, team, money, what they review, what can be done about it; and handing their account over."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NotRequired, TypedDict

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.access.check import can, can_open
from dashboard.lists.detail_page import Facts
from dashboard.lists.states import state_in
from dashboard.mirror.models import Card, Employee, Team
from dashboard.mirror.scopes import visible_teams
from dashboard.offboarding.models import Offboarding
from dashboard.offboarding.selectors import newest_of
from dashboard.pages.people.forms.people import (
    FundsForm,
    HandOverForm,
    ProfileForm,
    TeamMoveForm,
    role_choices,
)
from dashboard.pages.people.presenters.funds import ALLOCATE, REMOVE, WalletLine, funds_form, wallet_line
from dashboard.pages.people.presenters.labels import EMPLOYMENT_STATES, role_name
from dashboard.pages.people.selectors.people import (
    HoldingCount,
    active_teams,
    cards_of,
    is_second_admin_missed_by_heir,
    left_behind,
    live_balances,
    may_offboard,
    may_read_balances,
    profile_of,
    reviewed_teams,
    spending_of,
    successor_roles,
    supervisors_for,
)
from dashboard.pages.people.selectors.seats import Seats, seats_held
from dashboard.times import as_of, day_and_time
from dashboard.web.card_text import CARD_KINDS, CARD_STATES
from dashboard.web.signin.member_sessions import may_end_sessions, sessions_of
from dashboard.web.submission import new_key


@dataclass(frozen=True, slots=True)
class CardLine:
    """A card of somebody: its id, what it is called, its kind, and its state with a tone."""

    remote_id: str
    name: str
    kind: str
    state: tuple[str, str]


@dataclass(frozen=True, slots=True)
class SessionLine:
    """A session of somebody in words: its id, the browser, since when and from which address, and when they were last there
    ("" where that is not known), on the clock of the business."""

    id: int
    device: str
    ip: str
    since: str
    last_seen: str


class PersonContext(TypedDict):
    """What people/item.html reads: each form and verdict is there where the actor may use it."""

    person: Employee
    state: tuple[str, str]
    facts: Facts
    spending: list[HoldingCount]
    seen: str
    key: str
    shows_funds: bool
    wallets: list[WalletLine] | None
    funds_problem: str
    may_read_statement: bool
    reviews: list[tuple[Team, bool]]
    seats: Seats
    shows_access: bool
    suspend: bool
    activate: bool
    remove: bool
    hand_over: bool
    offboard: bool
    offboarding: Offboarding | None
    shows_cards: bool
    cards: list[CardLine]
    cards_trouble: str
    sessions: NotRequired[list[SessionLine]]
    allocate_form: NotRequired[FundsForm]
    remove_form: NotRequired[FundsForm]
    profile_form: NotRequired[ProfileForm]
    team_form: NotRequired[TeamMoveForm]


class HandOverContext(TypedDict):
    """What people/hand_over.html reads."""

    person: Employee
    left: list[HoldingCount]
    form: HandOverForm
    key: str


def facts_of(actor: Actor, employee: Employee, *, with_form: bool) -> Facts:
    """Role, and the team where the actor sees it; email and phone too, unless they stand in a form beside them."""
    team = visible_teams(actor).filter(remote_id=employee.team_id).values_list("name", flat=True).first()
    contact = [] if with_form else [("Email", employee.email), ("Phone", profile_of(employee).phone)]
    facts = [*contact, ("Role", role_name(employee.role)), ("Team", team or "")]
    return [(label, value) for label, value in facts if value]


def person_context(actor: Actor, employee: Employee) -> PersonContext:
    """One person: profile, team, what they have, what they review, and what the actor may do about it."""
    shows_funds = may_read_balances(actor, employee)
    wallets, problem = live_balances(actor, employee) if shows_funds else (None, "")
    shows_cards = bool(can(actor, operations.LIST_EMPLOYEE_CARDS, employee))
    cards, trouble = cards_of(actor, employee) if shows_cards else ([], "")
    is_active = employee.status == "ACTIVE"
    is_left = employee.status == "DELETED"
    context: PersonContext = {
        "person": employee,
        "state": state_in(EMPLOYMENT_STATES, employee.status),
        "facts": facts_of(
            actor, employee, with_form=not is_left and bool(can(actor, operations.UPDATE_PROFILE, employee))
        ),
        "spending": spending_of(actor, employee),
        "seen": as_of(employee.last_seen, actor.business),
        "key": new_key(),
        "shows_funds": shows_funds,
        "wallets": None if wallets is None else [wallet_line(wallet, actor.business.locale) for wallet in wallets],
        "funds_problem": problem,
        "may_read_statement": bool(can(actor, operations.VIEW_STATEMENT, employee)),
        "reviews": reviewed_teams(actor, employee),
        "seats": seats_held(actor, employee),
        "shows_access": bool(can(actor, operations.LIST_EMPLOYEE_WALLET_POLICIES, employee)),
        "suspend": is_active and bool(can(actor, operations.SUSPEND_EMPLOYEE, employee)),
        "activate": employee.status == "SUSPENDED" and bool(can(actor, operations.ACTIVATE_EMPLOYEE, employee)),
        "remove": not is_left and bool(can(actor, operations.DELETE_EMPLOYEE, employee)),
        "hand_over": not is_left and bool(successor_roles(actor, employee)),
        "offboard": may_offboard(actor, employee),
        "offboarding": newest_of(actor, employee.remote_id),
        "shows_cards": shows_cards,
        "cards": [card_line(card) for card in cards],
        "cards_trouble": trouble,
    }
    if not is_left:
        _add_forms(context, actor, employee)
    if may_end_sessions(actor, employee):
        context["sessions"] = session_lines(actor, employee)
    return context


def session_lines(actor: Actor, employee: Employee) -> list[SessionLine]:
    """Where somebody is signed in, the newest first."""
    return [
        SessionLine(
            session.row.pk, session.device, session.ip, day_and_time(session.since, actor.business),
            day_and_time(session.last_seen, actor.business),
        )
        for session in sessions_of(actor, employee)
    ]  # fmt: skip


def card_line(card: Card) -> CardLine:
    """A card as a line of its holder's page."""
    name = f"{card.name or 'Card'}{f' •••• {card.last_four}' if card.last_four else ''}"
    return CardLine(card.remote_id, name, CARD_KINDS.get(card.kind, ""), state_in(CARD_STATES, card.status))


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


def hand_over_form(actor: Actor, employee: Employee, posted: Mapping[str, str] | None = None) -> HandOverForm:
    """The form of a handover, with the roles that the successor can get."""
    roles = role_choices(successor_roles(actor, employee))
    needs_two = is_second_admin_missed_by_heir(actor, employee)
    return HandOverForm(
        posted, roles=roles, needs_two=needs_two, initial={"role": employee.role}, locale=actor.business.locale
    )


def hand_over_context(actor: Actor, employee: Employee, form: HandOverForm) -> HandOverContext:
    """A handover that is about to be asked for."""
    return {"person": employee, "left": left_behind(actor, employee), "form": form, "key": new_key()}
