"""What an e-invoice says otherwise than the page that it came with: each such value, with what the page says.

A page of which no text can be read says nothing otherwise. Runs in the program alone.
"""

import re
from collections.abc import Sequence
from decimal import Decimal

from dashboard.documents.amounts import amounts_in, currencies_in, dates_in
from dashboard.documents.bill_fields import due_days_printed
from dashboard.documents.lines import DocumentLine
from dashboard.documents.payment_accounts import all_accounts
from dashboard.documents.readings import Reading

# Words of a name that say nothing of who it is.
NO_NAME = frozenset({"and", "the", "of", "ltd", "limited", "inc", "llc", "plc", "gmbh", "ag", "company", "co"})


def disagreements(inside: Reading, printed: Reading, lines: Sequence[DocumentLine]) -> tuple[tuple[str, str], ...]:
    """The names of the values of an e-invoice that stand nowhere on its page, each with what the page says instead: "" for
    nothing of the kind, which is said of the seller alone."""
    texts = [line.text for line in lines]
    if not texts:
        return ()
    checks = {
        "merchant": _merchant(inside, printed, texts), "currency": _currency(inside, printed, texts),
        "date": _date(inside, printed, texts), "due": _due(inside, texts), "tax": _tax(inside, printed, texts),
        "account": _account(inside, printed),
    }  # fmt: skip
    return tuple((name, other) for name, other in checks.items() if other is not None)


def _merchant(inside: Reading, printed: Reading, texts: Sequence[str]) -> str | None:
    name = _words(inside.merchant.text) if inside.merchant else frozenset()
    if not name or name <= _words(" ".join(texts)):
        return None
    return printed.merchant.text if printed.merchant else ""


def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"\w{2,}", text.casefold())) - NO_NAME


def _currency(inside: Reading, printed: Reading, texts: Sequence[str]) -> str | None:
    named = {code for text in texts for code in currencies_in(text)}
    if inside.currency is None or printed.currency is None or inside.currency.text in named:
        return None
    return printed.currency.text


def _date(inside: Reading, printed: Reading, texts: Sequence[str]) -> str | None:
    days = {day.isoformat() for text in texts for either in dates_in(text) for day in either}
    if inside.date is None or printed.date is None or inside.date.text in days:
        return None
    return printed.date.text


def _due(inside: Reading, texts: Sequence[str]) -> str | None:
    days = [day.isoformat() for text in texts for _, day in due_days_printed(text)]
    return days[0] if inside.due is not None and days and inside.due.text not in days else None


def _tax(inside: Reading, printed: Reading, texts: Sequence[str]) -> str | None:
    if inside.tax is None or printed.tax is None:
        return None
    amounts: set[Decimal] = {amount for text in texts for amount in amounts_in(text)}
    return None if inside.tax.decimal in amounts else printed.tax.text


def _account(inside: Reading, printed: Reading) -> str | None:
    if inside.account is None or printed.account is None or inside.account.text in all_accounts(printed.account):
        return None
    return printed.account.text
