"""The rate feed: what a US dollar costs in each currency, fixed once per working day and moving within it."""

import hashlib
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from decimal import ROUND_HALF_EVEN, Decimal
from typing import Protocol


class FeedDownError(Exception):
    """The feed of rates did not answer: there is no rate to go by."""


@dataclass(frozen=True, slots=True)
class Quotation:
    """Mid-market rates at a moment: units of each currency for one US dollar."""

    as_of: datetime
    per_dollar: dict[str, Decimal]


class RateFeed(Protocol):
    """Where rates come from; FeedDownError where it does not answer."""

    name: str

    def now(self, moment: datetime) -> Quotation:
        """The rates at that moment, of the minute it lies in."""

    def fixing(self, day: date) -> Quotation | None:
        """The rates fixed for a day; None for a Saturday or Sunday, on which nothing is fixed."""


# About what a dollar cost when this was written; the simulated rates move around it.
AROUND = {
    "AED": "3.6725", "AUD": "1.52", "CAD": "1.37", "CHF": "0.88", "CNY": "7.18", "EUR": "0.92", "GBP": "0.78",
    "GHS": "12.4", "INR": "83.4", "JPY": "151", "KES": "129.5", "KWD": "0.3072", "NGN": "1480", "RWF": "1310",
    "SEK": "10.5", "TZS": "2610", "UGX": "3720", "USD": "1", "ZAR": "18.3",
}  # fmt: skip
PLACES = Decimal("0.000000000001")
MILLION = 1_000_000


class SimulatedFeed:
    """Rates from nothing but their date and a seed: the same again on every machine, and never far from AROUND."""

    name = "simulated"

    def __init__(self, seed: str = "countersign") -> None:
        self.seed = seed

    def now(self, moment: datetime) -> Quotation:
        """The rates of the minute that has begun, the same whenever it is asked (see RateFeed)."""
        minute = moment.astimezone(UTC).replace(second=0, microsecond=0)
        return Quotation(minute, {code: self._rate(code, minute.date(), minute) for code in AROUND})

    def fixing(self, day: date) -> Quotation | None:
        """The rates that were fixed on a day; None on Saturdays and Sundays (see RateFeed)."""
        if day.weekday() >= 5:
            return None
        opening = datetime.combine(day, datetime.min.time(), tzinfo=UTC)
        return Quotation(opening, {code: self._rate(code, day, None) for code in AROUND})

    def _rate(self, code: str, day: date, minute: datetime | None) -> Decimal:
        """Millionths off the centre: a line between weekly marks, a daily step, and a small one within the day."""
        if code == "USD":
            return Decimal(1)
        week, into = divmod(day.toordinal(), 7)
        off = (
            self._noise(code, f"w{week}", 30_000) * (7 - into) + self._noise(code, f"w{week + 1}", 30_000) * into
        ) // 7
        off += self._noise(code, f"d{day.toordinal()}", 2_000)
        if minute is not None:
            off += self._noise(code, f"m{minute:%Y%m%d%H%M}", 300)
        centre = Decimal(AROUND[code])
        return (centre * (MILLION + off) / MILLION).quantize(PLACES, ROUND_HALF_EVEN)

    def _noise(self, code: str, moment: str, most: int) -> int:
        """A whole number from -most to most."""
        digest = hashlib.sha256(f"{self.seed}:{code}:{moment}".encode()).digest()
        return int.from_bytes(digest[:6], "big") % (2 * most + 1) - most


feed: RateFeed = SimulatedFeed()
FRESH_FOR = timedelta(minutes=1)
