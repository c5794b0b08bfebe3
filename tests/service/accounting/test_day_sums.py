"""What a month's figures and a page of an account are read from: days that were added up, and the entries behind them."""

import time
from datetime import date, timedelta
from typing import Any

import pytest
from django.db import connection, transaction
from hypothesis import given, settings
from hypothesis import strategies as st

from service.accounting import account_ledgers, books, day_sums
from service.accounting.account_ledgers import AccountLedgerShape, PageOfEntries
from service.accounting.models import AccountDay, SummedAccount
from service.accounting.periods import Month
from service.accounts.wallets import wallet_by_ref
from service.auth import system_caller
from service.ledger.chart import system_account
from service.ledger.models import LedgerBalance, LedgerEntry
from service.ledger.post import Leg, post, today
from service.ledger.statements import FOLLOWING
from tests.service.accounting.conftest import month, spend
from tests.service.house import House

SETTLES_S = 30
# Everything of an account until the month's end by the ledger's days, entry by entry.
ONE_BY_ONE = """
select posted.effective_on, entry.seq, entry.amount from ledger_entry entry
join ledger_transaction posted on posted.id = entry.transaction_id
where entry.account_id = %s and posted.effective_on <= %s order by posted.effective_on, entry.seq
"""


def by_hand(account_id: int, period: Month) -> dict[str, Any]:
    """An account's figures and entries, added up here: each entry with its day, number, amount and the balance after it."""
    with connection.cursor() as cursor:
        cursor.execute(ONE_BY_ONE, [account_id, period.last])
        rows = cursor.fetchall()
    opening = sum(amount for day, _, amount in rows if day < period.first)
    balance, entries = opening, []
    for day, seq, amount in rows:
        if day >= period.first:
            balance += amount
            entries.append((day, seq, amount, balance))
    amounts = [amount for _, _, amount, _ in entries]
    return {
        "opening_minor": opening, "debit_minor": -sum(amount for amount in amounts if amount < 0),
        "credit_minor": sum(amount for amount in amounts if amount > 0), "closing_minor": balance, "entries": entries,
    }  # fmt: skip


def pages(house: House, period: Month, account_id: int, size: int) -> list[AccountLedgerShape]:
    """An account's pages, one after the other."""
    read, after = list[AccountLedgerShape](), ""
    while True:
        page = PageOfEntries(after, size)
        read.append(account_ledgers.account_ledger(system_caller(house.business), period, account_id, page))
        if read[-1]["next_after"] is None:
            return read
        after = str(read[-1]["next_after"])


def check_account(house: House, period: Month, account_id: int, size: int) -> None:
    """Figures, pages, what stands before each and the balances of an account are those that are added up by hand."""
    expected = by_hand(account_id, period)
    if not expected["entries"] and not expected["opening_minor"]:
        return
    read = pages(house, period, account_id, size)
    for name in ("opening_minor", "debit_minor", "credit_minor", "closing_minor"):
        assert {page["account"][name] for page in read} == {expected[name]}, name
    assert {page["total"] for page in read} == {len(expected["entries"])}
    assert [page["before"] for page in read] == list(range(0, len(expected["entries"]) or 1, size))
    docs = [entry for page in read for entry in page["docs"]]
    assert [(row["effective_on"], row["amount_minor"], row["balance_minor"]) for row in docs] == [
        (day, amount, balance) for day, _, amount, balance in expected["entries"]
    ]
    for place in {(day, seq - more) for day, seq, _, _ in expected["entries"] for more in (0, 1)}:
        after = f"{place[0]}.{place[1]}"
        page = account_ledgers.account_ledger(
            system_caller(house.business), period, account_id, PageOfEntries(after, size)
        )
        behind = [row for row in expected["entries"] if row[:2] > place]
        assert page["before"] == len(expected["entries"]) - len(behind)
        assert [row["balance_minor"] for row in page["docs"]] == [row[3] for row in behind[:size]]


def last_number(account_id: int) -> int:
    """The number of the newest entry of an account; 0 where it has none."""
    numbers = LedgerEntry.objects.filter(account=account_id).order_by("-seq").values_list("seq", flat=True)
    return numbers.first() or 0


@settings(max_examples=25)
@given(
    postings=st.lists(
        st.tuples(st.integers(0, 2), st.integers(0, 4), st.integers(1, 9), st.booleans(), st.integers(0, 3)),
        min_size=1, max_size=10,
    ),
    size=st.integers(1, 4),
)  # fmt: skip
def test_whatever_was_added_up_by_then_figures_and_pages_are_what_the_entries_come_to(
    house: House, postings: list[tuple[int, int, int, bool, int]], size: int
) -> None:
    """Late and early ones, in and out; after each some of the entries that are there by then are added up."""
    wallet = wallet_by_ref(house.business, "1").ledger_account_id
    bank = system_account(house.business, "BANK_FLOAT", "KES").pk
    with transaction.atomic():
        for place, (back, day, amount, is_in, added) in enumerate(postings):
            sign = 1 if is_in else -1
            on = min(month(house, back).first + timedelta(days=day), today(house.business))
            legs = [Leg(wallet, sign * amount * 100), Leg(wallet, 7), Leg(bank, -sign * amount * 100 - 7)]
            post(house.business, f"any:{place}", "TOPUP", legs, "Any", on)
            for account_id in (wallet, bank):
                day_sums.add_entries(account_id, last_number(account_id), added) if added else None
        for back in range(3):
            for account_id in (wallet, bank):
                check_account(house, month(house, back), account_id, size)
        transaction.set_rollback(True)


def test_the_worker_adds_up_all_entries_once_and_goes_on_where_it_stopped(committed: None) -> None:
    past = House()
    rent = month(past, 1).first + timedelta(days=9)
    for ref, minor in (("rent", 700_00), ("fee", 5_00)):
        spend(past, ref, minor, rent)
    wallet = wallet_by_ref(past.business, "1").ledger_account_id
    bank = system_account(past.business, "BANK_FLOAT", "KES").pk

    def days(account_id: int) -> list[tuple[date, int, int, int]]:
        rows = AccountDay.objects.filter(account=account_id).order_by("effective_on")
        return list(rows.values_list("effective_on", "entries", "debit", "credit"))

    def added(account_id: int) -> None:
        """Waits until all of it is added up: what is not settled yet, since something else is under way, is added later."""
        ends = time.monotonic() + SETTLES_S
        while not SummedAccount.objects.filter(account=account_id, seq=last_number(account_id)).exists():
            assert time.monotonic() < ends
            day_sums.add_up()

    added(wallet)
    added(bank)
    before = days(wallet)
    assert (rent, 2, 705_00, 0) in before
    assert (rent, 2, 0, 705_00) in days(bank)
    day_sums.add_up()
    assert days(wallet) == before
    spend(past, "late", 3_00, rent)
    added(wallet)
    added(bank)
    assert (rent, 3, 708_00, 0) in days(wallet)
    assert (rent, 3, 0, 708_00) in days(bank)
    for back in range(3):
        for account_id in (wallet, bank):
            check_account(past, month(past, back), account_id, 2)


@pytest.mark.parametrize("kind", ["wallet", "bank"])
def test_a_page_of_a_month_that_is_added_up_reads_few_entries_beside_its_own(house: House, kind: str) -> None:
    first = month(house, 1).first
    for number in range(60):
        spend(house, f"many:{number}", 100 + number, first + timedelta(days=number // 3))
    account_id = wallet_by_ref(house.business, "1").ledger_account_id
    if kind == "bank":
        account_id = system_account(house.business, "BANK_FLOAT", "KES").pk
    while day_sums.add_entries(account_id, last_number(account_id)):
        pass
    with connection.cursor() as cursor:
        # So few rows would be read whole; a table of millions is not.
        cursor.execute("set local enable_seqscan = off")
    read = entries_read_by(house, month(house, 1), account_id)
    # Those of the four days that the page of ten reaches; of an account without runs also the day that it goes on behind.
    assert read <= (12 if kind == "wallet" else 15)


def entries_read_by(house: House, period: Month, account_id: int) -> int:
    """How many rows of ledger_entry the statements of a page of ten, in the middle of a month, read by their plans."""
    seqs = LedgerEntry.objects.filter(account=account_id).order_by("seq").values_list("seq", flat=True)
    place = (period.first + timedelta(days=9), seqs[29])
    values: dict[str, str | int | date] = {
        "business": house.business.id, "account": account_id, "first": period.first, "last": period.last, "day": place[0],
        "seq": place[1], "limit": 10, "opening": 0,
    }  # fmt: skip
    read = 0
    has_runs = LedgerBalance.objects.filter(account=account_id).exists()
    statements = [books.ACCOUNT, FOLLOWING if has_runs else account_ledgers.BY_DAY]
    for statement in statements:
        with connection.cursor() as cursor:
            cursor.execute("explain (analyze, format json, timing off) " + statement, values)
            [(plan,)] = cursor.fetchall()
        read += rows_of_entries(plan[0]["Plan"])
    return read


def rows_of_entries(plan: dict[str, Any]) -> int:
    """How many rows of ledger_entry the nodes of a plan read, all loops together."""
    own = plan["Actual Rows"] * plan["Actual Loops"] if plan.get("Relation Name") == "ledger_entry" else 0
    removed = plan.get("Rows Removed by Filter", 0) * plan["Actual Loops"] if own else 0
    return int(own + removed) + sum(rows_of_entries(part) for part in plan.get("Plans", []))
