"""check_ledger proves what must hold, and names the first row that does not."""

import io
import time

import psycopg
import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from service.businesses.models import Business
from service.ledger import invariants, seals
from service.ledger.balances import balance
from service.ledger.chart import system_account
from service.ledger.models import LedgerSeal, LedgerSnapshot
from service.ledger.post import Leg, post
from tests.service.ledger.conftest import funded

# What is still being written anywhere at the database's server is waited for, another test's transaction too; the longest is a
# day of 120,000 entries, which took more than four minutes once (accounting/test_large_day.py).
SETTLES_S, LOOKS_EVERY_S = 1_800, 0.2
Owner = psycopg.Connection[tuple[object, ...]]


def test_transactions_are_sealed_and_verify(committed_business: Business) -> None:
    funded(committed_business, "w", 500)
    seals.seal_all(SETTLES_S)
    assert LedgerSeal.objects.filter(transaction__business=committed_business).count() == 1
    with connection.cursor() as cursor:
        assert invariants.broken_link(cursor) is None


def test_a_deferred_balance_is_its_snapshot_and_what_came_after(committed_business: Business) -> None:
    wallet, bank = funded(committed_business, "w", 500), system_account(committed_business, "BANK_FLOAT", "KES")
    captured, ends = LedgerSnapshot.objects.filter(account=bank, posted=-500), time.monotonic() + SETTLES_S
    while not captured.exists():
        assert time.monotonic() < ends
        seals.write_snapshots()
        time.sleep(LOOKS_EVERY_S)
    post(committed_business, "back", "TRANSFER", [Leg(wallet.pk, -200), Leg(bank.pk, 200)])
    assert balance(bank).posted == -300


def test_the_command_says_that_the_ledger_holds(committed_business: Business) -> None:
    funded(committed_business, "w", 500)
    seals.seal_all(SETTLES_S)
    out = io.StringIO()
    call_command("check_ledger", stdout=out)
    assert "The ledger holds." in out.getvalue()


TAMPERED = {
    "posted": (2, "UPDATE ledger_balance SET posted = posted + 1 WHERE account_id = {account}"),
    "held": (5, "UPDATE ledger_balance SET pending_out = 7 WHERE account_id = {account}"),
    "amount": (1, "UPDATE ledger_entry SET amount = amount + 1 WHERE account_id = {account}"),
    "number": (3, "UPDATE ledger_entry SET seq = 5 WHERE account_id = {account}"),
    "sealed text": (8, "UPDATE ledger_transaction SET description = 'x' WHERE business_id = '{business}'"),
}


@pytest.mark.parametrize("what", TAMPERED)
def test_what_a_superuser_tampers_with_is_found_and_named(
    committed_business: Business, owner: Owner, what: str
) -> None:
    account = funded(committed_business, "w", 500)
    seals.seal_all(SETTLES_S)
    number, statement = TAMPERED[what]
    with owner.transaction(force_rollback=True):
        for table in ("ledger_entry", "ledger_transaction"):
            owner.execute(f"ALTER TABLE {table} DISABLE TRIGGER USER")
        owner.execute(statement.format(account=account.pk, business=committed_business.pk))
        found = {breach.number: breach.row for breach in invariants.breaches_seen_by(owner.cursor())}
    assert number in found
    assert found[number]


def test_the_command_fails_where_a_row_is_broken(committed_business: Business, monkeypatch: pytest.MonkeyPatch) -> None:
    account = funded(committed_business, "w", 500)
    lie = (2, "a balance row lies", f"SELECT 'balance of account {account.pk}'")
    monkeypatch.setattr(invariants, "CHECKS", [lie])
    out = io.StringIO()
    with pytest.raises(CommandError) as failure:
        call_command("check_ledger", stdout=out)
    assert failure.value.returncode == 1
    assert f"balance of account {account.pk}" in out.getvalue()
    assert len(invariants.breaches()) == 1
    assert not connection.in_atomic_block
