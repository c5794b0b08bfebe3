"""The account each business reaches its service with; and what is sent there, which client/outbox.py keeps."""

from collections.abc import Mapping
from datetime import timedelta

from django.db import models
from django.db.models import Q
from django.utils import timezone

# A service forgets its keys after a day (decisions B.2): for as long, and an hour less, the same key is the same effect.
KEY_LIFE = timedelta(hours=23)


class ServiceAccount(models.Model):
    """How a business's dashboard reaches its finance service: one OAuth 2 client per business.

    Secrets are stored encrypted (dashboard/access/secrets.py) and never shown again.
    """

    business = models.OneToOneField("access.Business", on_delete=models.CASCADE, related_name="service_account")
    base_url = models.URLField(max_length=300)
    remote_business_id = models.CharField(max_length=64)
    client_id = models.CharField(max_length=120)
    client_secret_sealed = models.BinaryField()
    secret_version = models.PositiveIntegerField(default=1)
    webhook_secret_sealed = models.BinaryField(null=True, blank=True)
    # What the last test of the connection found: scopes, entitlement, clock skew in seconds, error.
    tested_at = models.DateTimeField(null=True, blank=True)
    findings = models.JSONField(default=dict, blank=True)
    broken_since = models.DateTimeField(null=True, blank=True)

    class Meta:
        db_table = "access_serviceaccount"

    def __str__(self) -> str:
        return f"{self.business} at {self.base_url}"


class OutboundState(models.TextChoices):
    """How far a write has come.

    PENDING: no byte of it has left. SENT: a call is under way, or ended with the process that made it. DEFERRED: the
    service answered that it does not do it now. REJECTED: it refused. UNKNOWN: it may have been done.
    """

    PENDING = "PENDING", "Not sent yet"
    SENT = "SENT", "Sent"
    DEFERRED = "DEFERRED", "Deferred"
    CONFIRMED = "CONFIRMED", "Confirmed"
    REJECTED = "REJECTED", "Rejected"
    UNKNOWN = "UNKNOWN", "Unknown"


_S = OutboundState
TRANSITIONS: Mapping[OutboundState, frozenset[OutboundState]] = {
    _S.PENDING: frozenset({_S.SENT}),
    _S.SENT: frozenset({_S.PENDING, _S.DEFERRED, _S.CONFIRMED, _S.REJECTED, _S.UNKNOWN}),
    _S.DEFERRED: frozenset({_S.SENT}),
    _S.REJECTED: frozenset({_S.SENT}),
    _S.UNKNOWN: frozenset({_S.CONFIRMED, _S.REJECTED}),
    _S.CONFIRMED: frozenset(),
}
# What may have been done, as far as the outbox can tell.
IN_DOUBT = frozenset({OutboundState.SENT, OutboundState.UNKNOWN})


class OutboundOperation(models.Model):
    """One write and its key. Sent again it is the same row, the same key and the same body."""

    business = models.ForeignKey("access.Business", on_delete=models.CASCADE, related_name="+")
    membership = models.ForeignKey("access.Membership", null=True, on_delete=models.SET_NULL, related_name="+")
    employee_id = models.CharField(max_length=64, blank=True)
    operation = models.CharField(max_length=60)
    key = models.CharField(max_length=255)
    # The key of the form it was sent for, as the form carried it; "" where a job sends.
    form_key = models.CharField(max_length=128, blank=True, default="", db_default="")
    # Where that form was posted to, without a query: the forms of a page may share a key, and are told apart by it.
    form_path = models.CharField(max_length=500, blank=True, default="", db_default="")
    path = models.CharField(max_length=300)
    # One-time codes are left out: they are never stored.
    body = models.JSONField(null=True)
    state = models.CharField(max_length=9, choices=OutboundState.choices, default=OutboundState.PENDING)
    # Whether a call for it ever ended otherwise than by certainly not leaving.
    has_left = models.BooleanField(default=False)
    tries = models.PositiveSmallIntegerField(default=0)
    request_id = models.CharField(max_length=80, blank=True)
    upstream_status = models.PositiveSmallIntegerField(null=True)
    error_code = models.CharField(max_length=60, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    # When it was sent first, and when its last call ended.
    sent_at = models.DateTimeField(null=True)
    settled_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["business", "key"], name="one_operation_per_key"),
            models.CheckConstraint(
                condition=Q(has_left=True) | Q(state__in=["PENDING", "SENT"]), name="outbound_answered_has_left"
            ),
            models.CheckConstraint(condition=Q(has_left=False) | ~Q(state="PENDING"), name="outbound_left_not_pending"),
        ]
        indexes = [
            models.Index(fields=["state", "sent_at"], condition=~models.Q(state="CONFIRMED"), name="outbound_open"),
            models.Index(fields=["business", "form_key"], condition=~models.Q(form_key=""), name="outbound_form"),
        ]

    def __str__(self) -> str:
        return f"{self.operation} {self.state}"

    @property
    def in_doubt(self) -> bool:
        """Whether it may have been done, and nobody here can tell."""
        return self.state in IN_DOUBT

    @property
    def key_is_old(self) -> bool:
        """Whether the service may have forgotten its key: sent again, it might be done again."""
        return self.sent_at is not None and self.sent_at + KEY_LIFE < timezone.now()
