"""The trial balance of a month, as a ratio to one aggregate in SQL over the same entries.

1,000,000 entries over ninety days on two accounts (`--entries` says how many), added up by days, as the worker does every five
minutes; once more before the worker came by, for which there is no goal. Ours is all that the page's answer costs: each
account with what it opened with, moved and closed with, and the totals; the reference adds up the entries until the month's end
by account, and nothing else.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
from datetime import timedelta

import psycopg
from measure import house, in_turn, report, seconds

DAYS, LEGS, ROUNDS, SEED = 90, 200, 5, 7
GOAL = 1.2
AGGREGATE = """
select entry.account_id, sum(entry.amount)
from ledger_entry entry join ledger_transaction posted on posted.id = entry.transaction_id
where posted.business_id = %s and posted.effective_on <= %s
group by entry.account_id
"""


class Books:
    """A business with so many entries, the last of them in the month before this one."""

    def __init__(self, entries: int) -> None:
        from service.accounting.periods import month
        from service.accounts.wallets import wallet_by_ref
        from service.auth import system_caller
        from service.ledger.chart import system_account
        from service.ledger.post import Leg, post, today
        from service.sandbox.businesses import BusinessSpec, open_business

        self.business = open_business(BusinessSpec(name="Books")).business
        self.caller, owner = system_caller(self.business), wallet_by_ref(self.business, "1")
        last = today(self.business).replace(day=1) - timedelta(days=1)
        self.month = month(f"{last:%Y-%m}")
        bank, chance = system_account(self.business, "BANK_FLOAT", owner.currency), random.Random(SEED)
        for number in range(entries // LEGS):
            amounts = [chance.randrange(100, 500_000) for _ in range(LEGS - 1)]
            legs = [*(Leg(owner.ledger_account_id, amount) for amount in amounts), Leg(bank.pk, -sum(amounts))]
            day = last - timedelta(days=DAYS - 1 - number * DAYS // (entries // LEGS))
            post(self.business, f"bench:P{number:06}", "TOPUP", legs, "Paid in", day)

    def aggregate(self) -> dict[int, int]:
        """What each account's entries come to until the month's end."""
        from django.db import connection

        with connection.cursor() as cursor:
            cursor.execute(AGGREGATE, [self.business.id, self.month.last])
            return {account: int(total) for account, total in cursor.fetchall()}

    def trial_balance(self) -> dict[int, int]:
        """The same from the trial balance."""
        from service.accounting.books import trial_balance

        accounts = trial_balance(self.caller, self.month)["accounts"]
        return {row["account_id"]: row["closing_minor"] for row in accounts}


def main() -> int:
    """Prints the ratio; the exit code says whether the goal is met."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--entries", type=int, default=1_000_000)
    options = parser.parse_args()
    with house("service", durable=False) as made:
        os.environ.update(
            made.program_env("service")
            | {
                "DJANGO_SETTINGS_MODULE": "config.settings.service",
                "LOG_LEVEL": "ERROR",
                # A machine that is busy with other work is slow on both sides.
                "DATABASE_STATEMENT_S": "600",
                "DATABASE_IDLE_S": "600",
            }
        )
        import django

        django.setup()
        from service.accounting import day_sums

        books = Books(options.entries)
        assert made.postgres is not None
        with psycopg.connect(made.postgres.url("service_owner", "service"), autocommit=True) as owner:
            owner.execute("vacuum analyze ledger_entry, ledger_transaction, ledger_account")
        assert books.trial_balance() == books.aggregate()
        ours, reference = seconds(books.trial_balance), seconds(books.aggregate)
        print(f"not added up by days yet: trial balance / one aggregate {in_turn(ours, reference, 1):.2f}")
        day_sums.add_up()
        assert books.trial_balance() == books.aggregate()
        print(f"{options.entries:,} entries, seconds: trial balance {ours():.2f}, aggregate {reference():.2f}")
        good = report("trial balance / one aggregate", in_turn(ours, reference, ROUNDS), GOAL, at_most=True)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
