"""Finding subscriptions in what was charged: a pure function from charges to proposals with their evidence.

At least three charges of one merchant, currency and card; each interval within 15 % of the usual one, which is within
15 % of a billing frequency; each amount within 20 % of the usual one. Of a longer history the latest run counts.
"""

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from statistics import median

from service.subscriptions.frequency import NOMINAL_DAYS
from service.subscriptions.models import Frequency

LEAST_CHARGES = 3
MOST_CHARGES = 24
INTERVAL_WITHIN = 0.15
AMOUNT_WITHIN = 0.20
A_DAY = 86_400


@dataclass(frozen=True, slots=True)
class Seen:
    """One charge, in minor units of its currency."""

    expense_id: str
    merchant: str
    currency: str
    amount_minor: int
    at: datetime
    card_id: str = ""
    employee_id: str | None = None
    team_id: str | None = None
    subcategory_id: str | None = None


@dataclass(frozen=True, slots=True)
class Proposal:
    """A subscription that the charges look like; deviations are shares of the usual interval and amount."""

    charges: tuple[Seen, ...]
    frequency: Frequency
    interval_days: float
    interval_deviation: float
    amount_minor: int
    amount_deviation: float

    @property
    def last(self) -> Seen:
        """The newest of the charges that make the pattern."""
        return self.charges[-1]

    @property
    def confidence(self) -> float:
        """0.5 for the least that counts, up to 1 for many charges that are alike to the day and the cent."""
        alike = 1 - (self.interval_deviation / INTERVAL_WITHIN + self.amount_deviation / AMOUNT_WITHIN) / 2
        many = min(len(self.charges) - LEAST_CHARGES, 6) / 6
        return round(0.5 + 0.3 * alike + 0.2 * many, 2)


def merchant_key(name: str) -> str:
    """A merchant's name without case, spaces and punctuation."""
    return "".join(character for character in name.casefold() if character.isalnum())[:150]


def proposals(charges: Iterable[Seen]) -> list[Proposal]:
    """What looks like subscriptions, the surest first."""
    groups: dict[tuple[str, str, str], list[Seen]] = {}
    for charge in charges:
        groups.setdefault((merchant_key(charge.merchant), charge.currency, charge.card_id), []).append(charge)
    regular = [proposal for (key, *_), group in groups.items() if key and (proposal := _of_group(group))]
    return sorted(
        regular, key=lambda proposal: (-proposal.confidence, proposal.last.merchant, proposal.last.expense_id)
    )


def _of_group(group: Sequence[Seen]) -> Proposal | None:
    """The longest run of charges up to the newest that is regular."""
    rows = sorted(group, key=lambda charge: (charge.at, charge.expense_id))[-MOST_CHARGES:]
    starts = range(len(rows) - LEAST_CHARGES + 1)
    return next((proposal for start in starts if (proposal := _regular(rows[start:]))), None)


def _regular(rows: Sequence[Seen]) -> Proposal | None:
    days = [(after.at - before.at).total_seconds() / A_DAY for before, after in itertools.pairwise(rows)]
    amounts = [row.amount_minor for row in rows]
    usual_days, usual_amount = median(days), median(amounts)
    frequency = next(
        (name for name, nominal in NOMINAL_DAYS.items() if _apart(usual_days, nominal) <= INTERVAL_WITHIN), None
    )
    if frequency is None or usual_amount <= 0:
        return None
    interval_deviation = max(_apart(interval, usual_days) for interval in days)
    amount_deviation = max(_apart(amount, usual_amount) for amount in amounts)
    if interval_deviation > INTERVAL_WITHIN or amount_deviation > AMOUNT_WITHIN:
        return None
    return Proposal(
        tuple(rows), frequency, round(usual_days, 2), interval_deviation, round(usual_amount), amount_deviation
    )


def _apart(value: float, usual: float) -> float:
    return abs(value - usual) / usual
