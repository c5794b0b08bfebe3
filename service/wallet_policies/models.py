"""Who beyond their role may do what with a wallet, within which limits, and the record of every change of that."""

from datetime import datetime

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q
from django.utils import timezone

from service.accounts.models import Wallet
from service.businesses.models import Business, Employee
from service.ids import object_id


class PolicyStatus(models.TextChoices):
    """The states of decisions B.11; which leads where stands in transitions.py."""

    ACTIVE = "ACTIVE"
    SUSPENDED = "SUSPENDED"
    REVOKED = "REVOKED"
    EXPIRED = "EXPIRED"


OPEN = (PolicyStatus.ACTIVE, PolicyStatus.SUSPENDED)


class WalletPermission(models.Model):
    """A permission that policies can give, as `permissions/sync` has seeded it. Of no business: all see the same."""

    name = models.CharField(primary_key=True, max_length=40)
    title = models.CharField(max_length=100)
    group = models.CharField(max_length=20)
    moves_money = models.BooleanField(default=False)
    position = models.PositiveSmallIntegerField()
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["position", "name"]

    def __str__(self) -> str:
        return self.name


class WalletPolicy(models.Model):
    """What one employee may do with one wallet: permissions, limits in the wallet's minor units (null: none), dates.

    At most one open (active or suspended) policy per wallet and employee. One past `expires_at` is over at once, though
    its row says ACTIVE until the next sweep: ask `state`, not `status`.
    """

    id = models.CharField(primary_key=True, max_length=24, default=object_id)
    business = models.ForeignKey(Business, on_delete=models.CASCADE, related_name="+")
    wallet = models.ForeignKey(Wallet, on_delete=models.PROTECT, related_name="policies")
    employee = models.ForeignKey(Employee, on_delete=models.PROTECT, related_name="wallet_policies")
    permissions = ArrayField(models.CharField(max_length=40))
    per_transaction_minor = models.BigIntegerField(null=True)
    daily_minor = models.BigIntegerField(null=True)
    monthly_minor = models.BigIntegerField(null=True)
    valid_from = models.DateTimeField()
    expires_at = models.DateTimeField(null=True)
    status = models.CharField(max_length=9, choices=PolicyStatus.choices, default=PolicyStatus.ACTIVE)
    granted_by = models.CharField(max_length=80)
    reason = models.CharField(max_length=500, blank=True, default="")
    version = models.PositiveIntegerField(default=1)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        verbose_name_plural = "wallet policies"
        constraints = [
            models.UniqueConstraint(
                fields=["wallet", "employee"], condition=Q(status__in=OPEN), name="one_open_wallet_policy"
            ),
            models.CheckConstraint(
                condition=Q(expires_at=None) | Q(expires_at__gt=F("valid_from")), name="wallet_policy_ends_after_start"
            ),
            models.CheckConstraint(
                condition=(Q(per_transaction_minor=None) | Q(per_transaction_minor__gte=0))
                & (Q(daily_minor=None) | Q(daily_minor__gte=0))
                & (Q(monthly_minor=None) | Q(monthly_minor__gte=0)),
                name="wallet_policy_limits_not_negative",
            ),
        ]
        indexes = [
            models.Index(fields=["wallet", "-created_at", "-id"], name="wallet_policy_by_wallet"),
            models.Index(fields=["employee", "-created_at", "-id"], name="wallet_policy_by_employee"),
            models.Index(
                fields=["expires_at"],
                condition=Q(status=PolicyStatus.ACTIVE, expires_at__isnull=False),
                name="wallet_policy_due",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.employee_id} on {self.wallet_id}: {self.status}"

    def state(self, now: datetime | None = None) -> PolicyStatus:
        """The state in effect at a moment: an active policy past its end has EXPIRED, swept or not."""
        over = self.expires_at is not None and self.expires_at <= (now or timezone.now())
        return PolicyStatus.EXPIRED if self.status == PolicyStatus.ACTIVE and over else PolicyStatus(self.status)


class WalletUse(models.Model):
    """Money that somebody with a policy moved from a wallet: what the daily and the monthly limit are counted from."""

    id = models.CharField(primary_key=True, max_length=24, default=object_id)
    policy = models.ForeignKey(WalletPolicy, on_delete=models.CASCADE, related_name="+")
    wallet = models.ForeignKey(Wallet, on_delete=models.CASCADE, related_name="+")
    employee = models.ForeignKey(Employee, on_delete=models.CASCADE, related_name="+")
    permission = models.CharField(max_length=40)
    amount_minor = models.BigIntegerField()
    ref = models.CharField(max_length=80, blank=True, default="", help_text="what it was for, where it may be undone")
    at = models.DateTimeField()

    class Meta:
        indexes = [
            models.Index(fields=["wallet", "employee", "at"], name="wallet_use_by_person"),
            models.Index(fields=["wallet", "ref"], condition=~Q(ref=""), name="wallet_use_by_ref"),
        ]

    def __str__(self) -> str:
        return f"{self.employee_id} moved {self.amount_minor} from {self.wallet_id}"


class PolicyAudit(models.Model):
    """A change of a policy: only ever added, each row chained to the one before by the database (chain.sql)."""

    id = models.CharField(primary_key=True, max_length=24, default=object_id)
    business = models.ForeignKey(Business, on_delete=models.PROTECT, related_name="+", db_constraint=False)
    seq = models.BigIntegerField(default=0)
    at = models.DateTimeField()
    actor = models.CharField(max_length=80)
    acting_employee = models.CharField(max_length=24, null=True)
    policy_id = models.CharField(max_length=24)
    wallet_id = models.CharField(max_length=24)
    employee_id = models.CharField(max_length=24)
    action = models.CharField(max_length=20)
    before = models.JSONField(null=True)
    after = models.JSONField(null=True)
    request_id = models.CharField(max_length=128, blank=True, default="")
    ip = models.CharField(max_length=45, blank=True, default="")
    prev_hash = models.CharField(max_length=64, default="")
    hash = models.CharField(max_length=64, default="")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["business", "seq"], name="policy_audit_one_chain")]
        indexes = [
            models.Index(fields=["business", "-at", "-id"], name="policy_audit_newest"),
            models.Index(fields=["wallet_id", "-at", "-id"], name="policy_audit_by_wallet"),
            models.Index(fields=["policy_id", "-at", "-id"], name="policy_audit_by_policy"),
        ]

    def __str__(self) -> str:
        return f"{self.action} {self.policy_id}"


class PolicyAuditHead(models.Model):
    """The last link of a business's chain; only the chain's own trigger writes it."""

    business_id = models.CharField(primary_key=True, max_length=24)
    seq = models.BigIntegerField(default=0)
    hash = models.CharField(max_length=64, default="")

    def __str__(self) -> str:
        return f"{self.business_id}: {self.seq}"
