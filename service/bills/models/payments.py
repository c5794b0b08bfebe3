"""The payments made on bills, and each time that a rail was given one."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Lower

from service.accounts.models import Wallet
from service.bills.models.bills import Bill
from service.businesses.models import Business
from service.ids import object_id
from service.vendors.models import PaymentInstruction, Vendor


class PaymentStatus(models.TextChoices):
    """UNKNOWN: the rail did not say whether money left. See service/bills/transitions.py for the moves."""

    DRAFT = "DRAFT"
    PENDING_APPROVAL = "PENDING_APPROVAL"
    APPROVED = "APPROVED"
    SCHEDULED = "SCHEDULED"
    PROCESSING = "PROCESSING"
    UNKNOWN = "UNKNOWN"
    SUCCEEDED = "SUCCEEDED"
    FAILED = "FAILED"
    REJECTED = "REJECTED"
    WITHDRAWN = "WITHDRAWN"


class ApprovalAxis(models.TextChoices):
    """What was decided. NOT_REQUIRED: no workflow and no mandate asked for votes."""

    INITIALIZED = "INITIALIZED"
    PENDING = "PENDING"
    APPROVED = "APPROVED"
    NOT_REQUIRED = "NOT_REQUIRED"
    REJECTED = "REJECTED"
    TERMINATED = "TERMINATED"


class BillPayment(models.Model):
    """Money for a bill. `amount_minor` lowers its balance; the vendor gets the net, the tax authority the rest.

    The payee is copied from the vendor's payment instruction when approval is asked for: votes are about that account.
    """

    id = models.CharField(primary_key=True, max_length=24, default=object_id)
    business = models.ForeignKey(Business, on_delete=models.PROTECT, related_name="+", db_index=False)
    bill = models.ForeignKey(Bill, on_delete=models.PROTECT, related_name="payments")
    vendor = models.ForeignKey(Vendor, on_delete=models.PROTECT, related_name="+")
    ref = models.CharField(max_length=40)
    wallet = models.ForeignKey(Wallet, on_delete=models.PROTECT, related_name="+")
    instruction = models.ForeignKey(PaymentInstruction, on_delete=models.PROTECT, related_name="+")
    receiver_name = models.CharField(max_length=100)
    channel = models.CharField(max_length=20)
    account = models.CharField(max_length=34)
    bank_code = models.CharField(max_length=11, blank=True, default="")
    account_reference = models.CharField(max_length=40, blank=True, default="")
    currency = models.CharField(max_length=3)
    amount_minor = models.BigIntegerField()
    withheld_minor = models.BigIntegerField(default=0)
    net_minor = models.BigIntegerField()
    # What of the balance the early-payment discount settles beside the amount, once it is paid in time.
    discount_minor = models.BigIntegerField(default=0)
    fee_minor = models.BigIntegerField(default=0)
    withholding = models.JSONField(default=list)
    status = models.CharField(max_length=16, choices=PaymentStatus.choices, default=PaymentStatus.DRAFT)
    approval_status = models.CharField(max_length=12, choices=ApprovalAxis.choices, default=ApprovalAxis.INITIALIZED)
    hold_reason = models.CharField(max_length=40, blank=True, default="")
    failure_code = models.CharField(max_length=40, blank=True, default="")
    provider_ref = models.CharField(max_length=40, blank=True, default="")
    scheduled_for = models.DateTimeField(null=True)
    round = models.PositiveIntegerField(default=0, help_text="how often approval was asked for")
    attempts_made = models.PositiveSmallIntegerField(default=0)
    # What spend policies said, when they count it, and how much of it is of which subcategory: from the request on.
    policies = models.JSONField(default=dict)
    counts_at = models.DateTimeField(null=True)
    portions = models.JSONField(default=dict)
    ledger_hold_id = models.BigIntegerField(null=True)
    ledger_transaction_id = models.BigIntegerField(null=True)
    # Which request it came with (service/effects.py); not its id, as what is known of a payee goes by the order of ids.
    effect = models.CharField(max_length=24, blank=True, default="")
    created_by = models.CharField(max_length=80)
    requested_by = models.CharField(max_length=80, blank=True, default="")
    maker_ids = ArrayField(models.CharField(max_length=24), default=list)
    settled_at = models.DateTimeField(null=True)
    version = models.PositiveIntegerField(default=1)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["business", "ref"], name="bill_payment_ref_once"),
            models.CheckConstraint(
                condition=Q(
                    amount_minor__gt=0,
                    net_minor__gt=0,
                    fee_minor__gte=0,
                    discount_minor__gte=0,
                    withheld_minor=F("amount_minor") - F("net_minor"),
                ),
                name="bill_payment_amounts",
            ),
        ]
        indexes = [
            models.Index(
                fields=["status"],
                condition=Q(status__in=["APPROVED", "SCHEDULED", "PROCESSING", "UNKNOWN"]),
                name="bill_payment_to_work_on",
            ),
            models.Index(fields=["business", "account", "channel", "id"], name="bill_payment_by_payee"),
            models.Index("business", Lower("receiver_name"), "channel", "id", name="bill_payment_by_name"),
            models.Index(fields=["vendor"], condition=Q(status="SUCCEEDED"), name="bill_payment_of_vendor"),
            models.Index(fields=["business", "-id"], condition=Q(status="SUCCEEDED"), name="bill_payment_paid"),
            models.Index(
                fields=["business", "settled_at"], condition=Q(status="SUCCEEDED"), name="bill_payment_by_day"
            ),
            models.Index(
                fields=["business", "currency", "counts_at"],
                condition=Q(counts_at__isnull=False),
                name="bill_payment_for_policies",
            ),
        ]

    def __str__(self) -> str:
        return self.ref


class AttemptStatus(models.TextChoices):
    """SENT: given to the rail, which has not said yet what became of it. CANCELLED: never sent."""

    QUEUED = "QUEUED"
    SENT = "SENT"
    SUCCEEDED = "SUCCEEDED"
    FAILED = "FAILED"
    CANCELLED = "CANCELLED"


class Attempt(models.Model):
    """One time that the rail was given a payment, under a reference of its own: the attempt's id."""

    id = models.CharField(primary_key=True, max_length=24, default=object_id)
    payment = models.ForeignKey(BillPayment, on_delete=models.CASCADE, related_name="attempts")
    number = models.PositiveSmallIntegerField()
    # What this attempt pays and what is withheld of it: a later one of the same payment may withhold more or less.
    net_minor = models.BigIntegerField()
    withholding = models.JSONField(default=list)
    # Where this attempt goes, and what it costs: a later one may pay to another account.
    instruction = models.ForeignKey(PaymentInstruction, on_delete=models.PROTECT, related_name="+")
    receiver_name = models.CharField(max_length=100)
    channel = models.CharField(max_length=20)
    account = models.CharField(max_length=34)
    bank_code = models.CharField(max_length=11, blank=True, default="")
    account_reference = models.CharField(max_length=40, blank=True, default="")
    fee_minor = models.BigIntegerField(default=0)
    status = models.CharField(max_length=9, choices=AttemptStatus.choices, default=AttemptStatus.QUEUED)
    provider_ref = models.CharField(max_length=40, blank=True, default="")
    failure_code = models.CharField(max_length=40, blank=True, default="")
    sent_at = models.DateTimeField(null=True)
    settled_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["payment", "number"], name="attempt_number_once")]

    def __str__(self) -> str:
        return f"{self.payment_id} #{self.number}: {self.status}"
