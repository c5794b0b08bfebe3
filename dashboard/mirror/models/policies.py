"""The copies of wallet policies, of the permissions they can give, and of what a role gives by itself."""

from datetime import datetime
from typing import Any

from django.db import models
from django.utils import timezone

from dashboard.mirror.models.mirrored import LIVE, Mirrored

OPEN_POLICY = ("ACTIVE", "SUSPENDED")


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

    def limit(self, name: str) -> int | None:
        """A limit in the wallet's minor units: per_transaction, daily or monthly; None where there is none."""
        limits = self.payload.get("limits")
        value: Any = limits.get(f"{name}_minor") if isinstance(limits, dict) else None
        return value if isinstance(value, int) else None

    @property
    def currency(self) -> str:
        """The currency of the wallet as ISO 4217; "" where the service does not give it."""
        return str(self.payload.get("currency") or "")

    @property
    def reason(self) -> str:
        """Why it was granted, or last changed."""
        return str(self.payload.get("reason") or "")

    def state(self, now: datetime | None = None) -> str:
        """The state in effect: one past its end is EXPIRED before anybody writes so, one before its day is COMING."""
        at = now or timezone.now()
        if self.status == "ACTIVE" and self.expires_at is not None and self.expires_at <= at:
            return "EXPIRED"
        if self.status == "ACTIVE" and self.valid_from is not None and self.valid_from > at:
            return "COMING"
        return self.status


class WalletPermission(Mirrored):
    """A permission that a policy can give, in the service's own words; its id is its name."""

    title = models.CharField(max_length=200)
    moves_money = models.BooleanField(default=False)
    place = models.PositiveSmallIntegerField(default=0)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["business", "remote_id"], name="one_copy_per_wallet_permission")]


class WalletRole(Mirrored):
    """What a role gives on every wallet by itself, as the service computed it for somebody of that role."""

    permissions = models.JSONField(default=list)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["business", "remote_id"], name="one_copy_per_wallet_role")]
