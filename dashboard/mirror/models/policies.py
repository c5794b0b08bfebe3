"""The copy of wallet policies."""

from django.db import models

from dashboard.mirror.models.mirrored import LIVE, Mirrored


class WalletPolicy(Mirrored):
    """What a person may do with a wallet beyond their role, from when until when (decisions B.11)."""

    wallet_id = models.CharField(max_length=64)
    employee_id = models.CharField(max_length=64)
    employee_name = models.CharField(max_length=200, blank=True)
    permissions = models.JSONField(default=list)
    valid_from = models.DateTimeField(null=True)
    expires_at = models.DateTimeField(null=True)
    status = models.CharField(max_length=20)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["business", "remote_id"], name="one_copy_per_wallet_policy")]
        indexes = [
            models.Index(fields=["business", "employee_id"], condition=LIVE, name="policy_of_employee"),
            models.Index(fields=["business", "wallet_id"], condition=LIVE, name="policy_of_wallet"),
        ]
