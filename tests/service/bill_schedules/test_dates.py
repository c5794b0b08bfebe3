"""On which days a recurring bill is entered."""

from datetime import date
from itertools import islice

import pytest

from service.bill_schedules.dates import coming, days, next_dates
from service.bill_schedules.models import BillSchedule


def first(interval: str, day: int, start: date, many: int = 4) -> list[str]:
    return [each.isoformat() for each in islice(days(interval, day, start), many)]


@pytest.mark.parametrize(
    ("interval", "day", "start", "expected"),
    [
        ("MONTHLY", 31, date(2027, 1, 1), ["2027-01-31", "2027-02-28", "2027-03-31", "2027-04-30"]),
        ("MONTHLY", 31, date(2028, 1, 31), ["2028-01-31", "2028-02-29", "2028-03-31", "2028-04-30"]),
        ("MONTHLY", 5, date(2027, 1, 6), ["2027-02-05", "2027-03-05", "2027-04-05", "2027-05-05"]),
        ("QUARTERLY", 30, date(2026, 11, 30), ["2026-11-30", "2027-02-28", "2027-05-30", "2027-08-30"]),
        ("YEARLY", 29, date(2028, 2, 29), ["2028-02-29", "2029-02-28", "2030-02-28", "2031-02-28"]),
        ("WEEKLY", 1, date(2026, 11, 24), ["2026-11-30", "2026-12-07", "2026-12-14", "2026-12-21"]),
        ("WEEKLY", 2, date(2026, 11, 24), ["2026-11-24", "2026-12-01", "2026-12-08", "2026-12-15"]),
    ],
)
def test_the_days_of_an_interval(interval: str, day: int, start: date, expected: list[str]) -> None:
    assert first(interval, day, start) == expected


def test_it_ends_by_its_last_day_or_after_so_many() -> None:
    row = BillSchedule(interval="MONTHLY", day=31, starts_on=date(2027, 1, 1), ends_on=date(2027, 3, 30))
    assert list(coming(row, row.starts_on)) == [date(2027, 1, 31), date(2027, 2, 28)]
    row.ends_on, row.count, row.bills_entered = None, 3, 1
    assert list(coming(row, date(2027, 2, 1))) == [date(2027, 2, 28), date(2027, 3, 31)]
    assert next_dates(row, date(2027, 2, 1)) == [date(2027, 2, 28), date(2027, 3, 31)]
    row.status = "ENDED"
    assert next_dates(row, date(2027, 2, 1)) == []
