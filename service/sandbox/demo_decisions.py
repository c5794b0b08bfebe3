"""Who of a demo business may decide on whose expenses, and the decisions of the last days, by the actions people use."""

import random
from collections.abc import Sequence
from datetime import datetime, timedelta

from service.businesses.models import Business, Employee, Role, TeamReviewer
from service.expenses import services
from service.expenses.models import Expense
from service.sandbox import clock
from service.sandbox.demo_plan import acting

MOVES = ("approve", "reject", "request_details", "")
REJECTION, QUESTION = "This is not a business expense.", "Who took part, and what was it for?"


class Deciders:
    """Reviewers of each team who are not read-only there, approvers and admins."""

    def __init__(self, business: Business) -> None:
        roles = (Role.REVIEWER, Role.APPROVER, Role.ADMIN)
        people = list(Employee.objects.filter(business=business, role__in=roles).order_by("id"))
        seats = TeamReviewer.objects.filter(team__business=business, read_only=False)
        teams = set(seats.values_list("employee_id", "team_id"))
        self._office = [person for person in people if person.role != Role.REVIEWER]
        self._reviewers = [person for person in people if person.role == Role.REVIEWER]
        self._teams = teams
        self._known: dict[str | None, list[Employee]] = {}

    def of(self, team_id: str | None, but: str | None) -> list[Employee]:
        """Those who may decide on a team's expenses, but for the spender; the team's reviewers count three times."""
        if team_id not in self._known:
            own = [person for person in self._reviewers if (person.id, team_id) in self._teams]
            self._known[team_id] = own * 3 + self._office
        return [person for person in self._known[team_id] if person.id != but]


def decide(
    business: Business, spent: Sequence[Expense], deciders: Deciders, chance: random.Random, now: datetime
) -> None:
    """On most of what is some days old, and on some of the rest."""
    piles: dict[tuple[str, str], list[Expense]] = {}
    people: dict[str, Employee] = {}
    for expense in spent:
        old = expense.transaction_date < now - timedelta(days=5)
        move = chance.choices(MOVES, (50, 5, 5, 40) if old else (22, 3, 5, 70))[0]
        able = deciders.of(expense.team_id, expense.employee_id)
        if move and able:
            person = chance.choice(able)
            people[person.id] = person
            piles.setdefault((person.id, move), []).append(expense)
    for (person_id, move), rows in piles.items():
        newest = max(row.transaction_date for row in rows)
        with clock.at(min(now, newest + timedelta(minutes=25))):
            _carry_out(business, people[person_id], move, [row.id for row in rows])


def _carry_out(business: Business, person: Employee, move: str, ids: Sequence[str]) -> None:
    caller = acting(business, person)
    if move == "approve":
        services.approve_many(caller, ids)
    elif move == "reject":
        services.reject_many(caller, ids, reason=REJECTION)
    else:
        for expense_id in ids:
            services.request_details(caller, expense_id, reason=QUESTION)
