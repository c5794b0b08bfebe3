"""The books of a period as files, written by the engine of exports: trial balance, general ledger, and the audit file, which is all
accounts of the one and all entries of the other, as XML."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice

from django.utils import timezone

from dashboard import operations_accounting
from dashboard.access.actor import Actor
from dashboard.errors import BadAnswer, Rejected
from dashboard.journal_exports.audit_file import (
    AuditAccount,
    AuditMasterFiles,
    AuditPeriod,
    AuditSupplier,
    AuditTotals,
    write_audit_file,
)
from dashboard.journal_exports.ledger import NO_ENTRIES, DebitAndCredit, LedgerSums, PeriodEntry, ledger_sums
from dashboard.journal_exports.models import MappedType
from dashboard.journal_files.general_ledger import (
    BY_ACCOUNT,
    BY_POSTING,
    DOWNLOAD_S,
    coded_entries,
    download_ledger,
    ledger_entries,
)
from dashboard.journal_files.mappings import account_titles, mappings_of
from dashboard.lists import files
from dashboard.lists.reports import ReportJob, ReportKind, WrittenReport, register_report
from dashboard.mirror.scopes import visible_vendors
from dashboard.pages.accounting.presenters.books import (
    LEDGER_HEADINGS,
    TRIAL_HEADINGS,
    ledger_summary,
    trial_file,
)
from dashboard.pages.accounting.selectors.books import analyses_of, tax_rates_of, trial_balance_of
from dashboard.pages.accounting.selectors.periods import period_of

BATCH = 5_000
# Nobody looks at a page meanwhile.
SUMS_S = 60.0
MOVED = "Something was posted while the file was written."


def write_trial_balance(actor: Actor, job: ReportJob) -> WrittenReport:
    """Every account with what it had before the period, what moved, and what it has after it."""
    rows, summary = trial_file(actor, trial_balance_of(actor, job.period, job.seconds(SUMS_S)))
    job.progress.begin(len(rows))
    files.write(job.form, job.path, TRIAL_HEADINGS, [rows], summary, job.progress.on_rows)
    return WrittenReport(len(rows), "; ".join(f"{title}: {text}" for title, text in summary))


def write_general_ledger(actor: Actor, job: ReportJob) -> WrittenReport:
    """Every entry of every account in the period; none of them stays in memory. Rejected where a sheet does not hold them."""
    saved = job.path.with_name("ledger.csv")
    download_ledger(actor, job.period, BY_ACCOUNT, saved, job.progress.on_bytes, job.seconds(DOWNLOAD_S))
    sums = ledger_sums(ledger_entries(saved), job.progress.go_on)
    if job.form == "xlsx" and sums.entry_count > files.MOST_XLSX_ROWS:
        raise Rejected(f"{sums.entry_count:,} rows are too many for one sheet: export CSV.", code="too_many")
    job.progress.begin(sums.entry_count)
    summary = ledger_summary(sums)
    batches = _batches(ledger_entries(saved))
    files.write(job.form, job.path, LEDGER_HEADINGS, batches, summary, job.progress.on_rows)
    return WrittenReport(sums.entry_count, _totals(sums))


def write_audit_report(actor: Actor, job: ReportJob) -> WrittenReport:
    """Everything of the period, exported or not; no more of it than a posting is in memory. BadAnswer where entries and trial
    balance do not agree, which may be because something is posted just now; else the FinanceError tree."""
    period, report = period_of(actor, job.period), trial_balance_of(actor, job.period, job.seconds(SUMS_S))
    mappings, titles = mappings_of(actor), dict(account_titles(actor, report.accounts))
    accounts = [
        AuditAccount(
            row.account_id, row.kind, titles[str(row.account_id)], row.currency, row.opening_minor, row.debit_minor,
            row.credit_minor, row.closing_minor, mappings.target(MappedType.ACCOUNT, str(row.account_id)),
        )
        for row in report.accounts
    ]  # fmt: skip
    saved = job.path.with_name("ledger.csv")
    # The trial balance may have taken a minute, and the first piece of the ledger may take another: each has a lease of its own.
    job.progress.go_on()
    limit = job.seconds(DOWNLOAD_S)
    download_ledger(actor, job.period, BY_POSTING, saved, job.progress.on_bytes, limit, with_codes=True)
    sums = ledger_sums(ledger_entries(saved), job.progress.go_on)
    _compare(accounts, sums.by_account)
    job.progress.begin(sums.entry_count)
    about = AuditPeriod(actor.business.name, period.first, period.last, period.status, timezone.now())
    totals = AuditTotals(sums.entry_count, {currency: (s.debit, s.credit) for currency, s in sums.by_currency.items()})
    master = AuditMasterFiles(accounts, _suppliers(actor), tax_rates_of(actor), analyses_of(actor))
    write_audit_file(job.path, about, master, totals, coded_entries(saved), job.progress.on_rows)
    return WrittenReport(sums.entry_count, _totals(sums))


def _suppliers(actor: Actor) -> Iterator[AuditSupplier]:
    """All vendors of the copy, by name; not in memory at once."""
    rows = visible_vendors(actor).order_by("sort_name", "pk").values_list("remote_id", "name", "tax_pin", "country")
    return (AuditSupplier(*row) for row in rows.iterator(chunk_size=BATCH))


def _totals(ledger_sums: LedgerSums) -> str:
    """ "KES 1,200.00 on each side", or both where they differ, of each currency."""
    return "; ".join(
        f"{currency} {sides.debit:,} on each side"
        if sides.debit == sides.credit
        else f"{currency} debit {sides.debit:,}, credit {sides.credit:,}"
        for currency, sides in sorted(ledger_sums.by_currency.items())
    )


def _batches(entries: Iterable[PeriodEntry]) -> Iterator[list[PeriodEntry]]:
    rows = iter(entries)
    while batch := list(islice(rows, BATCH)):
        yield batch


def _compare(accounts: Sequence[AuditAccount], moved: Mapping[int, DebitAndCredit]) -> None:
    listed = {account.account_id: DebitAndCredit(account.debit, account.credit) for account in accounts}
    if any(listed.get(key, NO_ENTRIES) != moved.get(key, NO_ENTRIES) for key in listed.keys() | moved.keys()):
        raise BadAnswer(MOVED, code="moved")


TRIAL_BALANCE = register_report(
    ReportKind(
        "trial_balance", "Trial balance", ("account", "accounts"), operations_accounting.READ_TRIAL_BALANCE, ("csv", "xlsx"),
        "accounting_trial_balance", write_trial_balance,
    )
)  # fmt: skip
GENERAL_LEDGER = register_report(
    ReportKind(
        "general_ledger", "General ledger", ("entry", "entries"), operations_accounting.DOWNLOAD_GENERAL_LEDGER, ("csv", "xlsx"),
        "accounting_ledger", write_general_ledger,
    )
)  # fmt: skip
AUDIT_FILE = register_report(
    ReportKind(
        "audit_file", "Audit file", ("entry", "entries"), operations_accounting.DOWNLOAD_GENERAL_LEDGER, ("xml",),
        "accounting_period", write_audit_report,
    )
)  # fmt: skip
