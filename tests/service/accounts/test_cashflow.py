"""The cashflow report: closing is the next opening, per month and currency, and the last closing is what is there."""

from datetime import date, timedelta
from decimal import Decimal
from itertools import pairwise
from typing import Any

import pytest

from service.accounts.wallets import wallet_by_ref
from service.journal import services as journal
from service.ledger.balances import balance
from service.ledger.chart import system_account
from service.ledger.post import Leg, post, today
from tests.service.house import House, code


def move(house: House, ref: str, minor: int, day: date, wallet_ref: str = "1") -> None:
    paying = wallet_by_ref(house.business, wallet_ref)
    other = system_account(house.business, "BANK_FLOAT", paying.currency)
    legs = [Leg(paying.ledger_account_id, minor), Leg(other.pk, -minor)]
    kind = "TOPUP" if minor > 0 else "EXPENSE"
    posted = post(house.business, ref, kind, legs, "", day)
    journal.record_movement(
        house.business, type=kind, org_wallet_ref=wallet_ref, currency=paying.currency, amount_minor=abs(minor),
        direction="IN" if minor > 0 else "OUT", ref=ref, ledger_transaction_id=posted.id,
    )  # fmt: skip


def cashflow(house: House, query: str = "", by: str = "Ada") -> dict[str, Any]:
    answer = house.get(f"/accounts/cashflow-report{query}", by=by)
    assert answer.status_code == 200, answer.json()
    return {row["currency"]: row for row in answer.json()["docs"]}


def exact(value: Any) -> Decimal:
    return Decimal(str(value))


@pytest.fixture
def flowing(house: House) -> House:
    """Money in and out over several months, and one transfer between own wallets."""
    now = today(house.business)
    for back in (0, 31, 62, 93, 500):
        move(house, f"in{back}", 10_001 + back, now - timedelta(days=back))
        move(house, f"out{back}", -3_333, now - timedelta(days=back))
    house.post("/accounts", {"currency": "KES", "walletType": "SUB:payroll"})
    first, two = wallet_by_ref(house.business, "1"), wallet_by_ref(house.business, "3")
    post(house.business, "own", "IFT", [Leg(first.ledger_account_id, -700), Leg(two.ledger_account_id, 700)])
    return house


def test_closing_is_the_next_opening(flowing: House) -> None:
    for row in cashflow(flowing).values():
        months = row["months"]
        assert len(months) == 12
        for month in months:
            opening, came, went, moved = (exact(month[n]) for n in ("opening", "money_in", "money_out", "transfers"))
            assert opening + came - went + moved == exact(month["closing"])
        for earlier, later in pairwise(months):
            assert earlier["closing"] == later["opening"]
        assert (row["opening"], row["closing"]) == (months[0]["opening"], months[-1]["closing"])


def test_the_last_closing_is_what_the_wallets_have(flowing: House) -> None:
    found = cashflow(flowing)
    kes = sum(balance(wallet_by_ref(flowing.business, ref).ledger_account_id).posted for ref in ("1", "3"))
    assert exact(found["KES"]["closing"]) * 100 == kes
    assert exact(found["KES"]["opening"]) == Decimal("71.68")  # 500 days ago: 105.01 came and 33.33 went
    assert (
        exact(found["USD"]["closing"]) * 100 == balance(wallet_by_ref(flowing.business, "2").ledger_account_id).posted
    )


def test_own_transfers_are_on_neither_side_and_told_apart_where_one_wallet_is_looked_at(flowing: House) -> None:
    month = f"?from={today(flowing.business)}"
    whole = cashflow(flowing, month)["KES"]
    assert (exact(whole["money_out"]), exact(whole["transfers"])) == (Decimal("33.33"), 0)
    first = cashflow(flowing, f"{month}&accountref=1")["KES"]
    assert (exact(first["money_out"]), exact(first["transfers"])) == (Decimal("33.33"), -7)
    three = cashflow(flowing, f"{month}&accountref=3")["KES"]
    assert (exact(three["money_in"]), exact(three["transfers"])) == (0, 7)
    assert code(flowing.get("/accounts/cashflow-report?accountref=99")) == (404, "not_found")


def test_a_wallet_is_reported_before_anything_moved_on_it(house: House) -> None:
    assert house.post("/accounts/add-new-account", {"currency": "EUR", "walletType": "MAIN"}).status_code == 201
    for query in ("", "?from=2001-01-01&to=2001-03-01"):
        row = cashflow(house, query)["EUR"]
        assert [exact(row[name]) for name in ("opening", "money_in", "money_out", "transfers", "closing")] == [0] * 5
        assert len(row["months"]) == (3 if query else 12)
    assert set(cashflow(house, "?to=2001-01-01")) == {"EUR", "KES", "USD"}


@pytest.mark.parametrize(
    "query", ["from=2026-02-30", "from=2026-03-01&to=2026-02-01", "from=1990-01-01", "from=0001-01-01&to=0001-02-01x"]
)
def test_days_that_cannot_be_are_400(house: House, query: str) -> None:
    assert code(house.get(f"/accounts/cashflow-report?{query}")) == (400, "invalid_parameters")


@pytest.mark.parametrize("query", ["to=9999-12-31", "from=9999-12-31", "to=0001-01-01", "to=0005-01-01"])
def test_the_ends_of_time_are_months_too(house: House, query: str) -> None:
    assert house.get(f"/accounts/cashflow-report?{query}").status_code == 200


def test_the_office_reads_it_and_nobody_else(house: House) -> None:
    for name in ("Apollo", "Ada", "Sam"):
        assert house.get("/accounts/cashflow-report", by=name).status_code == 200
    for name in ("Carla", "Rita"):
        assert code(house.get("/accounts/cashflow-report", by=name)) == (403, "insufficient_role")
