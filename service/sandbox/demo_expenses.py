"""What people of a demo business spend in a year: drawn from a seed, without writing anything."""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from itertools import count as counting
from operator import attrgetter

from service import money, periods
from service.businesses.models import Business, Employee, Role
from service.cards.models import Card
from service.categories.models import Subcategory
from service.expenses.new_expense import NewExpense
from service.sandbox.cast import WALLETS
from service.sandbox.demo_plan import DAYS, Plan, persons
from service.sandbox.merchants import Merchant, Regular, prices

NOTES = ("", "", "", "", "Client visit", "Quarterly review", "For the whole team", "Urgent delivery", "Site inspection")
CHANNELS = {"7372": "ECOMMERCE", "4511": "ECOMMERCE", "4814": "ECOMMERCE"}
# How busy a day is, Monday first.
WEEK = (0.95, 1.0, 1.05, 1.1, 1.15, 0.35, 0.12)
OUTLIER = "Far above what is usual for this merchant"


@dataclass(frozen=True, slots=True)
class Spot:
    """Where and when money is spent: by whom, at which merchant, on which wallet (from 0)."""

    person: Employee
    merchant: Merchant
    place: int
    at: datetime


@dataclass(frozen=True, slots=True)
class RegularDay:
    """A day on which somebody's card is charged by who charges it again and again."""

    day: date
    regular: Regular
    person: Employee


class Till:
    """Draws expenses of one business; the same from the same seed, plan, people and day."""

    def __init__(
        self,
        business: Business,
        plan: Plan,
        chance: random.Random,
        now: datetime,
        cards: Mapping[tuple[str, int], Card],
        first_serial: int = 1,
    ) -> None:
        self.business, self.plan, self.chance, self.now, self.cards = business, plan, chance, now, cards
        self.today = periods.day_of(now, business)
        # Those of the beginning: who has joined since draws nothing.
        first = persons(business)[: len(plan.staff)]
        self.spenders = [person for person in first if person.role != Role.SUPER_ADMIN]
        self._weights = [6 if person.role == Role.CARD_USER else 1 for person in self.spenders]
        self._filed = {row.name: row for row in Subcategory.objects.filter(business=business)}
        self._currencies = [currency for currency, _ in WALLETS[plan.country]]
        self._visits = [merchant.weight for merchant in plan.merchants]
        self._serials = counting(first_serial)

    def desk(self, many: int, days: int) -> list[NewExpense]:
        """Expenses of the last days and of today: what reviewers find on their desks, newest last."""
        backs = [min(days, int((days + 1) * self.chance.random() ** 1.4)) for _ in range(many)]
        drawn = [self.expense(self.spot(self.today - timedelta(days=back))) for back in backs]
        return sorted(drawn, key=lambda new: new.transaction_date)

    def spot(self, day: date) -> Spot:
        """Somebody somewhere on that day, at an hour at which one is there; never later than now."""
        merchant = self.chance.choices(self.plan.merchants, self._visits)[0]
        first, last = merchant.hours
        at = self.moment(day, first * 60 + self.chance.randrange(0, (last - first + 1) * 60))
        person = self.chance.choices(self.spenders, self._weights)[0]
        place = self.chance.choice(merchant.places)
        return Spot(person, merchant, place, at)

    def moment(self, day: date, minute: int) -> datetime:
        """A minute of a day in the business's zone; of today one that is over."""
        start = periods.start_of(day, self.business)
        if day < self.today:
            return start + timedelta(minutes=minute, seconds=self.chance.randrange(60))
        share = minute / (24 * 60)
        return start + (self.now - start) * share

    def expense(self, spot: Spot, amount_minor: int | None = None, notes: str | None = None) -> NewExpense:
        """The expense; a few in a hundred are far above what is usual, and marked as such."""
        merchant, currency = spot.merchant, self._currencies[spot.place]
        known = prices(merchant, self._currencies[0], currency)
        outlier = amount_minor is None and self.chance.random() < 0.03
        minor = amount_minor or self.chance.choice(known) * (6 if outlier else 1)
        channel = CHANNELS.get(merchant.mcc) or self.chance.choice(("CARD_PRESENT", "CONTACTLESS"))
        return self._new(
            spot.person, merchant.name, spot.place, minor, spot.at,
            mcc=merchant.mcc, channel=channel, subcategory=merchant.subcategory,
            notes=self.chance.choice(NOTES) if notes is None else notes,
            risk=self.chance.randrange(55, 90) if outlier else self.chance.randrange(0, 25), outlier=outlier,
        )  # fmt: skip

    def regular_days(self) -> Iterator[RegularDay]:
        """Each day of the year on which somebody charges regularly, in no order; the same whatever was drawn before."""
        holders = [person for person in self.spenders if (person.id, 0) in self.cards and (person.id, 1) in self.cards]
        for place, regular in enumerate(self.plan.regulars):
            for back in range(12, -1, -1):
                month = (self.today.year * 12 + self.today.month - 1) - back
                day = date(month // 12, month % 12 + 1, regular.day)
                if holders and back % regular.every == 0 and self.today - timedelta(days=DAYS) <= day < self.today:
                    yield RegularDay(day, regular, holders[place % len(holders)])

    def charge(self, regular_day: RegularDay) -> NewExpense:
        """The regular charge of a day."""
        regular = regular_day.regular
        minor = regular.amount * 10 ** money.exponent(self._currencies[regular.place])
        return self._new(
            regular_day.person, regular.name, regular.place, minor, self.moment(regular_day.day, 6 * 60 + regular.day),
            mcc="7372", channel="ECOMMERCE", subcategory=regular.subcategory, notes="", risk=3, outlier=False,
        )  # fmt: skip

    def _new(
        self,
        person: Employee,
        receiver: str,
        place: int,
        minor: int,
        at: datetime,
        *,
        mcc: str,
        channel: str,
        subcategory: str,
        notes: str,
        risk: int,
        outlier: bool,
    ) -> NewExpense:
        card = self.cards.get((person.id, place))
        return NewExpense(
            employee=person,
            org_wallet_ref=str(place + 1),
            currency=self._currencies[place],
            amount_minor=minor,
            transaction_ref=f"{self.business.id[:6].upper()}{next(self._serials):08d}",
            transaction_date=at,
            receiver=receiver,
            mcc=mcc,
            channel=channel,
            subcategory=self._filed.get(subcategory),
            notes=notes,
            funding=card.funding if card else "",
            card_id=card.id if card else "",
            card_token=card.token if card else "",
            risk=risk,
            risk_notes=OUTLIER if outlier else "",
            policy_flags=("amount_outlier",) if outlier else (),
            receipt_required=True,
        )


def busy(day: date, today: date) -> float:
    """How much is spent on a day, on average about 1: weekends are quiet, so are the days around new year, and the business grows."""
    quiet = 0.3 if (day.month, day.day) >= (12, 23) or (day.month, day.day) <= (1, 3) else 1.0
    return WEEK[day.weekday()] * quiet * (1.25 - 0.5 * (today - day).days / DAYS)


def by_day_and_wallet(business: Business, batch: Sequence[NewExpense]) -> dict[tuple[date, str], list[NewExpense]]:
    """What is posted together: the expenses of a day on a wallet, in the order of the days."""
    posted_together: dict[tuple[date, str], list[NewExpense]] = {}
    for new in sorted(batch, key=attrgetter("transaction_date", "transaction_ref")):
        posted_together.setdefault((periods.day_of(new.transaction_date, business), new.org_wallet_ref), []).append(new)
    return posted_together
