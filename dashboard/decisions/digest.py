"""What the daily mail and the push notifications say of decisions: what waits for somebody, row by row as their inbox has
it, and what of it is about to miss its cut-off."""

from datetime import timedelta
from typing import NamedTuple

from django.urls import reverse
from django.utils import timezone

from dashboard.access.actor import Actor
from dashboard.decisions.desk_items import KIND_LABELS
from dashboard.decisions.filters import EXPENSE_SOURCE, Filters
from dashboard.decisions.inbox import SourceRow, inbox_rows
from dashboard.decisions.sources import PAYMENTS
from dashboard.decisions.totals import inbox_totals
from dashboard.delegation.presenters import with_delegators
from dashboard.notifications.digest import CutOff, Waiting, WaitingItem
from dashboard.notifications.waiting import InboxEntry
from dashboard.times import day_and_time

SOON = timedelta(days=1)
MOST_LISTED = 5
MOST_ITEMS = 25


class DigestLine(NamedTuple):
    """A row of the inbox as the mail lists it; `key` names it in the inbox, `about` says of what kind and whose it is."""

    key: str
    title: str
    about: str
    amount: str


def waiting_decisions(actor: Actor) -> Waiting:
    """All that waits for this person's decision; the items and cut-offs only where something waits."""
    totals = inbox_totals(actor, Filters())
    if not totals.count:
        return Waiting(0, totals.sums, totals.oldest, [], [])
    return Waiting(totals.count, totals.sums, totals.oldest, _cut_offs(actor), _items(actor))


def _items(actor: Actor) -> list[WaitingItem]:
    """What waits, in the order of the inbox: the most urgent first, at most MOST_ITEMS."""
    lines = [_line(row) for row in inbox_rows(actor, Filters(), MOST_ITEMS, undecided=True)]
    inbox = reverse("approvals", args=[actor.business.slug])
    return [
        WaitingItem(line.title, line.about, line.amount, f"{inbox}{line.key}/")
        for line in with_delegators(actor, lines)
    ]


def newest_waiting(actor: Actor, most: int) -> list[InboxEntry]:
    """The newest items that wait for this person's decision, at most `most`; those with a decision on its way too."""
    rows = inbox_rows(actor, Filters(sort="newest"), most)
    return [InboxEntry(row.key, _label(row), row.title or _label(row), row.amount_text) for row in rows]


def _label(row: SourceRow) -> str:
    return "Expense" if row.source == EXPENSE_SOURCE else KIND_LABELS.get(row.group, "Payment request")


def _line(row: SourceRow) -> DigestLine:
    label = _label(row)
    about = f"{label} · {row.person}" if row.person else label
    return DigestLine(row.key, row.title or label, about, row.amount_text)


def _cut_offs(actor: Actor) -> list[CutOff]:
    """What reaches its cut-off within a day, the next first; what is overdue too."""
    soon = PAYMENTS.waiting(actor, Filters()).filter(due_at__lte=timezone.now() + SOON).order_by("due_at")
    return [
        CutOff(
            approval.title,
            approval.amount_text,
            day_and_time(approval.due_at, actor.business),
            reverse("approvals_payment", args=[actor.business.slug, approval.remote_id]),
        )
        for approval in soon[:MOST_LISTED]
    ]
