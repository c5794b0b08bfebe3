"""The audit file of a period: every account with its balances and every entry of the ledger, as XML in the manner of the
OECD's SAF-T. What its elements are is written in docs/journal-export.md."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from itertools import groupby
from pathlib import Path
from typing import TextIO
from xml.etree import ElementTree as ET

from dashboard.journal_exports.formats.file import amount_text
from dashboard.journal_exports.journal import MappedCode
from dashboard.journal_exports.ledger import PeriodEntry
from dashboard.money import Money

NAMESPACE = "urn:countersign:audit-file:1"
# What XML cannot hold at all.
SPACES = frozenset("\t\n\r")
REPORTED_AFTER = 5_000


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
class AuditPeriod:
    """Of which business, which days, and when it was written."""

    company: str
    first: date
    last: date
    status: str
    created_at: datetime


@dataclass(frozen=True, slots=True)
class AuditSupplier:
    """A vendor; its tax number and country are "" where they are not known."""

    vendor_id: str
    name: str
    tax_number: str
    country: str


@dataclass(frozen=True, slots=True)
class AuditTaxRate:
    """A withholding tax between two days, both inclusive (None: without such an end); its rates are basis points."""

    code: str
    name: str
    currency: str
    resident_bps: int
    non_resident_bps: int
    first: date | None
    last: date | None


@dataclass(frozen=True, slots=True)
class AuditMasterFiles:
    """What the entries of a period are of: the accounts, the vendors, and the withholding taxes with their dated rates."""

    accounts: Iterable[AuditAccount]
    suppliers: Iterable[AuditSupplier]
    taxes: Iterable[AuditTaxRate]


@dataclass(frozen=True, slots=True)
class AuditTotals:
    """How many entries there are, and debit and credit of each currency, in its units."""

    count: int
    by_currency: Mapping[str, tuple[Decimal, Decimal]]


def write_audit_file(
    path: Path, audit_period: AuditPeriod, master: AuditMasterFiles, totals: AuditTotals, entries: Iterable[PeriodEntry],
    on_entries: Callable[[int], None],
) -> None:  # fmt: skip
    """Writes the whole file: header, accounts, vendors and taxes, and entries by posting, which come in this order: no more of them than those of
    a posting is in memory. `on_entries` hears now and then how many are written."""
    with path.open("w", encoding="utf-8") as file:
        file.write(f"<?xml version='1.0' encoding='utf-8'?>\n<AuditFile xmlns=\"{NAMESPACE}\">\n")
        _write(file, _header(audit_period), 1)
        file.write("  <MasterFiles>\n    <GeneralLedgerAccounts>\n")
        for account in master.accounts:
            _write(file, _account(account), 3)
        file.write("    </GeneralLedgerAccounts>\n    <Suppliers>\n")
        for supplier in master.suppliers:
            _write(file, _supplier(supplier), 3)
        file.write("    </Suppliers>\n    <TaxTable>\n")
        for rate in master.taxes:
            _write(file, _tax_rate(rate), 3)
        file.write("    </TaxTable>\n  </MasterFiles>\n  <GeneralLedgerEntries>\n")
        for element in _totals(totals):
            _write(file, element, 2)
        file.write("    <Journal>\n      <JournalID>GL</JournalID>\n")
        count = 0
        for posting_id, group in groupby(entries, lambda entry: entry.posting_id):
            posted = list(group)
            _write(file, _posting(posting_id, posted), 3)
            if count // REPORTED_AFTER != (count + len(posted)) // REPORTED_AFTER:
                on_entries(count + len(posted))
            count += len(posted)
        file.write("    </Journal>\n  </GeneralLedgerEntries>\n</AuditFile>\n")


def _write(file: TextIO, element: ET.Element, level: int) -> None:
    ET.indent(element, level=level)
    file.write(f"{'  ' * level}{ET.tostring(element, encoding='unicode')}\n")


def _header(audit_period: AuditPeriod) -> ET.Element:
    header = ET.Element("Header")
    for name, text in (
        ("AuditFileVersion", "1.0"), ("AuditFileDateCreated", audit_period.created_at.isoformat(timespec="seconds")),
        ("SoftwareID", "Countersign"), ("CompanyName", audit_period.company), ("SelectionStartDate", audit_period.first.isoformat()),
        ("SelectionEndDate", audit_period.last.isoformat()), ("PeriodStatus", audit_period.status),
    ):  # fmt: skip
        _text(header, name, text)
    return header


def _account(audit_account: AuditAccount) -> ET.Element:
    element = ET.Element("Account")
    _text(element, "AccountID", str(audit_account.account_id))
    _text(element, "AccountDescription", audit_account.name)
    _text(element, "AccountType", audit_account.kind)
    if audit_account.target:
        _text(element, "StandardAccountID", audit_account.target.code)
        if audit_account.target.name:
            _text(element, "StandardAccountDescription", audit_account.target.name)
    _text(element, "CurrencyCode", audit_account.currency)
    for name, minor in (("Opening", audit_account.opening_minor), ("Closing", audit_account.closing_minor)):
        side, amount = "Debit" if minor < 0 else "Credit", Money(abs(minor), audit_account.currency).amount
        _text(element, f"{name}{side}Balance", amount_text(amount))
    _text(element, "PeriodDebit", amount_text(audit_account.debit))
    _text(element, "PeriodCredit", amount_text(audit_account.credit))
    return element


def _supplier(supplier: AuditSupplier) -> ET.Element:
    element = ET.Element("Supplier")
    _text(element, "SupplierID", supplier.vendor_id)
    _text(element, "CompanyName", supplier.name)
    for name, text in (("TaxRegistrationNumber", supplier.tax_number), ("Country", supplier.country)):
        if text:
            _text(element, name, text)
    return element


def _tax_rate(rate: AuditTaxRate) -> ET.Element:
    element = ET.Element("TaxTableEntry")
    _text(element, "TaxCode", rate.code)
    _text(element, "Description", rate.name)
    _text(element, "CurrencyCode", rate.currency)
    for name, bps in (("TaxPercentage", rate.resident_bps), ("NonResidentTaxPercentage", rate.non_resident_bps)):
        _text(element, name, f"{Decimal(bps) / 100:f}")
    for name, day in (("EffectiveDate", rate.first), ("ExpirationDate", rate.last)):
        if day is not None:
            _text(element, name, day.isoformat())
    return element


def _totals(totals: AuditTotals) -> Iterator[ET.Element]:
    number = ET.Element("NumberOfEntries")
    number.text = str(totals.count)
    yield number
    for currency, (debit, credit) in sorted(totals.by_currency.items()):
        total = ET.Element("Total", currency=currency)
        _text(total, "TotalDebit", amount_text(debit))
        _text(total, "TotalCredit", amount_text(credit))
        yield total


def _posting(posting_id: int, entries: Sequence[PeriodEntry]) -> ET.Element:
    element, first = ET.Element("Transaction"), entries[0]
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
    return element


def _text(parent: ET.Element, name: str, text: str) -> None:
    # XML 1.0 has no control characters: a space stands where one was.
    ET.SubElement(parent, name).text = (
        "".join(letter if letter >= " " or letter in SPACES else " " for letter in text)
        .replace("\ufffe", " ")
        .replace("\uffff", " ")
    )
