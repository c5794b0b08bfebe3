"""Where a business wants its events sent, and how each delivery went."""

from django.contrib.postgres.fields import ArrayField
from django.db import models

from service.businesses.models import Business
from service.events.models import Event
from service.ids import object_id


class WebhookEndpoint(models.Model):
    """An address of a business that events are posted to, signed with its own secret.

    The secret must be readable to sign with, so it is kept encrypted (service/webhooks/signatures.py).
    """

    class Status(models.TextChoices):
        """Whether events are delivered to an endpoint."""

        ACTIVE = "ACTIVE", "Active"
        DISABLED = "DISABLED", "Disabled"

    id = models.CharField(primary_key=True, max_length=24, default=object_id)
    business = models.ForeignKey(Business, on_delete=models.CASCADE, related_name="webhook_endpoints")
    url = models.CharField(max_length=500)
    # Empty means every kind; "expense.*" means all of a resource.
    kinds = ArrayField(models.CharField(max_length=60), default=list, blank=True)
    secret = models.BinaryField()
    # During a rotation deliveries carry a second signature, made with the secret before.
    previous_secret = models.BinaryField(null=True)
    previous_secret_until = models.DateTimeField(null=True)
    status = models.CharField(max_length=16, choices=Status.choices, default=Status.ACTIVE)
    disabled_reason = models.CharField(max_length=200, blank=True, default="")
    failing_since = models.DateTimeField(null=True)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    def __str__(self) -> str:
        return self.url


class Delivery(models.Model):
    """One event on its way to one endpoint: tried on a schedule until it is taken or given up."""

    class Status(models.TextChoices):
        """What became of a delivery: given up after the last try."""

        PENDING = "PENDING", "Waiting"
        DELIVERED = "DELIVERED", "Delivered"
        DEAD = "DEAD", "Given up"

    id = models.BigAutoField(primary_key=True)
    endpoint = models.ForeignKey(WebhookEndpoint, on_delete=models.CASCADE, related_name="deliveries")
    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="deliveries")
    status = models.CharField(max_length=16, choices=Status.choices, default=Status.PENDING)
    attempts = models.PositiveSmallIntegerField(default=0)
    due_at = models.DateTimeField()
    last_status = models.PositiveSmallIntegerField(null=True)
    last_error = models.CharField(max_length=200, blank=True, default="")
    delivered_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["endpoint", "event"], name="event_once_per_endpoint")]
        indexes = [
            models.Index(fields=["due_at"], name="delivery_due", condition=models.Q(status="PENDING")),
        ]

    def __str__(self) -> str:
        return f"{self.event_id} to {self.endpoint_id}"
