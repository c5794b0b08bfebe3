"""Batches of rows: planned and reviewed first, then carried out, and what became of each row."""

import uuid

from django.db import models
from django.db.models import Q

from dashboard.access.models import Business, Membership
from dashboard.worker_lease import Leased


class Batch(Leased):
    """A bulk action on several rows of one source, which `list_name` names: a list, or what waits for decisions.

    `verb` is the name of the action there, `given` what a person gave to its question before it began (a reason, a category). `key` is that
    of the form that begins it, where such a form has one: "<plan>:<verb>" for batches that were planned together.
    """

    class State(models.TextChoices):
        """How far a batch is, from its plan to its end."""

        PLANNED = "PLANNED", "Only planned"
        QUEUED = "QUEUED", "About to begin"
        RUNNING = "RUNNING", "Running"
        DONE = "DONE", "Finished"
        STOPPED = "STOPPED", "Stopped"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    business = models.ForeignKey(Business, on_delete=models.CASCADE, related_name="+")
    membership = models.ForeignKey(Membership, on_delete=models.CASCADE, related_name="+")
    list_name = models.CharField(max_length=40)
    verb = models.CharField(max_length=60)
    key = models.CharField(max_length=255, null=True)
    # The list's query; `whole` where all that matched were meant.
    query = models.CharField(max_length=1500, blank=True)
    whole = models.BooleanField(default=False)
    given = models.TextField(blank=True)
    given_said = models.CharField(max_length=500, blank=True)
    # Of the rows that pass: sums per currency as text, and what wallets hold afterwards (balances.py).
    totals = models.JSONField(default=list)
    balances = models.JSONField(default=list)
    # Ticked, and not among what the person sees.
    unseen = models.PositiveIntegerField(default=0)
    retry_of = models.ForeignKey("self", null=True, on_delete=models.SET_NULL, related_name="retries")
    state = models.CharField(max_length=7, choices=State.choices, default=State.PLANNED)
    trouble = models.CharField(max_length=400, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    begun_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        db_table = "lists_batch"
        constraints = [models.UniqueConstraint(fields=["business", "key"], name="one_batch_per_form")]
        indexes = [
            models.Index(fields=["membership", "-created_at"], name="batches_of_a_person"),
            models.Index(
                fields=["state", "heartbeat_at"], condition=Q(state__in=["QUEUED", "RUNNING"]), name="batches_open"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.verb} {self.list_name} {self.state}"

    @property
    def open(self) -> bool:
        """Whether it is not finished: a worker works on it or is to."""
        return self.state in {"QUEUED", "RUNNING"}

    @property
    def planned(self) -> bool:
        """Whether it was only planned: nothing of it was begun."""
        return self.state == Batch.State.PLANNED


class BatchRow(models.Model):
    """One row of a batch: what was seen of it, the key that it is sent with, and what became of it.

    `seen` is what its action compares by: values by field, or a fingerprint.
    """

    class State(models.TextChoices):
        """How far it is; REFUSED, UNKNOWN, CHANGED and NOT_DONE can be tried again. SUBMITTED: a decision was submitted
        on it, whose own state says how that stands."""

        WAITING = "WAITING", "Waiting"
        SENDING = "SENDING", "Being sent"
        SUBMITTED = "SUBMITTED", "Submitted"
        DONE = "DONE", "Done"
        REFUSED = "REFUSED", "Refused"
        UNKNOWN = "UNKNOWN", "No answer"
        CHANGED = "CHANGED", "Changed meanwhile"
        NOT_DONE = "NOT_DONE", "Not done"
        LEFT_OUT = "LEFT_OUT", "Left out"

    batch = models.ForeignKey(Batch, on_delete=models.CASCADE, related_name="rows")
    number = models.PositiveIntegerField()
    remote_id = models.CharField(max_length=64)
    title = models.CharField(max_length=300)
    # Whose it is, where the source names somebody.
    person = models.CharField(max_length=300, blank=True)
    amount = models.CharField(max_length=60, blank=True)
    seen = models.JSONField(default=dict)
    key = models.CharField(max_length=64)
    state = models.CharField(max_length=9, choices=State.choices, default=State.WAITING)
    # In a few words, for the plan's sum, and in a sentence.
    why = models.CharField(max_length=60, blank=True)
    sentence = models.CharField(max_length=500, blank=True)
    # Whether the gate left it out: told to the audit when the rest is carried out.
    denied = models.BooleanField(default=False)
    tries = models.PositiveSmallIntegerField(default=0)
    request_id = models.CharField(max_length=80, blank=True)

    class Meta:
        db_table = "lists_batchrow"
        constraints = [models.UniqueConstraint(fields=["batch", "remote_id"], name="row_once_in_a_batch")]
        indexes = [models.Index(fields=["batch", "state", "number"], name="rows_of_a_batch")]

    def __str__(self) -> str:
        return f"{self.title} {self.state}"
