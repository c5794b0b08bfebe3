"""What happened: events on their way out, and the audit trail that stays."""

from django.db import models

from service.businesses.models import Business
from service.ids import object_id


class Event(models.Model):
    """Something that happened to a business, written in the transaction in which it happened.

    `sequence` is given after the commit by the relay, without gaps per business; readers see numbered rows only.
    """

    id = models.CharField(primary_key=True, max_length=24, default=object_id)
    # Its indexes begin with the business: one of its own would be written with each event, and read by nobody.
    business = models.ForeignKey(
        Business, on_delete=models.CASCADE, related_name="+", db_constraint=False, db_index=False
    )
    sequence = models.BigIntegerField(null=True)
    kind = models.CharField(max_length=60)
    payload = models.JSONField()
    created_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["business", "sequence"], name="event_sequence_once")]
        indexes = [
            models.Index(fields=["id"], name="event_unnumbered", condition=models.Q(sequence__isnull=True)),
            models.Index(fields=["created_at"], name="event_age"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.id}"


class EventCounter(models.Model):
    """The last number given in a business. Only the relay touches it, so no business transaction waits for it."""

    business = models.OneToOneField(
        Business, primary_key=True, on_delete=models.CASCADE, related_name="+", db_constraint=False
    )
    last = models.BigIntegerField(default=0)

    def __str__(self) -> str:
        return f"{self.business_id}: {self.last}"


class AuditEvent(models.Model):
    """Who did what to which object, and what changed. Rows are only ever added: a trigger refuses the rest."""

    id = models.CharField(primary_key=True, max_length=24, default=object_id)
    business = models.ForeignKey(
        Business, on_delete=models.PROTECT, related_name="+", db_constraint=False, db_index=False
    )
    created_at = models.DateTimeField()
    actor = models.CharField(max_length=80)
    acting_employee_id = models.CharField(max_length=24, null=True)
    action = models.CharField(max_length=80)
    resource_type = models.CharField(max_length=40)
    resource_id = models.CharField(max_length=40)
    before = models.JSONField(null=True)
    after = models.JSONField(null=True)
    request_id = models.CharField(max_length=128, blank=True, default="")

    class Meta:
        indexes = [models.Index(fields=["business", "-created_at", "-id"], name="audit_newest_first")]

    def __str__(self) -> str:
        return f"{self.action} {self.resource_type} {self.resource_id}"
