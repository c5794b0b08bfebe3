"""The lines of the inbox as they are printed, fifty at a go."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple

from dashboard.access.actor import Actor
from dashboard.decisions.desk_items import KIND_LABELS, level_of
from dashboard.decisions.filters import EXPENSE_SOURCE, GROUPED, Filters
from dashboard.decisions.inbox import SourceRow, groups_of, inbox_rows, own_expenses, reason_of
from dashboard.decisions.sources import ID_AFTER
from dashboard.money import text
from dashboard.times import age, cut_off_text

PAGE = 50
# What the head says of rows that nobody has asked for, or that name no merchant.
NO_GROUP = {"requester": "No requester", "merchant": "No merchant"}
INBOX_STATES = {
    "PENDING": "waiting", "APPROVED": "approved", "REJECTED": "rejected", "DETAILS_REQUESTED": "details requested",
    "REFUNDED": "refunded", "WITHDRAWN": "withdrawn", "EXPIRED": "expired", "CANCELLED": "cancelled",
    "REQUESTED": "waiting", "ORDERED": "ordered", "SHIPPED": "shipped", "DELIVERED": "delivered", "POSTED": "posted",
    "REVERSED": "reversed", "WAITING": "waiting", "CONFIRMED": "confirmed", "APPLIED": "applied", "DECLINED": "declined",
    "STALE": "overtaken", "REFUSED": "refused", "UNKNOWN": "not known", "ANSWERED": "answered",
}  # fmt: skip


class Row(NamedTuple):
    """A line of the inbox, ready to print; `urgency` is how its cut-off looks, `reason` why it stands where it does, ""
    where the order is not by urgency; `reference` stands on paper alone."""

    key: str
    title: str
    about: str
    age: str
    urgency: str
    cut_off: str
    level: str
    risk: str
    amount: str
    reason: str
    reference: str


@dataclass(frozen=True, slots=True)
class Head:
    """The head of a group: `key` names it to the plan, `count` and `sums` are of all its rows, also of those on other pages;
    `box` is how its tick box is called. `continued` where its first rows stand on an earlier page."""

    key: str
    label: str
    count: int
    sums: list[str]
    box: str
    continued: bool


@dataclass(frozen=True)
class InboxPage:
    """A page of rows and where the next one begins ("" at the end); `heads` by the key of the first row of each group."""

    rows: list[Row]
    next: str
    heads: dict[str, Head] = field(default_factory=dict)


def inbox_page(
    actor: Actor, filters: Filters, now: datetime, skip: frozenset[str] = frozenset(), limit: int = PAGE
) -> InboxPage:
    """The next rows after the cursor, at most `limit`; `skip` are keys with a decision on its way."""
    rows: list[Row] = []
    printed: list[SourceRow] = []
    source_rows = inbox_rows(actor, filters, limit + 1 + len(skip))
    # Nothing of one's own waits for oneself.
    own = own_expenses(actor, source_rows) if filters.show != "mine" else frozenset()
    for row in source_rows:
        key = row.key
        if key in skip:
            continue
        if len(rows) == limit:
            return InboxPage(rows, str(printed[-1].cursor(filters.order)), _heads(actor, filters, printed))
        rows.append(_printed(key, row._replace(risk=-1) if key in own else row, now, filters))
        printed.append(row)
    return InboxPage(rows, "", _heads(actor, filters, printed))


def _heads(actor: Actor, filters: Filters, printed: list[SourceRow]) -> dict[str, Head]:
    """The head of each group of the rows, by the key of its first row on the page; {} where they stand in none."""
    if filters.order not in GROUPED:
        return {}
    groups = groups_of(actor, filters, {row.group_key for row in printed})
    before = _group_before(filters)
    heads: dict[str, Head] = {}
    for row in printed:
        if heads and row.group_key == before:
            continue
        group, name = groups[row.group_key], row.group_key.partition(ID_AFTER)[0]
        label = name or NO_GROUP[filters.order]
        sums = [text(minor, currency, actor.business.locale) for currency, minor in sorted(group.sums.items())]
        heads[row.key] = Head(
            row.group_key, label, group.count, sums, f"Select all {group.count:,} of {label}", row.group_key == before
        )
        before = row.group_key
    return heads


def _group_before(filters: Filters) -> str | None:
    if filters.cursor is None:
        return None
    return str(filters.cursor.value) if filters.cursor.section == 0 else ""


def _printed(key: str, row: SourceRow, now: datetime, filters: Filters) -> Row:
    if row.source == EXPENSE_SOURCE:
        title = row.title or "Expense"
        about = f"Expense · {row.person} · {row.group}" if row.group else f"Expense · {row.person}"
        # The reviewer asked for it: it is what they look for.
        about = f"Answered · {about}" if row.status == "ANSWERED" else about
    else:
        title, kind = row.title, KIND_LABELS.get(row.group, "Payment request")
        about = f"{kind} · {row.person}" if row.person else kind
    why = reason_of(row, now) if filters.order == "urgency" else ""
    if filters.show == "mine":
        urgency, cut_off = cut_off_text(row.cut_off, now)
    else:
        urgency, cut_off = "", INBOX_STATES.get(row.status, row.status.lower())
    if row.risk < 0:
        return Row(
            key, title, about, age(row.moment, now), urgency, cut_off, "none", "–", row.amount_text or "–", why,
            row.reference,
        )  # fmt: skip
    level = level_of(row.risk)
    return Row(
        key, title, about, age(row.moment, now), urgency, cut_off, level, f"{level} {row.risk}", row.amount_text, why,
        row.reference,
    )  # fmt: skip
