"""Matching the lines of a bank against the entries of a wallet, as a ratio to reading both of them.

10,000 unmatched lines and 100,000 entries over ninety days: nine lines of ten are an entry's amount up to two days later, every
tenth of them with its reference, the rest are nothing that the books know. Ours is all that the desk does for its suggestions:
both sides read, and what belongs together found; and all that is certain accepted, written down and taken back. `--lines` and
`--entries` say how many.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
from datetime import date, timedelta
from hashlib import sha256

from measure import house, in_turn, report, seconds

DAYS, LEGS, ROUNDS, SEED = 90, 100, 3, 7


class Books:
    """A business with so many entries in its first wallet, and so many lines of its bank."""

    def __init__(self, lines: int, entries: int) -> None:
        from service.accounts.wallets import wallet_by_ref
        from service.auth import system_caller
        from service.ledger.post import today
        from service.sandbox.businesses import BusinessSpec, open_business

        self.business = open_business(BusinessSpec(name="Bank")).business
        self.owner, self.caller = wallet_by_ref(self.business, "1"), system_caller(self.business)
        self.first = today(self.business) - timedelta(days=DAYS)
        self.chance = random.Random(SEED)
        self.line_count, self.entry_count = lines, entries
        self._bring(self._post())

    def _post(self) -> list[tuple[date, int, str]]:
        """What was posted: day, minor units and reference of each entry."""
        from service.ledger.chart import system_account
        from service.ledger.post import Leg, post

        bank, posted = system_account(self.business, "BANK_FLOAT", self.owner.currency), []
        for number in range(self.entry_count // LEGS):
            day, ref = self.first + timedelta(days=number % DAYS), f"bench:P{number:06}"
            amounts = [self.chance.randrange(100, 500_000) for _ in range(LEGS)]
            legs = [Leg(self.owner.ledger_account_id, amount) for amount in amounts]
            post(self.business, ref, "TOPUP", [*legs, Leg(bank.pk, -sum(amounts))], "Paid in", day)
            posted += [(day, amount, ref.split(":")[-1]) for amount in amounts]
        return posted

    def _bring(self, posted: list[tuple[date, int, str]]) -> None:
        """Imports the lines as one statement each 5,000."""
        from service.accounting.models import SourceFormat
        from service.accounting.statement_file import StatementFileLine
        from service.accounting.statement_imports import StatementFile, import_lines

        lines = []
        for number, (day, amount, ref) in enumerate(self.chance.sample(posted, self.line_count), start=1):
            known = number % 10 != 0
            later = min(day + timedelta(days=self.chance.randrange(3)), self.first + timedelta(days=DAYS - 1))
            lines.append(
                StatementFileLine(
                    number, later if known else day, amount if known else amount + 1_000_000,
                    f"Payment {number}", ref if number % 10 == 1 else "", f"B{number}",
                )
            )  # fmt: skip
        file = StatementFile(
            "bank.xml", sha256(b"bench").hexdigest(), SourceFormat.CAMT053, self.owner.currency, "KE1", self.first,
            self.first + timedelta(days=DAYS - 1), 0, sum(line.amount_minor for line in lines),
        )  # fmt: skip
        _, rows, _ = import_lines(self.caller, self.owner, file, lines)
        assert len(rows) == self.line_count, len(rows)

    def read(self) -> int:
        """Both sides as the desk reads them, and nothing done with them."""
        from service.accounting.models import LineStatus, StatementLine
        from service.accounting.reconciliation import unmatched_entries

        lines = StatementLine.objects.filter(wallet=self.owner, status=LineStatus.UNMATCHED).order_by("day", "id")
        entries = unmatched_entries(self.owner, self.first - timedelta(days=5), None)
        count = len(list(lines)) + len(list(entries))
        assert count >= self.line_count + self.entry_count, count
        return count

    def match(self) -> int:
        """How many suggestions there are, in all windows of days one after the other."""
        from service.accounting.suggestion_windows import window_of
        from service.accounting.suggestions import suggestions

        count, window = 0, window_of(self.caller, self.owner, None)
        while window is not None:
            count += len(suggestions(self.caller, self.owner, 0, window.first, window.last)[0])
            window = window_of(self.caller, self.owner, window.following) if window.following else None
        return count

    def desk(self) -> int:
        """How many suggestions the desk has at once: those of its first window."""
        from service.accounting.suggestion_windows import window_of
        from service.accounting.suggestions import suggestions

        window = window_of(self.caller, self.owner, None)
        assert window is not None
        return len(suggestions(self.caller, self.owner, 0, window.first, window.last)[0])

    def certain(self) -> int:
        """How many matches are certain, which the desk asks for apart."""
        from service.accounting.suggestions import certain_suggestions

        return len(certain_suggestions(self.caller, self.owner))

    def accept(self) -> int:
        """How many matches were made; they are taken back."""
        from django.db import transaction

        from service.accounting.suggestions import accept_certain

        with transaction.atomic():
            count = len(accept_certain(self.caller, self.owner))
            transaction.set_rollback(True)
        return count


def main() -> int:
    """Prints the ratios; the exit code says whether the goals are met."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lines", type=int, default=10_000)
    parser.add_argument("--entries", type=int, default=100_000)
    options = parser.parse_args()
    with house("service", durable=False) as made:
        os.environ.update(
            made.program_env("service")
            | {
                "DJANGO_SETTINGS_MODULE": "config.settings.service",
                "LOG_LEVEL": "ERROR",
                # A machine that is busy with other work is slow on both sides.
                "DATABASE_STATEMENT_S": "120",
                "DATABASE_IDLE_S": "600",
            }
        )
        import django

        django.setup()
        books = Books(options.lines, options.entries)
        found, certain = books.match(), books.accept()
        print(f"{options.lines:,} lines, {options.entries:,} entries: {found:,} suggested, {certain:,} certain")
        read, match, accept = seconds(books.read), seconds(books.match), seconds(books.accept)
        print(f"seconds: read {read():.2f}, matched {match():.2f}, accepted {accept():.2f}")
        desk, count = seconds(books.desk), seconds(books.certain)
        print(f"seconds: the desk's first window {desk():.2f}, what is certain counted {count():.2f}")
        good = report("lines and entries matched / read", in_turn(match, read, ROUNDS), 10, at_most=True)
        good &= report("the desk's first window / read", in_turn(desk, read, ROUNDS), 1, at_most=True)
        good &= report("certain ones accepted / read", in_turn(accept, read, ROUNDS), 10, at_most=True)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
