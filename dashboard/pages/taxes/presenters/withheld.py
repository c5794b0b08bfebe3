"""How taxes that were withheld are shown: the deductions, a report by rate and by vendor, certificates."""

import io
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass
from typing import TypedDict

from django.utils import timezone

from dashboard import operations_extra
from dashboard.access.actor import Actor
from dashboard.access.check import can_open
from dashboard.errors import FinanceError
from dashboard.lists.states import state_in
from dashboard.mirror.scopes import visible_vendors
from dashboard.money import number, text
from dashboard.pages.taxes.forms import DeductionsForm
from dashboard.pages.taxes.presenters.rates import percent
from dashboard.pages.taxes.selectors import Deductions, deductions_of, owed_of, remittances_of
from dashboard.schemas.taxes import Remittance, Tax, TaxTransaction
from dashboard.spreadsheet import rows_writer, safe_row
from dashboard.times import day, day_text, local
from dashboard.web.forms import PeriodForm

# Up to which page a link leads to the one before it.
NEAR = 3
STANDINGS = {"DEDUCTED": ("Owed", "wait"), "REMITTED": ("Remitted", "ok"), "REVERSED": ("Reversed", "")}


HEADINGS = (
    "Deducted on", "Vendor", "Vendor PIN", "Bill payment", "Tax", "Rate in percent", "Currency", "Base", "Tax deducted",
    "Status", "Due", "Certificate",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class DeductionRow:
    """A deduction as it is printed; amounts with their currency."""

    row: TaxTransaction
    on: str
    base: str
    rate: str
    tax: str
    due: str
    overdue: bool
    state: tuple[str, str]


@dataclass(frozen=True, slots=True)
class ReportLine:
    """What was deducted at one rate of a tax, or from one vendor, in one currency: amounts without it."""

    title: str
    vendor_id: str
    rate: str
    currency: str
    count: int
    base: str
    owed: str
    remitted: str
    reversed: str
    tax: str


class DeductionsContext(TypedDict):
    """What taxes/deductions.html reads; `query` is the address's filter without its page, `previous_page` the number of the page
    that leads back, `cursor` the place behind which the next one goes on, `ticked` the ids of those that are, and `before` those of
    them that are not on the page."""

    form: DeductionsForm
    rows: list[DeductionRow]
    total: int | None
    number: int
    previous_page: int
    cursor: str
    may_remit: bool
    remittances: list[tuple[str, str, str, int]]
    query: str
    problem: str
    ticked: Set[str]
    before: list[DeductionRow]


class ReportContext(TypedDict):
    """What taxes/report.html reads: the lines by rate and by vendor, and the sums of each currency."""

    form: DeductionsForm
    rates: list[ReportLine]
    vendors: list[ReportLine]
    sums: list[ReportLine]
    query: str
    problem: str


class CertificatesContext(TypedDict):
    """What taxes/certificates.html reads."""

    vendor_id: str
    vendor: str
    pin: str
    form: PeriodForm
    rows: list[DeductionRow]
    sums: list[ReportLine]


def deduction_row(actor: Actor, row: TaxTransaction) -> DeductionRow:
    """A deduction as it is printed; overdue is what is owed after its day."""
    locale, today = actor.business.locale, local(timezone.now(), actor.business).date()
    return DeductionRow(
        row=row,
        on=day(row.deducted_at, actor.business),
        base=text(row.base_amount_minor, row.currency, locale),
        rate=percent(row.rate_bps),
        tax=text(row.tax_amount_minor, row.currency, locale),
        due=day_text(row.due_at),
        overdue=row.status == "DEDUCTED" and row.due_at is not None and row.due_at < today,
        state=state_in(STANDINGS, row.status),
    )


def deductions_context(
    actor: Actor, form: DeductionsForm, number: int, query: str, ticked: Set[str], cursor: str = ""
) -> DeductionsContext:
    """A page of the deductions that a filter leaves, the newest first, with those that were ticked before and what was paid over lately;
    none of any where the filter makes no sense, or with why they cannot be read."""
    locale, problem = actor.business.locale, ""
    deductions, remittances, before = Deductions([], None, number, ""), list[Remittance](), list[TaxTransaction]()
    if form.is_valid():
        try:
            deductions = deductions_of(actor, form.query(), number, cursor)
            remittances = remittances_of(actor)
            # What was ticked and is owed no more is not shown again.
            elsewhere = ticked - {row.id for row in deductions.rows}
            before = owed_of(actor, list(elsewhere)) if elsewhere else []
        except FinanceError as trouble:
            problem = trouble.user_message
    return {
        "form": form,
        "rows": [deduction_row(actor, row) for row in deductions.rows],
        "total": deductions.total,
        "number": deductions.number,
        # The page before is known by its number alone: far from the first one it leads back to that.
        "previous_page": number - 1 if number <= NEAR else 1,
        "cursor": deductions.cursor,
        "may_remit": bool(can_open(actor, operations_extra.CREATE_REMITTANCE)),
        "remittances": [
            (day_text(row.remitted_on), row.reference, text(row.amount_minor, row.currency, locale), row.count)
            for row in remittances
        ],
        "query": query,
        "problem": problem,
        "ticked": ticked,
        "before": [deduction_row(actor, row) for row in before],
    }


def by_rate(rows: Iterable[TaxTransaction], taxes: Iterable[Tax], locale: str) -> list[ReportLine]:
    """What was deducted by each tax at each rate and in each currency, by name. Two taxes may have one name: each has lines of its
    own, with its code beside the name."""
    names = {tax.id: tax.name for tax in taxes}
    groups: dict[tuple[str, str, str, int, str], list[TaxTransaction]] = {}
    for row in rows:
        name = names.get(row.tax_id, "")
        groups.setdefault((name, row.tax_code, row.tax_id, row.rate_bps, row.currency), []).append(row)
    return [
        _line(f"{name} · {code}" if name else code, "", percent(rate), currency, group, locale)
        for (name, code, _, rate, currency), group in sorted(groups.items(), key=lambda item: item[0])
    ]


def by_vendor(rows: Iterable[TaxTransaction], locale: str) -> list[ReportLine]:
    """What was deducted from each vendor in each currency, by name."""
    groups: dict[tuple[str, str, str], list[TaxTransaction]] = {}
    for row in rows:
        groups.setdefault((row.vendor_name, row.vendor_id, row.currency), []).append(row)
    return [
        _line(name or vendor, vendor, "", currency, groups[name, vendor, currency], locale)
        for name, vendor, currency in sorted(groups)
    ]


def not_as_sent_text(rows: Sequence[TaxTransaction]) -> str:
    """What deductions are now that are not recorded as they were sent, the first five of them."""
    words = {"REMITTED": "remitted with certificate", "REVERSED": "given back", "DEDUCTED": "owed"}
    states = (
        f"{row.bill_payment_ref}: {words.get(row.status, row.status)} {row.certificate_no if row.status == 'REMITTED' else ''}"
        for row in rows[:5]
    )
    more = f" and {len(rows) - 5} more" if len(rows) > 5 else ""
    return f"This was sent before, and is not recorded as you sent it. {'; '.join(state.strip() for state in states)}{more}."


def totals(rows: Sequence[TaxTransaction], locale: str) -> list[ReportLine]:
    """The sums of each currency."""
    currencies = sorted({row.currency for row in rows})
    return [
        _line("Total", "", "", currency, [row for row in rows if row.currency == currency], locale)
        for currency in currencies
    ]


def _line(
    title: str, vendor_id: str, rate: str, currency: str, rows: Sequence[TaxTransaction], locale: str
) -> ReportLine:
    def amount(status: str) -> str:
        minor = sum(row.tax_amount_minor for row in rows if row.status == status)
        return number(minor, currency, locale) if minor else "–"

    standing = [row for row in rows if row.status != "REVERSED"]
    return ReportLine(
        title=title,
        vendor_id=vendor_id,
        rate=rate,
        currency=currency,
        count=len(rows),
        base=number(sum(row.base_amount_minor for row in standing), currency, locale),
        owed=amount("DEDUCTED"),
        remitted=amount("REMITTED"),
        reversed=amount("REVERSED"),
        tax=number(sum(row.tax_amount_minor for row in standing), currency, locale),
    )


def report_context(
    actor: Actor, form: DeductionsForm, taxes: Iterable[Tax], rows: Sequence[TaxTransaction], query: str, problem: str
) -> ReportContext:
    """The report of what was deducted in a period."""
    locale = actor.business.locale
    return {
        "form": form,
        "rates": by_rate(rows, taxes, locale),
        "vendors": by_vendor(rows, locale),
        "sums": totals(rows, locale),
        "query": query,
        "problem": problem,
    }


def certificates_context(
    actor: Actor, vendor_id: str, form: PeriodForm, rows: Sequence[TaxTransaction]
) -> CertificatesContext:
    """What was withheld from a vendor, named as it was at the newest deduction; as the copy names it where there is none."""
    first = rows[0] if rows else None
    known = visible_vendors(actor).filter(remote_id=vendor_id).values_list("name", flat=True)
    return {
        "vendor_id": vendor_id,
        "vendor": first.vendor_name if first else known.first() or "",
        "pin": first.vendor_tax_pin if first else "",
        "form": form,
        "rows": [deduction_row(actor, row) for row in rows],
        "sums": totals(rows, actor.business.locale),
    }


def report_csv(actor: Actor, rows: Iterable[TaxTransaction], taxes: Iterable[Tax]) -> str:
    """A row for each deduction; amounts as plain numbers with a point, days as ISO dates."""
    names = {tax.id: tax.name for tax in taxes}
    file = io.StringIO()
    writer = rows_writer(file)
    writer.writerow(HEADINGS)
    for row in rows:
        deducted = local(row.deducted_at, actor.business).date().isoformat() if row.deducted_at else ""
        writer.writerow(safe_row((
            deducted, row.vendor_name, row.vendor_tax_pin, row.bill_payment_ref, names.get(row.tax_id, row.tax_code),
            percent(row.rate_bps).removesuffix("\xa0%"), row.currency,
            number(row.base_amount_minor, row.currency, "en_US").replace(",", ""),
            number(row.tax_amount_minor, row.currency, "en_US").replace(",", ""),
            STANDINGS.get(row.status, (row.status, ""))[0], row.due_at.isoformat() if row.due_at else "",
            row.certificate_no,
        )))  # fmt: skip
    return file.getvalue()
