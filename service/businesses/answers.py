"""What was answered under an Idempotency-Key: kept with the effect, given again to a repeat."""

from django.db import models


class StoredAnswer(models.Model):
    """One key of one client for one operation. Written in the transaction of the effect, so both exist or neither.

    No foreign keys: a row is written on the hot path of every keyed request, and outlives nothing it points at.
    """

    id = models.BigAutoField(primary_key=True)
    client_id = models.BigIntegerField()
    business_id = models.CharField(max_length=24)
    method = models.CharField(max_length=8)
    route = models.CharField(max_length=200)
    key = models.CharField(max_length=255)
    fingerprint = models.BinaryField(max_length=32)
    status = models.PositiveSmallIntegerField(null=True)
    headers = models.JSONField(default=dict)
    body = models.BinaryField(null=True)
    created_at = models.DateTimeField(auto_now_add=True)
    keep_until = models.DateTimeField(db_index=True)

    class Meta:
        app_label = "businesses"
        constraints = [
            models.UniqueConstraint(
                fields=["client_id", "business_id", "method", "route", "key"], name="one_answer_per_key"
            )
        ]

    def __str__(self) -> str:
        return f"{self.method} {self.route}"
