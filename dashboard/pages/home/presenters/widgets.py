"""Payments due within a week, and those that have no day: what the forecast expects, by its own definition."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date

from django.utils import timezone

from dashboard.access.actor import Actor
from dashboard.forecast.days import Expected
from dashboard.forecast.look import MOST, Look
from dashboard.forecast.payments import payments_of
from dashboard.forecast.payments_due import WITHIN, payments_due, sums_of
from dashboard.money import text
from dashboard.times import local

SHOWN = 5


@dataclass(frozen=True)
class Payment:
    """A payment that is due; `urgency` is late, soon or empty; `href` is empty where no page stands for it."""

    title: str
    about: str
    urgency: str
    left: str
    amount: str
    href: str


@dataclass(frozen=True)
class Due:
    """How many payments are due, how many of them overdue, what they come to per currency, and the next few.

    `undated` and `undated_sums` say the same of payments without a day. `most` is above 0 where there are more open
    payments than are looked at: so many of each kind are.
    """

    count: int
    late: int
    sums: list[str]
    undated: int
    undated_sums: list[str]
    next: list[Payment]
    most: int


def due_of(actor: Actor) -> Due:
    """What is due until a week from now, what is overdue, and what leaves as soon as it is approved."""
    today = local(timezone.now(), actor.business).date()
    expected, more = payments_of(Look(actor, today, today + WITHIN))
    found = payments_due(expected, today)
    return Due(
        count=len(found.dated),
        late=found.overdue,
        sums=_texts(actor, sums_of(found.dated)),
        undated=len(found.undated),
        undated_sums=_texts(actor, sums_of(found.undated)),
        next=_payments(actor, [*found.dated, *found.undated][:SHOWN], today),
        most=MOST if more else 0,
    )


def _texts(actor: Actor, sums: Mapping[str, int]) -> list[str]:
    return [text(minor, currency, actor.business.locale) for currency, minor in sums.items()]


def _payments(actor: Actor, rows: Iterable[Expected], today: date) -> list[Payment]:
    return [
        Payment(
            one.title,
            one.said,
            *_left(one, today),
            "–" if one.minor is None else text(-one.minor, one.currency, actor.business.locale),
            one.href,
        )
        for one in rows
    ]


def _left(one: Expected, today: date) -> tuple[str, str]:
    """How it looks and how long there is, by the calendar: what is due today is not overdue before tomorrow."""
    if one.undated or one.day is None:
        return "", "no day set"
    days = (one.day - today).days
    if days < 0:
        return "late", f"overdue by {-days} day{'' if days == -1 else 's'}"
    return ("soon", "due today") if days == 0 else ("", f"in {days} day{'' if days == 1 else 's'}")
