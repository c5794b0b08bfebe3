"""Accounting: when each month's book was closed, and what banks say happened, line by line, beside the ledger."""

from django.db import models
from django.db.models import Q

from service.accounts.models import Wallet
from service.businesses.models import Business
from service.ids import object_id


class PeriodStatus(models.TextChoices):
    OPEN = "OPEN"
    CLOSED = "CLOSED"


class Period(models.Model):
    """A month whose book was closed at least once. What is closed for the ledger is Business.books_closed_until."""

    id = models.CharField(primary_key=True, max_length=24, default=object_id)
    business = models.ForeignKey(Business, on_delete=models.PROTECT, related_name="+")
    first_day = models.DateField()
    status = models.CharField(max_length=6, choices=PeriodStatus.choices)
    changed_by = models.CharField(max_length=80)
    changed_at = models.DateTimeField()
    reason = models.CharField(max_length=500, blank=True, default="")
    version = models.PositiveIntegerField(default=1)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["business", "first_day"], name="period_once")]

    def __str__(self) -> str:
        return f"{self.first_day:%Y-%m}: {self.status}"


class BankStatement(models.Model):
    """A file of a bank about one wallet; the same file is taken once."""

    id = models.CharField(primary_key=True, max_length=24, default=object_id)
    business = models.ForeignKey(Business, on_delete=models.PROTECT, related_name="+")
    wallet = models.ForeignKey(Wallet, on_delete=models.PROTECT, related_name="+")
    file_name = models.CharField(max_length=120)
    sha256 = models.CharField(max_length=64)
    first_day = models.DateField()
    last_day = models.DateField()
    line_count = models.PositiveIntegerField()
    imported_by = models.CharField(max_length=80)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["wallet", "sha256"], name="bank_statement_once")]
        indexes = [models.Index(fields=["business", "-created_at", "-id"], name="bank_statement_newest")]

    def __str__(self) -> str:
        return self.file_name


class LineStatus(models.TextChoices):
    UNMATCHED = "UNMATCHED"
    MATCHED = "MATCHED"


class StatementLine(models.Model):
    """One line of a bank's statement. Matched, it belongs to one entry of the wallet's ledger account, and that to it."""

    id = models.CharField(primary_key=True, max_length=24, default=object_id)
    business = models.ForeignKey(Business, on_delete=models.PROTECT, related_name="+", db_index=False)
    statement = models.ForeignKey(BankStatement, on_delete=models.CASCADE, related_name="lines", db_index=False)
    wallet = models.ForeignKey(Wallet, on_delete=models.PROTECT, related_name="+", db_index=False)
    number = models.PositiveIntegerField()
    day = models.DateField()
    amount_minor = models.BigIntegerField(help_text="positive: came in")
    description = models.CharField(max_length=300, blank=True, default="")
    reference = models.CharField(max_length=100, blank=True, default="")
    status = models.CharField(max_length=9, choices=LineStatus.choices, default=LineStatus.UNMATCHED)
    ledger_account_id = models.BigIntegerField(null=True)
    entry_seq = models.BigIntegerField(null=True)
    ledger_transaction_id = models.BigIntegerField(null=True)
    rule = models.CharField(max_length=12, blank=True, default="", help_text="REFERENCE, DAY or BY_HAND")
    matched_by = models.CharField(max_length=80, blank=True, default="")
    matched_at = models.DateTimeField(null=True)
    version = models.PositiveIntegerField(default=1)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["statement", "number"], name="statement_line_once"),
            models.UniqueConstraint(
                fields=["ledger_account_id", "entry_seq"],
                condition=Q(status="MATCHED"),
                name="ledger_entry_matched_once",
            ),
            models.CheckConstraint(
                condition=Q(status="MATCHED", entry_seq__isnull=False, ledger_transaction_id__isnull=False)
                | Q(status="UNMATCHED", entry_seq=None, ledger_transaction_id=None),
                name="statement_line_matched_whole",
            ),
        ]
        indexes = [
            models.Index(fields=["business", "-created_at", "-id"], name="statement_line_newest"),
            models.Index(fields=["wallet", "day"], condition=Q(status="UNMATCHED"), name="statement_line_open"),
        ]

    def __str__(self) -> str:
        return f"{self.day}: {self.amount_minor}"
