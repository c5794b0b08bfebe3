"""Many at once: one of them wins, and a reference posts once however often and however badly it is sent."""

import os
import random

import psycopg
import pytest
from django.db import connection, transaction

from service.businesses.models import Business
from service.errors import ServiceError
from service.ledger.balances import balance
from service.ledger.chart import system_account
from service.ledger.invariants import breaches
from service.ledger.models import LedgerEntry, LedgerTransaction
from service.ledger.post import Leg, PostedTransaction, capture, hold, post
from tests.service.ledger.conftest import at_once, funded


def test_of_many_debits_of_everything_exactly_one_wins(committed_business: Business) -> None:
    wallet, bank = funded(committed_business, "w", 1_000), system_account(committed_business, "BANK_FLOAT", "KES")
    results = at_once(
        16, lambda n: post(committed_business, f"spend-{n}", "TRANSFER", [Leg(wallet.pk, -1_000), Leg(bank.pk, 1_000)])
    )
    assert sum(isinstance(result, PostedTransaction) for result in results) == 1
    assert {r.code for r in results if isinstance(r, ServiceError)} == {"insufficient_funds"}
    assert balance(wallet).posted == 0


def test_of_many_holds_and_debits_none_takes_what_another_has(committed_business: Business) -> None:
    wallet, bank = funded(committed_business, "w", 1_000), system_account(committed_business, "BANK_FLOAT", "KES")

    def spend(n: int) -> object:
        if n % 2:
            return capture(hold(committed_business, wallet, 300, f"h{n}"), 300, f"c{n}", bank)
        return post(committed_business, f"p{n}", "TRANSFER", [Leg(wallet.pk, -300), Leg(bank.pk, 300)])

    results = at_once(12, spend)
    assert sum(isinstance(result, PostedTransaction) for result in results) == 3
    assert balance(wallet).available == 100


def test_the_same_reference_fifty_times_at_once_is_one_transaction(committed_business: Business) -> None:
    wallet, bank = funded(committed_business, "w", 1_000), system_account(committed_business, "BANK_FLOAT", "KES")
    results = at_once(
        50, lambda _: post(committed_business, "once", "TRANSFER", [Leg(wallet.pk, -10), Leg(bank.pk, 10)])
    )
    assert len({r.id for r in results if isinstance(r, PostedTransaction)}) == 1
    assert sorted(r.already for r in results if isinstance(r, PostedTransaction)) == [False] + [True] * 49
    assert balance(wallet).posted == 990


def test_transfers_in_all_directions_keep_the_sum_and_break_no_invariant(committed_business: Business) -> None:
    accounts = [funded(committed_business, f"w{n}", 1_000) for n in range(6)]
    seed = int.from_bytes(os.urandom(4), "big")

    def shuffle(n: int) -> list[str]:
        dice = random.Random(seed + n)
        codes = []
        for turn in range(25):
            chosen = dice.sample(accounts, 3)
            amounts = [dice.randint(1, 300), dice.randint(1, 300)]
            legs = [Leg(chosen[0].pk, -sum(amounts)), Leg(chosen[1].pk, amounts[0]), Leg(chosen[2].pk, amounts[1])]
            dice.shuffle(legs)
            try:
                post(committed_business, f"s{n}-{turn}", "TRANSFER", legs)
                codes.append("")
            except ServiceError as error:
                codes.append(error.code)
        return codes

    results = at_once(8, shuffle)
    assert {code for codes in results for code in codes} <= {"", "insufficient_funds"}, (seed, results)
    assert sum(balance(account).posted for account in accounts) == 6_000, seed
    assert breaches(sealed=False) == [], seed


@pytest.mark.parametrize("moment", ["before the commit", "after the commit"])
def test_a_connection_killed_around_the_commit_and_the_retry_post_once(
    committed_business: Business, moment: str
) -> None:
    wallet, bank = funded(committed_business, "w", 1_000), system_account(committed_business, "BANK_FLOAT", "KES")
    legs = [Leg(wallet.pk, -100), Leg(bank.pk, 100)]
    ref = f"killed {moment}"

    def kill() -> None:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_backend_pid()")
            pid = cursor.fetchone()[0]
        with psycopg.connect(os.environ["SERVICE_DATABASE_URL"], autocommit=True) as other:
            other.execute("SELECT pg_terminate_backend(%s, 5000)", [pid])

    if moment == "before the commit":
        with pytest.raises(Exception, match=r"terminat|closed|lost"), transaction.atomic():  # noqa: PT012
            post(committed_business, ref, "TRANSFER", legs)
            kill()
    else:
        post(committed_business, ref, "TRANSFER", legs)
        kill()
    connection.close()
    assert post(committed_business, ref, "TRANSFER", legs).already is (moment == "after the commit")
    assert balance(wallet).posted == 900
    assert LedgerTransaction.objects.filter(business=committed_business, external_ref=ref).count() == 1
    assert LedgerEntry.objects.filter(transaction__external_ref=ref, account=wallet).count() == 1
