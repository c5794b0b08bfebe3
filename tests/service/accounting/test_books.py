"""Trial balance and general ledger of a month: they balance, they follow on, and they stream."""

import csv
from datetime import timedelta
from decimal import Decimal

from django.db import connection, transaction
from hypothesis import given, settings
from hypothesis import strategies as st

from service.accounting import books
from service.accounts.wallets import wallet_by_ref
from service.auth import system_caller
from service.ledger.balances import balance
from service.ledger.chart import system_account
from service.ledger.post import Leg, post, today
from tests.service.accounting.conftest import csv_of, month, spend
from tests.service.house import House


def trial(house: House, back: int) -> dict[str, object]:
    answer = house.get(f"/accounting/periods/{month(house, back).name}/trial-balance")
    assert answer.status_code == 200, answer.json()
    found: dict[str, object] = answer.json()
    return found


def test_a_trial_balance_balances_per_currency(past: House) -> None:
    for back in range(3):
        for total in trial(past, back)["totals"]:  # type: ignore[attr-defined]
            assert total["debit"] == total["credit"]
            assert (total["opening"], total["closing"]) == (0, 0)


def test_closing_is_the_next_opening_and_the_last_is_what_is_there(past: House) -> None:
    books = {back: {row["account_id"]: row for row in trial(past, back)["accounts"]} for back in range(3)}  # type: ignore[attr-defined]
    for back in (2, 1):
        for account_id, row in books[back].items():
            assert row["closing_minor"] == row["opening_minor"] + row["credit_minor"] - row["debit_minor"]
            assert books[back - 1][account_id]["opening_minor"] == row["closing_minor"]
    paying = wallet_by_ref(past.business, "1").ledger_account_id
    assert books[0][paying]["closing_minor"] == balance(paying).posted
    assert books[2][paying]["debit_minor"] == 1_400_00 + 5_00


def test_the_general_ledger_has_every_entry_of_the_month_once(past: House) -> None:
    name = month(past, 1).name
    rows = list(csv.DictReader(csv_of(past.get(f"/accounting/periods/{name}/general-ledger"))))
    assert len(rows) == 4
    assert {row["effective_on"][:7] for row in rows} == {name}
    assert sum(Decimal(row["debit"] or 0) for row in rows) == sum(Decimal(row["credit"] or 0) for row in rows) == 705
    rent = [row for row in rows if row["ref"] == "rent:1"]
    assert {(row["debit"], row["credit"]) for row in rent} == {("700.00", ""), ("", "700.00")}


def test_text_that_a_spreadsheet_would_run_is_marked_as_text(past: House) -> None:
    name = month(past, 1).name
    rows = list(csv.DictReader(csv_of(past.get(f"/accounting/periods/{name}/general-ledger"))))
    assert {row["description"] for row in rows} == {"Rent", "'=HYPERLINK(1)"}


def test_the_trial_balance_as_csv_says_the_same(past: House) -> None:
    name = month(past, 1).name
    rows = list(csv.DictReader(csv_of(past.get(f"/accounting/periods/{name}/trial-balance/export"))))
    shown = {str(row["account_id"]): row for row in trial(past, 1)["accounts"]}  # type: ignore[attr-defined]
    assert {row["account_id"]: Decimal(row["closing"]) for row in rows} == {
        account: Decimal(str(row["closing"])) for account, row in shown.items()
    }


def test_a_long_ledger_comes_in_pieces(house: House) -> None:
    day = month(house, 1).first
    for number in range(60):
        spend(house, f"many:{number}", 1 + number, day)
    answer = house.get(f"/accounting/periods/{month(house, 1).name}/general-ledger")
    pieces = list(answer.streaming_content)
    assert len(pieces) > 100


def test_another_businesss_books_are_not_in_it(past: House) -> None:
    other = House()
    assert trial(other, 1)["accounts"] == []
    assert len(csv_of(other.get(f"/accounting/periods/{month(other, 1).name}/general-ledger"))) == 1


# What the trial balance is, added up entry by entry.
ADDED_UP = """
select entry.account_id, coalesce(sum(entry.amount) filter (where posted.effective_on < %(first)s), 0)::bigint,
    coalesce(-sum(entry.amount) filter (where posted.effective_on >= %(first)s and entry.amount < 0), 0)::bigint,
    coalesce(sum(entry.amount) filter (where posted.effective_on >= %(first)s and entry.amount > 0), 0)::bigint
from ledger_transaction posted join ledger_entry entry on entry.transaction_id = posted.id
where posted.business_id = %(business)s and posted.effective_on <= %(last)s
group by entry.account_id order by entry.account_id
"""


@settings(max_examples=25)
@given(
    postings=st.lists(
        st.tuples(st.integers(0, 2), st.integers(0, 27), st.integers(1, 9), st.booleans()), min_size=1, max_size=12
    )
)
def test_it_is_what_the_entries_come_to_in_whatever_order_they_were_posted(
    house: House, postings: list[tuple[int, int, int, bool]]
) -> None:
    """Late and early ones, in and out of wallets, several entries of one account in a posting."""
    first, second = (wallet_by_ref(house.business, ref).ledger_account_id for ref in ("1", "2"))
    bank = {currency: system_account(house.business, "BANK_FLOAT", currency).pk for currency in ("KES", "USD")}
    with transaction.atomic():
        for place, (back, day, amount, is_in) in enumerate(postings):
            account, currency = ((first, "KES"), (second, "USD"))[place % 2]
            sign = 1 if is_in else -1
            on = month(house, back).first + timedelta(days=day)
            if on > today(house.business):
                on = today(house.business)
            legs = [Leg(account, sign * amount * 100), Leg(account, 7), Leg(bank[currency], -sign * amount * 100 - 7)]
            post(house.business, f"any:{place}", "TOPUP", legs, "Any", on)
        for back in range(3):
            chosen = month(house, back)
            values = {"business": house.business.id, "first": chosen.first, "last": chosen.last}
            with connection.cursor() as cursor:
                cursor.execute(ADDED_UP, values)
                added_up = cursor.fetchall()
            rows = books.trial_balance(system_caller(house.business), chosen)["accounts"]
            assert added_up == sorted(
                (row["account_id"], row["opening_minor"], row["debit_minor"], row["credit_minor"]) for row in rows
            )
        transaction.set_rollback(True)
