"""What every mirrored resource carries, and how it is searched."""

from django.contrib.postgres.search import SearchVector
from django.db import models
from django.db.models import Q


class Origin(models.TextChoices):
    """Which way a row came into the copy: by a webhook, the event feed, a poll, or the answer to our own write."""

    WEBHOOK = "WEBHOOK", "Webhook"
    FEED = "FEED", "Event feed"
    POLL = "POLL", "Poll"
    WRITE = "WRITE", "Our own write"


def terms(*fields: str) -> SearchVector:
    """What a row is found by, for the generated column of its table."""
    # 'simple' has no stemming: names, references and amounts are looked up as they are written.
    return SearchVector(*fields, config="simple")


class Mirrored(models.Model):
    """What every mirrored resource carries: whose it is, which version, when it was seen, and whole as it came."""

    business = models.ForeignKey("access.Business", on_delete=models.CASCADE, related_name="+", db_index=False)
    remote_id = models.CharField(max_length=64)
    remote_version = models.BigIntegerField(null=True)
    remote_updated_at = models.DateTimeField(null=True)
    payload = models.JSONField(default=dict)
    payload_hash = models.CharField(max_length=32)
    source = models.CharField(max_length=7, choices=Origin.choices)
    first_seen = models.DateTimeField()
    last_seen = models.DateTimeField()
    # Absent from one complete read: a candidate. Absent from two: tombstoned, never erased.
    missing_since = models.DateTimeField(null=True)
    tombstoned_at = models.DateTimeField(null=True)

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return f"{type(self).__name__} {self.remote_id}"


LIVE = Q(tombstoned_at__isnull=True)
# How a row was copied, beside what it says. A page that shows neither leaves them in the database: reading six moments of a
# row costs as much as the rest of it.
COPYING = ("remote_version", "remote_updated_at", "payload_hash", "source", "first_seen", "last_seen", "missing_since")
