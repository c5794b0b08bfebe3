"""The account each business reaches its service with; and the book of what leaves, which client/outbox.py keeps."""

from django.db import models

from dashboard.client.outbox import OutboundOperation, OutboundState

__all__ = ["OutboundOperation", "OutboundState", "ServiceAccount"]


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
