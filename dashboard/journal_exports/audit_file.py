"""The audit file of a period: every account with its balances and every entry of the ledger, as XML in the manner of the
OECD's SAF-T. What its elements are is written in docs/journal-export.md."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from itertools import groupby
from xml.etree import ElementTree as ET

from dashboard.journal_exports.formats.file import amount_text
from dashboard.journal_exports.journal import MappedCode
from dashboard.money import Money

NAMESPACE = "urn:countersign:audit-file:1"
# What XML cannot hold at all.
SPACES = frozenset("\t\n\r")


@dataclass(frozen=True, slots=True)
class AuditAccount:
    """An account in the period, in minor units; `target` is what the accountant calls it."""

    account_id: int
    kind: str
    name: str
    currency: str
    opening_minor: int
    debit_minor: int
    credit_minor: int
    closing_minor: int
    target: MappedCode | None

    @property
    def debit(self) -> Decimal:
        """What its debits of the period come to, in the currency's units."""
        return Money(self.debit_minor, self.currency).amount

    @property
    def credit(self) -> Decimal:
        """What its credits of the period come to."""
        return Money(self.credit_minor, self.currency).amount


@dataclass(frozen=True, slots=True)
class SafTEntry:
    """An entry of the ledger; either a debit or a credit."""

    posting_id: int
    effective_on: date
    posted_at: datetime
    account_id: int
    currency: str
    kind: str
    ref: str
    description: str
    debit: Decimal | None
    credit: Decimal | None


@dataclass(frozen=True, slots=True)
class AuditPeriod:
    """Of which business, which days, and when it was written."""

    company: str
    first: date
    last: date
    status: str
    created_at: datetime


def audit_file(period: AuditPeriod, accounts: Sequence[AuditAccount], entries: Sequence[SafTEntry]) -> bytes:
    """The whole file: header, accounts, entries by posting in the order of their days."""
    root = ET.Element("AuditFile", xmlns=NAMESPACE)
    header = ET.SubElement(root, "Header")
    for name, text in (
        ("AuditFileVersion", "1.0"), ("AuditFileDateCreated", period.created_at.isoformat(timespec="seconds")),
        ("SoftwareID", "Countersign"), ("CompanyName", period.company), ("SelectionStartDate", period.first.isoformat()),
        ("SelectionEndDate", period.last.isoformat()), ("PeriodStatus", period.status),
    ):  # fmt: skip
        _text(header, name, text)
    listed = ET.SubElement(ET.SubElement(root, "MasterFiles"), "GeneralLedgerAccounts")
    for account in accounts:
        _account(listed, account)
    _entries(ET.SubElement(root, "GeneralLedgerEntries"), entries)
    ET.indent(root)
    content: bytes = ET.tostring(root, encoding="utf-8", xml_declaration=True)
    return content


def _account(parent: ET.Element, account: AuditAccount) -> None:
    element = ET.SubElement(parent, "Account")
    _text(element, "AccountID", str(account.account_id))
    _text(element, "AccountDescription", account.name)
    _text(element, "AccountType", account.kind)
    if account.target:
        _text(element, "StandardAccountID", account.target.code)
        if account.target.name:
            _text(element, "StandardAccountDescription", account.target.name)
    _text(element, "CurrencyCode", account.currency)
    for name, minor in (("Opening", account.opening_minor), ("Closing", account.closing_minor)):
        side, amount = "Debit" if minor < 0 else "Credit", Money(abs(minor), account.currency).amount
        _text(element, f"{name}{side}Balance", amount_text(amount))
    _text(element, "PeriodDebit", amount_text(account.debit))
    _text(element, "PeriodCredit", amount_text(account.credit))


def _entries(parent: ET.Element, entries: Sequence[SafTEntry]) -> None:
    _text(parent, "NumberOfEntries", str(len(entries)))
    for currency in sorted({entry.currency for entry in entries}):
        own = [entry for entry in entries if entry.currency == currency]
        total = ET.SubElement(parent, "Total", currency=currency)
        _text(total, "TotalDebit", amount_text(sum((entry.debit for entry in own if entry.debit), Decimal(0))))
        _text(total, "TotalCredit", amount_text(sum((entry.credit for entry in own if entry.credit), Decimal(0))))
    journal = ET.SubElement(parent, "Journal")
    _text(journal, "JournalID", "GL")
    ordered = sorted(entries, key=lambda entry: (entry.effective_on, entry.posting_id, entry.account_id))
    for posting_id, group in groupby(ordered, lambda entry: entry.posting_id):
        _posting(ET.SubElement(journal, "Transaction"), posting_id, list(group))


def _posting(element: ET.Element, posting_id: int, entries: Sequence[SafTEntry]) -> None:
    first = entries[0]
    _text(element, "TransactionID", str(posting_id))
    _text(element, "TransactionDate", first.effective_on.isoformat())
    _text(element, "SystemEntryDate", first.posted_at.isoformat(timespec="seconds"))
    _text(element, "TransactionType", first.kind)
    _text(element, "SourceDocumentID", first.ref)
    for number, entry in enumerate(entries, start=1):
        line = ET.SubElement(element, "Line")
        _text(line, "RecordID", str(number))
        _text(line, "AccountID", str(entry.account_id))
        _text(line, "Description", entry.description)
        _text(line, "CurrencyCode", entry.currency)
        side = "DebitAmount" if entry.debit is not None else "CreditAmount"
        _text(line, side, amount_text(entry.debit if entry.debit is not None else entry.credit))


def _text(parent: ET.Element, name: str, text: str) -> None:
    # XML 1.0 has no control characters: a space stands where one was.
    ET.SubElement(parent, name).text = (
        "".join(letter if letter >= " " or letter in SPACES else " " for letter in text)
        .replace("\ufffe", " ")
        .replace("\uffff", " ")
    )
