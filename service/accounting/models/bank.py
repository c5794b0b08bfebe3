"""What banks say happened: their statements, line by line, and what bank and books differ by."""

from django.db import models
from django.db.models import Q

from service.accounting.models.matches import BankMatch
from service.accounts.models import Wallet
from service.businesses.models import Business
from service.ids import object_id


class SourceFormat(models.TextChoices):
    """What a bank's statement was written as."""

    CSV = "CSV"
    CAMT053 = "CAMT053"
    MT940 = "MT940"
    OFX = "OFX"


class BankStatement(models.Model):
    """A file of a bank about one wallet; the same file is taken once. Without balances where the file had none."""

    id = models.CharField(primary_key=True, max_length=24, default=object_id)
    business = models.ForeignKey(Business, on_delete=models.PROTECT, related_name="+")
    wallet = models.ForeignKey(Wallet, on_delete=models.PROTECT, related_name="+")
    file_name = models.CharField(max_length=120)
    sha256 = models.CharField(max_length=64)
    source_format = models.CharField(max_length=7, choices=SourceFormat.choices, default=SourceFormat.CSV)
    account = models.CharField(max_length=40, blank=True, default="", help_text="what the bank calls the account")
    first_day = models.DateField()
    last_day = models.DateField()
    opening_minor = models.BigIntegerField(null=True)
    closing_minor = models.BigIntegerField(null=True)
    line_count = models.PositiveIntegerField()
    skipped_count = models.PositiveIntegerField(default=0, help_text="lines that an earlier statement brought")
    imported_by = models.CharField(max_length=80)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["wallet", "sha256"], name="bank_statement_once"),
            models.CheckConstraint(
                condition=Q(opening_minor=None, closing_minor=None)
                | Q(opening_minor__isnull=False, closing_minor__isnull=False),
                name="bank_statement_balances_whole",
            ),
        ]
        indexes = [models.Index(fields=["business", "-created_at", "-id"], name="bank_statement_newest")]

    def __str__(self) -> str:
        return self.file_name


class LineStatus(models.TextChoices):
    """Whether a line of a bank statement is matched with entries of the ledger."""

    UNMATCHED = "UNMATCHED"
    MATCHED = "MATCHED"


class StatementLine(models.Model):
    """One line of a bank's statement, of one match at most. A line that two statements hold is there once: `fingerprint`."""

    id = models.CharField(primary_key=True, max_length=24, default=object_id)
    business = models.ForeignKey(Business, on_delete=models.PROTECT, related_name="+", db_index=False)
    statement = models.ForeignKey(BankStatement, on_delete=models.CASCADE, related_name="lines", db_index=False)
    wallet = models.ForeignKey(Wallet, on_delete=models.PROTECT, related_name="+", db_index=False)
    number = models.PositiveIntegerField()
    day = models.DateField()
    amount_minor = models.BigIntegerField(help_text="positive: came in")
    description = models.CharField(max_length=300, blank=True, default="")
    reference = models.CharField(max_length=100, blank=True, default="")
    fingerprint = models.CharField(max_length=64)
    status = models.CharField(max_length=9, choices=LineStatus.choices, default=LineStatus.UNMATCHED)
    match = models.ForeignKey(BankMatch, null=True, on_delete=models.PROTECT, related_name="lines")
    version = models.PositiveIntegerField(default=1)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["statement", "number"], name="statement_line_once"),
            models.UniqueConstraint(fields=["wallet", "fingerprint"], name="bank_line_once"),
            models.CheckConstraint(
                condition=Q(status="MATCHED", match__isnull=False) | Q(status="UNMATCHED", match=None),
                name="statement_line_matched_whole",
            ),
        ]
        indexes = [
            models.Index(fields=["business", "-day", "-id"], name="statement_line_newest"),
            models.Index(fields=["wallet", "day"], condition=Q(status="UNMATCHED"), name="statement_line_open"),
            models.Index(fields=["wallet", "day"], name="statement_line_by_day"),
        ]

    def __str__(self) -> str:
        return f"{self.day}: {self.amount_minor}"


class RepeatedLine(models.Model):
    """A line that a statement holds too, beside the one that brought it: what a closing balance holds goes by statement."""

    statement = models.ForeignKey(BankStatement, on_delete=models.CASCADE, related_name="repeated_lines")
    line = models.ForeignKey(StatementLine, on_delete=models.CASCADE, related_name="repeats", db_index=False)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["line", "statement"], name="repeated_line_once")]

    def __str__(self) -> str:
        return f"{self.line_id} in {self.statement_id}"


class OpeningDifference(models.Model):
    """What bank and books of a wallet differed by before its first statement, accepted with a reason. The latest one counts,
    only while that is what they differ by, and until it is withdrawn, with a reason too.

    `proposed_by` is the employee who proposed it, where a second one accepted it, `withdrawal_proposed_by` likewise.
    """

    id = models.CharField(primary_key=True, max_length=24, default=object_id)
    business = models.ForeignKey(Business, on_delete=models.PROTECT, related_name="+", db_index=False)
    wallet = models.ForeignKey(Wallet, on_delete=models.PROTECT, related_name="+", db_index=False)
    amount_minor = models.BigIntegerField()
    reason = models.CharField(max_length=500)
    proposed_by = models.CharField(max_length=24, blank=True, default="")
    accepted_by = models.CharField(max_length=80)
    created_at = models.DateTimeField(auto_now_add=True)
    withdrawn_at = models.DateTimeField(null=True)
    withdrawn_by = models.CharField(max_length=80, blank=True, default="")
    withdrawal_reason = models.CharField(max_length=500, blank=True, default="")
    withdrawal_proposed_by = models.CharField(max_length=24, blank=True, default="")

    class Meta:
        constraints = [
            models.CheckConstraint(condition=~Q(amount_minor=0) & ~Q(reason=""), name="opening_difference_whole"),
            models.CheckConstraint(
                condition=Q(withdrawn_at__isnull=True) | ~Q(withdrawal_reason="") & ~Q(withdrawn_by=""),
                name="opening_difference_withdrawn",
            ),
        ]
        indexes = [models.Index(fields=["wallet", "-created_at", "-id"], name="opening_difference_newest")]

    def __str__(self) -> str:
        return f"{self.amount_minor}: {self.reason}"
