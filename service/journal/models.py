"""The journal: what moved on each wallet of a business, in the words of the interface, with the proof people attach.

Below the areas, because each that moves money writes it; what people do with its rows is in service/transactions/.
"""

from django.db import models
from django.db.models import F, Q

from service.businesses.models import Business
from service.categories.models import Subcategory
from service.ids import object_id


class Type(models.TextChoices):
    """As published. IFT: between the business's own wallets, so neither income nor spending."""

    EXPENSE = "EXPENSE", "Money spent"
    TOPUP = "TOPUP", "Money that came in"
    IFT = "IFT", "Internal funds transfer"
    REFUND = "REFUND", "Money that came back"


class TransactionStatus(models.TextChoices):
    """See service/transactions/transitions.py. What the service posts itself is POSTED from the start."""

    PENDING = "PENDING", "Entered manually, waits for approval"
    APPROVED = "APPROVED", "Approved, waits for its value date"
    REJECTED = "REJECTED", "Rejected"
    POSTED = "POSTED", "In the ledger"
    REVERSED = "REVERSED", "In the ledger, and reversed there"


class Direction(models.TextChoices):
    """Whether money came into a wallet or left it."""

    IN = "IN"
    OUT = "OUT"


class Origin(models.TextChoices):
    """Who wrote it: references are unique within each, so that nobody can take one the service will need."""

    SERVICE = "SERVICE"
    MANUAL = "MANUAL"


class Transaction(models.Model):
    """One movement on one wallet, in minor units of `currency`: `amount_minor`, and `fees_minor` on top of it.

    Once it is posted it belongs to the ledger transaction of that id and to the ledger's day.
    """

    id = models.CharField(primary_key=True, max_length=24, default=object_id)
    business = models.ForeignKey(Business, on_delete=models.PROTECT, related_name="+", db_index=False)
    origin = models.CharField(max_length=7, choices=Origin.choices, default=Origin.SERVICE)
    type = models.CharField(max_length=7, choices=Type.choices)
    status = models.CharField(max_length=8, choices=TransactionStatus.choices, default=TransactionStatus.POSTED)
    org_wallet_ref = models.CharField(max_length=40)
    to_org_wallet_ref = models.CharField(max_length=40, blank=True, default="")
    direction = models.CharField(max_length=3, choices=Direction.choices)
    currency = models.CharField(max_length=3)
    amount_minor = models.BigIntegerField()
    fees_minor = models.BigIntegerField(default=0)
    counterparty = models.CharField(max_length=150, blank=True, default="")
    ref = models.CharField(max_length=200)
    channel = models.CharField(max_length=20, blank=True, default="")
    description = models.CharField(max_length=500, blank=True, default="")
    # Of an expense's transaction the expense's own subcategory counts: see service/transactions/serializers.py.
    subcategory = models.ForeignKey(Subcategory, null=True, on_delete=models.SET_NULL, related_name="+", db_index=False)
    # What it was filed under before it was split: what it is filed under again once it is whole. "" for nothing.
    unsplit_subcategory_id = models.CharField(max_length=24, blank=True, default="", db_default="")
    expense_id = models.CharField(max_length=24, blank=True, default="")
    employee_id = models.CharField(max_length=24, blank=True, default="")
    team_id = models.CharField(max_length=24, blank=True, default="")
    ledger_transaction_id = models.BigIntegerField(null=True)
    effective_on = models.DateField(null=True, help_text="the ledger's day, once it is posted")
    value_date = models.DateField(null=True, help_text="the day it is to be posted on")
    occurred_at = models.DateTimeField()
    created_by = models.CharField(max_length=80, blank=True, default="")
    # Employees who made or changed it: none of them decides on it.
    maker_ids = models.JSONField(default=list)
    decided_by = models.CharField(max_length=80, blank=True, default="")
    decided_at = models.DateTimeField(null=True)
    reason = models.CharField(max_length=500, blank=True, default="")
    failure_code = models.CharField(max_length=40, blank=True, default="")
    version = models.PositiveIntegerField(default=1)
    created_at = models.DateTimeField()
    updated_at = models.DateTimeField()

    class Meta:
        db_table = "transactions_transaction"
        constraints = [
            models.UniqueConstraint(
                fields=["business", "origin", "ref", "type", "org_wallet_ref", "direction"], name="transaction_once"
            ),
            models.CheckConstraint(
                condition=Q(amount_minor__gte=0, fees_minor__gte=0) & (Q(amount_minor__gt=0) | Q(fees_minor__gt=0)),
                name="transaction_amounts",
            ),
            models.CheckConstraint(
                condition=Q(
                    status__in=["POSTED", "REVERSED"], ledger_transaction_id__isnull=False, effective_on__isnull=False
                )
                | (~Q(status__in=["POSTED", "REVERSED"]) & Q(ledger_transaction_id=None, effective_on=None)),
                name="transaction_posted_has_its_posting",
            ),
        ]
        indexes = [
            models.Index(fields=["business", "-occurred_at", "-id"], name="transaction_newest"),
            models.Index(fields=["business", "effective_on"], name="transaction_by_day"),
            models.Index(fields=["business", "updated_at"], name="transaction_changed"),
            models.Index(
                F("employee_id"),
                F("occurred_at").desc(),
                F("id").desc(),
                condition=~Q(employee_id=""),
                name="transaction_own_newest",
            ),
            models.Index(fields=["value_date"], condition=Q(status="APPROVED"), name="transaction_due"),
            models.Index(fields=["ledger_transaction_id"], name="transaction_of_posting"),
        ]

    def __str__(self) -> str:
        return f"{self.type} {self.ref}"


class TransactionDocument(models.Model):
    """A file that proves a transaction; the bytes lie under MEDIA_ROOT at `path`. The same file is kept once."""

    id = models.CharField(primary_key=True, max_length=24, default=object_id)
    transaction = models.ForeignKey(Transaction, on_delete=models.CASCADE, related_name="documents", db_index=False)
    file_name = models.CharField(max_length=120)
    kind = models.CharField(max_length=4)
    mime = models.CharField(max_length=100)
    size = models.PositiveIntegerField()
    sha256 = models.CharField(max_length=64)
    path = models.CharField(max_length=200)
    uploaded_by = models.CharField(max_length=80)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        db_table = "transactions_transactiondocument"
        constraints = [models.UniqueConstraint(fields=["transaction", "sha256"], name="document_once_per_transaction")]

    def __str__(self) -> str:
        return self.file_name


class FileDeletion(models.Model):
    """The file of a document that was taken off, to be deleted in the store; written in the transaction that takes it off."""

    path = models.CharField(max_length=200)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        db_table = "transactions_filedeletion"

    def __str__(self) -> str:
        return self.path
