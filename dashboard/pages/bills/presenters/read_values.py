"""What was read from a bill's file, in sentences: where it stands and how sure it is; and the account that it asks to be paid on."""

from dataclasses import replace

from dashboard.documents.comparison import ReadField, compared_account
from dashboard.documents.payment_accounts import all_accounts, known_accounts, last_of
from dashboard.documents.readings import Reading, Value
from dashboard.mirror.models import Vendor

SURE = {
    "exact": "Read from the e-invoice inside the file.",
    "labelled": "Read beside its label",
    "likely": "Read, but not certain",
}


def reading_note(value: Value) -> str:
    """Where a value was read, and how sure that is; the others that could be meant."""
    sentence = SURE[value.sureness]
    if value.sureness == "exact":
        sentence += f" Page {value.page} says the same." if value.page else ""
    else:
        sentence += f" on page {value.page}." if value.page else " in the text."
    others = f" It could also be {' or '.join(value.others[:3])}." if value.others else ""
    return f"{sentence}{others}{' Check it.' if value.sureness == 'likely' or others else ''}"


def instead_note(reading: Reading, name: str) -> str:
    """That the page says another value than the e-invoice inside the file; "" where it does not."""
    other = reading.printed_instead(name)
    if other is None:
        return ""
    if name == "merchant":
        also = f" and may be from “{other}”" if other else ""
        return f" The page itself does not name this vendor{also}: the two differ. Check it."
    return f" The page itself says {other}: the two differ. Check it."


def account_line(reading: Reading, vendor: Vendor | None) -> ReadField | None:
    """The account that a file asks to be paid on, by its last characters, beside those of the vendor that is chosen; None where it
    names none."""
    value = reading.account
    if value is None:
        return None
    if vendor is None:
        read = " or ".join(last_of(account).text for account in all_accounts(value))
        return ReadField("Account", read, "", "unread", note=_sure_of(value), page=value.page, box=value.box)
    line = compared_account(reading, value, known_accounts(vendor.instructions))
    return line if line.state == "differs" else replace(line, note=f"{_sure_of(value)} {line.note}".strip())


def _sure_of(value: Value) -> str:
    """Where an account was read; the others stand beside it by their last characters alone."""
    return reading_note(replace(value, others=()))


def account_warning(account_field: ReadField | None) -> str:
    """What must be known before a bill is paid whose file names another account than its vendor's record, alone or beside one of the
    record; "" otherwise."""
    if account_field is None or not account_field.sentence:
        return ""
    return (
        f"{account_field.sentence}. A changed account is how payments are diverted: call the vendor back on a number that you know, and have a "
        "new account confirmed before anything is paid to it. The bill is paid to an account of the record."
    )
