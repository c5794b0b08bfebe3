"""The days as the businesses of the tests count them: from midnight in Nairobi, which is three hours before Greenwich's."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

NAIROBI = ZoneInfo("Africa/Nairobi")


def business_day(ahead: int = 0) -> date:
    """Today where the business is, or the day that comes so many days after it (before it, where negative)."""
    return datetime.now(NAIROBI).date() + timedelta(days=ahead)
