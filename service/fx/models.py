"""Exchange: the rates that the feed gave, the quotes made from them, and the transfers booked by quotes."""

from django.db import models
from django.db.models import Q

from service.accounts.models import Wallet
from service.businesses.models import Business
from service.ids import object_id


class Rate(models.Model):
    """Units of a currency for one US dollar at a moment; `fixing` where it is the one fixed for that day."""

    id = models.BigAutoField(primary_key=True)
    currency = models.CharField(max_length=3)
    as_of = models.DateTimeField()
    day = models.DateField()
    fixing = models.BooleanField(default=False)
    per_dollar = models.DecimalField(max_digits=24, decimal_places=12)
    source = models.CharField(max_length=20)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["currency", "as_of", "fixing"], name="rate_once"),
            models.CheckConstraint(condition=Q(per_dollar__gt=0), name="rate_positive"),
        ]
        indexes = [
            models.Index(fields=["-as_of", "currency"], condition=Q(fixing=False), name="rate_newest"),
            models.Index(fields=["-day", "currency"], condition=Q(fixing=True), name="rate_by_day"),
        ]

    def __str__(self) -> str:
        return f"{self.currency} {self.as_of}: {self.per_dollar}"


class Quote(models.Model):
    """A rate promised for a minute. SELL fixes what is paid, BUY what is received; without an amount only the rate."""

    class Side(models.TextChoices):
        """Which of the two amounts was given: what is sold, or what is bought."""

        SELL = "SELL"
        BUY = "BUY"

    id = models.CharField(primary_key=True, max_length=24, default=object_id)
    business = models.ForeignKey(Business, on_delete=models.CASCADE, related_name="+")
    source_currency = models.CharField(max_length=3)
    target_currency = models.CharField(max_length=3)
    side = models.CharField(max_length=4, choices=Side.choices)
    amount_minor = models.BigIntegerField(null=True, help_text="of the source for SELL, of the target for BUY")
    mid = models.DecimalField(max_digits=28, decimal_places=10)
    buy = models.DecimalField(max_digits=28, decimal_places=8)
    sell = models.DecimalField(max_digits=28, decimal_places=8)
    markup_bps = models.PositiveSmallIntegerField()
    source = models.CharField(max_length=20)
    as_of = models.DateTimeField()
    expires_at = models.DateTimeField()
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"{self.source_currency}/{self.target_currency} {self.sell}"


class TransferStatus(models.TextChoices):
    """See transfers.py: PENDING_APPROVAL where a mandate asks for votes; the other three are final."""

    PENDING_APPROVAL = "PENDING_APPROVAL"
    COMPLETED = "COMPLETED"
    REJECTED = "REJECTED"
    FAILED = "FAILED"


class FxTransfer(models.Model):
    """Money moved between two wallets of a business, in minor units of each wallet's currency: exchanged by a quote, or
    at rate 1 and without one where both hold the same currency."""

    id = models.CharField(primary_key=True, max_length=24, default=object_id)
    business = models.ForeignKey(Business, on_delete=models.PROTECT, related_name="+")
    quote = models.OneToOneField(Quote, null=True, on_delete=models.PROTECT, related_name="transfer")
    source_wallet = models.ForeignKey(Wallet, on_delete=models.PROTECT, related_name="+")
    target_wallet = models.ForeignKey(Wallet, on_delete=models.PROTECT, related_name="+")
    source_minor = models.BigIntegerField()
    target_minor = models.BigIntegerField()
    fee_minor = models.BigIntegerField(help_text="the spread, in the target currency")
    rate = models.DecimalField(max_digits=28, decimal_places=8)
    note = models.CharField(max_length=200, blank=True, default="")
    status = models.CharField(max_length=16, choices=TransferStatus.choices)
    failure_code = models.CharField(max_length=40, blank=True, default="")
    requested_by = models.CharField(max_length=80)
    ledger_hold_id = models.BigIntegerField(null=True)
    ledger_transaction_id = models.BigIntegerField(null=True)
    effective_on = models.DateField(null=True)
    version = models.PositiveIntegerField(default=1)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(source_minor__gt=0, target_minor__gt=0, fee_minor__gte=0), name="fx_transfer_amounts"
            )
        ]
        indexes = [models.Index(fields=["business", "effective_on"], name="fx_transfer_by_day")]

    def __str__(self) -> str:
        return f"{self.id}: {self.status}"
