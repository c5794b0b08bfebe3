"""The sums of a forecast, and the days on which subscriptions are charged, whatever comes in."""

import itertools
from datetime import date, timedelta

from hypothesis import given
from hypothesis import strategies as st

from dashboard.forecast.days import NO_AMOUNT, NO_DAY, Expected, every_day, forecast_of
from dashboard.forecast.repeats import charge_days, months_after

FIRST = date(2026, 11, 21)
LAST = FIRST + timedelta(days=30)
days = st.dates(FIRST - timedelta(days=60), LAST + timedelta(days=60))
things = st.lists(
    st.builds(
        Expected,
        key=st.integers(0, 12).map(str),
        currency=st.sampled_from(["KES", "USD"]),
        minor=st.none() | st.integers(-(10**12), 10**12),
        day=st.none() | days,
        title=st.just("Rent"),
        said=st.just("due"),
        why_not=st.sampled_from(["", "", "reserved"]),
    )
)


def expected(minor: int | None, day: date | None, key: str = "a", **given: str) -> Expected:
    return Expected(key, "KES", minor, day, "Rent", "due", **given)


@given(things, st.none() | st.integers(-(10**9), 10**12))
def test_each_day_follows_from_the_one_before_and_each_thing_stands_in_one_place(
    found: list[Expected], opening: int | None
) -> None:
    made = forecast_of("KES", opening, found, FIRST, LAST)
    asked = list({one.key: one for one in found if one.currency == "KES"}.values())
    within = [one for one in asked if one.day is None or one.day <= LAST]
    counted = [one for day in made.days for one in day.items]
    left = [one for one, _ in made.left_out]
    assert sorted(map(id, counted + left)) == sorted(map(id, within))
    assert all(one.minor is not None and one.day is not None and not one.why_not for one in counted)
    assert all(why for _, why in made.left_out)
    for day in made.days:
        assert day.came_in - day.went_out == sum(one.minor or 0 for one in day.items)
        assert all(day.day == max(one.day or LAST, FIRST) for one in day.items)
        assert FIRST <= day.day <= LAST
    assert [day.day for day in made.days] == sorted({day.day for day in made.days})
    closings = made.closings()
    if opening is None:
        assert closings == []
        assert all(day.closing is None for day in made.days)
        return
    assert [day for day, _ in closings] == every_day(FIRST, LAST)
    held = [opening, *(minor for _, minor in closings)]
    assert all(
        after == before + came_in - went_out
        for (before, after), (came_in, went_out) in zip(itertools.pairwise(held), made.flows(), strict=True)
    )
    assert {day.day: day.closing for day in made.days}.items() <= dict(closings).items()
    assert made.short == next(((day, minor) for day, minor in closings if minor < 0), None)


def test_the_overdue_counts_on_the_first_day_and_what_lies_beyond_the_last_on_none() -> None:
    late, far = expected(-5, FIRST - timedelta(days=9), "late"), expected(-7, LAST + timedelta(days=1), "far")
    made = forecast_of("KES", 100, [late, far], FIRST, LAST)
    assert [(day.day, day.closing) for day in made.days] == [(FIRST, 95)]
    assert made.left_out == ()


def test_what_is_not_known_is_left_out_and_says_why() -> None:
    unknown = [expected(None, FIRST, "a"), expected(-1, None, "b"), expected(-1, FIRST, "c", why_not="Reserved.")]
    made = forecast_of("KES", 100, unknown, FIRST, LAST)
    assert made.days == ()
    assert [why for _, why in made.left_out] == [NO_AMOUNT, NO_DAY, "Reserved."]


def test_the_first_day_below_zero_is_found_and_the_least_of_all() -> None:
    moves = [(-90, 2), (-30, 5), (-30, 9), (500, 20)]
    things = [expected(minor, FIRST + timedelta(days=after), str(after)) for minor, after in moves]
    made = forecast_of("KES", 100, things, FIRST, LAST)
    assert made.short == (FIRST + timedelta(days=5), -20)
    assert made.lowest == (FIRST + timedelta(days=9), -50)
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


def test_one_that_has_not_come_counts_once_however_long_ago() -> None:
    missed = date(2026, 8, 5)
    assert charged("MONTHLY", None, missed, LAST) == [missed, date(2026, 12, 5)]


@given(days, st.none() | days, st.sampled_from(["WEEKLY", "MONTHLY", "QUARTERLY", "ANNUAL", "OTHER"]))
def test_charges_come_in_their_order_and_none_twice(following: date, last: date | None, frequency: str) -> None:
    found = charged(frequency, last, following, LAST)
    assert found == sorted(set(found))
    assert all(day == following or FIRST <= day <= LAST for day in found)
