"""Nobody writes the ledger but its functions: not the programs' role, and of what is posted not even the owner."""

import psycopg
import pytest
from django.db import DatabaseError, connection, transaction

from service.businesses.models import Business
from tests.service.ledger.conftest import fresh_business, funded

POSTED = ["ledger_transaction", "ledger_entry"]
ALL = [
    *POSTED,
    "ledger_account",
    "ledger_balance",
    "ledger_hold",
    "ledger_snapshot",
    "ledger_seal",
    "ledger_horizon",
    "ledger_run",
    "ledger_changed",
]
WRITES = {
    "ledger_transaction": "UPDATE ledger_transaction SET description = 'x'",
    "ledger_entry": "UPDATE ledger_entry SET amount = 1",
    "ledger_account": "UPDATE ledger_account SET frozen = false",
    "ledger_balance": "UPDATE ledger_balance SET posted = 1",
    "ledger_hold": "UPDATE ledger_hold SET amount = 1",
    "ledger_snapshot": "UPDATE ledger_snapshot SET posted = 1",
    "ledger_seal": "UPDATE ledger_seal SET position = 1",
    "ledger_horizon": "UPDATE ledger_horizon SET done = 1",
    "ledger_run": "UPDATE ledger_run SET opening = 1",
    "ledger_changed": "UPDATE ledger_changed SET account_id = 1",
}


@pytest.mark.parametrize("table", ALL)
@pytest.mark.parametrize("verb", ["UPDATE", "DELETE", "TRUNCATE", "INSERT"])
def test_the_programs_role_may_only_read(business: Business, table: str, verb: str) -> None:
    funded(business, "a", 100)
    statement = {
        "UPDATE": WRITES[table],
        "DELETE": f"DELETE FROM {table}",
        "TRUNCATE": f"TRUNCATE {table}",
        "INSERT": f"INSERT INTO {table} SELECT * FROM {table} LIMIT 1",
    }[verb]
    with (
        pytest.raises(DatabaseError, match="permission denied"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(statement)


@pytest.mark.parametrize("table", [*POSTED, "ledger_seal"])
@pytest.mark.parametrize("verb", ["UPDATE", "DELETE", "TRUNCATE"])
def test_the_owner_cannot_change_what_is_posted(
    owner: "psycopg.Connection[tuple[object, ...]]", table: str, verb: str
) -> None:
    statement = {"UPDATE": WRITES[table], "DELETE": f"DELETE FROM {table}", "TRUNCATE": f"TRUNCATE {table}"}[verb]
    with pytest.raises(psycopg.errors.InsufficientPrivilege, match="append-only"):
        owner.execute(statement)


def test_the_programs_role_cannot_call_what_only_the_functions_call(business: Business) -> None:
    account = funded(business, "a", 100)
    with pytest.raises(DatabaseError, match="permission denied"), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(
            "SELECT ledger_post_legs(1, %s, 'x', current_date, ARRAY[%s]::bigint[], ARRAY[5]::bigint[], NULL, NULL,"
            " false, false, NULL)",
            [business.pk, account.pk],
        )


def test_a_lopsided_transaction_fails_even_for_the_owner(
    committed: None, owner: "psycopg.Connection[tuple[object, ...]]"
) -> None:
    business = fresh_business()
    account = funded(business, "a", 100)
    insert = (
        "INSERT INTO ledger_transaction (business_id, external_ref, kind, description, effective_on, created_at, forced)"
        " VALUES (%s, 'lopsided', 'X', '', current_date, now(), false) RETURNING id"
    )
    with pytest.raises(psycopg.Error, match="does not balance"), owner.transaction():  # noqa: PT012
        row = owner.execute(insert, [business.pk]).fetchone()
        assert row is not None
        owner.execute(
            "INSERT INTO ledger_entry (account_id, seq, transaction_id, amount, balance_after, currency, posted_at)"
            " VALUES (%s, 2, %s, 5, 105, 'KES', now())",
            [account.pk, row[0]],
        )
