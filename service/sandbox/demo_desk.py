"""The last days of a demo business, by the actions people use: what waits on the desks, and what is odd about some of it."""

import random
from collections.abc import Sequence
from datetime import datetime, timedelta

from service import periods
from service.auth import Caller
from service.expenses import posting
from service.expenses.models import Expense, Receipt
from service.expenses.new_expense import NewExpense
from service.sandbox import clock, demo_allocations
from service.sandbox.demo_decisions import decide
from service.sandbox.demo_expenses import Spot, Till, by_day_and_wallet
from service.sandbox.demo_year import DemoYear
from service.sandbox.merchants import prices
from service.sandbox.simulation import receipt_for

DESK_DAYS = 9
WITH_RECEIPT = 0.86
ROUND = {"KES": 10_000_00, "EUR": 100_00}  # the amount below which nobody asks twice
ODD_DAYS = 4


def fill_desk(year: DemoYear) -> list[Expense]:
    """The expenses of the last days, some decided on; and the odd ones, which all wait."""
    till, chance = year.till("desk", 0), year.chance("desk decisions")
    expenses = _spend(year.caller, till.desk(year.desk, DESK_DAYS), "desk", chance, year.now)
    decide(year.business, expenses, year.deciders, chance, year.now)
    return expenses + _spend(year.caller, suspicious_expenses(till), "odd", chance, year.now)


def _spend(
    caller: Caller, drawn: Sequence[NewExpense], name: str, chance: random.Random, now: datetime
) -> list[Expense]:
    expenses: list[Expense] = []
    if not drawn:
        return expenses
    first = min(new.transaction_date for new in drawn)
    demo_allocations.fill_desk_allocations(caller, name, drawn, first, periods.day_of(first, caller.business))

    def prove(rows: Sequence[Expense]) -> list[Receipt]:
        start = len(expenses)
        return [receipt_for(row, start + place) for place, row in enumerate(rows) if chance.random() < WITH_RECEIPT]

    for (day, ref), batch in by_day_and_wallet(caller.business, drawn).items():
        with clock.at(min(now, batch[-1].transaction_date + timedelta(minutes=1))):
            expenses += posting.spend_many(caller, batch, f"{name}-{day}-{ref}", prove)
    return expenses


def suspicious_expenses(till: Till) -> list[NewExpense]:
    """Twins, a purchase in three parts, some just below a limit, and some in the dead of night."""
    return [*_twins(till), *_split(till), *_just_below(till), *_nightly(till)]


def _here(till: Till, back: int) -> Spot:
    """Somebody at a merchant that takes the business's first currency, before today."""
    while True:
        spot = till.spot(till.today - timedelta(days=back))
        if spot.place == 0:
            return spot


def _twins(till: Till) -> list[NewExpense]:
    """The same amount at the same merchant by the same person, minutes apart."""
    twins = []
    for back in (1, 2, 3):
        spot = _here(till, back)
        first = till.expense(spot, prices(spot.merchant, till.business.currency, till.business.currency)[11])
        repeated = Spot(spot.person, spot.merchant, 0, spot.at + timedelta(minutes=4))
        twins += [first, till.expense(repeated, first.amount_minor)]
    return twins


def _split(till: Till) -> list[NewExpense]:
    """One purchase paid in three parts, each below what would be looked at."""
    spot, part = _here(till, 2), ROUND[till.business.currency] * 96 // 100
    return [
        till.expense(
            Spot(spot.person, spot.merchant, 0, spot.at + timedelta(minutes=2 * place)), part - 100 * place, note
        )
        for place, note in enumerate(("Part 1", "Part 2", "Part 3"))
    ]


def _just_below(till: Till) -> list[NewExpense]:
    limit = ROUND[till.business.currency]
    return [till.expense(_here(till, back), limit * 995 // 1000, "") for back in range(1, ODD_DAYS + 1)]


def _nightly(till: Till) -> list[NewExpense]:
    expenses = []
    for back in (2, 5):
        spot = _here(till, back)
        at = till.moment(till.today - timedelta(days=back), 3 * 60 + 7)
        expenses.append(till.expense(Spot(spot.person, spot.merchant, 0, at), notes=""))
    return expenses
