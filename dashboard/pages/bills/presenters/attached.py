"""What the files of a bill say beside the form that changes it: of each field whether they say the same or something else. What stands
in the form stays."""

from collections.abc import Sequence
from decimal import Decimal

from dashboard.access.actor import Actor
from dashboard.documents.bill_fields import due_in, number_in
from dashboard.documents.claims import claim_of_bill
from dashboard.documents.readings import Reading, Value
from dashboard.documents.viewers import viewer_of, viewers_of
from dashboard.mirror.mappers.bills import number_key
from dashboard.mirror.models import Bill, Vendor
from dashboard.money import Money, text
from dashboard.pages.bills.forms.bills import BillForm
from dashboard.pages.bills.forms.lines import Lines
from dashboard.pages.bills.presenters.item import Documents
from dashboard.pages.bills.presenters.read_values import account_line, account_warning, reading_note
from dashboard.pages.bills.selectors.attached import AttachedFiles
from dashboard.pages.bills.selectors.bills import files_of

SAME = "The file says the same."
KEPT = "What stands here was kept."


def documents_beside(actor: Actor, bill: Bill, attached: AttachedFiles) -> Documents:
    """The files of a bill as documents/papers.html shows them: those that were opened stand open."""
    files, claim = files_of(bill), claim_of_bill(bill.payload, actor.business)
    beside = {
        file.document.file_id: viewer_of(actor, file.document, files, claim, file.opened) for file in attached.files
    }
    closed = zip(files, viewers_of(actor, files, claim), strict=True)
    return Documents([beside.get(document.file_id, paper) for document, paper in closed])


def warning_of_accounts(attached: AttachedFiles, vendor: Vendor | None) -> str:
    """What must be known before a bill is paid one of whose files asks to be paid elsewhere than at its vendor; "" otherwise."""
    warnings = (account_warning(account_line(file.opened.reading, vendor)) for file in attached.files)
    return next(filter(None, warnings), "")


def note_files(
    form: BillForm, lines: Lines | None, attached: AttachedFiles, *, currency: str, total_minor: int | None, locale: str
) -> None:
    """Puts beside the fields what the files say of them; `total_minor` is what the lines come to, None where that is not known yet."""
    readings = [file.opened.reading for file in attached.files if not file.opened.reading.is_credit_note]
    read = {
        "bill_no": [number_in(reading) for reading in readings],
        "issued_at": [reading.date for reading in readings],
        "due_at": [due_in(reading) for reading in readings],
    }
    for name, values in read.items():
        if name in form.fields and (note := _note(name, str(form[name].value() or ""), values)):
            form[name].help_text = note
    if lines is not None and lines.forms and total_minor is not None:
        note = _total_note(readings, currency, total_minor, locale)
        lines.forms[0]["unit_price"].help_text = note


def _note(name: str, typed: str, values: Sequence[Value | None]) -> str:
    """What the files say of a field; "" where none says anything of it. One that says the same is enough."""
    known = [value for value in values if value is not None]
    if not known:
        return ""
    comparable = number_key if name == "bill_no" else str.strip
    if any(comparable(typed) == comparable(other) for value in known for other in (value.text, *value.others)):
        return SAME
    return f"The file says {known[0].text}. {reading_note(known[0])} {KEPT}"


def _total_note(readings: Sequence[Reading], currency: str, total_minor: int, locale: str) -> str:
    totals = [(reading, reading.total) for reading in readings if reading.total is not None]
    if not totals:
        return ""
    come = Money(total_minor, currency).amount
    if any(_is_total(reading, value, come, currency) for reading, value in totals):
        return f"Total: {SAME[0].lower()}{SAME[1:]}"
    reading, value = totals[0]
    other = reading.currency.text if reading.currency and reading.currency.text != currency else ""
    read = f"{other} {value.text}".strip()
    return f"Total {read} in the file, {text(total_minor, currency, locale)} here. {reading_note(value)} {KEPT}"


def _is_total(reading: Reading, value: Value, come: Decimal, currency: str) -> bool:
    named = reading.currency
    is_currency = named is None or currency in (named.text, *named.others)
    return is_currency and any(Decimal(other) == come for other in (value.text, *value.others))
