"""Lines that nobody has exported yet, as rows: what an export would hold, and how each would be called."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import NotRequired, TypedDict

from dashboard.access.actor import Actor
from dashboard.journal_exports.journal import JournalLine
from dashboard.journal_files.mappings import mappings_of
from dashboard.money import number
from dashboard.pages.journal_exports.presenters.exports import days_text


@dataclass(frozen=True, slots=True)
class PendingRow:
    """A line: its day, its posting, what it is about, its account with the accountant's code, and the amount on its side."""

    day: str
    posting: int
    text: str
    account: str
    code: str
    dimension: str
    currency: str
    debit: str
    credit: str


class PendingContext(TypedDict):
    """What journal_exports/pending.html reads; `following` is the place behind which the next page goes on."""

    period: str
    after: str
    until: date | None
    problem: str
    days: NotRequired[str]
    rows: NotRequired[list[PendingRow]]
    following: NotRequired[str]


class LinesContext(TypedDict):
    """The part of it that the lines are."""

    days: str
    rows: list[PendingRow]
    following: str


def lines_context(actor: Actor, days: tuple[date, date], lines: Sequence[JournalLine], following: str) -> LinesContext:
    """The lines with what they are mapped to now."""
    mappings, locale = mappings_of(actor), actor.business.locale
    rows = []
    for line in lines:
        mapped = mappings.map(line)
        amount = number(abs(line.amount_minor), line.currency, locale)
        rows.append(
            PendingRow(
                f"{line.effective_on.day} {line.effective_on:%b %Y}", line.posting_id, line.description or line.ref,
                line.account_name, mapped.account.code, " · ".join(filter(None, (mapped.dimension, *mapped.tags))),
                line.currency, amount if line.amount_minor < 0 else "", amount if line.amount_minor > 0 else "",
            )
        )  # fmt: skip
    return {"days": days_text(*days), "rows": rows, "following": following}
