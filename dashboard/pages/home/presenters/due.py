"""What is to be paid soon, as the start page shows it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from django.utils import timezone

from dashboard.access.actor import Actor
from dashboard.forecast.bills import expected_bills
from dashboard.forecast.days import Expected
from dashboard.forecast.horizon import MAX_FORECAST_ROWS, Horizon
from dashboard.forecast.payments import expected_payments
from dashboard.forecast.payments_due import WITHIN, payments_due, sums_of
from dashboard.money import text
from dashboard.times import local

MOST_PAYMENTS = 5


@dataclass(frozen=True, slots=True)
class Payment:
    """A payment that is due; `urgency` is late, soon or ""; `href` is "" where no page stands for it."""

    title: str
    about: str
    urgency: str
    left: str
    amount: str
    href: str


@dataclass(frozen=True, slots=True)
class Due:
    """How many payments are due, how many of them overdue, what they come to per currency, and the next few.

    `undated` and `undated_sums` say the same of payments without a day, `bills`, `bills_late` and `bill_sums` of bills that no payment
    claims whole. `most` is above 0 where there are more open
    payments of a kind than are read: then only the first `most` of each kind are counted.
    """

    count: int
    late: int
    sums: list[str]
    undated: int
    undated_sums: list[str]
    bills: int
    bills_late: int
    bill_sums: list[str]
    next: list[Payment]
    most: int


def due_of(actor: Actor) -> Due:
    """What is due until a week from now, what is overdue, and what leaves as soon as it is approved."""
    today = local(timezone.now(), actor.business).date()
    horizon = Horizon(actor, today, today + WITHIN)
    expected, more = expected_payments(horizon)
    unpaid, more_unpaid = expected_bills(horizon)
    due = payments_due(expected, today)
    return Due(
        count=len(due.dated),
        late=due.overdue,
        sums=_texts(actor, sums_of(due.dated)),
        undated=len(due.undated),
        undated_sums=_texts(actor, sums_of(due.undated)),
        bills=len(unpaid),
        bills_late=sum(bill.day is not None and bill.day < today for bill in unpaid),
        bill_sums=_texts(actor, sums_of(unpaid)),
        next=[_payment(actor, row, today) for row in [*due.dated, *due.undated][:MOST_PAYMENTS]],
        most=MAX_FORECAST_ROWS if more or more_unpaid else 0,
    )


def _texts(actor: Actor, sums: Mapping[str, int]) -> list[str]:
    return [text(minor, currency, actor.business.locale) for currency, minor in sums.items()]


def _payment(actor: Actor, row: Expected, today: date) -> Payment:
    amount = "–" if row.minor is None else text(-row.minor, row.currency, actor.business.locale)
    return Payment(row.title, row.about, *_time_left(row, today), amount, row.href)


def _time_left(row: Expected, today: date) -> tuple[str, str]:
    """The urgency and the time left in words, by the calendar: what is due today is not overdue before tomorrow."""
    if row.undated or row.day is None:
        return "", "no date set"
    days = (row.day - today).days
    if days < 0:
        return "late", f"overdue by {-days} day{'' if days == -1 else 's'}"
    return ("soon", "due today") if days == 0 else ("", f"in {days} day{'' if days == 1 else 's'}")
