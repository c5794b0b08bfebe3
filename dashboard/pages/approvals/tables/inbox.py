"""The lines of the inbox as they are printed, fifty at a go."""

from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from dashboard.access.actor import Actor
from dashboard.decisions.filters import EXPENSE, Filters
from dashboard.decisions.items import KIND_LABELS, level_of
from dashboard.pages.approvals.selectors.cursors import cursor_at
from dashboard.pages.approvals.selectors.inbox import SourceRow, inbox_rows, own_expenses
from dashboard.times import age, cut_off_text

PAGE = 50
STATES = {
    "PENDING": "waiting", "APPROVED": "approved", "REJECTED": "rejected", "DETAILS_REQUESTED": "details requested",
    "REFUNDED": "refunded", "WITHDRAWN": "withdrawn", "EXPIRED": "expired", "CANCELLED": "cancelled",
    "REQUESTED": "waiting", "ORDERED": "ordered", "SHIPPED": "shipped", "DELIVERED": "delivered", "POSTED": "posted",
    "REVERSED": "reversed", "WAITING": "waiting", "CONFIRMED": "confirmed", "APPLIED": "applied", "DECLINED": "declined",
    "STALE": "overtaken", "REFUSED": "refused", "ANSWERED": "answered",
}  # fmt: skip


class Row(NamedTuple):
    """A line of the inbox, ready to print; `urgency` is how its cut-off looks."""

    key: str
    title: str
    about: str
    age: str
    urgency: str
    cut_off: str
    level: str
    risk: str
    amount: str


@dataclass(frozen=True)
class InboxPage:
    """A page of rows and where the next one begins ("" at the end)."""

    rows: list[Row]
    next: str


def inbox_page(
    actor: Actor, filters: Filters, now: datetime, skip: frozenset[str] = frozenset(), limit: int = PAGE
) -> InboxPage:
    """The next rows after the cursor, at most `limit`; `skip` are keys with a decision on its way."""
    rows: list[Row] = []
    last: SourceRow | None = None
    source_rows = inbox_rows(actor, filters, limit + 1 + len(skip))
    # Nothing of one's own waits for oneself.
    own = own_expenses(actor, source_rows) if filters.show != "mine" else frozenset()
    for row in source_rows:
        key = row.key
        if key in skip:
            continue
        if len(rows) == limit and last is not None:
            cursor = cursor_at(last.place(filters.sort), last.moment, last.source, last.pk)
            return InboxPage(rows, str(cursor))
        rows.append(_printed(key, row._replace(risk=-1) if key in own else row, now, filters.show))
        last = row
    return InboxPage(rows, "")


def _printed(key: str, row: SourceRow, now: datetime, show: str) -> Row:
    if row.source == EXPENSE:
        title = row.title or "Expense"
        about = f"Expense · {row.person} · {row.group}" if row.group else f"Expense · {row.person}"
        # The reviewer asked for it: it is what they look for.
        about = f"Answered · {about}" if row.status == "ANSWERED" else about
    else:
        title, kind = row.title, KIND_LABELS.get(row.group, "Payment request")
        about = f"{kind} · {row.person}" if row.person else kind
    if show == "mine":
        urgency, cut_off = cut_off_text(row.cut_off, now)
    else:
        urgency, cut_off = "", STATES.get(row.status, row.status.lower())
    if row.risk < 0:
        return Row(key, title, about, age(row.moment, now), urgency, cut_off, "none", "–", row.amount_text or "–")
    level = level_of(row.risk)
    return Row(key, title, about, age(row.moment, now), urgency, cut_off, level, f"{level} {row.risk}", row.amount_text)
