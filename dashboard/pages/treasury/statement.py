"""A wallet's statement, page by page as the service has it: each entry with the balance after it."""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.client.page import read_page, typed
from dashboard.client.reads import read_live
from dashboard.mirror.models import Wallet
from dashboard.money import number, to_minor
from dashboard.schemas.accounts import Entry
from dashboard.times import as_of

SIZE = 50
LIVE_S = 2.0
KINDS = {
    "TOPUP": "Top-up",
    "EXPENSE": "Expense",
    "FX": "Exchange",
    "FX_SPREAD": "Exchange spread",
    "REFUND": "Refund",
    "IFT": "Transfer",
    "OPENING": "Opening",
}


@dataclass(frozen=True)
class Line:
    """An entry as it is printed; the amounts in the wallet's currency, which the heading names."""

    day: str
    text: str
    kind: str
    ref: str
    came_in: str
    went_out: str
    balance: str


@dataclass(frozen=True)
class Statement:
    """A page of it: which, of how many, and how many entries in all."""

    lines: list[Line]
    number: int
    pages: int
    total: int
    seen: str


def statement_of(actor: Actor, wallet: Wallet, number: int, first: date | None, last: date | None) -> Statement:
    """One page, the newest entry first; raises the error tree where the service does not tell."""
    query: dict[str, str | int] = {"page": number, "limit": SIZE}
    query |= {name: day.isoformat() for name, day in (("from", first), ("to", last)) if day}
    path = {"id": wallet.remote_id}
    answer = read_live(
        actor, operations.LIST_ACCOUNT_TRANSACTIONS, path=path, query=query, subject=wallet, deadline=LIVE_S
    )
    found = read_page(answer.data)
    lines = [_line(entry, actor.business.locale) for entry in typed(found.rows, Entry)]
    seen = as_of(answer.as_of, actor.business)
    return Statement(lines, number, found.pages or 1, found.total or len(lines), seen)


def _line(entry: Entry, locale: str) -> Line:
    def said(amount: Decimal) -> str:
        return number(to_minor(amount, entry.currency), entry.currency, locale)

    day = entry.effective_on
    kind = entry.transaction_type
    return Line(
        day=f"{day.day} {day:%b %Y}" if day else "",
        text=entry.description or entry.ref,
        kind=KINDS.get(kind, kind.replace("_", " ").capitalize()),
        ref=entry.ref,
        came_in=said(entry.credit) if entry.credit else "",
        went_out=said(entry.debit) if entry.debit else "",
        balance=said(entry.running_balance),
    )
