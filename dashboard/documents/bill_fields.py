"""What a bill says beyond a receipt: its number, and the day it is due. Exact from an e-invoice; in a text they are found by
the words before them, so never more than likely."""

import re
from dataclasses import replace
from datetime import date, datetime
from decimal import Decimal

from dashboard.documents.readings import Reading, Sureness, Value

NUMBER = re.compile(
    r"\b(?:invoice|bill|rechnung|facture|inv)\b\.?\s*(?:no|number|nr|num)?\.?\s*[:#]?\s*([A-Z0-9][A-Z0-9/\-]{0,38}\d|\d)(?![\w/\-])",
    re.IGNORECASE,
)
DUE = re.compile(
    r"\b(?:due(?: date| on| by)?|payable by|pay by|fällig am)\s*[:]?\s*(\d{4}-\d{2}-\d{2}|\d{1,2} [A-Za-z]{3,9} \d{4})",
    re.IGNORECASE,
)
CREDIT_NOTE = re.compile(r"\b(?:credit (?:note|memo)|gutschrift|note de crédit|nota de crédito)\b", re.IGNORECASE)
# A document is named at its top: further down a credit note is only mentioned.
TITLE_CHARACTERS = 200
FORMATS = ("%Y-%m-%d", "%d %b %Y", "%d %B %Y")


def numbers_printed(words: str) -> list[str]:
    """The numbers that a text announces as those of a bill, in their order."""
    return [match[1] for match in NUMBER.finditer(words)]


def due_days_printed(words: str) -> list[tuple[str, date]]:
    """The days that a text announces as those on which a bill is due, each as it is written and as the day that it is."""
    return [(match[1], day) for match in DUE.finditer(words) if (day := _day(match[1]))]


def number_in(reading: Reading) -> Value | None:
    """The bill's number; None where no e-invoice has one and no word announces one. What the page says else is among the
    others."""
    return _first(reading.number, numbers_printed(reading.words))


def due_in(reading: Reading) -> Value | None:
    """The day that the bill is due, likewise."""
    return _first(reading.due, [day.isoformat() for _, day in due_days_printed(reading.words)])


def credit_note_in(reading: Reading) -> Sureness | None:
    """How sure it is that the document is a credit note and so no bill: "exact" from an e-invoice, "likely" where the top of
    its page names one; None where nothing says so."""
    if reading.is_credit_note:
        return "exact"
    named = reading.source != "e-invoice" and CREDIT_NOTE.search(reading.words[:TITLE_CHARACTERS])
    return "likely" if named else None


def prepaid_in(reading: Reading) -> Decimal:
    """What of the total was paid in advance, as the e-invoice says it; 0 where it says nothing of it."""
    if reading.total is None or reading.payable is None or reading.is_credit_note:
        return Decimal(0)
    return max(Decimal(0), reading.total.decimal - reading.payable.decimal)


def _first(known: Value | None, printed: list[str]) -> Value | None:
    texts = list(dict.fromkeys([known.text] if known else [])) + list(dict.fromkeys(printed))
    if not texts:
        return None
    others = tuple(text for text in dict.fromkeys(texts) if text != texts[0])
    return replace(known, others=others) if known else Value(texts[0], "likely", others=others)


def _day(text: str) -> date | None:
    for spelling in FORMATS:
        try:
            return datetime.strptime(text, spelling).date()  # noqa: DTZ007  a day, which has no zone
        except ValueError:
            continue
    return None
