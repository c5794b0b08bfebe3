"""A bill side by side with those that it may be the same as, as shared/side_by_side.html shows them."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date

from django.urls import reverse

from dashboard.access.actor import Actor
from dashboard.documents.limits import THUMBNAIL
from dashboard.lists.states import state_in
from dashboard.mirror.models import Bill
from dashboard.money import text
from dashboard.pages.bills.forms.bills import BillForm
from dashboard.pages.bills.forms.lines import Lines
from dashboard.pages.bills.selectors.bills import files_of
from dashboard.pages.bills.tables.bills import BILL_STATES
from dashboard.times import day_text

# So many stand beside it; the list of possible duplicates names all.
MOST = 3
LABELS = ("Number", "Vendor", "Total", "Issued", "Due", "Purchase order", "Status")


@dataclass(frozen=True, slots=True)
class BillColumn:
    """A bill of a comparison: its heading, its page ("" for the bill itself), and the first page of its first file as a thumbnail,
    "" where it has none."""

    heading: str
    href: str
    thumbnail: str


@dataclass(frozen=True, slots=True)
class ComparedLine:
    """A field of a comparison: its label, its text for each column ("" where it is not known), and whether they differ."""

    label: str
    values: list[str]
    differs: bool


@dataclass(frozen=True, slots=True)
class BillComparison:
    """A bill beside others, as shared/side_by_side.html reads it; `more` says how many others are not shown, "" where all are."""

    title: str
    columns: list[BillColumn]
    lines: list[ComparedLine]
    missing: list[str] = field(default_factory=list)
    has_documents: bool = False
    more: str = ""


def comparison_of_bill(actor: Actor, bill: Bill, others: Sequence[Bill]) -> list[BillComparison]:
    """A bill that is there, beside these others; none without others."""
    return _comparison(actor, _values(bill), first_page(actor, bill), others)


def comparison_of_entry(
    actor: Actor, form: BillForm, lines: Lines | None, others: Sequence[Bill], *, vendor: str, currency: str, thumbnail: str
) -> list[BillComparison]:  # fmt: skip
    """A bill as its form has it, beside these others; none without others. `vendor` is its vendor's name, `thumbnail` the first page
    of its file, "" for none."""
    is_whole = lines is not None and lines.is_bound and lines.is_valid() and bool(currency)
    total = lines.total_minor(currency) if lines is not None and is_whole else 0
    values = [
        _typed(form, "bill_no"), vendor, text(total, currency, actor.business.locale) if total else "",
        _typed(form, "issued_at"), _typed(form, "due_at"), _typed(form, "purchase_order"), "",
    ]  # fmt: skip
    return _comparison(actor, values, thumbnail, others)


def _typed(form: BillForm, name: str) -> str:
    value = form[name].value() if name in form.fields else ""
    if name in {"issued_at", "due_at"} and value:
        try:
            return day_text(value if isinstance(value, date) else date.fromisoformat(str(value)))
        except ValueError:
            return str(value)[:60]
    return str(value or "")[:60]


def _values(bill: Bill) -> list[str]:
    return [
        bill.bill_no, bill.vendor_name, bill.total_text, day_text(bill.issued_on), day_text(bill.due_on), bill.purchase_order,
        state_in(BILL_STATES, bill.status)[0],
    ]  # fmt: skip


def _comparison(actor: Actor, own: list[str], thumbnail: str, others: Sequence[Bill]) -> list[BillComparison]:
    beside = others[:MOST]
    if not beside:
        return []
    columns = [BillColumn("This bill", "", thumbnail)] + [
        BillColumn(
            f"Bill {other.bill_no}", reverse("bills_item", args=[actor.business.slug, other.remote_id]),
            first_page(actor, other),
        )
        for other in beside
    ]  # fmt: skip
    rows = zip(LABELS, own, *(_values(other) for other in beside), strict=True)
    lines = [
        ComparedLine(label, list(values), len(set(filter(None, values))) > 1) for label, *values in rows if any(values)
    ]
    return [
        BillComparison("Possible duplicate", columns, lines, has_documents=any(column.thumbnail for column in columns))
    ]


def first_page(actor: Actor, bill: Bill) -> str:
    """The address of a small picture of the first page of a bill's first file; "" where it has none."""
    files = files_of(bill)
    if not files:
        return ""
    address = reverse("bills_file_page", args=[actor.business.slug, bill.remote_id, files[0].file_id, 1])
    return f"{address}?width={THUMBNAIL}"
