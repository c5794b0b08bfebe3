"""Bills of vendors: their lines, the shares of teams in these, and their files."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q

from service.budgets.models import Budget
from service.businesses.models import Business, Team
from service.ids import object_id
from service.vendors.models import Vendor


class BillStatus(models.TextChoices):
    """See service/bills/transitions.py for the moves between them."""

    DRAFT = "DRAFT"
    OPEN = "OPEN"
    PARTIALLY_PAID = "PARTIALLY_PAID"
    PAID = "PAID"
    CANCELLED = "CANCELLED"


class Bill(models.Model):
    """What a vendor asks for. Amounts are minor units of `currency`; the balance is the total less what was paid, and less
    what credit notes of the vendor took off it (service/credit_notes/)."""

    id = models.CharField(primary_key=True, max_length=24, default=object_id)
    business = models.ForeignKey(Business, on_delete=models.PROTECT, related_name="+", db_index=False)
    vendor = models.ForeignKey(Vendor, on_delete=models.PROTECT, related_name="bills")
    bill_no = models.CharField(max_length=60)
    bill_no_key = models.CharField(max_length=60, help_text="the number without case and punctuation")
    currency = models.CharField(max_length=3)
    subtotal_minor = models.BigIntegerField()
    tax_minor = models.BigIntegerField(default=0)
    total_minor = models.BigIntegerField()
    paid_minor = models.BigIntegerField(default=0)
    credited_minor = models.BigIntegerField(default=0)
    issued_on = models.DateField()
    due_on = models.DateField()
    budget = models.ForeignKey(Budget, null=True, on_delete=models.PROTECT, related_name="bills")
    team = models.ForeignKey(Team, null=True, on_delete=models.PROTECT, related_name="+")
    subcategory_id = models.CharField(max_length=24, blank=True, default="")
    withholding_tax_ids = ArrayField(models.CharField(max_length=24), default=list, blank=True)
    memo = models.CharField(max_length=1000, blank=True, default="")
    purchase_order = models.CharField(max_length=60, blank=True, default="")
    # An early-payment discount, in basis points of what is open, for what is paid until a day; what was saved by it so far is
    # a part of what is credited.
    discount_bps = models.PositiveIntegerField(default=0)
    discount_until = models.DateField(null=True)
    discount_from_vendor = models.BooleanField(default=False)
    discounted_minor = models.BigIntegerField(default=0)
    status = models.CharField(max_length=14, choices=BillStatus.choices, default=BillStatus.OPEN)
    duplicate_of = models.ForeignKey("self", null=True, on_delete=models.SET_NULL, related_name="+")
    duplicate_reason = models.CharField(max_length=20, blank=True, default="")
    created_by = models.CharField(max_length=80)
    # Every employee who made or edited it: none of them may vote on its payments.
    maker_ids = ArrayField(models.CharField(max_length=24), default=list)
    version = models.PositiveIntegerField(default=1)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [
            # The number of a cancelled bill may be used again: for the corrected one.
            models.UniqueConstraint(
                fields=["business", "vendor", "bill_no_key"],
                condition=~Q(status="CANCELLED"),
                name="bill_number_once_per_vendor",
            ),
            models.CheckConstraint(
                condition=Q(
                    total_minor__gt=0,
                    tax_minor__gte=0,
                    paid_minor__gte=0,
                    credited_minor__gte=0,
                    total_minor__gte=F("paid_minor") + F("credited_minor"),
                ),
                name="bill_amounts",
            ),
            models.CheckConstraint(
                condition=Q(discount_bps__lt=10_000, discounted_minor__gte=0, discounted_minor__lte=F("credited_minor"))
                & (Q(discount_bps=0) | Q(discount_until__isnull=False)),
                name="bill_discount",
            ),
        ]
        indexes = [
            models.Index(fields=["business", "-created_at", "-id"], name="bill_newest"),
            models.Index(fields=["business", "status", "-created_at", "-id"], name="bill_status_newest"),
            models.Index(fields=["vendor", "total_minor", "issued_on"], name="bill_by_amount"),
        ]

    def __str__(self) -> str:
        return self.bill_no

    @property
    def balance_minor(self) -> int:
        """What is still open, in minor units: the total without what was paid and credited."""
        return self.total_minor - self.paid_minor - self.credited_minor


class BillLine(models.Model):
    """One line: quantity by unit price, and the VAT on it."""

    id = models.CharField(primary_key=True, max_length=24, default=object_id)
    bill = models.ForeignKey(Bill, on_delete=models.CASCADE, related_name="lines")
    position = models.PositiveSmallIntegerField()
    description = models.CharField(max_length=200)
    quantity = models.DecimalField(max_digits=12, decimal_places=3)
    unit_price_minor = models.BigIntegerField()
    tax_rate_bps = models.PositiveIntegerField(default=0)
    amount_minor = models.BigIntegerField(help_text="without the tax")
    tax_minor = models.BigIntegerField(default=0)
    subcategory_id = models.CharField(max_length=24, blank=True, default="")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["bill", "position"], name="bill_line_position_once")]

    def __str__(self) -> str:
        return self.description


class LineSplit(models.Model):
    """A team's share of a line: what it comes to of the line with its tax. The shares of a line come to the line.

    `upto_minor` is where the share ends in the bill, counted through its lines: so that any part of the bill, such as a payment,
    falls to the shares without a cent too much or too little (selectors.py).
    """

    id = models.CharField(primary_key=True, max_length=24, default=object_id)
    bill = models.ForeignKey(Bill, on_delete=models.CASCADE, related_name="splits")
    line = models.ForeignKey(BillLine, on_delete=models.CASCADE, related_name="splits")
    team = models.ForeignKey(Team, on_delete=models.PROTECT, related_name="+")
    position = models.PositiveSmallIntegerField()
    percent_bps = models.PositiveIntegerField(null=True, help_text="null where it was given as an amount")
    share_minor = models.BigIntegerField()
    upto_minor = models.BigIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["line", "team"], name="line_split_once_per_team"),
            models.CheckConstraint(
                condition=Q(share_minor__gte=0, upto_minor__gte=F("share_minor")), name="line_split_amounts"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.line_id} {self.team_id}"


class BillFile(models.Model):
    """A file that was sent in, attached to a bill or not yet; the bytes lie under MEDIA_ROOT at `path`."""

    id = models.CharField(primary_key=True, max_length=24, default=object_id)
    business = models.ForeignKey(Business, on_delete=models.PROTECT, related_name="+", db_index=False)
    bill = models.ForeignKey(Bill, null=True, on_delete=models.PROTECT, related_name="files")
    file_name = models.CharField(max_length=150)
    mime = models.CharField(max_length=100)
    size = models.PositiveIntegerField()
    sha256 = models.CharField(max_length=64)
    path = models.CharField(max_length=200)
    uploaded_by = models.CharField(max_length=80)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        indexes = [models.Index(fields=["business", "sha256"], name="bill_file_by_content")]

    def __str__(self) -> str:
        return self.file_name
