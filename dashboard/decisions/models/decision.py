"""Decisions on their way upstream: taken here, waiting their seconds, claimed and sent once, and what became of them.

Every change of a claimed decision names its claim, so that a sender that has lost its lease changes nothing.
"""

import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Self

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
OPEN_DECISION_STATES = (DecisionState.WAITING, DecisionState.SENDING, DecisionState.UNKNOWN)
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


class DecisionQuerySet(models.QuerySet["Decision"]):
    """Decisions, among them those that somebody has to send."""

    def due(self) -> Self:
        """What has waited its time, what is unknown and to be asked again, and what a dead sender left behind."""
        now = timezone.now()
        return self.filter(
            Q(state__in=[DecisionState.WAITING, DecisionState.UNKNOWN], due_at__lte=now)
            | Q(state=DecisionState.SENDING, lease_until__lt=now)
        )


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

    objects = DecisionQuerySet.as_manager()

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
        return self.state in OPEN_DECISION_STATES

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

    def settle_claimed(self, state: DecisionState, **outcome: Any) -> bool:
        """Settles a claimed decision and writes it; False where the claim was lost and nothing was written."""
        claim, send_key = self.claim, "" if state == DecisionState.CANCELLED else self.send_key
        self.settle(state, **outcome)
        return bool(
            Decision.objects.filter(pk=self.pk, claim=claim, state=DecisionState.SENDING).update(
                state=self.state,
                outcome=self.outcome,
                settled_at=self.settled_at,
                send_key=send_key,
                claim=None,
                lease_until=None,
            )
        )

    def leave_unknown(self, seconds: float, message: str) -> bool:
        """Nobody can tell yet: to be asked again in so many seconds, with the same key. Whether it was not unknown before."""
        is_new, now = self.unknown_since is None, timezone.now()
        self.unknown_since, self.has_left, self.state = self.unknown_since or now, True, DecisionState.UNKNOWN
        Decision.objects.filter(pk=self.pk, claim=self.claim, state=DecisionState.SENDING).update(
            state=DecisionState.UNKNOWN,
            claim=None,
            lease_until=None,
            unknown_since=self.unknown_since,
            has_left=True,
            due_at=now + timedelta(seconds=seconds),
            outcome={**self.outcome, "message": message},
        )
        return is_new


@dataclass(frozen=True)
class Claim:
    """Decisions that go out in one call under one lease: usually one, or the rows of a bulk that have a call for several."""

    id: uuid.UUID
    decisions: list[Decision]

    @classmethod
    def held(cls, claim_id: uuid.UUID) -> Self:
        """The claim of this id with its decisions, in the order in which they are named in a call."""
        rows = Decision.objects.filter(claim=claim_id, state=DecisionState.SENDING).order_by("created_at", "id")
        return cls(claim_id, list(rows.select_related("business", "membership__user", "membership__business")))

    @property
    def first(self) -> Decision:
        """The first of the decisions; operation, business and send key are the same on all of them."""
        return self.decisions[0]

    def return_to_queue(self, decisions: Iterable[Decision], seconds: float, *, has_left: bool) -> None:
        """Certainly not done: these of its decisions wait again, can be undone again, and will be gathered afresh.

        `has_left` where the service was asked and put it off. What may have been done cannot be put back: the database
        refuses it.
        """
        rows = Decision.objects.filter(
            pk__in=[decision.pk for decision in decisions], claim=self.id, state=DecisionState.SENDING
        )
        if has_left:
            mark_left(decisions)
        rows.update(
            state=DecisionState.WAITING,
            claim=None,
            lease_until=None,
            send_key="",
            due_at=timezone.now() + timedelta(seconds=seconds),
        )


def mark_left(decisions: Iterable[Decision]) -> None:
    """Writes that a call for them left us: from then on nobody says that nothing was sent."""
    new = [decision for decision in decisions if not decision.has_left]
    if new:
        Decision.objects.filter(pk__in=[decision.pk for decision in new]).update(has_left=True)
    for decision in new:
        decision.has_left = True
