"""What the files of a bill say beside the form that changes it: of each field whether they say the same or something else. What stands
in the form stays."""

from collections.abc import Callable, Mapping, Sequence
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
from dashboard.pages.bills.presenters.read_values import account_line, account_warning, instead_note, reading_note
from dashboard.pages.bills.selectors.attached import AttachedFiles
from dashboard.pages.bills.selectors.bills import files_of
from dashboard.pages.bills.selectors.entry import Dropped

UNCHANGED = "What stands here was kept."
# How a field is found in a reading, and what it is called there.
READINGS_BY_FIELD: Mapping[str, tuple[Callable[[Reading], Value | None], str]] = {
    "bill_no": (number_in, "number"), "issued_at": (lambda reading: reading.date, "date"), "due_at": (due_in, "due"),
}  # fmt: skip


def documents_beside(actor: Actor, bill: Bill, attached: AttachedFiles) -> Documents:
    """The files of a bill as documents/papers.html shows them, the newest first: those that were opened stand open."""
    files, claim = files_of(bill), claim_of_bill(bill.payload, actor.business)
    beside = {
        file.document.file_id: viewer_of(actor, file.document, files, claim, file.opened) for file in attached.files
    }
    closed = zip(files, viewers_of(actor, files, claim), strict=True)
    return Documents([beside.get(document.file_id, paper) for document, paper in reversed(list(closed))])


def warning_of_accounts(attached: AttachedFiles, vendor: Vendor | None) -> str:
    """What must be known before a bill is paid one of whose files asks to be paid elsewhere than at its vendor; "" otherwise."""
    warnings = (account_warning(account_line(file.opened.reading, vendor)) for file in attached.files)
    return next(filter(None, warnings), "")


def note_files(
    form: BillForm, lines: Lines | None, attached: AttachedFiles, *, currency: str, total_minor: int | None, locale: str
) -> None:
    """Puts beside the fields what the files say of them; `total_minor` is what the lines come to, None where that is not known yet."""
    files = [file for file in attached.files if not file.opened.reading.is_credit_note]
    for name, (find, read_as) in READINGS_BY_FIELD.items():
        if name in form.fields:
            typed = str(form[name].value() or "")
            notes = [_note(file, find(file.opened.reading), name, typed, read_as) for file in files]
            form[name].help_text = _newest(notes, files) or form[name].help_text
    if lines is not None and lines.forms and total_minor is not None:
        notes = [_total_note(file.opened.reading, currency, total_minor, locale) for file in files]
        lines.forms[0]["unit_price"].help_text = _newest(notes, files)


def _newest(notes: Sequence[tuple[bool, str] | None], files: Sequence[Dropped]) -> str:
    """What the newest file that says anything of a field says of it, by its name where there are several; and that another one says
    what stands there, where this one does not."""
    known = [(file, *note) for file, note in zip(files, notes, strict=True) if note is not None]
    if not known:
        return ""
    (file, is_same, sentence), *others = known
    name = f"{file.document.name}: " if len(files) > 1 else ""
    other = next((other.document.name for other, also_same, _ in others if also_same), "")
    beside = f" {other} says the same as this field." if other and not is_same else ""
    return f"{name}{sentence}{beside}"


def _note(file: Dropped, value: Value | None, name: str, typed: str, read_as: str) -> tuple[bool, str] | None:
    """Whether a file says what was typed, and the sentence on it; None where it says nothing of the field."""
    if value is None:
        return None
    comparable = number_key if name == "bill_no" else str.strip
    is_same = any(comparable(typed) == comparable(other) for other in _meant(value))
    sentence = (
        "The file says the same." if is_same else f"The file says {value.text}. {reading_note(value)} {UNCHANGED}"
    )
    return is_same, sentence + instead_note(file.opened.reading, read_as)


def _total_note(reading: Reading, currency: str, total_minor: int, locale: str) -> tuple[bool, str] | None:
    """The same of the total of the lines."""
    value = reading.total
    if value is None:
        return None
    is_same = _is_total(reading, value, Money(total_minor, currency).amount, currency)
    other = reading.currency.text if reading.currency and reading.currency.text != currency else ""
    read, come = f"{other} {value.text}".strip(), text(total_minor, currency, locale)
    sentence = "Total: the file says the same."
    if not is_same:
        sentence = f"Total {read} in the file, {come} here. {reading_note(value)} {UNCHANGED}"
    if reading.printed_total is not None:
        sentence += f" The page itself says {reading.printed_total.text}: the two differ."
    return is_same, sentence


def _is_total(reading: Reading, value: Value, come: Decimal, currency: str) -> bool:
    named = reading.currency
    is_currency = named is None or currency in (named.text, *named.others)
    return is_currency and any(Decimal(other) == come for other in _meant(value))


def _meant(value: Value) -> Sequence[str]:
    """What a value may be: beside an exact one what the page says else is another value, and not what it may be."""
    return [value.text] if value.sureness == "exact" else [value.text, *value.others]
