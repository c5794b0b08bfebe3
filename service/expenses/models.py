"""Expenses, their receipts, and the jobs that export receipts."""

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.db.models import Q
from django.db.models.functions import Lower

from service.businesses.models import Business, Employee, Team
from service.categories.models import Subcategory
from service.ids import object_id
from service.journal.models import Transaction


class ExpenseStatus(models.TextChoices):
    """Where an expense stands: service/expenses/transitions.py says what leads where."""

    PENDING = "PENDING", "Waits for review"
    APPROVED = "APPROVED", "Approved"
    REJECTED = "REJECTED", "Rejected"
    DETAILS_REQUESTED = "DETAILS_REQUESTED", "Details were asked for"
    REFUNDED = "REFUNDED", "Refunded"
    DELETED = "DELETED", "Deleted before it was posted"


class Expense(models.Model):
    """Money that somebody spent for the business. Amounts are minor units of `currency`.

    The team is the one at the time of spending: moving a person moves no past expense.
    """

    id = models.CharField(primary_key=True, max_length=24, default=object_id)
    business = models.ForeignKey(Business, on_delete=models.CASCADE, related_name="+", db_index=False)
    # Nobody, where an API key of the old interface made it without naming a person.
    employee = models.ForeignKey(Employee, null=True, on_delete=models.PROTECT, related_name="expenses", db_index=False)
    team = models.ForeignKey(Team, null=True, on_delete=models.PROTECT, related_name="+", db_index=False)
    subcategory = models.ForeignKey(Subcategory, null=True, on_delete=models.PROTECT, related_name="+", db_index=False)
    part_count = models.PositiveSmallIntegerField(
        default=0, db_default=0, help_text="of its split transaction, whose parts count instead of the subcategory"
    )
    org_wallet_ref = models.CharField(max_length=40)
    # ALLOCATION where the employee's wallet paid and not the wallet of that reference (accounts.models.Funding).
    funding = models.CharField(max_length=16, blank=True, default="")
    status = models.CharField(max_length=20, choices=ExpenseStatus.choices, default=ExpenseStatus.PENDING)
    type = models.CharField(max_length=20, default="EXPENSE")

    currency = models.CharField(max_length=3)
    amount_minor = models.BigIntegerField()
    fees_minor = models.BigIntegerField(default=0)
    original_amount_minor = models.BigIntegerField(null=True)
    original_currency = models.CharField(max_length=3, blank=True, default="")
    fx_rate = models.DecimalField(max_digits=20, decimal_places=10, null=True)

    transaction_ref = models.CharField(max_length=80)
    provider_ref = models.CharField(max_length=80, blank=True, default="")
    transaction_date = models.DateTimeField()
    payment_type = models.CharField(max_length=20, default="CARD")
    channel = models.CharField(max_length=20, blank=True, default="")
    mcc = models.CharField(max_length=4, blank=True, default="")
    merchant_id = models.CharField(max_length=60, blank=True, default="")
    receiver = models.CharField(max_length=150, blank=True, default="")
    account_number = models.CharField(max_length=60, blank=True, default="")
    card_id = models.CharField(max_length=24, blank=True, default="")
    card_token = models.CharField(max_length=60, blank=True, default="")
    description = models.CharField(max_length=500, blank=True, default="")
    notes = models.TextField(blank=True, default="")
    tags = ArrayField(models.CharField(max_length=40), default=list, blank=True)
    risk = models.PositiveSmallIntegerField(default=0)
    risk_notes = models.CharField(max_length=300, blank=True, default="")
    policy_flags = ArrayField(models.CharField(max_length=40), default=list, blank=True)
    # The policies that judged it anew while it waited for review, with their versions (business_policies/pending_expenses.py).
    judged_anew = models.JSONField(default=list, blank=True)
    receipt_required = models.BooleanField(default=False)

    reviewed_by = models.ForeignKey(Employee, null=True, on_delete=models.PROTECT, related_name="+", db_index=False)
    reviewed_at = models.DateTimeField(null=True)
    review_reason = models.CharField(max_length=2000, blank=True, default="")

    # Either a hold that waits for its capture, or the posting that took the money.
    ledger_hold_id = models.BigIntegerField(null=True)
    ledger_transaction_id = models.BigIntegerField(null=True)

    version = models.PositiveIntegerField(default=1)
    created_at = models.DateTimeField()
    updated_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["business", "transaction_ref"], name="expense_transaction_once")]
        indexes = [
            models.Index(fields=["business", "-transaction_date", "-id"], name="expense_newest"),
            models.Index(
                fields=["business", "team", "-transaction_date", "-id"],
                condition=Q(team__isnull=False),
                name="expense_team_newest",
            ),
            models.Index(
                fields=["employee", "-transaction_date", "-id"],
                condition=Q(employee__isnull=False),
                name="expense_own_newest",
            ),
            models.Index(fields=["business", "status", "-transaction_date", "-id"], name="expense_status_newest"),
            models.Index(fields=["business", "updated_at"], name="expense_changed"),
            # Of tagged ones only: writing the others costs nothing more.
            GinIndex(fields=["tags"], condition=~models.Q(tags=[]), name="expense_tagged"),
        ]

    def __str__(self) -> str:
        return self.transaction_ref


class Tag(models.Model):
    """A word of the business that expenses can be tagged with."""

    id = models.CharField(primary_key=True, max_length=24, default=object_id)
    business = models.ForeignKey(Business, on_delete=models.CASCADE, related_name="+", db_index=False)
    name = models.CharField(max_length=40)
    version = models.PositiveIntegerField(default=1)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [models.UniqueConstraint("business", Lower("name"), name="tag_once_per_business")]
        indexes = [models.Index(fields=["business", "-created_at", "-id"], name="tag_newest")]

    def __str__(self) -> str:
        return self.name


class Receipt(models.Model):
    """A file that proves an expense; the bytes lie under MEDIA_ROOT at `path`."""

    id = models.CharField(primary_key=True, max_length=24, default=object_id)
    expense = models.ForeignKey(Expense, on_delete=models.CASCADE, related_name="receipts")
    file_name = models.CharField(max_length=150)
    mime = models.CharField(max_length=60)
    size = models.PositiveIntegerField()
    sha256 = models.CharField(max_length=64)
    path = models.CharField(max_length=200)
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.file_name


class ReceiptsExport(models.Model):
    """A receipts export (decisions B.16). Whose rows it holds is frozen when it is asked for."""

    class Status(models.TextChoices):
        """How far an archive of receipts is."""

        QUEUED = "QUEUED", "Waits for a worker"
        RUNNING = "RUNNING", "Being made"
        COMPLETED = "COMPLETED", "Ready"
        FAILED = "FAILED", "Failed"
        EXPIRED = "EXPIRED", "The file is gone"
        CANCELLED = "CANCELLED", "Cancelled"

    id = models.CharField(primary_key=True, max_length=24, default=object_id)
    business = models.ForeignKey(Business, on_delete=models.CASCADE, related_name="+")
    # Who may read it: the label of the caller that asked.
    requested_by = models.CharField(max_length=80)
    employee = models.ForeignKey(Employee, null=True, on_delete=models.SET_NULL, related_name="+")
    request_id = models.CharField(max_length=128, blank=True, default="")
    filters = models.JSONField()
    fingerprint = models.CharField(max_length=64)
    # The ids of the expenses, in order, as the requester could see them at the start.
    expense_ids = ArrayField(models.CharField(max_length=24), default=list)
    status = models.CharField(max_length=12, choices=Status.choices, default=Status.QUEUED)
    processed = models.PositiveIntegerField(default=0)
    missing = models.PositiveIntegerField(default=0)
    attempts = models.PositiveSmallIntegerField(default=0)
    heartbeat_at = models.DateTimeField(null=True)
    path = models.CharField(max_length=200, blank=True, default="")
    file_size = models.BigIntegerField(default=0)
    error = models.CharField(max_length=200, blank=True, default="")
    created_at = models.DateTimeField(auto_now_add=True)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["business", "requested_by", "fingerprint"],
                condition=models.Q(status__in=["QUEUED", "RUNNING"]),
                name="export_once_while_running",
            )
        ]

    def __str__(self) -> str:
        return f"{self.id} {self.status}"


class TransactionPart(models.Model):
    """A part of a split transaction, in minor units of its currency: the parts come to its amount, without its fees.

    Of an expense's transaction it is a part of the expense too. The first part's subcategory is the transaction's own, under
    which its fees count.
    """

    transaction = models.ForeignKey(Transaction, on_delete=models.CASCADE, related_name="parts", db_index=False)
    expense = models.ForeignKey(Expense, null=True, on_delete=models.CASCADE, related_name="parts", db_index=False)
    position = models.PositiveSmallIntegerField(help_text="counted from 1")
    subcategory = models.ForeignKey(Subcategory, on_delete=models.PROTECT, related_name="+")
    amount_minor = models.BigIntegerField()
    description = models.CharField(max_length=200, blank=True, default="")

    class Meta:
        db_table = "transactions_transactionpart"
        constraints = [
            models.UniqueConstraint(fields=["transaction", "position"], name="transaction_part_once"),
            models.CheckConstraint(condition=Q(amount_minor__gt=0, position__gt=0), name="transaction_part_amount"),
        ]
        indexes = [models.Index(fields=["expense"], condition=Q(expense__isnull=False), name="part_of_expense")]

    def __str__(self) -> str:
        return f"{self.position}: {self.amount_minor}"
