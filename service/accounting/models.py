"""Accounting: when each month's book was closed, what banks say happened, and which lines of theirs are which entries."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q

from service.accounts.models import Wallet
from service.businesses.models import Business
from service.ids import object_id


class PeriodStatus(models.TextChoices):
    """Whether a month of the books may still be posted into: a closed one may not."""

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


class MatchedBy(models.TextChoices):
    """Why lines and entries belong together."""

    REFERENCE = "REFERENCE"
    DAY = "DAY"
    RULE = "RULE"
    SUM = "SUM"
    FEE = "FEE"
    BY_HAND = "BY_HAND"


class BankMatch(models.Model):
    """Lines of a bank that are entries of the wallet's ledger account: one or several on each side.

    `difference_minor` is lines less entries: what the bank kept as its fee, never more than the tolerance stated.
    """

    id = models.CharField(primary_key=True, max_length=24, default=object_id)
    business = models.ForeignKey(Business, on_delete=models.PROTECT, related_name="+", db_index=False)
    wallet = models.ForeignKey(Wallet, on_delete=models.PROTECT, related_name="+", db_index=False)
    rule = models.CharField(max_length=9, choices=MatchedBy.choices)
    reason = models.CharField(max_length=500)
    difference_minor = models.BigIntegerField(default=0)
    tolerance_minor = models.BigIntegerField(default=0)
    ledger_transaction_id = models.BigIntegerField(null=True, help_text="where it has one entry alone")
    matched_by = models.CharField(max_length=80)
    matched_at = models.DateTimeField()
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(
                    difference_minor__lte=F("tolerance_minor"), difference_minor__gte=-1 * F("tolerance_minor")
                ),
                name="bank_match_within_tolerance",
            ),
        ]
        indexes = [models.Index(fields=["wallet", "-matched_at", "-id"], name="bank_match_newest")]

    def __str__(self) -> str:
        return self.reason


class MatchedEntry(models.Model):
    """An entry of the ledger that a match holds: no other holds it too."""

    match = models.ForeignKey(BankMatch, on_delete=models.CASCADE, related_name="entries")
    ledger_account_id = models.BigIntegerField()
    entry_seq = models.BigIntegerField()
    ledger_transaction_id = models.BigIntegerField()
    effective_on = models.DateField()
    amount_minor = models.BigIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["ledger_account_id", "entry_seq"], name="ledger_entry_matched_once")
        ]

    def __str__(self) -> str:
        return f"#{self.ledger_account_id}/{self.entry_seq}"


class BankRule(models.Model):
    """Lines like these are postings of that kind: every condition that it has must hold."""

    id = models.CharField(primary_key=True, max_length=24, default=object_id)
    business = models.ForeignKey(Business, on_delete=models.PROTECT, related_name="+", db_index=False)
    name = models.CharField(max_length=100)
    text = models.CharField(max_length=100, blank=True, default="", help_text="the description contains it")
    reference = models.CharField(max_length=100, blank=True, default="", help_text="the reference, * for anything")
    amount_minor = models.BigIntegerField(null=True)
    currency = models.CharField(max_length=3, blank=True, default="", help_text="of the amount, where it has one")
    kind = models.CharField(max_length=32, help_text="of the ledger's transactions")
    created_by = models.CharField(max_length=80)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["business", "name"], name="bank_rule_once"),
            models.CheckConstraint(
                condition=~Q(text="", reference="", amount_minor=None), name="bank_rule_has_a_condition"
            ),
            models.CheckConstraint(
                condition=Q(amount_minor=None, currency="") | Q(amount_minor__isnull=False) & ~Q(currency=""),
                name="bank_rule_amount_has_a_currency",
            ),
        ]

    def __str__(self) -> str:
        return self.name


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


class ExportStatus(models.TextChoices):
    """LIVE: its entries are exported and in no other one. UNDONE: they were let go, to be exported anew."""

    LIVE = "LIVE"
    UNDONE = "UNDONE"


class JournalExport(models.Model):
    """Entries of the ledger that were given to the accountant, counted from 1 in their business.

    `sha256` is the hash of its lines as journal_exports.DIGEST writes them.
    """

    id = models.CharField(primary_key=True, max_length=24, default=object_id)
    business = models.ForeignKey(Business, on_delete=models.PROTECT, related_name="+", db_index=False)
    number = models.PositiveIntegerField()
    first_day = models.DateField()
    last_day = models.DateField()
    line_count = models.PositiveIntegerField(default=0)
    posting_count = models.PositiveIntegerField(default=0)
    correction_count = models.PositiveIntegerField(
        default=0, db_default=0, help_text="entries of earlier exports that it corrects, with two lines each"
    )
    is_partial = models.BooleanField(
        default=False,
        db_default=False,
        help_text="lines of its days were left to the next export, since it took only so many",
    )
    sha256 = models.CharField(max_length=64, blank=True, default="")
    status = models.CharField(max_length=6, choices=ExportStatus.choices, default=ExportStatus.LIVE)
    exported_by = models.CharField(max_length=80)
    undo_proposed_by = models.CharField(max_length=80, blank=True, default="")
    undone_by = models.CharField(max_length=80, blank=True, default="")
    undo_reason = models.CharField(max_length=500, blank=True, default="")
    undone_at = models.DateTimeField(null=True)
    version = models.PositiveIntegerField(default=1)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["business", "number"], name="journal_export_number_once"),
            models.CheckConstraint(
                condition=Q(status="LIVE", undone_at=None, undo_proposed_by="")
                | (
                    Q(status="UNDONE", undone_at__isnull=False)
                    & ~Q(undo_proposed_by="")
                    & ~Q(undo_proposed_by=F("undone_by"))
                ),
                name="journal_export_undone_by_two",
            ),
        ]
        indexes = [models.Index(fields=["business", "-created_at", "-id"], name="journal_export_newest")]

    def __str__(self) -> str:
        return f"#{self.number}: {self.first_day} to {self.last_day}"


class ExportedEntry(models.Model):
    """An entry of the ledger that an export holds, filed as it was then. No two live exports hold the same one.

    Or a correction of one that an earlier export holds (export_corrections.py): above zero says anew what it is filed under,
    below zero takes back what was said, with the other sign; the how-manieth of its posting.
    """

    export = models.ForeignKey(JournalExport, on_delete=models.CASCADE, related_name="entries", db_index=False)
    number = models.PositiveIntegerField()
    live = models.BooleanField(default=True)
    ledger_account_id = models.BigIntegerField()
    entry_seq = models.BigIntegerField()
    ledger_transaction_id = models.BigIntegerField()
    subcategory_id = models.CharField(max_length=24, blank=True, default="")
    team_id = models.CharField(max_length=24, blank=True, default="")
    tax_id = models.CharField(max_length=24, blank=True, default="")
    tag_ids = ArrayField(models.CharField(max_length=24), default=list, blank=True)
    correction = models.SmallIntegerField(default=0, db_default=0)
    # The number of the export that a correction corrects: what it takes back is called there as that one called it.
    corrected_export = models.PositiveIntegerField(null=True)
    # "subcategory:minor units:team:account:tags" each, with the entry's sign (entry_categories.py); they come to the entry.
    parts = ArrayField(models.TextField(), default=list, blank=True)

    class Meta:
        verbose_name_plural = "exported entries"
        constraints = [
            models.UniqueConstraint(fields=["export", "number"], name="exported_entry_number_once"),
            models.UniqueConstraint(
                fields=["ledger_account_id", "entry_seq"],
                condition=Q(live=True, correction=0),
                name="ledger_entry_exported_once",
            ),
        ]
        # What a subcategory is used by (receivers.py).
        indexes = [
            models.Index(
                fields=["subcategory_id", "export"], condition=~Q(subcategory_id=""), name="exported_entry_filed"
            ),
            models.Index(fields=["export"], condition=~Q(parts=[]), name="exported_entry_in_parts"),
        ]

    def __str__(self) -> str:
        return f"#{self.ledger_account_id}/{self.entry_seq}"
