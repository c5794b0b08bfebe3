"""The weekly sample of everything that was approved: by people through this dashboard, and by nobody, because no vote was
asked for. Drawn by lot once a week is over, and looked at by somebody who neither decided nor asked (weekly_checks.py).

The lot is a hash of the week and the item's id, which nobody can choose; the draw is written down, with how many there were.
What a draw has counted is written down too: what settles after its week is counted by a later one.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from math import ceil
from zoneinfo import ZoneInfo

from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from dashboard.access.actor import Actor
from dashboard.access.models import Business
from dashboard.access.subject import subject_of
from dashboard.audit.models import Outcome
from dashboard.audit.record import record
from dashboard.decisions.models import CountedApproval, Decision, DecisionState, WeeklyDraw, WeeklySample
from dashboard.mirror.models import Approval, ApprovalRequest, Expense, Mirrored
from dashboard.times import local

DRAWN = "draw_weekly_sample"
APPROVES = "approve_"
# Of each of the two kinds so many at most: a review that nobody finishes is none.
MOST_DRAWN = 25
# What is approved later than this after it was asked for or spent is in no draw.
LOOKBACK = timedelta(days=60)
BATCH = 1000
# What has left the drafts and is not waiting for anybody.
PAID_PAYOUTS = ("PROCESSING", "COMPLETED", "PARTIALLY_COMPLETED", "FAILED")
PAID_BILLS = ("APPROVED", "SCHEDULED", "PROCESSING", "UNKNOWN", "SUCCEEDED")
BY_POLICY = "A policy of single-use cards approved it: no person did."
NO_VOTE = "Neither a workflow nor a mandate required an approval of it."
UNKNOWN_VOTE = "No request to approve it is known here: it was paid without one, as far as the copy shows."
NO_REVIEWER = "It is approved, and the finance service names no reviewer."

ItemKey = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Candidate:
    """An approval that can be drawn: of which item, and by which decision, or why by nobody."""

    kind: str
    remote_id: str
    title: str
    amount_minor: int | None
    currency: str
    decision: Decision | None = None
    route: str = ""

    @property
    def key(self) -> ItemKey:
        """The kind and the remote id, which name it among the candidates."""
        return self.kind, self.remote_id

    def lot(self, week: date) -> bytes:
        """Its place in the draw of a week."""
        return hashlib.sha256(f"{week.isoformat()}/{self.kind}/{self.remote_id}".encode()).digest()


def draw_weeks() -> int:
    """Draws the sample of the last whole week of each business that has none yet; how many approvals were drawn."""
    return sum(_draw(business) for business in Business.objects.order_by("pk"))


def last_week(business: Business, now: datetime) -> date:
    """The Monday of the last week that is over at the business."""
    today = local(now, business).date()
    return today - timedelta(days=today.weekday() + 7)


def _draw(business: Business) -> int:
    monday = last_week(business, timezone.now())
    if WeeklyDraw.objects.filter(business=business, monday=monday).exists():
        return 0
    zone = ZoneInfo(business.time_zone)
    end = datetime.combine(monday + timedelta(days=7), time(), zone)
    begin = end - LOOKBACK
    counted = {(row.object_type, row.object_id): row.until for row in CountedApproval.objects.filter(business=business)}
    decided = decided_in(business, begin, end, counted)
    by_people = {candidate.key for candidate in decided}
    nobody = approved_by_nobody_in(business, begin, end)
    automatic = [row for row in nobody if row.key not in counted and row.key not in by_people]
    drawn = [*_drawn_of(decided, business, monday), *_drawn_of(automatic, business, monday)]
    try:
        with transaction.atomic():
            week = WeeklyDraw.objects.create(
                business=business, monday=monday, decided_count=len(decided), automatic_count=len(automatic)
            )
            WeeklySample.objects.bulk_create(_sample(week, candidate) for candidate in drawn)
            _count(week, [*decided, *automatic], begin, end)
            if drawn:
                record(
                    Actor.reader_for(business), DRAWN, None, Outcome.NOTED,
                    sentence=f"drew the weekly sample of the week from {monday.day} {monday:%b %Y}: {len(drawn)} approvals",
                    after={"approved by people": len(decided), "approved by nobody": len(automatic), "drawn": len(drawn)},
                )  # fmt: skip
    except IntegrityError:
        # Another worker was faster.
        return 0
    return len(drawn)


def _sample(week: WeeklyDraw, candidate: Candidate) -> WeeklySample:
    return WeeklySample(
        draw=week, object_type=candidate.kind, object_id=candidate.remote_id, title=candidate.title[:300],
        amount_minor=candidate.amount_minor, currency=candidate.currency, decision=candidate.decision,
        route=candidate.route,
    )  # fmt: skip


def _count(week: WeeklyDraw, candidates: Sequence[Candidate], begin: datetime, end: datetime) -> None:
    # Older ones are out of reach of every draw to come.
    CountedApproval.objects.filter(business=week.business, until__lt=begin).delete()
    CountedApproval.objects.bulk_create(
        [
            CountedApproval(
                business=week.business, draw=week, object_type=candidate.kind, object_id=candidate.remote_id, until=end
            )
            for candidate in candidates
        ],
        batch_size=BATCH, update_conflicts=True, unique_fields=["business", "object_type", "object_id"],
        update_fields=["draw", "until"],
    )  # fmt: skip


def _drawn_of(candidates: Sequence[Candidate], business: Business, monday: date) -> list[Candidate]:
    count = min(MOST_DRAWN, ceil(len(candidates) * business.sample_percent / 100))
    return sorted(candidates, key=lambda candidate: candidate.lot(monday))[:count]


def decided_in(
    business: Business, begin: datetime, end: datetime, counted: Mapping[ItemKey, datetime]
) -> list[Candidate]:
    """What people approved through this dashboard and was done, from a moment to before another; an item once.

    Not what was done before the moment until which its item was `counted`.
    """
    rows = Decision.objects.filter(
        business=business,
        state=DecisionState.DONE,
        settled_at__gte=begin,
        settled_at__lt=end,
        operation__startswith=APPROVES,
    ).order_by("settled_at", "pk")
    by_item = {
        key: row
        for row in rows
        if (key := (row.object_type, row.object_id)) not in counted
        or (row.settled_at and row.settled_at >= counted[key])
    }
    return [
        Candidate(row.object_type, row.object_id, row.title, row.amount_minor, row.currency, decision=row)
        for row in by_item.values()
    ]


def approved_by_nobody_in(business: Business, begin: datetime, end: datetime) -> list[Candidate]:
    """What was approved or paid without anybody's word, as far as the copy knows: by the day it was asked for or spent."""
    requests = ApprovalRequest.objects.filter(
        business=business, tombstoned_at=None, requested_at__gte=begin, requested_at__lt=end
    )
    voted = Approval.objects.filter(business=business, ref=OuterRef("ref"))
    unvoted = requests.filter(~Exists(voted))
    decided = Decision.objects.filter(business=business, object_id=OuterRef("remote_id"), state=DecisionState.DONE)
    spent = Expense.objects.filter(
        ~Exists(decided), business=business, tombstoned_at=None, status="APPROVED", transaction_date__gte=begin,
        transaction_date__lt=end, payload__has_key="reviewed_by", payload__reviewed_by=None,
    )  # fmt: skip
    return [
        *_candidates(requests.filter(kind="card_request", payload__decided_by="policy"), BY_POLICY),
        *_candidates(unvoted.filter(kind="payout", status__in=PAID_PAYOUTS), UNKNOWN_VOTE),
        *_candidates(
            requests.filter(kind="bill_payment", status__in=PAID_BILLS, payload__approval_status="NOT_REQUIRED"),
            NO_VOTE,
        ),
        *_candidates(spent, NO_REVIEWER),
    ]


def _candidates(rows: Iterable[Mirrored], route: str) -> list[Candidate]:
    candidates = []
    for row in rows:
        about = subject_of(row)
        amount, currency = getattr(row, "amount_minor", None), getattr(row, "currency", "")
        candidates.append(Candidate(about.kind, about.id, about.title, amount, currency, route=route))
    return candidates


def weekly_samples_of(actor: Actor) -> QuerySet[WeeklySample]:
    """The samples of the actor's business, those to check first, the newest week first; the caller shows of each what the
    actor may see."""
    rows = WeeklySample.objects.filter(draw__business=actor.business)
    return rows.select_related("draw", "decision__membership__user").order_by("-checked_at", "-draw__monday", "pk")
