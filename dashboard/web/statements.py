"""The lines of a statement, as the pages of wallets and of people print them (templates/shared/entries.html)."""

from dataclasses import dataclass
from decimal import Decimal

from dashboard.money import number, to_minor
from dashboard.schemas.accounts import Entry

ENTRY_KINDS = {
    "TOPUP": "Top-up",
    "EXPENSE": "Expense",
    "FX": "FX",
    "FX_SPREAD": "FX spread",
    "REFUND": "Refund",
    "IFT": "Transfer",
    "ALLOCATION": "Allocation",
    "DEALLOCATION": "Funds removed",
    "OPENING": "Opening",
}


@dataclass(frozen=True, slots=True)
class WalletStatementLine:
    """An entry as it is printed; the amounts in the wallet's currency, which the heading names."""

    day: str
    text: str
    kind: str
    ref: str
    came_in: str
    went_out: str
    balance: str


def line_of(statement_entry: Entry, locale: str) -> WalletStatementLine:
    """An entry as a line: what came in or went out, and what there was after it."""

    def amount(value: Decimal) -> str:
        return number(to_minor(value, statement_entry.currency), statement_entry.currency, locale)

    day, kind = statement_entry.effective_on, statement_entry.transaction_type
    return WalletStatementLine(
        day=f"{day.day} {day:%b %Y}" if day else "",
        text=statement_entry.description or statement_entry.ref,
        kind=ENTRY_KINDS.get(kind, kind.replace("_", " ").capitalize()),
        ref=statement_entry.ref,
        came_in=amount(statement_entry.credit) if statement_entry.credit else "",
        went_out=amount(statement_entry.debit) if statement_entry.debit else "",
        balance=amount(statement_entry.running_balance),
    )
