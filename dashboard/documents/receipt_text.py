"""Merchant, date, total, currency and tax from the lines of a receipt or an invoice, by the labels beside them."""

import re
from collections.abc import Iterable, Sequence
from decimal import Decimal

from dashboard.documents.amounts import amounts_in, currencies_in, dates_in
from dashboard.documents.lines import DocumentLine
from dashboard.documents.payment_accounts import account_in
from dashboard.documents.readings import Reading, Sureness, Value

MOST_WORDS = 6000
# What stands before the sum that was to be paid: the first that a document has is meant.
TOTALS = (
    r"grand total|total (?:amount )?due|amount due|amount payable|total to pay|total payable|balance due|total amount"
    r"|total incl\w*|invoice total|gesamtbetrag|rechnungsbetrag|total ttc|montant total|net à payer|importe total",
    r"total|summe|jumla|totale|amount paid|paid",
)
NO_TOTAL = re.compile(
    r"sub-?\s?total|zwischensumme|total (?:items|qty|quantity|savings|discount|tax|vat|excl\w*|ht|net)\b|net total"
    r"|total\s+(?:number|weight)|totally",
    re.IGNORECASE,
)
TAX = re.compile(r"\b(?:vat|gst|sales tax|tax(?: amount)?|mwst|ust|tva|iva|btw)\b", re.IGNORECASE)
NO_TAX = re.compile(
    r"\b(?:tax|vat|gst|tva|iva|ust)[ -]*(?:invoice|receipt|pin|no|number|reg\w*|id|nr)\b|excl|before tax|pre-tax|taxable|incl",
    re.IGNORECASE,
)
DATED = re.compile(r"\b(?:invoice date|date of issue|issued?(?: on)?|date|datum|fecha|tarehe)\b", re.IGNORECASE)
NOT_DATED = re.compile(r"\b(?:due|payable by|valid|until|expir\w*|delivery|fällig\w*|échéance)\b", re.IGNORECASE)
NO_NAME = re.compile(
    r"^\W*(?:tax )?(?:invoice|receipt|sales receipt|cash sale|rechnung|facture|factura|page|bill to|invoice to|original|copy"
    r"|date|no\b|nr\b|tel\b|phone|www|http|pin\b|vat\b)",
    re.IGNORECASE,
)
HEAD = 10


def read_lines(lines: Sequence[DocumentLine], *, recognised: bool = False) -> Reading:
    """What the lines say; where they were recognised from a picture nothing in them is more than likely."""
    if not lines:
        return Reading()
    total, line = _total(lines, recognised)
    return Reading(
        source="recognised" if recognised else "text",
        merchant=_merchant(lines),
        date=_date(lines, recognised),
        total=total,
        currency=_currency(lines, line, recognised),
        tax=_tax(lines, recognised),
        account=account_in(lines, recognised=recognised),
        words="\n".join(line.text for line in lines)[:MOST_WORDS],
    )


def _sureness(recognised: bool, others: Iterable[object] = ()) -> Sureness:
    return "likely" if recognised or any(True for _ in others) else "labelled"


def _total(lines: Sequence[DocumentLine], recognised: bool) -> tuple[Value | None, DocumentLine | None]:
    for labels in TOTALS:
        candidates = _labelled(lines, re.compile(rf"(?<!\w)(?:{labels})(?!\w)", re.IGNORECASE), NO_TOTAL)
        # A total beside its label is never negative; nought is a receipt's "paid 0.00".
        candidates = [(amount, line) for amount, line in candidates if amount > 0]
        if candidates:
            # Repeated on each page it is the same; where it is not, the last one is what it came to.
            amount, line = candidates[-1]
            others = tuple(dict.fromkeys(str(other) for other, _ in candidates if other != amount))
            return Value(str(amount), _sureness(recognised, others), line.page, line.box, others), line
    return None, None


def _labelled(
    lines: Sequence[DocumentLine], label: re.Pattern[str], but: re.Pattern[str]
) -> list[tuple[Decimal, DocumentLine]]:
    """The last amount of each line with the label, or where the line has none, that of the line below it."""
    candidates = []
    for place, line in enumerate(lines):
        match = label.search(line.text)
        if match is None or but.search(line.text):
            continue
        amounts = amounts_in(line.text[match.end() :])
        if amounts:
            candidates.append((amounts[-1], line))
        elif place + 1 < len(lines) and lines[place + 1].page == line.page:
            below = lines[place + 1]
            alone = not re.search(r"[A-Za-z]{4,}", below.text)
            if alone and (amounts := amounts_in(below.text)):
                candidates.append((amounts[-1], below))
    return candidates


def _tax(lines: Sequence[DocumentLine], recognised: bool) -> Value | None:
    candidates = [(amount, line) for amount, line in _labelled(lines, TAX, NO_TAX) if amount >= 0]
    if not candidates:
        return None
    amount, line = candidates[-1]
    others = tuple(dict.fromkeys(str(other) for other, _ in candidates if other != amount))
    return Value(str(amount), _sureness(recognised, others), line.page, line.box, others)


def _date(lines: Sequence[DocumentLine], recognised: bool) -> Value | None:
    dated = [(days, line) for line in lines for days in dates_in(line.text) if not NOT_DATED.search(line.text)]
    labelled = [(days, line) for days, line in dated if DATED.search(line.text)]
    if not (labelled or dated):
        return None
    days, line = (labelled or dated)[0]
    others = tuple(day.isoformat() for day in days[1:])
    sureness = _sureness(recognised or not labelled, others)
    return Value(days[0].isoformat(), sureness, line.page, line.box, others)


def _currency(lines: Sequence[DocumentLine], total_line: DocumentLine | None, recognised: bool) -> Value | None:
    for line in [*([total_line] if total_line else []), *lines]:
        if codes := currencies_in(line.text):
            sureness: Sureness = "labelled" if line is total_line and len(codes) == 1 and not recognised else "likely"
            return Value(codes[0], sureness, line.page, line.box, tuple(codes[1:]))
    return None


def _merchant(lines: Sequence[DocumentLine]) -> Value | None:
    """The tallest of the first lines that is a name: nothing on a receipt says which line that is, so it is likely."""
    head = [
        line
        for line in lines[:HEAD]
        if sum(letter.isalpha() for letter in line.text) >= 3
        and not NO_NAME.search(line.text)
        and not dates_in(line.text)
        and not amounts_in(line.text)
    ]
    if not head:
        return None
    line = max(head, key=lambda line: round(line.tall))
    return Value(line.text[:120], "likely", line.page, line.box)
