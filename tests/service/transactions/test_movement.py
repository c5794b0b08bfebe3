"""Money movement: in and out equal to the ledger to the cent, with the trend of three months."""

from datetime import date, timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.db import connection

from service.auth import system_caller
from service.businesses.models import Employee
from service.expenses import new_expense, posting
from service.journal.models import Transaction
from service.ledger.post import today
from service.transactions.backfill import backfill
from tests.service.house import House, code
from tests.service.transactions.conftest import posted, put, spend, written

# What changed the business's own wallets, by the ledger alone; what moved between them cancels out by its kind.
LEDGER = """
select w.currency, sum(n.amount) from ledger_entry n
join accounts_wallet w on w.ledger_account_id = n.account_id and w.holder_id = ''
join ledger_transaction l on l.id = n.transaction_id
where w.business_id = %s and l.effective_on between %s and %s and l.kind not in ('IFT', 'FX', 'ALLOCATION')
group by 1
"""


def by_ledger(house: House, first: date, last: date) -> dict[str, Decimal]:
    with connection.cursor() as cursor:
        cursor.execute(LEDGER, [house.business.id, first, last])
        return {currency: Decimal(total) / 100 for currency, total in cursor.fetchall()}


def movement(house: House, query: str = "", by: str = "Ada") -> dict[str, Any]:
    answer = house.get(f"/transactions/money-movement{query}", by=by)
    assert answer.status_code == 200, answer.json()
    return {row["currency"]: row for row in answer.json()["docs"]}


def number(value: Any) -> Decimal:
    return Decimal(str(value))


def month_starts(house: House) -> list[date]:
    now = today(house.business).replace(day=1)
    before = (now - timedelta(days=1)).replace(day=1)
    return [(before - timedelta(days=1)).replace(day=1), before, now]


@pytest.fixture
def busy(house: House) -> House:
    """A business with expenses, fees, refunds, top-ups, transfers, exchange and a reversal over three months."""
    caller = system_caller(house.business)
    house.post("/accounts", {"currency": "KES", "walletType": "SUB:payroll"})
    person = Employee.objects.get(id=house.person("Carla").id)
    for back, start in enumerate(month_starts(house)):
        for number_ in range(3):
            new = new_expense.NewExpense(
                employee=person, org_wallet_ref="1", currency="KES", amount_minor=1_001 * (number_ + 1),
                fees_minor=33 * back, transaction_ref=f"E{back}{number_}", receiver=f"Shop {number_}",
                transaction_date=_noon(start),
                subcategory=house.opened.subcategories[number_] if number_ else None,
            )  # fmt: skip
            posting.spend(caller, new)
        posted(house, amount=100 + back, value_date=start.isoformat(), counterparty=f"Customer {back}")
    posting.refund(caller, posting.Expense.objects.get(business=house.business, transaction_ref="E10").id)
    posted(house, type="IFT", to_org_wallet_ref="3", counterparty=None, amount=77)
    wrong = posted(house, amount=5_000, counterparty="Mistake")
    put(house, f"/transactions/{wrong['_id']}/reverse", {"reason": "Twice"}, by="Zawadi")
    written(house, amount=999)
    quote = house.post("/fx/conversion-rate", {"from": "USD", "to": "KES", "amount": 10}, by="Apollo").json()
    body = {"quote_id": quote["quote_id"], "from_org_wallet_ref": "2", "to_org_wallet_ref": "1"}
    assert house.post("/fx/transfer", body, by="Apollo").status_code == 200
    return house


def _noon(day: date) -> Any:
    from datetime import UTC, datetime

    return datetime(day.year, day.month, day.day, 9, tzinfo=UTC)


def test_net_equals_the_ledger_to_the_cent(busy: House) -> None:
    first, now = month_starts(busy)[0], today(busy.business)
    ledger = by_ledger(busy, first, now)
    found = movement(busy)
    assert set(found) == {"KES", "USD"}
    for currency, row in found.items():
        assert number(row["net"]) == ledger[currency]
        assert number(row["money_in"]) - number(row["money_out"]) == number(row["net"])
        assert row["period"] == {"from": first.isoformat(), "to": now.isoformat()}


def test_the_trend_of_three_months_equals_the_ledger_to_the_cent(busy: House) -> None:
    starts = month_starts(busy)
    ends = [start - timedelta(days=1) for start in starts[1:]] + [today(busy.business) + timedelta(days=31)]
    trend = movement(busy, "?from=2001-01-01&to=2001-01-02")["KES"]["trend"]
    assert [month["month"] for month in trend] == [f"{start:%Y-%m}" for start in starts]
    for month, first, last in zip(trend, starts, ends, strict=True):
        assert number(month["net"]) == by_ledger(busy, first, last)["KES"]


def test_each_type_is_counted_on_its_side(busy: House) -> None:
    row = movement(busy)["KES"]
    by_type = {name: number(value) for name, value in row["by_type"].items()}
    assert by_type["EXPENSE"] == Decimal("180.18")
    assert by_type["FEE"] == Decimal("2.97") - Decimal("0.33")  # those of the refunded expense came back
    assert by_type["REFUND"] == Decimal("10.01")
    assert by_type["IFT"] == 77
    assert number(row["money_out"]) == by_type["EXPENSE"] + by_type["FEE"] - by_type["REFUND"]
    assert number(row["money_in"]) == by_type["TOPUP"] == 50_000_303


def test_the_largest_sources_and_spends_come_first(busy: House) -> None:
    row = movement(busy)["KES"]
    assert row["top_sources"][0]["name"] == "Opening balance"
    assert "Mistake" not in [source["name"] for source in row["top_sources"]]
    spends = row["top_spends"]
    assert [number(each["amount"]) for each in spends] == [Decimal("91.08"), Decimal("61.05"), Decimal("31.02")]
    assert [each["vendor"] for each in spends] == [None, None, "Shop 0"]
    assert spends[0]["subcategory_id"] == busy.opened.subcategories[2].id
    assert abs(sum(number(each["share"]) for each in spends) - 1) < Decimal("0.001")


def cashflow(house: House, query: str = "") -> dict[str, Any]:
    rows = house.get(f"/accounts/cashflow-report?from={month_starts(house)[0]}{query}").json()["docs"]
    return {row["currency"]: row for row in rows}


def test_cashflow_says_the_same_of_every_month(busy: House) -> None:
    """One definition: in and out of a month are the same in the trend, in its own period and in the cashflow report."""
    trends, cash = movement(busy), cashflow(busy)
    assert set(trends) == set(cash)
    for currency, row in cash.items():
        shown = [(each["month"], each["money_in"], each["money_out"]) for each in row["months"]]
        assert shown == [(each["month"], each["money_in"], each["money_out"]) for each in trends[currency]["trend"]]
        for month, money_in, money_out in shown:
            first = date.fromisoformat(f"{month}-01")
            last = (first + timedelta(days=31)).replace(day=1) - timedelta(days=1)
            period = movement(busy, f"?from={first}&to={last}")[currency]
            assert (period["money_in"], period["money_out"]) == (money_in, money_out)


def test_the_wallets_add_up_to_the_business(busy: House) -> None:
    whole = cashflow(busy)
    refs = [row["org_wallet_ref"] for row in busy.get("/accounts").json()["docs"]]
    apart = [cashflow(busy, f"&accountref={ref}") for ref in refs]
    for currency, row in whole.items():
        for name in ("opening", "money_in", "money_out", "transfers", "closing"):
            assert sum(number(each[currency][name]) for each in apart if currency in each) == number(row[name])


TRANSFERS = """
select currency, sum(case direction when 'IN' then amount_minor else -amount_minor end)
from transactions_transaction where business_id = %s and type = 'IFT' and status in ('POSTED', 'REVERSED') group by 1
"""


def test_what_is_told_as_transfers_is_what_the_book_calls_so(busy: House) -> None:
    """In the report it is what the ledger changed beside in and out: nothing else may hide there."""
    with connection.cursor() as cursor:
        cursor.execute(TRANSFERS, [busy.business.id])
        booked = {currency: Decimal(minor) / 100 for currency, minor in cursor.fetchall()}
    found = {currency: number(row["transfers"]) for currency, row in cashflow(busy).items()}
    assert {currency: amount for currency, amount in found.items() if amount} == booked
    assert booked["USD"] == -10


def test_a_period_counts_its_own_days_only(busy: House) -> None:
    start = month_starts(busy)[0]
    row = movement(busy, f"?from={start}&to={start}")["KES"]
    assert (number(row["money_in"]), number(row["money_out"])) == (100, Decimal("60.06"))


def test_converted_figures_name_their_rate_and_day(busy: House) -> None:
    found = movement(busy, "?convert_to=EUR")["KES"]
    rate = Decimal(
        found["converted"]["rate"] if isinstance(found["converted"]["rate"], str) else str(found["converted"]["rate"])
    )
    assert found["converted"]["currency"] == "EUR"
    assert date.fromisoformat(found["converted"]["rate_date"]) <= today(busy.business)
    assert abs(number(found["converted"]["money_in"]) - number(found["money_in"]) * rate) < 1
    assert movement(busy)["KES"]["converted"] is None
    for query in ("convert_to=XXX", "convert_to=EUR&from=2001-01-01&to=2001-01-01"):
        assert code(busy.get(f"/transactions/money-movement?{query}")) == (400, "invalid_parameters")


def test_fees_by_type_channel_and_currency(busy: House) -> None:
    rows = busy.get("/transactions/fees").json()["docs"]
    found = {(row["type"], row["channel"], row["currency"]): (number(row["amount"]), row["count"]) for row in rows}
    assert found["EXPENSE", "CARD", "KES"] == (Decimal("2.97"), 6)
    assert found["REFUND", "CARD", "KES"] == (Decimal("-0.33"), 1)
    assert not [name for name in found if name[0] == "IFT"]  # an exchange's spread is in its rate, and no fee
    kes = movement(busy)["KES"]
    assert sum(amount for (_, _, currency), (amount, _) in found.items() if currency == "KES") == number(
        kes["by_type"]["FEE"]
    )
    assert number(kes["exchange_spread"]) > 0


@pytest.mark.parametrize("path", ["money-movement", "fees"])
def test_the_office_alone_reads_aggregates(house: House, path: str) -> None:
    for name in ("Apollo", "Ada", "Sam"):
        assert house.get(f"/transactions/{path}", by=name).status_code == 200
    for name in ("Carla", "Rita"):
        assert code(house.get(f"/transactions/{path}", by=name)) == (403, "insufficient_role")
    for query in ("from=2026-05-02&to=2026-05-01", "from=x", "to=2026-13-01"):
        assert code(house.get(f"/transactions/{path}?{query}")) == (400, "invalid_parameters")
    for query in ("to=9999-12-31", "from=0001-01-01", "from=9999-12-31", "to=0001-01-01"):
        assert house.get(f"/transactions/{path}?{query}").status_code == 200


def test_another_businesss_money_is_not_counted(busy: House, other: House) -> None:
    assert number(movement(other)["KES"]["money_out"]) == 0


def test_what_was_posted_before_the_book_is_written_down_once(busy: House) -> None:
    before = movement(busy)
    spend(busy, "Carla")
    with_it = movement(busy)
    hand_written = Transaction.objects.filter(business=busy.business, origin="MANUAL").count()
    Transaction.objects.filter(business=busy.business, origin="SERVICE").delete()
    assert backfill(busy.business) > 10
    assert backfill(busy.business) == 0
    assert Transaction.objects.filter(business=busy.business, origin="MANUAL").count() == hand_written
    again = movement(busy)
    assert again["USD"]["net"] == with_it["USD"]["net"]
    assert again["KES"]["money_out"] == with_it["KES"]["money_out"] != before["KES"]["money_out"]
