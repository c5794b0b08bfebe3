"""How the columns of the files are called that a business brings its payments in, what its drafts were
made from, and which bank files it downloaded and which codes were sent for them."""

from django.db import models

from dashboard.access.models import Business


class FileColumns(models.Model):
    """How a file with this header is read, for the whole business: `columns` are the places in the header by our names."""

    business = models.ForeignKey(Business, on_delete=models.CASCADE, related_name="+")
    header_key = models.CharField(max_length=64)
    header = models.JSONField()
    columns = models.JSONField()
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["business", "header_key"], name="file_columns_per_header")]

    def __str__(self) -> str:
        return ", ".join(self.header)

    @property
    def names(self) -> dict[str, str]:
        """By our names, what the columns are called in the file."""
        return {name: self.header[place] for name, place in self.columns.items()}


class DraftOrigin(models.Model):
    """What a draft of payments was made from, by the remote ids of payouts: its table, known again by a hash of its
    payments, or the payout whose payments it repeats, all of them or those alone that failed."""

    business = models.ForeignKey(Business, on_delete=models.CASCADE, related_name="+")
    payout_id = models.CharField(max_length=64)
    table_hash = models.CharField(max_length=64, blank=True)
    copied_from = models.CharField(max_length=64, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["business", "payout_id"], name="draft_origin_once")]
        indexes = [
            models.Index(fields=["business", "table_hash", "-created_at"], name="draft_origin_table"),
            models.Index(fields=["business", "copied_from", "-created_at"], name="draft_origin_copied"),
        ]

    def __str__(self) -> str:
        return self.payout_id


class BankFileDownload(models.Model):
    """A bank file that somebody downloaded of a payout (its remote id): the bank may have paid what stands in it. `rows` are
    the numbers of its payments in the payout, `sum_minor` minor units of the payout's currency."""

    business = models.ForeignKey(Business, on_delete=models.CASCADE, related_name="+")
    payout_id = models.CharField(max_length=64)
    by_name = models.CharField(max_length=200)
    rows = models.JSONField()
    sum_minor = models.BigIntegerField()
    downloaded_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        indexes = [models.Index(fields=["business", "payout_id", "-downloaded_at"], name="bank_file_of_payout")]

    def __str__(self) -> str:
        return f"{self.payout_id}: {len(self.rows)} payments"


class SentCode(models.Model):
    """The last one-time code that was sent for a payout (its remote id): the intent that it confirms, never the code."""

    business = models.ForeignKey(Business, on_delete=models.CASCADE, related_name="+")
    payout_id = models.CharField(max_length=64)
    intent_id = models.CharField(max_length=40)
    expires_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["business", "payout_id"], name="sent_code_of_payout")]

    def __str__(self) -> str:
        return f"{self.payout_id}: {self.intent_id}"
