"""Withholding taxes with their dated rates, and what was deducted by them (decisions B.18)."""

from django.db import models
from django.db.models import Q

from service.businesses.models import Business
from service.ids import object_id
from service.vendors.models import Vendor


class TaxStatus(models.TextChoices):
    """Whether a tax may still be applied."""

    ACTIVE = "ACTIVE", "Active"
    ARCHIVED = "ARCHIVED", "Archived"


class Base(models.TextChoices):
    """What the rate is taken of."""

    GROSS = "GROSS", "All of the payment"
    NET_OF_VAT = "NET_OF_VAT", "The payment without its VAT"


class Tax(models.Model):
    """A tax that the business withholds from what it pays vendors. Thresholds are minor units of `currency`."""

    id = models.CharField(primary_key=True, max_length=24, default=object_id)
    business = models.ForeignKey(Business, on_delete=models.CASCADE, related_name="+")
    code = models.CharField(max_length=40)
    name = models.CharField(max_length=100)
    currency = models.CharField(max_length=3)
    status = models.CharField(max_length=8, choices=TaxStatus.choices, default=TaxStatus.ACTIVE)
    version = models.PositiveIntegerField(default=1)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        verbose_name_plural = "taxes"
        constraints = [models.UniqueConstraint(fields=["business", "code"], name="tax_code_once_per_business")]

    def __str__(self) -> str:
        return self.code


class TaxRate(models.Model):
    """A tax as it is from a day on, until the day before the next one. Never edited: a change is another row."""

    id = models.CharField(primary_key=True, max_length=24, default=object_id)
    tax = models.ForeignKey(Tax, on_delete=models.CASCADE, related_name="rates")
    base = models.CharField(max_length=10, choices=Base.choices)
    resident_rate_bps = models.PositiveIntegerField()
    non_resident_rate_bps = models.PositiveIntegerField()
    # What a vendor may be paid in a month before anything is withheld.
    threshold_minor = models.BigIntegerField(default=0)
    final = models.BooleanField(default=False)
    effective_from = models.DateField()
    note = models.CharField(max_length=500, blank=True, default="")
    created_by = models.CharField(max_length=80)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["tax", "effective_from"], name="one_rate_from_a_day"),
            models.CheckConstraint(
                condition=Q(resident_rate_bps__lte=10_000, non_resident_rate_bps__lte=10_000, threshold_minor__gte=0),
                name="tax_rate_makes_sense",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.resident_rate_bps} bps from {self.effective_from}"


class Remittance(models.Model):
    """One payment to the tax authority, for taxes that were deducted before. Minor units of `currency`."""

    id = models.CharField(primary_key=True, max_length=24, default=object_id)
    business = models.ForeignKey(Business, on_delete=models.PROTECT, related_name="+", db_index=False)
    reference = models.CharField(max_length=40, blank=True, default="", help_text="the authority's number of it")
    remitted_on = models.DateField()
    currency = models.CharField(max_length=3)
    amount_minor = models.BigIntegerField()
    ledger_transaction_id = models.BigIntegerField()
    created_by = models.CharField(max_length=80)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["business", "reference"], condition=~Q(reference=""), name="remittance_reference_once"
            ),
            models.CheckConstraint(condition=Q(amount_minor__gt=0), name="remittance_amount"),
        ]
        indexes = [models.Index(fields=["business", "-created_at", "-id"], name="remittance_newest")]

    def __str__(self) -> str:
        return f"{self.remitted_on}: {self.amount_minor}"


class TaxTransaction(models.Model):
    """A tax that was deducted from a payment. Amounts are minor units of `currency`."""

    class Standing(models.TextChoices):
        """Where a withheld tax stands: owed to the authority, paid to it, or given back."""

        DEDUCTED = "DEDUCTED", "Withheld, owed to the authority"
        REMITTED = "REMITTED", "Paid to the authority"
        REVERSED = "REVERSED", "Given back"

    id = models.CharField(primary_key=True, max_length=24, default=object_id)
    business = models.ForeignKey(Business, on_delete=models.PROTECT, related_name="+")
    tax = models.ForeignKey(Tax, on_delete=models.PROTECT, related_name="+")
    rate = models.ForeignKey(TaxRate, on_delete=models.PROTECT, related_name="+")
    vendor = models.ForeignKey(Vendor, on_delete=models.PROTECT, related_name="+")
    vendor_tax_pin = models.CharField(max_length=20, blank=True, default="")
    bill_payment_ref = models.CharField(max_length=40)
    base_minor = models.BigIntegerField()
    rate_bps = models.PositiveIntegerField()
    tax_minor = models.BigIntegerField()
    currency = models.CharField(max_length=3)
    status = models.CharField(max_length=8, choices=Standing.choices, default=Standing.DEDUCTED)
    certificate_no = models.CharField(max_length=40, blank=True, default="")
    ledger_transaction_id = models.BigIntegerField()
    remittance = models.ForeignKey(Remittance, null=True, on_delete=models.PROTECT, related_name="transactions")
    deducted_at = models.DateTimeField()
    due_on = models.DateField()
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["business", "bill_payment_ref", "tax"], name="tax_once_per_payment"),
            models.CheckConstraint(
                condition=Q(status="REMITTED", remittance__isnull=False)
                | (~Q(status="REMITTED") & Q(remittance__isnull=True)),
                name="remitted_tax_has_its_remittance",
            ),
        ]
        indexes = [
            models.Index(fields=["business", "-deducted_at", "-id"], name="tax_transaction_newest"),
            models.Index(fields=["vendor", "tax", "deducted_at"], name="tax_transaction_of_vendor"),
        ]

    def __str__(self) -> str:
        return f"{self.bill_payment_ref}: {self.tax_minor}"
