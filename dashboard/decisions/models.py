"""Decisions on their way upstream: taken here, waiting their seconds, sent once, and what became of them."""

import uuid
from collections.abc import Mapping
from typing import Any

from django.db import models
from django.db.models import Q
from django.utils import timezone

from telemetry.trace_context import HEADER_LENGTH


class DecisionState(models.TextChoices):
    """Where a decision stands. LOST: somebody else's word holds. UNKNOWN: it was sent and nobody can tell yet whether it
    was done. How one moves: `TRANSITIONS`, which the database enforces (moves.sql)."""

    WAITING = "WAITING", "Waiting"
    SENDING = "SENDING", "Sending"
    DONE = "DONE", "Done"
    REFUSED = "REFUSED", "Refused"
    LOST = "LOST", "Overtaken"
    CANCELLED = "CANCELLED", "Cancelled"
    UNKNOWN = "UNKNOWN", "Not known yet"


# The code of a LOST one of which it will never be known whether it was done before the other's word.
NOT_KNOWN = "not_known"
OPEN = (DecisionState.WAITING, DecisionState.SENDING, DecisionState.UNKNOWN)
TRANSITIONS: Mapping[DecisionState, frozenset[DecisionState]] = {
    DecisionState.WAITING: frozenset({DecisionState.SENDING, DecisionState.CANCELLED}),
    DecisionState.SENDING: frozenset(
        {
            DecisionState.WAITING,
            DecisionState.DONE,
            DecisionState.REFUSED,
            DecisionState.LOST,
            DecisionState.CANCELLED,
            DecisionState.UNKNOWN,
        }
    ),
    DecisionState.UNKNOWN: frozenset({DecisionState.SENDING}),
    DecisionState.DONE: frozenset(),
    DecisionState.REFUSED: frozenset(),
    DecisionState.LOST: frozenset(),
    DecisionState.CANCELLED: frozenset(),
}


class Decision(models.Model):
    """One decision of one person on one item.

    `fingerprint` is what the person saw; `key` was born with the form. `send_key` is what goes upstream: the same as
    `key`, or one shared by the rows of a bulk that are sent in one call. `outcome` holds what became of it:
    {"message", "code", "request_id", "status", "by", "found_by_reading"}.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4)
    business = models.ForeignKey("access.Business", on_delete=models.CASCADE, related_name="+")
    membership = models.ForeignKey("access.Membership", on_delete=models.CASCADE, related_name="decisions")
    session_key = models.CharField(max_length=40, blank=True)
    # Where it is one of several that were submitted together: their batch, and its own row of it.
    bulk = models.ForeignKey("bulk.Batch", null=True, on_delete=models.CASCADE, related_name="decisions")
    row = models.OneToOneField("bulk.BatchRow", null=True, on_delete=models.CASCADE, related_name="decision")
    operation = models.CharField(max_length=60)
    object_type = models.CharField(max_length=40)
    object_id = models.CharField(max_length=64)
    title = models.CharField(max_length=300)
    amount_minor = models.BigIntegerField(null=True)
    currency = models.CharField(max_length=3, blank=True)
    # A vote is one of several on the same item; anything else is alone on it.
    is_vote = models.BooleanField(default=False)
    fingerprint = models.TextField()
    key = models.CharField(max_length=255)
    send_key = models.CharField(max_length=255, blank=True)
    reason = models.TextField(blank=True)
    # What a policy said against it when it was approved all the same, in sentences.
    overridden = models.JSONField(default=list)
    # Whether what it approves looked clean then (decisions/clean.py): from these the sample is drawn.
    looked_clean = models.BooleanField(default=False, db_default=False)
    # Where the click stood in its trace (W3C `traceparent`): the worker that sends it goes on there. "" for none.
    traceparent = models.CharField(max_length=HEADER_LENGTH, blank=True, default="", db_default="")
    state = models.CharField(max_length=9, choices=DecisionState.choices, default=DecisionState.WAITING)
    created_at = models.DateTimeField(default=timezone.now)
    due_at = models.DateTimeField()
    # Who has claimed it for sending, until when, and how often it was tried.
    claim = models.UUIDField(null=True)
    lease_until = models.DateTimeField(null=True)
    tries = models.PositiveSmallIntegerField(default=0)
    # Whether a call for it ever left us. Since when it may have been done: for ever, then.
    has_left = models.BooleanField(default=False)
    unknown_since = models.DateTimeField(null=True)
    alerted_at = models.DateTimeField(null=True)
    settled_at = models.DateTimeField(null=True)
    outcome = models.JSONField(default=dict)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["business", "key"], name="one_decision_per_form"),
            models.UniqueConstraint(
                fields=["business", "object_type", "object_id"],
                condition=Q(state__in=["WAITING", "SENDING", "UNKNOWN"], is_vote=False),
                name="one_open_decision_per_item",
            ),
            models.UniqueConstraint(
                fields=["business", "object_type", "object_id", "membership"],
                condition=Q(state__in=["WAITING", "SENDING", "UNKNOWN"], is_vote=True),
                name="one_open_vote_per_person",
            ),
            models.CheckConstraint(
                condition=Q(unknown_since=None) | ~Q(state__in=["WAITING", "CANCELLED"]),
                name="decision_doubt_is_sticky",
            ),
        ]
        indexes = [
            models.Index(fields=["due_at"], condition=Q(state__in=["WAITING", "UNKNOWN"]), name="decision_due"),
            models.Index(fields=["lease_until"], condition=Q(state="SENDING"), name="decision_leased"),
            models.Index(fields=["membership", "-created_at"], name="decision_person"),
            models.Index(fields=["business", "object_type", "object_id"], name="decision_object"),
            models.Index(
                fields=["business", "settled_at"], condition=Q(looked_clean=True, state="DONE"), name="decision_clean"
            ),
            models.Index(fields=["send_key"], condition=~Q(send_key=""), name="decision_sent_together"),
        ]

    def __str__(self) -> str:
        return f"{self.operation} {self.title}: {self.state}"

    @property
    def is_open(self) -> bool:
        """Whether it is not settled yet."""
        return self.state in OPEN

    @property
    def can_be_undone(self) -> bool:
        """Whether undoing it now would be true: it waits here, not sent or put off by the service."""
        return self.state == DecisionState.WAITING

    @property
    def ended_in_doubt(self) -> bool:
        """Whether it has ended without its being known whether it was done: nobody may say that it failed."""
        return bool(self.outcome.get("code") == NOT_KNOWN)

    @property
    def not_done_sentence(self) -> str:
        """The sentence for a decision that ends before it was done: nothing was sent, or the service had put it off."""
        if self.has_left:
            return "The finance service had put it off: it was not done."
        return "Nothing was sent."

    @property
    def message(self) -> str:
        """The sentence of its outcome; "" while it is open."""
        return str(self.outcome.get("message", ""))

    def settle(self, state: DecisionState, **outcome: Any) -> None:
        """Sets the final state on this object and what became of it (the caller saves, conditionally)."""
        self.state = state
        self.outcome = {**self.outcome, **outcome}
        self.settled_at = timezone.now()
        self.claim = self.lease_until = None


class Sample(models.Model):
    """An approval of what looked clean, drawn so that somebody else looks at it again; `is_in_order` and `note` are what they
    found, None and "" before."""

    decision = models.OneToOneField(Decision, on_delete=models.CASCADE, related_name="sample")
    business = models.ForeignKey("access.Business", on_delete=models.CASCADE, related_name="+")
    drawn_at = models.DateTimeField(default=timezone.now)
    checked_at = models.DateTimeField(null=True)
    checked_by = models.ForeignKey("access.Membership", null=True, on_delete=models.SET_NULL, related_name="+")
    checked_by_name = models.CharField(max_length=254, blank=True)
    is_in_order = models.BooleanField(null=True)
    note = models.TextField(blank=True)

    class Meta:
        indexes = [
            models.Index(fields=["business", "drawn_at"], condition=Q(checked_at__isnull=True), name="sample_to_check")
        ]

    def __str__(self) -> str:
        return f"sample of {self.decision_id}"


class DrawnBatch(models.Model):
    """A batch whose sample was drawn: a bulk, or what one person approved one by one on a day. It is drawn once.

    `name` is the bulk's id, or "<membership id>:<ISO day>".
    """

    business = models.ForeignKey("access.Business", on_delete=models.CASCADE, related_name="+")
    name = models.CharField(max_length=80)
    drawn_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["business", "name"], name="one_draw_per_batch")]

    def __str__(self) -> str:
        return self.name


class WeeklyDraw(models.Model):
    """A week, by its Monday, whose sample was drawn: how many approvals by people and by nobody there were. Drawn once."""

    business = models.ForeignKey("access.Business", on_delete=models.CASCADE, related_name="+")
    monday = models.DateField()
    decided_count = models.PositiveIntegerField()
    automatic_count = models.PositiveIntegerField()
    drawn_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["business", "monday"], name="one_weekly_draw_per_week")]

    def __str__(self) -> str:
        return f"week from {self.monday}"


class WeeklySample(models.Model):
    """An approval of the week, drawn for a second look: by `decision`, or by nobody, for the reason in `route`.

    `is_in_order` and `note` are what was found, None and "" before.
    """

    draw = models.ForeignKey(WeeklyDraw, on_delete=models.CASCADE, related_name="samples")
    object_type = models.CharField(max_length=40)
    object_id = models.CharField(max_length=64)
    title = models.CharField(max_length=300)
    amount_minor = models.BigIntegerField(null=True)
    currency = models.CharField(max_length=3, blank=True)
    decision = models.ForeignKey(Decision, null=True, on_delete=models.CASCADE, related_name="+")
    route = models.CharField(max_length=200, blank=True)
    checked_at = models.DateTimeField(null=True)
    checked_by = models.ForeignKey("access.Membership", null=True, on_delete=models.SET_NULL, related_name="+")
    checked_by_name = models.CharField(max_length=254, blank=True)
    is_in_order = models.BooleanField(null=True)
    note = models.TextField(blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["draw", "object_type", "object_id"], name="one_weekly_sample_per_item")
        ]

    def __str__(self) -> str:
        return f"weekly sample of {self.title}"


class CountedApproval(models.Model):
    """An item whose approval a weekly draw has counted, drawn or not: `until` is the end of that week. What settles later is
    in a later draw."""

    business = models.ForeignKey("access.Business", on_delete=models.CASCADE, related_name="+")
    draw = models.ForeignKey(WeeklyDraw, on_delete=models.CASCADE, related_name="counted")
    object_type = models.CharField(max_length=40)
    object_id = models.CharField(max_length=64)
    until = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["business", "object_type", "object_id"], name="one_weekly_count_per_item")
        ]

    def __str__(self) -> str:
        return f"{self.object_type} {self.object_id}, counted until {self.until}"


class Alert(models.Model):
    """Something a person must look at, shown until someone closes it: a decision that stays unknown too long."""

    business = models.ForeignKey("access.Business", on_delete=models.CASCADE, related_name="alerts")
    membership = models.ForeignKey("access.Membership", null=True, on_delete=models.CASCADE, related_name="alerts")
    decision = models.OneToOneField(Decision, null=True, on_delete=models.CASCADE, related_name="alert")
    sentence = models.CharField(max_length=500)
    opened_at = models.DateTimeField(auto_now_add=True)
    closed_at = models.DateTimeField(null=True)

    class Meta:
        indexes = [models.Index(fields=["business"], condition=Q(closed_at__isnull=True), name="alert_open")]

    def __str__(self) -> str:
        return self.sentence
