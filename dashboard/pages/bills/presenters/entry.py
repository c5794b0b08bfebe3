"""How the form of a bill is filled in from a dropped file: each value with where it was read and how sure that is."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import ROUND_HALF_UP, Decimal
from typing import Any, TypedDict
from urllib.parse import urlencode

from dashboard.access.actor import Actor
from dashboard.documents.bill_fields import credit_note_in, due_in, number_in, prepaid_in
from dashboard.documents.claims import claim_of_bill
from dashboard.documents.comparison import ReadField
from dashboard.documents.readings import InvoiceLine, Reading, Value
from dashboard.documents.viewers import Viewer, viewer_of
from dashboard.inputs import Choices
from dashboard.mirror.models import Bill, Vendor
from dashboard.pages.bills.forms.bills import BillFileForm, BillForm, BillInitial, bill_form
from dashboard.pages.bills.forms.lines import LineInitial, Lines, TypedLine, lines_of
from dashboard.pages.bills.presenters.invoice_lines import offered_lines
from dashboard.pages.bills.presenters.read_values import SURE, account_line, instead_note, reading_note
from dashboard.pages.bills.presenters.received import ReceivedNote
from dashboard.pages.bills.selectors.entry import Dropped, EntryChoices, credited_bills
from dashboard.schemas.bills import Bill as WholeBill
from dashboard.schemas.bills import LineSplit

# The values of a reading by the fields that they fill in.
READ_AS = {"issued_at": "date", "due_at": "due"}
# Beside the document so many of its lines are shown, each leading to its place; the form has them all.
MOST_LISTED = 20
# Words of a name that say nothing of who it is.
NO_NAME = frozenset({"and", "the", "of", "ltd", "limited", "inc", "llc", "plc", "gmbh", "company", "co"})


@dataclass
class Prefill:
    """What a form begins with, the sentence beside each value that was read, and what was read without a field for it."""

    initial: dict[str, Any] = field(default_factory=dict)
    notes: dict[str, str] = field(default_factory=dict)
    lines: list[Mapping[str, Any]] = field(default_factory=list)
    # By line, its fields' sentences.
    line_notes: list[dict[str, str]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class CreditFile:
    """A file that is a credit note, or likely one: `bills` are those that it may correct, each with the query of the form
    that records it there."""

    is_sure: bool
    vendor: str
    bills: list[Bill]
    query: str


class EntryContext(TypedDict):
    """What bills/entry.html reads; `bill` is the one that is changed, None for a new one; `received` the e-mail that it
    came by, if any; `credit` says that the file is a credit note, `account_warning` that it asks to be paid on an account that is not
    the vendor's."""

    bill: Bill | None
    form: BillForm
    lines: Lines | None
    file_form: BillFileForm | None
    paper: Viewer | None
    received: ReceivedNote | None
    credit: CreditFile | None
    duplicates: list[tuple[Bill, str]]
    problem: str
    account_warning: str
    key: str


def prefill_of(reading: Reading, vendors: Choices, locale: str) -> Prefill:
    """What was read from a document, as the form begins with it: nothing that was not read, and nothing unmarked.
    Of a credit note nothing: it is no bill."""
    prefill = Prefill()
    if reading.is_credit_note:
        return prefill
    values = {
        "bill_no": number_in(reading), "issued_at": reading.date, "due_at": due_in(reading), "currency": reading.currency,
    }  # fmt: skip
    for name, value in values.items():
        if value is not None:
            prefill.initial[name] = value.text
            prefill.notes[name] = reading_note(value) + instead_note(reading, READ_AS.get(name, name))
    if reading.merchant is not None:
        _vendor(prefill, reading.merchant, vendors)
        prefill.notes["vendor_id"] += instead_note(reading, "merchant")
    if reading.total is not None:
        _lines(prefill, reading, reading.total, locale)
    return prefill


def _vendor(prefill: Prefill, merchant: Value, vendors: Choices) -> None:
    read = _words(merchant.text)
    matching = [vendor_id for vendor_id, name in vendors if read and _words(name) == read]
    if len(matching) == 1:
        prefill.initial["vendor_id"] = matching[0]
        prefill.notes["vendor_id"] = f"“{merchant.text}”: {reading_note(merchant)}"
    else:
        known = "several vendors have" if matching else "no vendor has"
        prefill.notes["vendor_id"] = f"“{merchant.text}” was read as the vendor, but {known} this name."


def _words(name: str) -> frozenset[str]:
    return frozenset(re.findall(r"\w{2,}", name.casefold())) - NO_NAME


def _lines(prefill: Prefill, reading: Reading, total_value: Value, locale: str) -> None:
    """The lines of an e-invoice where they come to its total; one line for all of it otherwise."""
    offered = offered_lines(reading, locale)
    if not offered.lines:
        _line(prefill, reading, total_value)
        if offered.refusal:
            prefill.line_notes[0]["unit_price"] += f" {offered.refusal}"
        return
    prefill.lines = [line.initial() for line in offered.lines]
    prefill.line_notes = [{"description": line.note} for line in offered.lines]
    note = f"Total {total_value.text}: {reading_note(total_value)} Its lines come to it with their tax."
    prefill.line_notes[0]["unit_price"] = note + _remarks(reading, total_value)


def _line(prefill: Prefill, reading: Reading, total_value: Value) -> None:
    """One line for all of it: the tax apart where what was read comes to the total to the cent, else the total as it is."""
    tax = reading.tax.decimal if reading.tax else Decimal(0)
    net = total_value.decimal - tax
    rate = (tax * 100 / net).quantize(Decimal("0.01"), ROUND_HALF_UP).normalize() if net > 0 else Decimal(0)
    exact = rate <= 100 and (net * rate / 100).quantize(Decimal("0.01"), ROUND_HALF_UP) == tax
    number = prefill.initial.get("bill_no", "")
    line: dict[str, Any] = {"description": f"Bill {number}".strip(), "quantity": Decimal(1)}
    note = f"Total {total_value.text}: {reading_note(total_value)}"
    if tax and exact:
        line |= {"unit_price": net, "tax_rate": rate}
        note += f" Tax {tax}: {reading_note(reading.tax)}" if reading.tax else ""
    else:
        line |= {"unit_price": total_value.decimal}
        note += f" The tax of {tax} that was read is not a rate of it, so it is not split." if tax else ""
    prefill.lines, prefill.line_notes = [line], [{"unit_price": note + _remarks(reading, total_value)}]


def _remarks(reading: Reading, total_value: Value) -> str:
    """What must be known of the total beside where it was read."""
    remarks = ""
    if reading.printed_total is not None:
        remarks += f" The page itself says {reading.printed_total.text}: the two differ."
    if other := reading.printed_instead("tax"):
        remarks += f" The page itself says a tax of {other}: the two differ. Check it."
    if prepaid := prepaid_in(reading):
        remarks += (
            f" Of it {prepaid} was paid in advance, so {total_value.decimal - prepaid} is left to pay: record what was paid in "
            "advance as a credit note before you pay the bill."
        )
    return remarks


def keep_typed(prefill: Prefill, values: Mapping[str, str | list[str] | None], lines: Sequence[TypedLine]) -> None:
    """Puts what was typed before the file was there over what was read from it; what the file says else stands beside it."""
    for name, value in values.items():
        read = prefill.initial.get(name)
        if value and read and value != read:
            note = f"The file says {read}." if name != "vendor_id" else prefill.notes[name]
            prefill.notes[name] = f"{note} What you entered was kept."
        if value:
            prefill.initial[name] = value
    typed = [line for line in lines if line.get("description") or line.get("unit_price")]
    if typed and prefill.lines:
        prefill.line_notes = [{"unit_price": f"{prefill.line_notes[0]['unit_price']} What you entered was kept."}]
    prefill.lines = typed or prefill.lines


def note_fields(form: BillForm, lines: Lines | None, prefill: Prefill) -> None:
    """Puts the sentences beside the fields that they are about."""
    for name, note in prefill.notes.items():
        if name in form.fields:
            form.fields[name].help_text = note
    for line, notes in zip(lines.forms if lines else (), prefill.line_notes, strict=False):
        for name, note in notes.items():
            line.fields[name].help_text = note


def credit_file(actor: Actor, reading: Reading) -> CreditFile | None:
    """What the form says of a file that is a credit note; None for any other."""
    sureness = credit_note_in(reading)
    if sureness is None:
        return None
    number = number_in(reading)
    filled = {
        "credit_no": number.text if number and sureness == "exact" else "",
        "issued_at": reading.date.text if reading.date else "",
        "amount": f"{abs(reading.total.decimal):f}" if reading.total else "",
    }
    bills = credited_bills(actor, reading.corrects.text if reading.corrects else "")
    query = urlencode({name: value for name, value in filled.items() if value})
    return CreditFile(sureness == "exact", reading.merchant.text if reading.merchant else "", bills, query)


def paper_of(actor: Actor, dropped: Dropped | None, vendor: Vendor | None = None) -> Viewer | None:
    """The dropped file with what was read from it, each value leading to its place on the page; its account beside those of the
    vendor that is chosen."""
    if dropped is None:
        return None
    claim = claim_of_bill({}, actor.business)
    paper = viewer_of(actor, dropped.document, [dropped.document], claim, dropped.opened)
    values = {"Total": "total", "Date": "date", "Vendor": "merchant", "Tax": "tax", "Currency": "currency"}
    reading = dropped.opened.reading
    fields = [_read_line(label, getattr(reading, name)) for label, name in values.items()]
    number, due = number_in(reading), due_in(reading)
    fields += [_read_line("Number", number)] if number else []
    fields += [_read_line("Due", due)] if due else []
    account = account_line(reading, vendor)
    fields += [account] if account else []
    lines = [_read_invoice_line(place, line) for place, line in enumerate(reading.lines[:MOST_LISTED], 1)]
    return replace(paper, noun="document", side="form", lines=fields + lines)


def _read_invoice_line(place: int, invoice_line: InvoiceLine) -> ReadField:
    words = f"{invoice_line.description}: {invoice_line.net}"
    return ReadField(
        f"Line {place}", words, "", "unread", note=SURE["exact"], page=invoice_line.page, box=invoice_line.box
    )


def _read_line(label: str, value: Value | None) -> ReadField:
    if value is None:
        return ReadField(label, "", "", "unread")
    return ReadField(label, value.text, "", "unread", note=reading_note(value), page=value.page, box=value.box)


def bill_initial(whole: WholeBill) -> BillInitial:
    """What the form of a bill begins with that is there already."""
    return {
        "bill_no": whole.bill_no, "issued_at": whole.issued_at, "due_at": whole.due_at, "memo": whole.memo,
        "purchase_order": whole.purchase_order, "discount_percent": whole.discount_percent.normalize() or None,
        "discount_until": whole.discount_until,
        "subcategory": whole.subcategory_id, "team_id": whole.team_id, "budget_id": whole.budget_id,
        "withholding": [tax.tax_id for tax in whole.withholding],
    }  # fmt: skip


def _initial_shares(splits: Sequence[LineSplit]) -> dict[str, str]:
    initial = {}
    for place, split in enumerate(splits):
        initial[f"team_{place}"] = split.team_id
        initial[f"share_{place}"] = f"{split.amount:f}" if split.percent is None else f"{split.percent.normalize():f} %"
    return initial


def initial_lines(whole: WholeBill) -> list[LineInitial]:
    """The lines that the form of a bill begins with that is there already."""
    return [
        {
            "description": line.description, "quantity": line.qty.normalize(), "unit_price": line.unit_price,
            "tax_rate": line.tax_rate or None, "subcategory": line.subcategory_id, "split": _initial_shares(line.splits),
        }
        for line in whole.line_items
    ]  # fmt: skip


def edited_forms(
    actor: Actor, entry_choices: EntryChoices, whole: WholeBill, bill: Bill, *, is_unpaid: bool
) -> tuple[BillForm, Lines | None]:
    """The forms of a bill as it is; None for lines that stay."""
    form = bill_form(actor, entry_choices, initial=bill_initial(whole), bill=bill, is_unpaid=is_unpaid)
    if whole.discount_from_vendor and "discount_percent" in form.fields:
        form.fields["discount_percent"].help_text = "The vendor's terms. Changed here, it is this bill's own."
    if not is_unpaid:
        return form, None
    locale = actor.business.locale
    lines = lines_of(
        initial=initial_lines(whole),
        extra=0,
        locale=locale,
        categories=entry_choices.categories,
        teams=entry_choices.teams,
    )
    return form, lines
