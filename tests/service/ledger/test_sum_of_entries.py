"""Entries that do not sum to zero, in each transaction and currency, are taken from nobody, not even from the owner."""

import psycopg
import pytest

KES, USD = "KES", "USD"
# Entries of one statement: the transaction, the amount and the currency of each; and whether they are taken.
CASES = {
    "two that balance": ([(1, 5, KES), (1, -5, KES)], True),
    "three that balance": ([(1, 5, KES), (1, -4, KES), (1, -1, KES)], True),
    "two transactions that balance": ([(1, 5, KES), (1, -5, KES), (2, 3, KES), (2, -3, KES)], True),
    "two currencies that balance": ([(1, 5, KES), (1, -5, KES), (1, 3, USD), (1, -3, USD)], True),
    "one alone": ([(1, 5, KES)], False),
    "two that do not": ([(1, 5, KES), (1, -4, KES)], False),
    "one too many": ([(1, 5, KES), (1, -5, KES), (1, 1, KES)], False),
    "of two currencies": ([(1, 5, KES), (1, -5, USD)], False),
    "of two transactions": ([(1, 5, KES), (2, -5, KES)], False),
    "three of two transactions": ([(1, 5, KES), (2, -3, KES), (2, -2, KES)], False),
    "crosswise": ([(1, 5, KES), (1, -5, USD), (2, -5, KES), (2, 5, USD)], False),
}


@pytest.mark.parametrize("name", CASES)
def test_only_entries_that_balance_are_taken(owner: "psycopg.Connection[tuple[object, ...]]", name: str) -> None:
    entries, is_taken = CASES[name]
    with owner.transaction(force_rollback=True):
        # On accounts and of transactions that there are not.
        places = ", ".join(["(9000000 + %s, 1, 9000000 + %s, %s, now(), %s)"] * len(entries))
        values = [value for number, entry in enumerate(entries) for value in (number, *entry)]
        statement = (
            f"INSERT INTO ledger_entry (account_id, seq, transaction_id, amount, posted_at, currency) VALUES {places}"
        )
        if is_taken:
            owner.execute(statement, values)
        else:
            with pytest.raises(psycopg.Error, match="does not balance"):
                owner.execute(statement, values)
