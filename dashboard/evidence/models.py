"""Evidence packs: what was asked for, how far it is, and the file."""

import uuid

from django.db import models
from django.db.models import Q
from django.utils import timezone

from dashboard.access.models import Business, Membership


class PackState(models.TextChoices):
    """How far a pack is. EXPIRED: its file was deleted, its manifest and the audit's lines stay."""

    QUEUED = "QUEUED", "Queued"
    RUNNING = "RUNNING", "In progress"
    DONE = "DONE", "Ready"
    FAILED = "FAILED", "Not made"
    EXPIRED = "EXPIRED", "Expired"


UNFINISHED = (PackState.QUEUED, PackState.RUNNING)


class Scope(models.TextChoices):
    """What a pack is about."""

    ITEM = "item", "Item"
    PERSON = "person", "Person"
    PERIOD = "period", "Period"


class EvidencePack(models.Model):
    """One pack: of an item (`object_type` and `object_id` as the audit names it), of a person (`object_id` is the
    employee's) or of the days from `first_day` to `last_day` at the business.

    `run` is minted by the worker that is at it. `manifest` is the signed JSON, `content` the ZIP file with it.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    business = models.ForeignKey(Business, on_delete=models.CASCADE, related_name="+", db_index=False)
    membership = models.ForeignKey(Membership, on_delete=models.PROTECT, related_name="+")
    key = models.CharField(max_length=64)
    scope = models.CharField(max_length=6, choices=Scope.choices)
    object_type = models.CharField(max_length=40, blank=True)
    object_id = models.CharField(max_length=64, blank=True)
    title = models.CharField(max_length=300)
    first_day = models.DateField(null=True)
    last_day = models.DateField(null=True)
    state = models.CharField(max_length=7, choices=PackState.choices, default=PackState.QUEUED)
    run = models.UUIDField(null=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    heartbeat_at = models.DateTimeField(null=True)
    trouble = models.CharField(max_length=300, blank=True)
    line_count = models.PositiveIntegerField(default=0)
    file_count = models.PositiveIntegerField(default=0)
    manifest = models.TextField(blank=True)
    content = models.BinaryField(default=bytes)
    created_at = models.DateTimeField(default=timezone.now)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["business", "key"], name="one_evidence_pack_per_form")]
        indexes = [
            models.Index(fields=["business", "-created_at"], name="evidence_recent"),
            models.Index(fields=["created_at"], condition=Q(state__in=["QUEUED", "RUNNING"]), name="evidence_open"),
        ]

    def __str__(self) -> str:
        return f"Evidence pack of {self.title}"

    @property
    def is_open(self) -> bool:
        """Whether a worker has something to do."""
        return self.state in UNFINISHED
