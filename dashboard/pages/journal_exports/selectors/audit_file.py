"""The audit file of a period: all accounts of its trial balance, all entries of its general ledger."""

import csv
import io
from collections.abc import Iterator
from datetime import date, datetime
from decimal import Decimal, InvalidOperation

from django.utils import timezone

from dashboard import operations_extra
from dashboard.access.actor import Actor
from dashboard.client.reads import read_live
from dashboard.errors import BadAnswer
from dashboard.journal_exports.audit_file import AuditAccount, AuditPeriod, SafTEntry, audit_file
from dashboard.journal_exports.models import MappedType
from dashboard.journal_files.mappings import account_titles, mappings_of
from dashboard.pages.journal_exports.selectors.exports import exported_period, trial_balance_of

FILE_S = 60.0
COLUMNS = [
    "effective_on", "posted_at", "account_id", "account_kind", "account_name", "currency", "transaction_id", "ref",
    "type", "description", "debit", "credit",
]  # fmt: skip
# What the service puts a quote before, so that no spreadsheet runs it: XML runs nothing.
MARKED = ("'=", "'+", "'-", "'@")


def audit_file_of(actor: Actor, name: str) -> tuple[bytes, int]:
    """The file of a period, and how many entries it has. BadAnswer where entries and trial balance do not agree, which may
    be because something is posted just now; else the FinanceError tree."""
    period, report, mappings = exported_period(actor, name), trial_balance_of(actor, name), mappings_of(actor)
    titles = dict(account_titles(actor, report.accounts))
    accounts = [
        AuditAccount(
            row.account_id, row.kind, titles[str(row.account_id)], row.currency, row.opening_minor, row.debit_minor,
            row.credit_minor, row.closing_minor, mappings.target(MappedType.ACCOUNT, str(row.account_id)),
        )
        for row in report.accounts
    ]  # fmt: skip
    answer = read_live(
        actor, operations_extra.DOWNLOAD_GENERAL_LEDGER, path={"period": name}, deadline=FILE_S, as_bytes=True
    )  # fmt: skip
    entries = list(_entries(bytes(answer.data)))
    _compare(accounts, entries)
    about = AuditPeriod(actor.business.name, period.first, period.last, period.status, timezone.now())
    return audit_file(about, accounts, entries), len(entries)


def _entries(content: bytes) -> Iterator[SafTEntry]:
    try:
        rows = csv.reader(io.StringIO(content.decode(), newline=""), strict=True)
        if next(rows, None) != COLUMNS:
            raise BadAnswer("The finance service sent a general ledger with other columns.", code="columns")
        for day, posted, account, _, _, currency, posting, ref, kind, text, debit, credit in rows:
            yield SafTEntry(
                int(posting), date.fromisoformat(day), datetime.fromisoformat(posted), int(account), currency, kind,
                _text(ref), _text(text), _amount(debit), _amount(credit),
            )  # fmt: skip
    except (ValueError, InvalidOperation, csv.Error):
        raise BadAnswer("The finance service sent a general ledger that cannot be read.", code="unreadable") from None


def _text(cell: str) -> str:
    return cell[1:] if cell.startswith(MARKED) else cell


def _amount(cell: str) -> Decimal | None:
    return Decimal(cell) if cell else None


def _compare(accounts: list[AuditAccount], entries: list[SafTEntry]) -> None:
    moved: dict[int, list[Decimal]] = {}
    for entry in entries:
        sides = moved.setdefault(entry.account_id, [Decimal(0), Decimal(0)])
        sides[0] += entry.debit or 0
        sides[1] += entry.credit or 0
    for account in accounts:
        debit, credit = moved.pop(account.account_id, [Decimal(0), Decimal(0)])
        if debit != account.debit or credit != account.credit:
            raise BadAnswer("Something was posted while the file was written: try again.", code="moved")
    if moved:
        raise BadAnswer("Something was posted while the file was written: try again.", code="moved")
