"""wallet.balance_changed under real commits: what commits late is told late, and not lost."""

import threading

from django.db import connections, transaction

from service.accounts.balance_events import record_balance_changes
from service.events.relay import relay
from service.ledger.post import post
from tests.service.accounts.test_balance_events import balance_events, legs, new_second
from tests.service.house import House


def test_a_posting_that_commits_late_is_told_late_and_not_lost(committed: None) -> None:
    living = House()
    new_second()
    record_balance_changes()
    posted, may_commit = threading.Event(), threading.Event()

    def slow() -> None:
        with transaction.atomic():
            post(living.business, "slow", "TOPUP", legs(living, 100))
            posted.set()
            may_commit.wait(30)
        connections.close_all()

    thread = threading.Thread(target=slow)
    thread.start()
    posted.wait(30)
    new_second()
    relay()
    assert balance_events(living) == []
    may_commit.set()
    thread.join(30)
    new_second()
    relay()
    assert len(balance_events(living)) == 1
