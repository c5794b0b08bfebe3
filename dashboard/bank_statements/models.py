"""Files that were brought and not imported yet, and how the columns of a bank's CSV are called."""

import uuid

from django.db import models

from dashboard.access.models import Business, Membership


class StatementDraft(models.Model):
    """A file between its upload and its import: for whoever brought it, deleted once it is imported or a day old (hourly).

    `opening_minor` and `closing_minor` are what its person said where the file does not (CSV), `columns` how they read it: what
    others say later of the same header does not change what was shown of this file.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    business = models.ForeignKey(Business, on_delete=models.CASCADE, related_name="+")
    membership = models.ForeignKey(Membership, on_delete=models.CASCADE, related_name="+")
    wallet_id = models.CharField(max_length=64)
    file_name = models.CharField(max_length=120)
    sha256 = models.CharField(max_length=64)
    source_format = models.CharField(max_length=7)
    content = models.BinaryField()
    opening_minor = models.BigIntegerField(null=True)
    closing_minor = models.BigIntegerField(null=True)
    columns = models.JSONField(default=dict, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.file_name


class CsvMapping(models.Model):
    """How the columns of a CSV with this header are read, for the whole business."""

    business = models.ForeignKey(Business, on_delete=models.CASCADE, related_name="+")
    header_key = models.CharField(max_length=64)
    columns = models.JSONField()
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["business", "header_key"], name="csv_mapping_per_header")]

    def __str__(self) -> str:
        return self.header_key
