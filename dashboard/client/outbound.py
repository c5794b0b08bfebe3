"""What was sent to the service, written down before the first byte leaves: the memory behind every idempotency key."""

from django.db import models


class OutboundState(models.TextChoices):
    """How far a write has come. UNKNOWN: sent, and no answer that can be relied on."""

    PENDING = "PENDING", "Not sent yet"
    SENT = "SENT", "Sent"
    CONFIRMED = "CONFIRMED", "Confirmed"
    REJECTED = "REJECTED", "Rejected"
    UNKNOWN = "UNKNOWN", "Unknown"


class OutboundOperation(models.Model):
    """One write and its key. Sent again it is the same row, the same key and the same body."""

    business = models.ForeignKey("access.Business", on_delete=models.CASCADE, related_name="+")
    membership = models.ForeignKey("access.Membership", null=True, on_delete=models.SET_NULL, related_name="+")
    employee_id = models.CharField(max_length=64, blank=True)
    operation = models.CharField(max_length=60)
    key = models.CharField(max_length=255)
    path = models.CharField(max_length=300)
    # One-time codes are left out: they are never stored.
    body = models.JSONField(null=True)
    state = models.CharField(max_length=9, choices=OutboundState.choices, default=OutboundState.PENDING)
    tries = models.PositiveSmallIntegerField(default=0)
    request_id = models.CharField(max_length=80, blank=True)
    upstream_status = models.PositiveSmallIntegerField(null=True)
    error_code = models.CharField(max_length=60, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    sent_at = models.DateTimeField(null=True)
    settled_at = models.DateTimeField(null=True)

    class Meta:
        app_label = "client"
        constraints = [models.UniqueConstraint(fields=["business", "key"], name="one_operation_per_key")]
        indexes = [
            models.Index(fields=["state", "sent_at"], condition=~models.Q(state="CONFIRMED"), name="outbound_open")
        ]

    def __str__(self) -> str:
        return f"{self.operation} {self.state}"
