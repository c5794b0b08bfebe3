"""What a document says beside what the transaction says: total, date, merchant and tax, and where they differ.

Totals have no tolerance. A card is charged within DAYS of the date on the receipt, before or after.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from enum import StrEnum
from typing import Literal, Self

from dashboard.documents.merchant_names import is_distinctive, line_naming
from dashboard.documents.payment_accounts import KnownAccount, all_accounts, last_of
from dashboard.documents.readings import Box, Reading, Value
from dashboard.money import number, text, to_minor

DAYS = 5
# So much of a line is shown where it names the merchant.
LONGEST_NAME = 120
# How sure a value is, where that has to be said.
HOW_SURE = {"exact": "from the e-invoice", "labelled": "", "likely": "not certain"}

ComparisonState = Literal["same", "differs", "unread"]


@dataclass(frozen=True, slots=True)
class Expectation:
    """What the transaction says. `noun` names the document ("receipt"), `side` the transaction ("card" or "bill").

    `amounts` are what was paid, each with its currency: the first as it was booked, others as they were before exchange.
    `accounts` are those that the vendor is paid on, None where no vendor is known.
    """

    noun: str
    side: str
    merchant: str
    day: date | None
    amounts: tuple[tuple[Decimal, str], ...]
    tax: Decimal | None = None
    locale: str = "en_KE"
    accounts: tuple[KnownAccount, ...] | None = None


class FieldLabel(StrEnum):
    """What is compared, as the pane calls it, with what the line of the inbox says where it differs: no label is without."""

    in_line: str

    def __new__(cls, label: str, in_line: str) -> Self:
        member = str.__new__(cls, label)
        member._value_, member.in_line = label, in_line
        return member

    TOTAL = "Total", "total differs"
    PRINTED_TOTAL = "Printed total", "total differs"
    DATE = "Date", "date differs"
    MERCHANT = "Merchant", "merchant differs"
    TAX = "Tax", "tax differs"
    KIND = "Kind", "credit note"
    ACCOUNT = "Account", "account differs"


@dataclass(frozen=True, slots=True)
class ReadField:
    """One field of a document, as printed; `label` is what the page calls it."""

    label: str
    read: str
    claimed: str
    state: ComparisonState
    sentence: str = ""
    red: bool = False
    note: str = ""
    page: int = 0
    box: Box | None = None


@dataclass(frozen=True, slots=True)
class ComparedField(ReadField):
    """One field on both sides, as printed. `sentence` says a difference, or what stands there beside the same; `red` where it must not be overlooked."""

    label: FieldLabel


# A credit note among the files of a bill that is to be paid: it lowers what is owed, and nothing of it is paid.
CREDIT_NOTE = ComparedField(
    FieldLabel.KIND, "Credit note", "Bill", "differs", "The document is a credit note, not a bill", red=True
)


def compared(reading: Reading, expectation: Expectation) -> list[ComparedField]:
    """The four fields in the order in which they are looked at: total, date, merchant, tax."""
    lines = [
        _total(reading, expectation),
        _date(reading, expectation),
        _merchant(reading, expectation),
        _tax(reading, expectation),
    ]
    if reading.printed_total is not None and reading.total is not None:
        lines.append(_two_totals(reading, reading.printed_total, reading.total, expectation))
    if reading.is_credit_note and expectation.side == "bill":
        lines.append(CREDIT_NOTE)
    if reading.account is not None and expectation.accounts is not None:
        lines.append(compared_account(reading, reading.account, expectation.accounts, expectation.noun))
    return lines


def compared_account(
    reading: Reading, value: Value, known: Sequence[KnownAccount], noun: str = "document"
) -> ComparedField:
    """The account that a document asks to be paid on beside those of its vendor's record, each by its last characters: more of one
    the copy does not know. What the page says otherwise than the e-invoice inside counts as well. One of several is enough, and
    those that are not on the record are named; the account at a paybill is compared where both sides have one."""
    printed = reading.printed_instead("account")
    named = [last_of(account) for account in (*all_accounts(value), *([printed] if printed else []))]
    read, claimed = (" or ".join(dict.fromkeys(account.text for account in of)) for of in (named, known))
    if not known:
        note = "The vendor has no account in use"
        return _line(value, FieldLabel.ACCOUNT, read, "", "unread", note=note)
    matching = [account for account in named if any(account.is_like(other) for other in known)]
    # An e-invoice and its page that name two accounts are one too many, whichever of them is the vendor's.
    if matching and (not printed or len(matching) == len(named)):
        foreign = _foreign(named, matching)
        note = ". ".join(filter(None, (foreign, _not_compared(matching, known))))
        return _line(value, FieldLabel.ACCOUNT, read, claimed, "same", foreign, note=note)
    sentence = f"Account {read} on the {noun}, {claimed} on the vendor's record"
    return _line(value, FieldLabel.ACCOUNT, read, claimed, "differs", sentence, red=_is_sure(value))


def _foreign(named: Sequence[KnownAccount], matching: Sequence[KnownAccount]) -> str:
    """Which accounts a document names beside one of its vendor's: whoever diverts payments adds one, and leaves the other."""
    texts = dict.fromkeys(account.text for account in named if account not in matching)
    return f"Not on the vendor's record: {', '.join(texts)}" if texts else ""


def _not_compared(matching: Sequence[KnownAccount], known: Sequence[KnownAccount]) -> str:
    """That of a paybill the number alone is the same, because one side does not say the account there."""
    paybills = [account for account in matching if account.sort == "paybill"]
    is_alone = any(not account.reference or account not in known for account in paybills)
    return "The account at the paybill is not compared" if is_alone else ""


def _printed_amount(amount: Decimal, currency: str, locale: str, *, coded: bool = False) -> str:
    try:
        minor = to_minor(amount, currency)
    except (ValueError, LookupError):
        # More decimals than the currency has, or one that nobody knows: as it was read.
        return f"{currency} {amount:,}" if coded else f"{amount:,}"
    return text(minor, currency, locale) if coded else number(minor, currency, locale)


def _total(reading: Reading, expectation: Expectation) -> ComparedField:
    booked, currency = expectation.amounts[0]
    claimed = _printed_amount(booked, currency, expectation.locale, coded=True)
    value = reading.total
    if value is None:
        return ComparedField(FieldLabel.TOTAL, "", claimed, "unread")
    read_currency = _currency_read(reading, expectation)
    other = next((amount for amount, code in expectation.amounts if code == read_currency), None)
    if other is None:
        read = f"{read_currency} {value.decimal:,}"
        sentence = f"Total {read} on the {expectation.noun}, {claimed} on the {expectation.side}"
        return _line(
            value,
            FieldLabel.TOTAL,
            read,
            claimed,
            "differs",
            sentence,
            red=_is_sure(value) and _is_sure(reading.currency),
        )
    read = _printed_amount(value.decimal, read_currency, expectation.locale, coded=True)
    if value.decimal == other:
        return _line(value, FieldLabel.TOTAL, read, claimed, "same")
    if any(Decimal(text) == other for text in value.others):
        note = f"The {expectation.noun} has several totals; one of them is the same"
        return _line(value, FieldLabel.TOTAL, read, claimed, "same", note=note)
    left, right = (_printed_amount(amount, read_currency, expectation.locale) for amount in (value.decimal, other))
    sentence = f"Total {left} on the {expectation.noun}, {right} on the {expectation.side}"
    return _line(value, FieldLabel.TOTAL, read, claimed, "differs", sentence, red=_is_sure(value))


def _currency_read(reading: Reading, expectation: Expectation) -> str:
    """The currency of the total; the transaction's own where the document names none, or names it among others."""
    value, booked = reading.currency, expectation.amounts[0][1]
    if value is None:
        return booked
    named = (value.text, *value.others)
    return next((code for _, code in expectation.amounts if code in named), value.text)


def _is_sure(value: Value | None) -> bool:
    return value is not None and value.sureness != "likely"


def _date(reading: Reading, expectation: Expectation) -> ComparedField:
    claimed = _printed(expectation.day) if expectation.day else ""
    if reading.date is None:
        return ComparedField(FieldLabel.DATE, "", claimed, "unread")
    days = reading.date.days
    if expectation.day is None:
        return _line(reading.date, FieldLabel.DATE, _printed(days[0]), "", "unread")
    nearest = min(days, key=lambda day: abs((day - expectation.day).days) if expectation.day else 0)
    apart = abs((nearest - expectation.day).days)
    if apart <= DAYS:
        note = "" if apart == 0 else f"{apart} day{'' if apart == 1 else 's'} apart; up to {DAYS} are allowed"
        return _line(reading.date, FieldLabel.DATE, _printed(nearest), claimed, "same", note=note)
    sentence = f"Date {_printed(nearest)} on the {expectation.noun}, {claimed} on the {expectation.side}"
    return _line(reading.date, FieldLabel.DATE, _printed(nearest), claimed, "differs", sentence)


def _printed(day: date) -> str:
    return f"{day.day} {day:%b %Y}"


def _merchant(reading: Reading, expectation: Expectation) -> ComparedField:
    value = reading.merchant
    if value is None and not reading.words:
        return ComparedField(FieldLabel.MERCHANT, "", expectation.merchant, "unread")
    read = value.text if value else ""
    if not is_distinctive(expectation.merchant):
        return _line(value, FieldLabel.MERCHANT, read, expectation.merchant, "unread")
    # An exact name is compared as a name; in a text it may stand in another line than the one that looks like it.
    lines = [] if _is_sure(value) else reading.words.splitlines()
    named = line_naming(expectation.merchant, read, lines)
    if named is not None:
        where, note = (value, "") if named == read else (None, HOW_SURE["likely"])
        return _line(where, FieldLabel.MERCHANT, named[:LONGEST_NAME], expectation.merchant, "same", note=note)
    other = f"{read} on the {expectation.noun}" if read else f"not found on the {expectation.noun}"
    sentence = f"Merchant {other}, {expectation.merchant} on the {expectation.side}"
    return _line(value, FieldLabel.MERCHANT, read or "not found", expectation.merchant, "differs", sentence)


def _tax(reading: Reading, expectation: Expectation) -> ComparedField:
    currency = _currency_read(reading, expectation)
    claimed = (
        ""
        if expectation.tax is None
        else _printed_amount(expectation.tax, expectation.amounts[0][1], expectation.locale, coded=True)
    )
    value = reading.tax
    if value is None:
        return ComparedField(FieldLabel.TAX, "", claimed, "unread")
    read = _printed_amount(value.decimal, currency, expectation.locale, coded=True)
    if expectation.tax is None:
        return _line(value, FieldLabel.TAX, read, "", "unread")
    if value.decimal == expectation.tax:
        return _line(value, FieldLabel.TAX, read, claimed, "same")
    return _line(
        value,
        FieldLabel.TAX,
        read,
        claimed,
        "differs",
        f"Tax {read} on the {expectation.noun}, {claimed} on the {expectation.side}",
    )


def _two_totals(reading: Reading, printed_value: Value, inside_value: Value, expectation: Expectation) -> ComparedField:
    currency = _currency_read(reading, expectation)
    read, hidden = (
        _printed_amount(value.decimal, currency, expectation.locale) for value in (printed_value, inside_value)
    )
    sentence = f"Total {read} printed on the {expectation.noun}, {hidden} in the e-invoice inside it"
    return _line(printed_value, FieldLabel.PRINTED_TOTAL, read, hidden, "differs", sentence, red=True)


def _line(
    value: Value | None,
    label: FieldLabel,
    read: str,
    claimed: str,
    state: ComparisonState,
    sentence: str = "",
    *,
    red: bool = False,
    note: str = "",
) -> ComparedField:
    """The line of a field with where its value stands, and how sure it is."""
    page, box = (value.page, value.box) if value else (0, None)
    return ComparedField(
        label, read, claimed, state, sentence, red, note or (HOW_SURE[value.sureness] if value else ""), page, box
    )
