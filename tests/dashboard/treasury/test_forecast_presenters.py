"""How a forecast is printed: the overdue says so, many lines of a day fold up, the currency that runs short comes first."""

from datetime import date, timedelta
from typing import Any

import pytest

from dashboard.cash.balances import WalletHolding
from dashboard.forecast.days import Expected
from dashboard.forecast.horizon import Horizon
from dashboard.mirror.models import Wallet
from dashboard.pages.treasury.presenters.forecast import OPEN_LINES, Section, sections_of
from tests.dashboard.pages.conftest import make_house

TODAY = date(2026, 11, 21)
THREE = date(2026, 12, 3)


@pytest.fixture
def horizon(db: None) -> Horizon:
    return Horizon(make_house().actor("Ada"), TODAY, TODAY + timedelta(days=30))


def holding(horizon: Horizon, currency: str, available: int | None) -> WalletHolding:
    wallet = Wallet(business=horizon.actor.business, org_wallet_ref=currency, currency=currency, status="ACTIVE")
    return WalletHolding(wallet, visible=True, live=True, seen="as of 10:42 EAT", available=available)


def due(minor: int, day: date = THREE, key: str = "a", **given: Any) -> Expected:
    return Expected(
        **{"key": key, "currency": "KES", "minor": minor, "day": day, "title": "Rent", "about": "due"} | given
    )


def only(sections: list[Section]) -> Section:
    [section] = sections
    return section


def test_the_overdue_says_that_it_counts_today(horizon: Horizon) -> None:
    late = due(-100, date(2026, 11, 2))
    [day] = only(sections_of(horizon, [holding(horizon, "KES", 1000)], [late])).days
    assert (day.name, day.closing) == ("Sat 21 Nov, today", "9.00")
    assert day.lines[0].about == "due; overdue, so it counts today"
    assert (day.lines[0].amount, day.went_out, day.came_in) == ("-1.00", "1.00", "")


def test_many_lines_of_a_day_fold_up_and_all_of_them_count(horizon: Horizon) -> None:
    payments = [due(-1, key=str(number)) for number in range(OPEN_LINES + 3)]
    [day] = only(sections_of(horizon, [holding(horizon, "KES", 100_00)], payments)).days
    assert (len(day.lines), len(day.more)) == (OPEN_LINES, 3)
    assert day.closing == "99.89"


def test_the_currency_that_runs_short_comes_first_and_none_is_added_to_another(horizon: Horizon) -> None:
    holdings = [holding(horizon, "KES", 500), holding(horizon, "KES", 500), holding(horizon, "USD", 10)]
    first, second = sections_of(horizon, holdings, [due(-900), due(-30, key="b", currency="USD")])
    assert (first.currency, first.short) == ("USD", "USD runs short on 3 Dec by USD\xa00.20")
    assert first.days[0].below
    assert first.balances is not None
    assert first.balances["crosses_zero"]
    assert (second.currency, second.short, second.opening) == ("KES", "", "KES\xa010.00")
    assert second.lowest == "KES\xa01.00 on 3 Dec"


def test_without_a_wallet_what_is_due_is_shown_and_nothing_is_left_of_what_is_not_known(horizon: Horizon) -> None:
    section = only(sections_of(horizon, [], [due(-900)]))
    assert "No wallet in KES is known" in section.why_unknown
    assert (section.opening, section.short, section.balances) == ("", "", None)
    assert section.days[0].closing == "not known"
    unknown = only(sections_of(horizon, [holding(horizon, "KES", 1), holding(horizon, "KES", None)], []))
    assert (unknown.opening, unknown.days) == ("", [])


def test_a_day_of_another_year_names_it(horizon: Horizon) -> None:
    far = Horizon(horizon.actor, TODAY, TODAY + timedelta(days=90))
    [day] = only(sections_of(far, [holding(horizon, "KES", 1000)], [due(-1, date(2027, 1, 3))])).days
    assert day.name == "Sun 3 Jan 2027"
