"""Trial balance and general ledger of a month: they balance, they follow on, and they stream."""

import csv
from decimal import Decimal

from service.accounts.wallets import wallet_by_ref
from service.ledger.balances import balance
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
