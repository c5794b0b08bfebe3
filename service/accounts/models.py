"""Wallets of a business and the currencies it works in (decisions B.10). What a wallet has is in the ledger."""

from django.db import models
from django.db.models import Q

from service.businesses.models import Business
from service.ids import object_id
from service.ledger.models import LedgerAccount


class Currency(models.Model):
    """A currency the business works in; must exist before a wallet in it can."""

    id = models.CharField(primary_key=True, max_length=24, default=object_id)
    business = models.ForeignKey(Business, on_delete=models.CASCADE, related_name="currencies")
    code = models.CharField(max_length=3)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name_plural = "currencies"
        constraints = [models.UniqueConstraint(fields=["business", "code"], name="currency_once_per_business")]

    def __str__(self) -> str:
        return self.code


class Funding(models.TextChoices):
    """What a card spends (decisions F.5)."""

    ALLOCATION = "ALLOCATION", "The holder's employee wallet, filled by allocate-funds"
    BUSINESS_WALLET = "BUSINESS_WALLET", "A wallet of the business, within spending limits"


class Wallet(models.Model):
    """A wallet: of the business itself, or of one of its employees or cards (`holder_id`).

    A business wallet is unique per (currency, walletType) among those that are not closed, and known by its
    org_wallet_ref for good; a sub-wallet therefore has a walletType of its own, such as SUB:payroll. Employee and card
    wallets are unique per holder and currency.
    """

    class Status(models.TextChoices):
        """Whether a wallet can be paid into and out of."""

        PENDING = "PENDING", "Pending"
        ACTIVE = "ACTIVE", "Active"
        SUSPENDED = "SUSPENDED", "Suspended: takes credits, refuses debits"
        CLOSED = "CLOSED", "Closed"

    id = models.CharField(primary_key=True, max_length=24, default=object_id)
    business = models.ForeignKey(Business, on_delete=models.PROTECT, related_name="wallets")
    org_wallet_ref = models.CharField(max_length=40, blank=True, default="")
    currency = models.CharField(max_length=3)
    wallet_type = models.CharField(max_length=40, default="MAIN")
    name = models.CharField(max_length=100)
    accno = models.CharField(max_length=24)
    status = models.CharField(max_length=9, choices=Status.choices, default=Status.ACTIVE)
    holder_id = models.CharField(max_length=24, blank=True, default="")
    ledger_account = models.OneToOneField(LedgerAccount, on_delete=models.PROTECT, related_name="wallet")
    version = models.PositiveIntegerField(default=1)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["business", "currency", "wallet_type"],
                condition=Q(holder_id="") & ~Q(status="CLOSED"),
                name="wallet_once_per_currency_and_type",
            ),
            models.UniqueConstraint(
                fields=["business", "org_wallet_ref"], condition=Q(holder_id=""), name="wallet_ref_once"
            ),
            models.UniqueConstraint(
                fields=["business", "wallet_type", "holder_id", "currency"],
                condition=~Q(holder_id=""),
                name="wallet_once_per_holder_and_currency",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.currency})"
