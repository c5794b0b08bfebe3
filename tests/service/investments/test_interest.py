"""Interest accrues each day to the eighth decimal, once, and is paid in units at the month's end."""

from datetime import date, timedelta
from decimal import Decimal

import pytest
from django.db import connection

from service.businesses.models import Business
from service.investments import accrual
from service.investments.models import FundAccount, Movement, Valuation
from service.investments.units import book_part, bought, interest, needed, worth
from service.ledger.balances import balance, deferred_balances
from service.ledger.chart import system_account
from service.ledger.invariants import breaches_seen_by
from service.ledger.post import today
from tests.service.house import House, code
from tests.service.investments.conftest import invested, opened, pass_days, state

DAILY = interest(Decimal(100_000), Decimal(1), 1_150)


def since(account: str, day: date) -> None:
    """As if interest had been accrued up to that day."""
    FundAccount.objects.filter(id=account).update(accrued_until=day)


def test_a_day_is_accrued_once(house: House) -> None:
    account = opened(house)
    invested(house, account)
    now = today(house.business)
    if now.day == 1:
        now -= timedelta(days=1)
    since(account, now - timedelta(days=2))
    row = FundAccount.objects.get(id=account)
    days = accrual.accrue(account)
    assert days >= 1
    assert accrual.accrue(account) == 0
    row.refresh_from_db()
    paid = sum(each.units for each in Movement.objects.filter(account=account, kind="INTEREST"))
    assert row.accrued + paid == DAILY * days
    assert Decimal("31.50684931") == DAILY


def test_days_accrued_late_earn_on_what_was_held_then(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    account = opened(house)
    invested(house, account)
    now = today(house.business)
    pass_days(monkeypatch, house, 5)
    invested(house, account)
    pass_days(monkeypatch, house, 7)
    accrual.accrue(account)
    paid = sum(each.units for each in Movement.objects.filter(account=account, kind="INTEREST"))
    row = FundAccount.objects.get(id=account)
    held = dict(Valuation.objects.filter(account=account).values_list("day", "units"))
    assert [int(held[now + timedelta(days=day)] // 100_000) for day in range(7)] == [1] * 5 + [2] * 2
    # Where a month ends among the days, what it paid has become units, and earned for a week at most.
    on_interest = DAILY * 9 * 7 * DAILY / 100_000
    assert DAILY * 9 <= row.accrued + paid < DAILY * 9 + on_interest + Decimal("0.05")


def test_at_the_months_end_interest_becomes_units(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    account = opened(house)
    invested(house, account)
    first = (today(house.business).replace(day=1) + timedelta(days=62)).replace(day=1)
    monkeypatch.setattr(accrual, "today", lambda _: first)
    since(account, first - timedelta(days=31))
    assert accrual.accrue(account) == 30
    row = FundAccount.objects.select_related("holding").get(id=account)
    [paid] = Movement.objects.filter(account=account, kind="INTEREST")
    exact = DAILY * 30
    assert paid.amount_minor == int(exact * 100)
    assert row.units == 100_000 + Decimal(paid.amount_minor) / 100
    assert row.accrued == exact - Decimal(paid.amount_minor) / 100 < Decimal("0.01")
    assert paid.value_date == first - timedelta(days=1)
    assert row.holding_id is not None
    assert balance(row.holding_id).posted == 10_000_000 + paid.amount_minor
    income = system_account(house.business, "FUND_INCOME", "KES").pk
    assert deferred_balances([income])[income] == -paid.amount_minor
    shown = state(house, account)
    assert shown["market_value"] == shown["invested"] == float(100_000 + Decimal(paid.amount_minor) / 100)


def test_into_a_closed_book_no_interest_is_paid_and_none_is_lost(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    account = opened(house)
    invested(house, account)
    first = (today(house.business).replace(day=1) + timedelta(days=62)).replace(day=1)
    monkeypatch.setattr(accrual, "today", lambda _: first)
    since(account, first - timedelta(days=11))
    Business.objects.filter(id=house.business.id).update(books_closed_until=first)
    accrual.accrue(account)
    assert FundAccount.objects.get(id=account).accrued == DAILY * 10
    assert not Movement.objects.filter(account=account, kind="INTEREST").exists()


def test_other_funds_earn_by_their_price_alone(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    account = opened(house, "BAO-BAL-KES")
    invested(house, account)
    pass_days(monkeypatch, house, 9)
    assert accrual.accrue(account) == 9
    assert FundAccount.objects.get(id=account).accrued == 0
    prices = set(Valuation.objects.filter(account=account).values_list("price", flat=True))
    assert len(prices) > 1


def test_the_portfolio_adds_up(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    first, two = opened(house), opened(house, "BAO-BAL-KES")
    invested(house, first, 75_000)
    invested(house, two, 25_000)
    opened(house, "BAO-MMF-USD")
    found = {row["currency"]: row for row in house.get("/investments/portfolio").json()["docs"]}
    kes = found["KES"]
    assert kes["invested"] == 100_000
    assert sum(Decimal(str(each["market_value"])) for each in kes["holdings"]) == Decimal(str(kes["market_value"]))
    assert abs(sum(Decimal(str(each["share"])) for each in kes["holdings"]) - 1) < Decimal("0.001")
    assert (found["USD"]["market_value"], found["USD"]["holdings"][0]["share"]) == (0, 0)


def test_performance_takes_flows_away(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    account = opened(house)
    invested(house, account)
    now = today(house.business)
    since(account, now)
    pass_days(monkeypatch, house, 5)
    accrual.accrue(account)
    page = house.get(f"/investments/portfolio/performance?from={now}&to={now + timedelta(days=5)}").json()
    [kes] = page["docs"]
    assert len(kes["days"]) == 4 + (0 if kes["days"][0]["day"] != now.isoformat() else 1)
    grown = Decimal(str(kes["days"][-1]["market_value"])) - Decimal(str(kes["days"][0]["market_value"]))
    assert Decimal(str(kes["gain"])) == grown > 0
    assert kes["return_bps"] is not None


@pytest.mark.parametrize("query", ["from=x", "from=2026-02-02&to=2026-02-01", "from=2001-01-01", "to=2026-02-30"])
def test_days_that_cannot_be_are_400(house: House, query: str) -> None:
    assert code(house.get(f"/investments/portfolio/performance?{query}")) == (400, "invalid_parameters")


@pytest.mark.parametrize("query", ["to=0001-01-01", "from=9999-12-31", "to=9999-12-31&from=9999-12-01"])
def test_the_ends_of_time_are_days_too(house: House, query: str) -> None:
    assert house.get(f"/investments/portfolio/performance?{query}").status_code == 200


def test_the_catalogue_and_the_office_alone(house: House) -> None:
    rows = house.get("/investments/funds", by="Sam").json()["docs"]
    assert len(rows) == 5
    assert house.get(f"/investments/funds/{rows[0]['_id']}").json() == rows[0]
    assert code(house.get(f"/investments/funds/{'0' * 24}")) == (404, "not_found")
    for path in ("funds", f"funds/{rows[0]['_id']}", "portfolio", "portfolio/performance"):
        for name in ("Carla", "Rita"):
            assert code(house.get(f"/investments/{path}", by=name)) == (403, "insufficient_role")


def test_units_never_give_more_than_was_paid() -> None:
    price = Decimal("103.33333333")
    for minor in (1, 99, 100, 123_456_789):
        have = bought(minor, price, "KES")
        assert worth(have, price, "KES") <= minor
        assert worth(needed(minor, price, "KES"), price, "KES") >= minor
    assert book_part(1_000, Decimal(1), Decimal(3)) == 333
    assert book_part(1_000, Decimal(3), Decimal(3)) == 1_000


def test_the_ledger_checks_after_all_of_it(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    account = opened(house)
    invested(house, account)
    pass_days(monkeypatch, house, 40)
    accrual.accrue_all()
    assert breaches_seen_by(connection.cursor(), sealed=False) == []
