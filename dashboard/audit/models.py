"""The audit's lines, and the seals that prove that none was changed, removed or slipped in.

A line is written once. Sealing it is a row of another table, so that the lines need never be updated; the database
refuses UPDATE, DELETE and TRUNCATE on both by privilege and by trigger (migration 0001).
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any

from django.db import models, transaction

from dashboard import replica


class Outcome(models.TextChoices):
    """What a line says became of something."""

    NOTED = "NOTED", "Noted"
    TAKEN = "TAKEN", "Decided"
    UNDONE = "UNDONE", "Undone"
    CANCELLED = "CANCELLED", "Cancelled"
    ATTEMPT = "ATTEMPT", "Sending"
    DONE = "DONE", "Done"
    REFUSED = "REFUSED", "Refused"
    FAILED = "FAILED", "Not done"
    UNKNOWN = "UNKNOWN", "Not known yet"
    DENIED = "DENIED", "Denied"


class Entries(models.QuerySet["AuditEntry"]):
    """Lines; those that are written together are noted together."""

    def bulk_create(self, objs: Iterable[AuditEntry], *args: Any, **kwargs: Any) -> list[AuditEntry]:
        """Writes the lines, and notes each person whom they name once."""
        entries = super().bulk_create(objs, *args, **kwargs)
        _note_writes({entry.user_id for entry in entries})
        return entries


def _note_writes(user_ids: Iterable[int | None]) -> None:
    """Once it is committed, whatever a line is about is in the next list of whoever it was done for."""
    if replica.is_configured():
        for user_id in user_ids:
            transaction.on_commit(partial(replica.note_write, user_id), robust=True)


class AuditEntry(models.Model):
    """One line: who, in which role, did or was denied what, to which subject, with what outcome.

    People and subjects are stored by value, not by reference: a line outlives them. `chain` is the business, or 0 for
    what belongs to none (signing in).
    """

    chain = models.BigIntegerField()
    at = models.DateTimeField()
    user_id = models.BigIntegerField(null=True)
    actor_name = models.CharField(max_length=254)
    role = models.CharField(max_length=12, blank=True)
    employee_id = models.CharField(max_length=64, blank=True)
    operation = models.CharField(max_length=60)
    outcome = models.CharField(max_length=9, choices=Outcome.choices)
    sentence = models.CharField(max_length=500)
    object_type = models.CharField(max_length=40, blank=True)
    object_id = models.CharField(max_length=64, blank=True)
    object_title = models.CharField(max_length=300, blank=True)
    own_item = models.BooleanField(default=False)
    reason = models.TextField(blank=True)
    before = models.JSONField(null=True)
    after = models.JSONField(null=True)
    request_id = models.CharField(max_length=80, blank=True)
    decision_id = models.UUIDField(null=True)

    objects = Entries.as_manager()

    class Meta:
        indexes = [
            models.Index(fields=["chain", "-id"], name="audit_recent"),
            models.Index(fields=["chain", "user_id", "-id"], name="audit_person"),
            models.Index(fields=["chain", "operation", "-id"], name="audit_operation"),
            models.Index(fields=["chain", "outcome", "-id"], name="audit_outcome"),
            models.Index(fields=["chain", "object_type", "object_id", "-id"], name="audit_object"),
            models.Index(fields=["chain", "at"], name="audit_time"),
            models.Index(fields=["chain", "-id"], condition=models.Q(own_item=True), name="audit_own"),
        ]

    def __str__(self) -> str:
        return f"{self.actor_name} {self.sentence}: {self.outcome}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Writes the line, and notes whom it names."""
        super().save(*args, **kwargs)
        _note_writes([self.user_id])


class AuditWaiting(models.Model):
    """A committed line that no seal covers yet; a trigger writes it together with the line."""

    entry_id = models.BigIntegerField(primary_key=True)
    chain = models.BigIntegerField()
    since = models.DateTimeField()

    class Meta:
        indexes = [models.Index(fields=["chain", "entry_id"], name="audit_waiting_chain")]

    def __str__(self) -> str:
        return f"line {self.entry_id}"


class AuditSeal(models.Model):
    """The n-th link of a chain: its hash covers the line and the hash before."""

    chain = models.BigIntegerField()
    number = models.BigIntegerField()
    entry = models.OneToOneField(AuditEntry, on_delete=models.PROTECT, related_name="seal")
    hash = models.CharField(max_length=64)
    sealed_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["chain", "number"], name="one_seal_per_number")]

    def __str__(self) -> str:
        return f"{self.chain}/{self.number}"


class AuditHead(models.Model):
    """The last link of a chain: locked by whoever seals, so that a chain has one writer."""

    chain = models.BigIntegerField(primary_key=True)
    number = models.BigIntegerField(default=0)
    hash = models.CharField(max_length=64, default="")

    def __str__(self) -> str:
        return f"{self.chain}/{self.number}"
