"""Cash on Home: what each currency has, and the least it comes to in the next 30 days, as the forecast has it."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from dashboard.cash.balances import WalletHolding
from dashboard.forecast.days import Expected
from dashboard.mirror.models import Wallet
from dashboard.pages.home.presenters import cash
from dashboard.times import local
from tests.dashboard.pages.conftest import House


@pytest.fixture
def see(house: House, monkeypatch: pytest.MonkeyPatch) -> Any:
    """`see("Ada", {"KES": 500}, [due])`: the widget with these wallets and what is expected."""

    def shown(name: str, available: dict[str, int | None], expected: list[Expected]) -> cash.Cash:
        actor = house.actor(name)
        holdings = [
            WalletHolding(
                Wallet(business=actor.business, org_wallet_ref=code, currency=code), visible=True, live=True, seen="",
                posted=minor, pending_out=0, available=minor,
            )
            for code, minor in available.items()
        ]  # fmt: skip
        monkeypatch.setattr(cash, "all_holdings", lambda *_: (holdings, ""))
        monkeypatch.setattr(cash, "expected_of", lambda _: (expected, False))
        return cash.cash_of(actor)

    return shown


def due(house: House, minor: int, days: int, currency: str = "KES") -> Expected:
    day = local(timezone.now(), house.business).date() + timedelta(days=days)
    return Expected(key=f"{currency}{days}", currency=currency, minor=minor, day=day, title="Rent", about="due")


def test_the_lowest_is_that_of_the_days_to_come(house: House, see: Any) -> None:
    shown = see("Ada", {"KES": 10_000, "USD": 500}, [due(house, -4_000, 3), due(house, 1_000, 5), due(house, -900, 40)])
    kes, usd = shown.outlooks
    assert kes.lowest == "KES\xa060.00"
    assert not kes.is_short
    assert [closing for _, closing in kes.days] == ["KES\xa060.00", "KES\xa070.00"]
    assert kes.chart["series"][0]["values"][:4] == [10_000, 10_000, 10_000, 6_000]
    assert len(kes.chart["labels"]) == 31
    assert (usd.lowest, usd.chart, usd.days) == ("", None, [])


def test_what_runs_short_says_so(house: House, see: Any) -> None:
    [kes] = see("Ada", {"KES": 100}, [due(house, -500, 2)]).outlooks
    assert (kes.lowest, kes.is_short) == ("KES\xa0-4.00", True)
    assert kes.chart["crosses_zero"]


def test_a_currency_whose_wallets_are_not_all_known_has_no_outlook(house: House, see: Any) -> None:
    assert see("Ada", {"KES": None}, [due(house, -500, 2)]).outlooks == []


def test_charts_are_drawn_for_two_currencies_and_the_rest_is_said(house: House, see: Any) -> None:
    codes = ("EUR", "KES", "USD")
    outlooks = see("Ada", dict.fromkeys(codes, 1_000), [due(house, -10, 2, code) for code in codes]).outlooks
    assert [outlook.chart is not None for outlook in outlooks] == [True, True, False]
    assert all(outlook.lowest for outlook in outlooks)
