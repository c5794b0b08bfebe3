"""The sums of a forecast, and the days on which subscriptions are charged, whatever comes in."""

import itertools
from datetime import date, timedelta

from hypothesis import given
from hypothesis import strategies as st

from dashboard.forecast.days import NO_AMOUNT, NO_DAY, Expected, days_between, forecast_of
from dashboard.forecast.repeats import charge_days, months_after

FIRST = date(2026, 11, 21)
LAST = FIRST + timedelta(days=30)
days = st.dates(FIRST - timedelta(days=60), LAST + timedelta(days=60))
expectations = st.lists(
    st.builds(
        Expected,
        key=st.integers(0, 12).map(str),
        currency=st.sampled_from(["KES", "USD"]),
        minor=st.none() | st.integers(-(10**12), 10**12),
        day=st.none() | days,
        title=st.just("Rent"),
        about=st.just("due"),
        why_not=st.sampled_from(["", "", "reserved"]),
    )
)


def expected(minor: int | None, day: date | None, key: str = "a", **given: str) -> Expected:
    return Expected(key, "KES", minor, day, "Rent", "due", **given)


@given(expectations, st.none() | st.integers(-(10**9), 10**12))
def test_each_day_follows_from_the_one_before_and_each_item_stands_in_one_place(
    items: list[Expected], opening: int | None
) -> None:
    forecast = forecast_of("KES", opening, items, FIRST, LAST)
    in_currency = list({item.key: item for item in items if item.currency == "KES"}.values())
    within = [item for item in in_currency if item.day is None or item.day <= LAST]
    counted = [item for day in forecast.days for item in day.items]
    left = [item for item, _ in forecast.left_out]
    assert sorted(map(id, counted + left)) == sorted(map(id, within))
    assert all(item.minor is not None and item.day is not None and not item.why_not for item in counted)
    assert all(why for _, why in forecast.left_out)
    for day in forecast.days:
        assert day.came_in - day.went_out == sum(item.minor or 0 for item in day.items)
        assert all(day.day == max(item.day or LAST, FIRST) for item in day.items)
        assert FIRST <= day.day <= LAST
    assert [day.day for day in forecast.days] == sorted({day.day for day in forecast.days})
    closings = forecast.closings()
    if opening is None:
        assert closings == []
        assert all(day.closing is None for day in forecast.days)
        return
    assert [day for day, _ in closings] == days_between(FIRST, LAST)
    balances = [opening, *(minor for _, minor in closings)]
    assert all(
        after == before + came_in - went_out
        for (before, after), (came_in, went_out) in zip(itertools.pairwise(balances), forecast.flows(), strict=True)
    )
    assert {day.day: day.closing for day in forecast.days}.items() <= dict(closings).items()
    assert forecast.short == next(((day, minor) for day, minor in closings if minor < 0), None)


def test_the_overdue_counts_on_the_first_day_and_what_lies_beyond_the_last_on_none() -> None:
    late, far = expected(-5, FIRST - timedelta(days=9), "late"), expected(-7, LAST + timedelta(days=1), "far")
    forecast = forecast_of("KES", 100, [late, far], FIRST, LAST)
    assert [(day.day, day.closing) for day in forecast.days] == [(FIRST, 95)]
    assert forecast.left_out == ()


def test_what_is_not_known_is_left_out_and_says_why() -> None:
    unknown = [expected(None, FIRST, "a"), expected(-1, None, "b"), expected(-1, FIRST, "c", why_not="Reserved.")]
    forecast = forecast_of("KES", 100, unknown, FIRST, LAST)
    assert forecast.days == ()
    assert [why for _, why in forecast.left_out] == [NO_AMOUNT, NO_DAY, "Reserved."]


def test_the_first_day_below_zero_is_found_and_the_least_of_all() -> None:
    moves = [(-90, 2), (-30, 5), (-30, 9), (500, 20)]
    expectations = [expected(minor, FIRST + timedelta(days=after), str(after)) for minor, after in moves]
    forecast = forecast_of("KES", 100, expectations, FIRST, LAST)
    assert forecast.short == (FIRST + timedelta(days=5), -20)
    assert forecast.lowest == (FIRST + timedelta(days=9), -50)
    assert forecast_of("KES", -1, [], FIRST, LAST).short == (FIRST, -1)


def charged(frequency: str, last: date | None, following: date, until: date, first: date = FIRST) -> list[date]:
    return list(charge_days(frequency, last, following, first, until))


def test_a_month_is_as_long_as_the_calendar_says() -> None:
    assert months_after(date(2027, 1, 31), 1) == date(2027, 2, 28)
    assert months_after(date(2028, 1, 31), 1) == date(2028, 2, 29)
    assert months_after(date(2028, 2, 29), 12) == date(2029, 2, 28)
    assert months_after(date(2026, 12, 15), 3) == date(2027, 3, 15)


def test_a_charge_of_the_last_of_the_month_stays_one() -> None:
    days = charged("MONTHLY", date(2027, 1, 31), date(2027, 2, 28), date(2027, 5, 1))
    assert days == [date(2027, 2, 28), date(2027, 3, 31), date(2027, 4, 30)]
    assert charged("ANNUAL", date(2028, 2, 29), date(2029, 2, 28), date(2032, 3, 1))[-1] == date(2032, 2, 29)
    assert charged("QUARTERLY", None, date(2026, 11, 30), date(2027, 6, 1)) == [
        date(2026, 11, 30), date(2027, 2, 28), date(2027, 5, 30),
    ]  # fmt: skip


def test_weeks_are_seven_days_and_an_unknown_frequency_is_charged_once() -> None:
    days = charged("WEEKLY", None, FIRST, FIRST + timedelta(days=20))
    assert [(day - FIRST).days for day in days] == [0, 7, 14]
    assert charged("NOW AND THEN", None, FIRST, LAST) == [FIRST]
    assert charged("MONTHLY", None, LAST + timedelta(days=1), LAST) == []


def test_a_charge_that_has_not_come_counts_once_however_long_ago() -> None:
    missed = date(2026, 8, 5)
    assert charged("MONTHLY", None, missed, LAST) == [missed, date(2026, 12, 5)]


@given(days, st.none() | days, st.sampled_from(["WEEKLY", "MONTHLY", "QUARTERLY", "ANNUAL", "OTHER"]))
def test_charges_come_in_their_order_and_none_twice(following: date, last: date | None, frequency: str) -> None:
    charges = charged(frequency, last, following, LAST)
    assert charges == sorted(set(charges))
    assert all(day == following or FIRST <= day <= LAST for day in charges)
