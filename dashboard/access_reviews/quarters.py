"""The quarters of a year on the clock of a business."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, timedelta

from dashboard.access.models import Business
from dashboard.times import local

MONTHS = 3


@dataclass(frozen=True, slots=True, order=True)
class Quarter:
    """A quarter of a year: Quarter(2026, 4) is October to December 2026."""

    year: int
    number: int

    @classmethod
    def at(cls, moment: datetime, business: Business) -> Quarter:
        """The quarter in which a moment lies at the business."""
        return cls.of(local(moment, business).date())

    @classmethod
    def of(cls, day: date) -> Quarter:
        """The quarter of the calendar that a day is in."""
        return cls(day.year, (day.month - 1) // MONTHS + 1)

    @property
    def first_day(self) -> date:
        """The first day of the quarter, inclusive."""
        return date(self.year, (self.number - 1) * MONTHS + 1, 1)

    @property
    def last_day(self) -> date:
        """The last day of the quarter, inclusive."""
        return self.following.first_day - timedelta(days=1)

    @property
    def following(self) -> Quarter:
        """The quarter that begins on the day after its last."""
        return Quarter(self.year + 1, 1) if self.number == 4 else Quarter(self.year, self.number + 1)

    @property
    def previous(self) -> Quarter:
        """The quarter that ends on the day before its first."""
        return Quarter(self.year - 1, 4) if self.number == 1 else Quarter(self.year, self.number - 1)

    def __str__(self) -> str:
        return f"Q{self.number} {self.year}"
