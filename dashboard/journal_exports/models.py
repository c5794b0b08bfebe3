"""What the accountant calls our accounts, categories, taxes, teams and tags; exports with their files."""

import uuid

from django.db import models
from django.utils import timezone

from dashboard.access.models import Business, Membership
from dashboard.worker_lease import Leased


class MappedType(models.TextChoices):
    """What of ours a mapping is about, by the id that the service gives it."""

    ACCOUNT = "account", "Accounts"
    CATEGORY = "category", "Categories"
    TAX = "tax", "Taxes"
    TEAM = "team", "Dimensions"
    TAG = "tag", "Tags"


class Mapping(models.Model):
    """What the accountant calls one of ours: a code, and for accounts and categories the account's name."""

    business = models.ForeignKey(Business, on_delete=models.CASCADE, related_name="+", db_index=False)
    source = models.CharField(max_length=8, choices=MappedType.choices)
    source_id = models.CharField(max_length=64)
    code = models.CharField(max_length=100)
    name = models.CharField(max_length=150, blank=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["business", "source", "source_id"], name="one_mapping_per_source")
        ]

    def __str__(self) -> str:
        return f"{self.source} {self.source_id}: {self.code}"


class JournalExport(Leased):
    """One export. It is written down before the service is asked, with the key it is asked under and the mapping as it was
    then; `remote_id` is "" as long as no answer came, `manifest` as long as its files are not written."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    business = models.ForeignKey(Business, on_delete=models.CASCADE, related_name="+", db_index=False)
    key = models.CharField(max_length=64)
    first_day = models.DateField()
    last_day = models.DateField()
    formats = models.JSONField()
    mapping = models.JSONField()
    created_by = models.ForeignKey(Membership, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)
    remote_id = models.CharField(max_length=64, blank=True)
    number = models.PositiveIntegerField(null=True)
    line_count = models.PositiveIntegerField(default=0)
    # Of the lines of its days it has the first: the next export goes on from there.
    is_partial = models.BooleanField(default=False)
    manifest = models.TextField(blank=True)
    signature = models.BinaryField(default=bytes)
    undone_at = models.DateTimeField(null=True)
    # Of a long one that a worker carries on: since when it waits for that, and how far it is.
    waits_since = models.DateTimeField(null=True)
    lines_read = models.PositiveIntegerField(default=0)
    trouble = models.CharField(max_length=400, blank=True, default="")
    # Who had it continued; None: whoever created it.
    carried_by = models.ForeignKey(Membership, on_delete=models.PROTECT, related_name="+", null=True)
    # Numbers of the exports whose files were written when it was begun: these alone it may correct, by their mappings.
    correctable = models.JSONField(null=True)
    # Nothing was claimed, as the service surely said.
    is_refused = models.BooleanField(default=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["business", "key"], name="one_journal_export_per_form"),
            models.UniqueConstraint(
                fields=["business", "remote_id"], condition=~models.Q(remote_id=""), name="one_row_per_journal_export"
            ),
        ]
        indexes = [
            models.Index(fields=["business", "-created_at"], name="journal_export_recent"),
            models.Index(
                fields=["heartbeat_at"], condition=models.Q(waits_since__isnull=False), name="journal_exports_waiting"
            ),
        ]

    def __str__(self) -> str:
        return f"#{self.number or '?'}: {self.first_day} to {self.last_day}"


class JournalExportFile(models.Model):
    """A file of an export, compressed (zlib); `sha256` is that of the file as it is downloaded."""

    export = models.ForeignKey(JournalExport, on_delete=models.CASCADE, related_name="files")
    format = models.CharField(max_length=20)
    name = models.CharField(max_length=120)
    row_count = models.PositiveIntegerField()
    size = models.PositiveIntegerField()
    sha256 = models.CharField(max_length=64)
    packed = models.BinaryField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["export", "name"], name="one_journal_file_per_name")]

    def __str__(self) -> str:
        return self.name
