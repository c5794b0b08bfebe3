"""Replays of drafts over what was spent: what was asked, how far it is, and what came of it."""

import uuid
from typing import TypedDict

from django.db import models
from django.db.models import Q

from dashboard.access.models import Business, Membership
from dashboard.schemas.base import JsonObject
from dashboard.worker_lease import CountedLease


class ReplayState(models.TextChoices):
    """How far the worker is with a replay, or how it ended."""

    QUEUED = "QUEUED", "Queued"
    RUNNING = "RUNNING", "Running"
    DONE = "DONE", "Done"
    FAILED = "FAILED", "Failed"
    CANCELLED = "CANCELLED", "Cancelled"


UNFINISHED = (ReplayState.QUEUED, ReplayState.RUNNING)


class ReplayChange(models.TextChoices):
    """How an item would have gone another way, the gravest first; UNWEIGHED: the copy does not know enough to say."""

    NOBODY = "NOBODY", "Nobody could approve it"
    BLOCKED = "BLOCKED", "Blocked"
    APPROVAL = "APPROVAL", "Sent for approval"
    FLAGGED = "FLAGGED", "Flagged"
    ROUTE = "ROUTE", "Other approvers"
    RELEASED = "RELEASED", "Let through"
    UNWEIGHED = "UNWEIGHED", "Could not be weighed"


class ReplayDraft(TypedDict):
    """A change as it is replayed: the type of what it changes, and that as it is and as it would be, in the interface's
    words; None where there is none."""

    target_type: str
    before: JsonObject | None
    after: JsonObject | None


class Replay(CountedLease):
    """One draft run over the business's items of some days, compared with what is in force.

    `draft` is {"target_type", "before", "after"}: the policy or workflow as it is and as it would be, in the interface's
    shape, null where there is none. `form` is what was typed: {"address", "fields": [[name, value], …]}. `result` is a
    ReplayResult (results.py).
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    business = models.ForeignKey(Business, on_delete=models.CASCADE, related_name="+")
    membership = models.ForeignKey(Membership, on_delete=models.CASCADE, related_name="+")
    title = models.CharField(max_length=200)
    sentences = models.JSONField(default=list)
    draft = models.JSONField()
    digest = models.CharField(max_length=64)
    form = models.JSONField(default=dict)
    first_day = models.DateField()
    last_day = models.DateField()
    state = models.CharField(max_length=9, choices=ReplayState.choices, default=ReplayState.QUEUED)
    items_done = models.PositiveIntegerField(default=0)
    items_total = models.PositiveIntegerField(null=True)
    result = models.JSONField(default=dict)
    trouble = models.CharField(max_length=300, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        indexes = [
            models.Index(fields=["business", "-created_at"], name="replays_newest"),
            models.Index(fields=["business", "digest", "-created_at"], name="replays_of_a_draft"),
            models.Index(
                fields=["state", "heartbeat_at"],
                condition=Q(state__in=["QUEUED", "RUNNING"]),
                name="replays_unfinished",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.title}: {self.state}"

    @property
    def is_done(self) -> bool:
        """Whether it has weighed everything."""
        return self.state == ReplayState.DONE

    @property
    def is_open(self) -> bool:
        """Whether it waits for a worker, or one is at it."""
        return self.state in UNFINISHED

    @property
    def percent(self) -> int:
        """How many percent of its items are weighed, 0 to 100."""
        if self.is_done:
            return 100
        return min(99, self.items_done * 100 // self.items_total) if self.items_total else 0


class ReplayItem(models.Model):
    """An item that would have gone another way, or could not be weighed: which, whose, and the two ways in words."""

    replay = models.ForeignKey(Replay, on_delete=models.CASCADE, related_name="items")
    kind = models.CharField(max_length=20)
    remote_id = models.CharField(max_length=64)
    title = models.CharField(max_length=300)
    person_id = models.CharField(max_length=64, blank=True)
    team_id = models.CharField(max_length=64, blank=True)
    amount_minor = models.BigIntegerField()
    currency = models.CharField(max_length=3)
    happened_at = models.DateTimeField()
    change = models.CharField(max_length=9, choices=ReplayChange.choices)
    before = models.CharField(max_length=300)
    after = models.CharField(max_length=300)

    class Meta:
        indexes = [models.Index(fields=["replay", "change", "-happened_at"], name="replay_items_by_change")]

    def __str__(self) -> str:
        return f"{self.title}: {self.change}"
