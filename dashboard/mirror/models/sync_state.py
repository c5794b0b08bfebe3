"""The state of the copy: deliveries as they came, days read whole, how far it has come, and where it differs."""

from django.db import models
from django.db.models import Q

from dashboard.client.json import ExactDecoder, ExactEncoder


class InboxState(models.TextChoices):
    """The state of a delivered event."""

    RECEIVED = "RECEIVED", "Received"
    APPLIED = "APPLIED", "Applied"
    FAILED = "FAILED", "Failed"


class InboxEvent(models.Model):
    """A webhook as it arrived, stored before it is acknowledged; applied by a worker."""

    business = models.ForeignKey("access.Business", on_delete=models.CASCADE, related_name="+")
    webhook_id = models.CharField(max_length=120)
    kind = models.CharField(max_length=80)
    sequence = models.BigIntegerField(null=True)
    # Amounts as they came: what is delivered makes the same row as what is read.
    body = models.JSONField(encoder=ExactEncoder, decoder=ExactDecoder)
    received_at = models.DateTimeField(auto_now_add=True)
    state = models.CharField(max_length=8, choices=InboxState.choices, default=InboxState.RECEIVED)
    tries = models.PositiveSmallIntegerField(default=0)
    error = models.CharField(max_length=300, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["business", "webhook_id"], name="one_row_per_delivery")]
        indexes = [
            models.Index(fields=["id"], condition=Q(state="RECEIVED"), name="inbox_to_apply"),
            models.Index(fields=["business", "received_at"], condition=Q(state="FAILED"), name="inbox_failed"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.webhook_id}"


class SyncedDay(models.Model):
    """A day of one wallet's expenses: when it was last read whole, and what the read counted."""

    business = models.ForeignKey("access.Business", on_delete=models.CASCADE, related_name="+")
    org_wallet_ref = models.CharField(max_length=64)
    day = models.DateField()
    complete_at = models.DateTimeField(null=True)
    rows = models.PositiveIntegerField(default=0)
    # {currency: minor units as a string}, of the rows as they were read.
    totals = models.JSONField(default=dict)
    failures = models.PositiveSmallIntegerField(default=0)

    class Meta:
        db_table = "mirror_window"
        constraints = [
            models.UniqueConstraint(fields=["business", "org_wallet_ref", "day"], name="one_window_per_wallet_and_day")
        ]

    def __str__(self) -> str:
        return f"{self.org_wallet_ref} {self.day}"


class SyncCursor(models.Model):
    """How far a business's copy has come: the feed's sequence, and when each band last ran whole."""

    business = models.OneToOneField("access.Business", on_delete=models.CASCADE, related_name="mirror_cursor")
    sequence = models.BigIntegerField(default=0)
    # None: not asked yet. False: this service has no feed, polling carries the load.
    has_feed = models.BooleanField(null=True)
    # {band: ISO time of the last complete run}, and beside them what schedule.py notes of their order.
    bands = models.JSONField(default=dict)
    as_of = models.DateTimeField(null=True)
    failing_since = models.DateTimeField(null=True)
    error = models.CharField(max_length=300, blank=True)

    class Meta:
        db_table = "mirror_cursor"

    def __str__(self) -> str:
        return f"{self.business} at {self.sequence}"


class Drift(models.Model):
    """A difference between the copy and the service that a reconciliation found; open until one finds it gone."""

    business = models.ForeignKey("access.Business", on_delete=models.CASCADE, related_name="drifts")
    org_wallet_ref = models.CharField(max_length=64)
    day = models.DateField()
    # {"mirror": {"rows": n, "totals": {…}}, "service": {…}}
    found = models.JSONField()
    opened_at = models.DateTimeField(auto_now_add=True)
    closed_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["business", "org_wallet_ref", "day"],
                condition=Q(closed_at__isnull=True),
                name="one_open_drift_per_window",
            )
        ]

    def __str__(self) -> str:
        return f"drift {self.org_wallet_ref} {self.day}"
