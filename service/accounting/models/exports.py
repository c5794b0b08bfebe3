"""What the accountant was given of the ledger, each entry once."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q

from service.businesses.models import Business
from service.ids import object_id


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
