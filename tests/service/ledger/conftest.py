"""What ledger tests stand on: a business of their own, funded accounts, work done in parallel, the owner's hands."""

import os
import threading
from collections.abc import Callable, Iterator

import psycopg
import pytest
from django.db import connection

from service.businesses.models import Business
from service.ledger.chart import open_account, system_account
from service.ledger.models import LedgerAccount
from service.ledger.post import Leg, post


def fresh_business() -> Business:
    """A business that nobody else knows."""
    return Business.objects.create(name="Ledger test", country="KE")


def funded(business: Business, name: str, amount: int, currency: str = "KES") -> LedgerAccount:
    """A wallet with money that came in through the bank."""
    account = open_account(business, "WALLET", currency, "test", name)
    if amount:
        bank = system_account(business, "BANK_FLOAT", currency)
        post(business, f"fund-{name}-{currency}", "TOPUP", [Leg(bank.pk, -amount), Leg(account.pk, amount)])
    return account


def at_once(count: int, work: Callable[[int], object]) -> list[object]:
    """`work(n)` in so many threads, started together; answers results, or the exception in its place."""
    gate = threading.Barrier(count)
    results: list[object] = [None] * count

    def run(place: int) -> None:
        gate.wait(30)
        try:
            results[place] = work(place)
        except Exception as error:
            results[place] = error
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(n,)) for n in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    return results


@pytest.fixture
def business(db: None) -> Business:
    """A business, rolled back at the end."""
    return fresh_business()


@pytest.fixture
def committed_business(committed: None) -> Business:
    """A business that is really there."""
    return fresh_business()


@pytest.fixture
def owner() -> Iterator["psycopg.Connection[tuple[object, ...]]"]:
    """A connection of the role that owns the tables."""
    with psycopg.connect(os.environ["SERVICE_DATABASE_OWNER_URL"], autocommit=True) as opened:
        yield opened
