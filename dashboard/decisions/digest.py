"""What the daily mail says of decisions: how much waits for somebody, and what of it is about to miss its cut-off."""

from datetime import timedelta

from django.utils import timezone

from dashboard.access.actor import Actor
from dashboard.decisions.filters import Filters
from dashboard.decisions.sources import PAYMENTS
from dashboard.decisions.totals import totals_of
from dashboard.notifications.digest import CutOff, Waiting
from dashboard.times import day_and_time

SOON = timedelta(days=1)
MOST_LISTED = 5


def waiting_for(actor: Actor) -> Waiting:
    """All that waits for this person's decision; the cut-offs only where something waits."""
    totals = totals_of(actor, Filters())
    return Waiting(totals.count, totals.sums, totals.oldest, _cut_offs(actor) if totals.count else [])


def _cut_offs(actor: Actor) -> list[CutOff]:
    """What reaches its cut-off within a day, the next first; what is overdue too."""
    soon = PAYMENTS.waiting(actor, Filters()).filter(due_at__lte=timezone.now() + SOON).order_by("due_at")
    return [
        CutOff(approval.title, approval.amount_text, day_and_time(approval.due_at, actor.business))
        for approval in soon[:MOST_LISTED]
    ]
