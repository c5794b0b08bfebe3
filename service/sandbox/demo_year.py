"""The year of a demo business in its parts. Each part draws from a generator of its own, so that it is the same whatever was
made before it, and in whichever process."""

import random
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import cached_property

from service import periods
from service.auth import Caller, system_caller
from service.businesses.models import Business
from service.cards.models import Card
from service.expenses.new_expense import NewExpense
from service.sandbox import demo_cards
from service.sandbox.demo_decisions import Deciders
from service.sandbox.demo_expenses import RegularDay, Till, busy
from service.sandbox.demo_plan import DAYS, MONTHS, Plan
from service.sandbox.demo_receipts import Pool

DESK_SHARE, DESK_MOST = 0.22, 400
# A demo of fewer expenses is for tests: it has a few things of each kind.
WHOLE_FROM = 2_000
# References of expenses count up within a part: no part has as many.
PART_SERIALS = 1_000_000


@dataclass(frozen=True, slots=True)
class DemoMonth:
    """A month of the year, by how many it lies `back` from the running one, such as 2026-03 with its days of the year."""

    back: int
    name: str
    days: tuple[date, ...]

    def holds(self, day: date) -> bool:
        """Whether a day is one of its days."""
        return day in self.days


class DemoYear:
    """A demo business with all that its parts are drawn from: the same from the same plan, seed, moment and number."""

    def __init__(self, business: Business, plan: Plan, many: int, seed: int, now: datetime) -> None:
        self.business, self.plan, self.many, self.seed, self.now = business, plan, many, seed, now
        self.today = periods.day_of(now, business)
        self.desk = min(round(many * DESK_SHARE), DESK_MOST)
        self.is_whole = many >= WHOLE_FROM
        self.pool = Pool(business.id)

    @property
    def begun(self) -> datetime:
        """When the business was opened."""
        return self.now - timedelta(days=DAYS + 2)

    @cached_property
    def caller(self) -> Caller:
        """The business itself, which spends."""
        return system_caller(self.business)

    @cached_property
    def deciders(self) -> Deciders:
        """Those who may decide on the expenses of the business."""
        return Deciders(self.business)

    @cached_property
    def cards(self) -> Mapping[tuple[str, int], Card]:
        """The cards that were made at the beginning, by holder and wallet (from 0)."""
        return demo_cards.first_cards(self.business, self.begun + timedelta(days=1))

    @cached_property
    def months(self) -> list[DemoMonth]:
        """The running month up to yesterday, and those before it, newest first."""
        days = [self.today - timedelta(days=back) for back in range(1, DAYS + 1)]
        running = self.today.year * 12 + self.today.month - 1
        return [
            DemoMonth(
                back,
                f"{(running - back) // 12}-{(running - back) % 12 + 1:02d}",
                tuple(sorted(day for day in days if day.year * 12 + day.month - 1 == running - back)),
            )
            for back in range(MONTHS + 1)
        ]

    def chance(self, part: str) -> random.Random:
        """The generator of chance that a part of the year is drawn from."""
        return random.Random(f"{self.seed}:{self.plan.name}:{part}")  # noqa: S311  repeatable play, no secret

    def till(self, part: str, number: int) -> Till:
        """What draws the expenses of a part, the `number` of which no other part has."""
        chance, first = self.chance(part), number * PART_SERIALS + 1
        return Till(self.business, self.plan, chance, self.now, self.cards, first)

    def expenses_of(self, demo_month: DemoMonth) -> list[NewExpense]:
        """What is spent in a month: the regular charges, then the rest day by day."""
        till = self.till(f"expenses {demo_month.name}", demo_month.back + 1)
        charges = [till.charge(regular_day) for regular_day in self._regular if demo_month.holds(regular_day.day)]
        return charges + [till.expense(till.spot(day)) for day in demo_month.days for _ in range(self._drawn[day])]

    @cached_property
    def _regular(self) -> list[RegularDay]:
        regular = sorted(self.till("regular", 0).regular_days(), key=lambda regular_day: regular_day.day)
        return regular[: self.many - self.desk]

    @cached_property
    def _drawn(self) -> Counter[date]:
        """How many expenses each day has beside the regular charges."""
        days = [day for demo_month in reversed(self.months) for day in demo_month.days]
        many = self.many - self.desk - len(self._regular)
        return Counter(self.chance("days").choices(days, [busy(day, self.today) for day in days], k=many))
