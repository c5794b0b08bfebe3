"""What the daily mail says of decisions: what waits for somebody, row by row as their inbox has it, and what of it is
about to miss its cut-off."""

from datetime import datetime, timedelta
from operator import attrgetter
from typing import NamedTuple

from django.urls import reverse
from django.utils import timezone

from dashboard.access.actor import Actor
from dashboard.decisions.filters import EXPENSE, REQUEST, Filters
from dashboard.decisions.items import KIND_LABELS
from dashboard.decisions.sources import PAYMENTS, RANK, Source, sources_of
from dashboard.decisions.totals import totals_of
from dashboard.delegation.presenters import with_delegators
from dashboard.notifications.digest import CutOff, Waiting, WaitingItem
from dashboard.times import day_and_time

SOON = timedelta(days=1)
MOST_LISTED = 5
MOST_ITEMS = 25


class Line(NamedTuple):
    """A row of the inbox as the mail lists it; `key` names it in the inbox, `about` says of what kind and whose it is."""

    key: str
    title: str
    about: str
    amount: str
    moment: datetime
    rank: int
    pk: int


def waiting_for(actor: Actor) -> Waiting:
    """All that waits for this person's decision; the items and cut-offs only where something waits."""
    totals = totals_of(actor, Filters())
    if not totals.count:
        return Waiting(0, totals.sums, totals.oldest, [], [])
    return Waiting(totals.count, totals.sums, totals.oldest, _cut_offs(actor), _items(actor))


def _items(actor: Actor) -> list[WaitingItem]:
    """What waits, in the order of the inbox: the newest first, at most MOST_ITEMS."""
    lines = [line for source in sources_of(actor) for line in _lines(actor, source)]
    newest = sorted(lines, key=attrgetter("moment", "rank", "pk"), reverse=True)[:MOST_ITEMS]
    inbox = reverse("approvals", args=[actor.business.slug])
    return [
        WaitingItem(line.title, line.about, line.amount, f"{inbox}{line.key}/")
        for line in with_delegators(actor, newest)
    ]


def _lines(actor: Actor, source: Source) -> list[Line]:
    rows = source.waiting(actor, Filters()).order_by(f"-{source.moment}", "-id")[:MOST_ITEMS]
    return [
        _line(source, *values) for values in rows.values_list("id", *source.line[:4], *source.line[5:6], source.moment)
    ]


def _line(
    source: Source, pk: int, remote_id: str, title: str, person: str, group: str, amount: str, moment: datetime
) -> Line:
    label = "Expense" if source.name == EXPENSE else KIND_LABELS.get(group, "Payment request")
    place = group.replace("_", "-") if source.name == REQUEST else source.name
    about = f"{label} · {person}" if person else label
    return Line(f"{place}/{remote_id}", title or label, about, amount, moment, RANK[source.name], pk)


def _cut_offs(actor: Actor) -> list[CutOff]:
    """What reaches its cut-off within a day, the next first; what is overdue too."""
    soon = PAYMENTS.waiting(actor, Filters()).filter(due_at__lte=timezone.now() + SOON).order_by("due_at")
    return [
        CutOff(approval.title, approval.amount_text, day_and_time(approval.due_at, actor.business))
        for approval in soon[:MOST_LISTED]
    ]
