"""Payout batches with their items, intents with their codes, and pushes that ask a phone for money (decisions B.8)."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Func, Q, Value
from django.db.models.functions import Lower

from service.accounts.models import Wallet
from service.businesses.models import Business
from service.ids import object_id


class Kind(models.TextChoices):
    """A batch, or a single transfer made from an intent."""

    BULK_PAYOUT = "BULK_PAYOUT", "Bulk payout"
    BANK_TRANSFER = "BANK_TRANSFER", "Single transfer"


class Status(models.TextChoices):
    """See transitions.py for the moves between them."""

    DRAFT = "DRAFT"
    PENDING_APPROVAL = "PENDING_APPROVAL"
    AWAITING_CODE = "AWAITING_CODE"
    APPROVED = "APPROVED"
    ON_HOLD = "ON_HOLD"
    PROCESSING = "PROCESSING"
    COMPLETED = "COMPLETED"
    PARTIALLY_COMPLETED = "PARTIALLY_COMPLETED"
    FAILED = "FAILED"
    REJECTED = "REJECTED"
    CANCELLED = "CANCELLED"


class Batch(models.Model):
    """A payout: items paid from one wallet. Amounts in minor units of its currency."""

    id = models.CharField(primary_key=True, max_length=24, default=object_id)
    business = models.ForeignKey(Business, on_delete=models.PROTECT, related_name="+")
    batch_no = models.CharField(max_length=24)
    kind = models.CharField(max_length=16, choices=Kind.choices, default=Kind.BULK_PAYOUT)
    name = models.CharField(max_length=100)
    template = models.CharField(max_length=40, blank=True, default="")
    wallet = models.ForeignKey(Wallet, on_delete=models.PROTECT, related_name="+")
    currency = models.CharField(max_length=3)
    total_minor = models.BigIntegerField()
    fees_minor = models.BigIntegerField(default=0)
    item_count = models.PositiveIntegerField()
    succeeded_count = models.PositiveIntegerField(default=0)
    failed_count = models.PositiveIntegerField(default=0)
    status = models.CharField(max_length=20, choices=Status.choices, default=Status.DRAFT)
    hold_reason = models.CharField(max_length=40, blank=True, default="")
    team_id = models.CharField(max_length=24, blank=True, default="")
    note = models.CharField(max_length=500, blank=True, default="")
    scheduled_for = models.DateTimeField(null=True)
    created_by = models.CharField(max_length=80)
    initiated_by = models.CharField(max_length=80, blank=True, default="")
    # Every employee who made, initiated or changed it: none of them may vote on it.
    maker_ids = ArrayField(models.CharField(max_length=24), default=list)
    code_required = models.BooleanField(default=False, help_text="the mandate of its approval asks for a code")
    round = models.PositiveIntegerField(default=0, help_text="how often it was initiated")
    policies = models.JSONField(default=dict, help_text="what spend policies said when it was initiated")
    ledger_hold_id = models.BigIntegerField(null=True)
    version = models.PositiveIntegerField(default=1)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        verbose_name_plural = "batches"
        constraints = [models.UniqueConstraint(fields=["business", "batch_no"], name="batch_no_once")]
        indexes = [
            models.Index(fields=["business", "-created_at", "-id"], name="batch_newest"),
            models.Index(
                fields=["status"],
                condition=Q(status__in=["APPROVED", "ON_HOLD", "PROCESSING"]),
                name="batch_to_work_on",
            ),
        ]

    def __str__(self) -> str:
        return self.batch_no


class ItemStatus(models.TextChoices):
    """SENT: given to the rail, which has not said yet what became of it."""

    QUEUED = "QUEUED"
    SENT = "SENT"
    SUCCEEDED = "SUCCEEDED"
    FAILED = "FAILED"
    RETURNED = "RETURNED"


ACCOUNT_KEY = Func(
    Lower("account"), Value("[^a-z0-9]"), Value(""), Value("g"), function="regexp_replace",
    output_field=models.CharField(),
)  # fmt: skip


class Item(models.Model):
    """One payment of a payout batch: whom it pays, on which channel and account, and what became of it."""

    id = models.CharField(primary_key=True, max_length=24, default=object_id)
    batch = models.ForeignKey(Batch, on_delete=models.CASCADE, related_name="items")
    # The batch's: repeated here for the indexes by which the risk score finds earlier payments to a payee.
    business = models.ForeignKey(
        Business, on_delete=models.PROTECT, related_name="+", db_constraint=False, db_index=False
    )
    position = models.PositiveIntegerField()
    vendor_id = models.CharField(max_length=24, blank=True, default="")
    receiver_name = models.CharField(max_length=100)
    channel = models.CharField(max_length=20)
    account = models.CharField(max_length=34)
    bank_code = models.CharField(max_length=11, blank=True, default="")
    account_reference = models.CharField(max_length=40, blank=True, default="")
    amount_minor = models.BigIntegerField()
    fee_minor = models.BigIntegerField(default=0)
    subcategory_id = models.CharField(max_length=24, blank=True, default="")
    note = models.CharField(max_length=200, blank=True, default="")
    status = models.CharField(max_length=9, choices=ItemStatus.choices, default=ItemStatus.QUEUED)
    provider_ref = models.CharField(max_length=40, blank=True, default="")
    failure_code = models.CharField(max_length=40, blank=True, default="")
    sent_at = models.DateTimeField(null=True)
    settled_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name = "payout item"
        constraints = [
            models.UniqueConstraint(fields=["batch", "position"], name="item_position_once"),
            models.CheckConstraint(condition=Q(amount_minor__gt=0, fee_minor__gte=0), name="item_amounts"),
        ]
        indexes = [
            models.Index(fields=["batch", "status"], name="item_by_status"),
            models.Index(fields=["business", "account", "channel", "amount_minor", "id"], name="item_by_payee"),
            models.Index("business", Lower("receiver_name"), "channel", "id", name="item_by_name"),
            # The same payment again, by the account without case and punctuation (duplicates.py).
            models.Index("business", ACCOUNT_KEY, "amount_minor", "id", name="item_by_account_key"),
            models.Index(fields=["business", "-id"], condition=Q(status="SUCCEEDED"), name="item_paid"),
            models.Index(
                fields=["vendor_id"], condition=Q(status="SUCCEEDED") & ~Q(vendor_id=""), name="item_paid_vendor"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.receiver_name}: {self.amount_minor}"


class BatchNumber(models.Model):
    """The last batch number of a business's day."""

    id = models.BigAutoField(primary_key=True)
    business = models.ForeignKey(Business, on_delete=models.CASCADE, related_name="+")
    day = models.DateField()
    last = models.PositiveIntegerField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["business", "day"], name="batch_number_of_day")]

    def __str__(self) -> str:
        return f"{self.day}: {self.last}"


class IntentStatus(models.TextChoices):
    """REQUIRES_APPROVAL: votes come first, then another intent brings the code."""

    REQUIRES_APPROVAL = "REQUIRES_APPROVAL"
    REQUIRES_CONFIRMATION = "REQUIRES_CONFIRMATION"
    CONFIRMED = "CONFIRMED"
    LOCKED = "LOCKED"
    EXPIRED = "EXPIRED"
    VOID = "VOID"


class Intent(models.Model):
    """A payment that waits for its one-time code. The code is kept hashed and bound to what would be paid."""

    id = models.CharField(primary_key=True, max_length=24, default=object_id)
    business = models.ForeignKey(Business, on_delete=models.PROTECT, related_name="+")
    batch = models.ForeignKey(Batch, on_delete=models.CASCADE, related_name="intents")
    channel = models.CharField(max_length=5)
    status = models.CharField(max_length=22, choices=IntentStatus.choices)
    code_hash = models.CharField(max_length=64, blank=True, default="")
    digest = models.CharField(max_length=64)
    wrong = models.PositiveSmallIntegerField(default=0)
    expires_at = models.DateTimeField()
    created_by = models.CharField(max_length=80)
    confirmed_by = models.CharField(max_length=80, blank=True, default="")
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    def __str__(self) -> str:
        return f"{self.id}: {self.status}"


class PushStatus(models.TextChoices):
    """TIMED_OUT after 90 s; a success that comes later still wins."""

    PENDING = "PENDING"
    SUCCEEDED = "SUCCEEDED"
    FAILED = "FAILED"
    CANCELLED = "CANCELLED"
    TIMED_OUT = "TIMED_OUT"


class MobileMoneyPush(models.Model):
    """A push that asks a phone for money, into a wallet."""

    id = models.CharField(primary_key=True, max_length=24, default=object_id)
    business = models.ForeignKey(Business, on_delete=models.PROTECT, related_name="+")
    wallet = models.ForeignKey(Wallet, on_delete=models.PROTECT, related_name="+")
    phone = models.CharField(max_length=15)
    amount_minor = models.BigIntegerField()
    currency = models.CharField(max_length=3)
    account_reference = models.CharField(max_length=40)
    checkout_request_id = models.CharField(max_length=64, unique=True)
    merchant_request_id = models.CharField(max_length=64)
    status = models.CharField(max_length=9, choices=PushStatus.choices, default=PushStatus.PENDING)
    result_code = models.IntegerField(null=True)
    result_text = models.CharField(max_length=200, blank=True, default="")
    receipt = models.CharField(max_length=40, blank=True, default="")
    requested_by = models.CharField(max_length=80)
    ledger_hold_id = models.BigIntegerField(null=True)
    ledger_transaction_id = models.BigIntegerField(null=True)
    asked_until = models.DateTimeField(help_text="until when the rail is asked about a result that did not come")
    version = models.PositiveIntegerField(default=1)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        verbose_name_plural = "mobile money pushes"
        indexes = [
            models.Index(fields=["asked_until"], condition=Q(status__in=["PENDING", "TIMED_OUT"]), name="push_open"),
            models.Index(fields=["business", "-created_at", "-id"], name="push_newest"),
        ]

    def __str__(self) -> str:
        return f"{self.phone}: {self.status}"
