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
from dashboard.journal_exports.ledger import EntryCodes, PeriodEntry
from dashboard.journal_exports.mapped_lines import MappedCode
from dashboard.money import Money

NAMESPACE = "urn:countersign:audit-file:1"
# What a line may be of.
CATEGORY, TEAM = "CATEGORY", "TEAM"
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

    tax_id: str
    code: str
    name: str
    currency: str
    resident_bps: int
    non_resident_bps: int
    first: date | None
    last: date | None


@dataclass(frozen=True, slots=True)
class AuditAnalysis:
    """A category or a team, of which a line may be: `kind` is CATEGORY or TEAM."""

    kind: str
    analysis_id: str
    name: str


@dataclass(frozen=True, slots=True)
class AuditMasterFiles:
    """What the entries of a period are of: the accounts, the vendors, the withholding taxes with their dated rates, and the
    categories and teams."""

    accounts: Iterable[AuditAccount]
    suppliers: Iterable[AuditSupplier]
    taxes: Sequence[AuditTaxRate]
    analyses: Iterable[AuditAnalysis]


@dataclass(frozen=True, slots=True)
class AuditTotals:
    """How many entries there are, and debit and credit of each currency, in its units."""

    count: int
    by_currency: Mapping[str, tuple[Decimal, Decimal]]


def write_audit_file(
    path: Path, audit_period: AuditPeriod, master: AuditMasterFiles, totals: AuditTotals,
    entries: Iterable[tuple[PeriodEntry, EntryCodes]],
    on_entries: Callable[[int], None],
) -> None:  # fmt: skip
    """Writes the whole file: header, accounts, vendors, taxes, categories and teams, and entries by posting, which come in this
    order: no more of them than those of a posting is in memory. `on_entries` hears now and then how many are written."""
    tax_codes = {rate.tax_id: rate.code for rate in master.taxes}
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
        file.write("    </TaxTable>\n    <AnalysisTypeTable>\n")
        for analysis in master.analyses:
            _write(file, _analysis_type(analysis), 3)
        file.write("    </AnalysisTypeTable>\n  </MasterFiles>\n  <GeneralLedgerEntries>\n")
        for element in _totals(totals):
            _write(file, element, 2)
        file.write("    <Journal>\n      <JournalID>GL</JournalID>\n")
        count = 0
        for posting_id, group in groupby(entries, lambda coded: coded[0].posting_id):
            posted = list(group)
            _write(file, _posting(posting_id, posted, tax_codes), 3)
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


def _tax_rate(tax_rate: AuditTaxRate) -> ET.Element:
    element = ET.Element("TaxTableEntry")
    _text(element, "TaxCode", tax_rate.code)
    _text(element, "Description", tax_rate.name)
    _text(element, "CurrencyCode", tax_rate.currency)
    for name, bps in (
        ("TaxPercentage", tax_rate.resident_bps),
        ("NonResidentTaxPercentage", tax_rate.non_resident_bps),
    ):
        _text(element, name, f"{Decimal(bps) / 100:f}")
    for name, day in (("EffectiveDate", tax_rate.first), ("ExpirationDate", tax_rate.last)):
        if day is not None:
            _text(element, name, day.isoformat())
    return element


def _analysis_type(analysis: AuditAnalysis) -> ET.Element:
    element = ET.Element("AnalysisTypeTableEntry")
    _text(element, "AnalysisType", analysis.kind)
    _text(element, "AnalysisID", analysis.analysis_id)
    _text(element, "AnalysisIDDescription", analysis.name)
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


def _posting(
    posting_id: int, entries: Sequence[tuple[PeriodEntry, EntryCodes]], tax_codes: Mapping[str, str]
) -> ET.Element:
    element, (first, _) = ET.Element("Transaction"), entries[0]
    _text(element, "TransactionID", str(posting_id))
    _text(element, "TransactionDate", first.effective_on.isoformat())
    _text(element, "SystemEntryDate", first.posted_at.isoformat(timespec="seconds"))
    _text(element, "TransactionType", first.kind)
    _text(element, "SourceDocumentID", first.ref)
    for number, (entry, codes) in enumerate(entries, start=1):
        line = ET.SubElement(element, "Line")
        _text(line, "RecordID", str(number))
        _text(line, "AccountID", str(entry.account_id))
        _text(line, "Description", entry.description)
        _text(line, "CurrencyCode", entry.currency)
        side = "DebitAmount" if entry.debit is not None else "CreditAmount"
        _text(line, side, amount_text(entry.amount))
        _add_codes(line, entry.amount, codes, tax_codes)
    return element


def _add_codes(line: ET.Element, whole: Decimal, codes: EntryCodes, tax_codes: Mapping[str, str]) -> None:
    """Its taxes, categories and teams; the amounts are on the side of the line."""
    for tax in codes.taxes:
        information = ET.SubElement(line, "TaxInformation")
        _text(information, "TaxCode", tax_codes.get(tax.tax_id, tax.tax_id))
        _text(information, "TaxAmount", amount_text(tax.amount))
    by_category = _sums((part.category_id, part.amount) for part in codes.parts)
    by_team = _sums((part.team_id, part.amount) for part in codes.parts)
    for kind, sums, own in ((CATEGORY, by_category, codes.category_id), (TEAM, by_team, codes.team_id)):
        for analysis_id, amount in (sums or _sums([(own, whole)])).items():
            analysis = ET.SubElement(line, "Analysis")
            _text(analysis, "AnalysisType", kind)
            _text(analysis, "AnalysisID", analysis_id)
            _text(analysis, "AnalysisAmount", amount_text(amount))


def _sums(amounts: Iterable[tuple[str, Decimal]]) -> dict[str, Decimal]:
    """What there is of each that is named, in the order in which they come."""
    sums: dict[str, Decimal] = {}
    for analysis_id, amount in amounts:
        if analysis_id:
            sums[analysis_id] = sums.get(analysis_id, Decimal(0)) + amount
    return sums


def _text(parent: ET.Element, name: str, text: str) -> None:
    # XML 1.0 has no control characters: a space stands where one was.
    ET.SubElement(parent, name).text = (
        "".join(letter if letter >= " " or letter in SPACES else " " for letter in text)
        .replace("\ufffe", " ")
        .replace("\uffff", " ")
    )
