"""What bank and books lack of each other in a month: entries without a line, and a last statement that is not proven."""

from datetime import timedelta
from typing import Any

from django.db import connection
from django.test.utils import CaptureQueriesContext

from service.accounts.wallets import wallet_by_ref
from tests.service.accounting.conftest import import_statement, month, spend
from tests.service.accounting.test_matches import bring, open_entries, open_lines, put
from tests.service.house import House, code


def wallets(house: House, back: int = 1, by: str = "Ada") -> Any:
    return house.get(f"/accounting/periods/{month(house, back).name}/wallets", by=by)


def test_a_wallet_without_a_statement_says_nothing(house: House) -> None:
    spend(house, "pay:a", 5_00, month(house, 1).first)
    assert wallets(house).json() == {"docs": [], "total": 0}


def test_entries_without_a_line_are_counted_from_the_first_statement_on(house: House) -> None:
    first = month(house, 1).first
    spend(house, "pay:before", 3_00, first)
    for day in (1, 2):
        spend(house, f"pay:{day}", 5_00, first + timedelta(days=day))
    statement = bring(
        house, [(1, -5_00, "1")], -3_00, **{"from": str(first + timedelta(days=1))}
    )  # fmt: skip
    [row] = wallets(house).json()["docs"]
    assert row == {"org_wallet_ref": "1", "unmatched_entries": 2, "statement_id": statement["_id"], "proven": True}
    entry = next(entry for entry in open_entries(house) if entry["ref"] == "pay:1")
    assert put(house, [open_lines(house)[0]["_id"]], [entry["seq"]]).status_code == 201
    assert wallets(house).json()["docs"][0]["unmatched_entries"] == 1
    # What lies before the statement's month is of no statement.
    assert wallets(house, 2).json()["docs"] == []


def test_a_statement_that_explains_nothing_is_not_proven(house: House) -> None:
    spend(house, "pay:a", 5_00, month(house, 1).first)
    statement = bring(house, [(0, -5_00, "a")], 7_00)
    [row] = wallets(house).json()["docs"]
    assert (row["statement_id"], row["proven"]) == (statement["_id"], False)


def test_the_last_statement_that_ends_in_the_month_is_the_one(house: House) -> None:
    first, last = month(house, 1).first, month(house, 1).last
    bring(house, [(0, -5_00, "a")], to=str(first + timedelta(days=3)))
    second = bring(house, [(5, -2_00, "b")], -5_00, **{"from": str(first + timedelta(days=4))})
    [row] = wallets(house).json()["docs"]
    assert row["statement_id"] == second["_id"]
    assert second["to"] == str(last)


def test_lines_without_balances_prove_nothing(house: House) -> None:
    day = month(house, 1).first
    answer = import_statement(house, f"date,amount,description,reference\n{day},-5.00,Paper,a\n")
    assert answer.status_code == 201, answer.json()
    [row] = wallets(house).json()["docs"]
    assert (row["statement_id"], row["proven"]) == (answer.json()["_id"], False)


def test_who_reads_it_and_of_what(house: House) -> None:
    assert code(wallets(house, by="Carla")) == (403, "insufficient_role")
    assert code(house.get("/accounting/periods/2026-13/wallets")) == (404, "not_found")


def test_a_month_whose_last_days_are_of_an_unproven_statement_is_not_proven(house: House) -> None:
    first, last = month(house, 1).first, month(house, 1).last
    spend(house, "pay:a", 5_00, first)
    early = bring(house, [(0, -5_00, "a")], to=str(first + timedelta(days=4)))
    assert wallets(house).json()["docs"][0]["proven"] is True
    # It opens with another balance than the one before it closed with: a statement between them is missing.
    beyond = {"from": str(first + timedelta(days=5)), "to": str(last + timedelta(days=5))}
    late = bring(house, [(6, -2_00, "b")], -9_00, **beyond)
    [row] = wallets(house).json()["docs"]
    assert (row["statement_id"], row["proven"]) == (late["_id"], False)
    day = str(first + timedelta(days=5))
    bring(house, [(5, -4_00, "c")], -5_00, **{"from": day, "to": day})
    assert wallets(house).json()["docs"][0]["proven"] is True
    assert early["_id"] != late["_id"]


def test_the_statements_of_a_wallet_are_read_once_and_the_entries_of_all_wallets_together(house: House) -> None:
    first = month(house, 1).first
    spend(house, "pay:a", 5_00, first)
    bring(house, [(0, -5_00, "a")], to=str(first + timedelta(days=4)))
    with CaptureQueriesContext(connection) as queries:
        assert len(wallets(house).json()["docs"]) == 1
    read = [row["sql"] for row in queries if 'FROM "accounting_bankstatement"' in row["sql"]]
    in_order = [sql for sql in read if '"opening_minor" IS NOT NULL' in sql]
    assert len(in_order) == 1, read
    other = wallet_by_ref(house.business, "2")
    bring(house, [(1, -5_00, "z")], org_wallet_ref="2", account="KE2", currency=other.currency)
    with CaptureQueriesContext(connection) as queries:
        assert [row["unmatched_entries"] for row in wallets(house).json()["docs"]] == [1, 0]
    counted = [row["sql"] for row in queries if 'FROM "ledger_entry"' in row["sql"] and "GROUP BY" in row["sql"]]
    assert len(counted) == 1
