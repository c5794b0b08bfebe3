"""What was read from documents, and where it differed from their items: kept for as long as the items, and comparable."""

from django.db import models
from django.utils import timezone


class DocumentReading(models.Model):
    """What one version of the reader read from one content, of one business: the same bytes are read once, wherever they
    are attached.

    `values` is a readings.Reading as JSON: each value with the page and the box that it was read from and how sure it is.
    `problem` is a key of PROBLEMS where it could not be read.
    """

    business = models.ForeignKey("access.Business", on_delete=models.CASCADE, related_name="+")
    content_hash = models.CharField(max_length=64)
    reader = models.CharField(max_length=20)
    values = models.JSONField()
    page_count = models.PositiveIntegerField(default=0)
    problem = models.CharField(max_length=20, blank=True)
    read_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["business", "content_hash", "reader"], name="content_read_once_per_reader")
        ]

    def __str__(self) -> str:
        return f"{self.content_hash[:12]} by reader {self.reader}"


class ReadDocument(models.Model):
    """Which content a file of an item is, and what the latest reader read from it: `kind` and `remote_id` name the item,
    `file_id` its file."""

    business = models.ForeignKey("access.Business", on_delete=models.CASCADE, related_name="+")
    kind = models.CharField(max_length=20)
    remote_id = models.CharField(max_length=64)
    file_id = models.CharField(max_length=64)
    reading = models.ForeignKey(DocumentReading, on_delete=models.CASCADE, related_name="documents")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["business", "kind", "remote_id", "file_id"], name="one_reading_per_file")
        ]

    def __str__(self) -> str:
        return f"{self.kind}/{self.remote_id}/{self.file_id}"


class DocumentNote(models.Model):
    """What the documents of an item came to when they were last compared with it: the words of its line in the inbox, ""
    for no difference, and the sentences that block its approval. `key` is the item's, "expense/…"."""

    business = models.ForeignKey("access.Business", on_delete=models.CASCADE, related_name="+")
    key = models.CharField(max_length=110)
    words = models.CharField(max_length=60, blank=True)
    red = models.JSONField(default=list)
    noted_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["business", "key"], name="one_note_per_item")]

    def __str__(self) -> str:
        return f"{self.key}: {self.words or 'no difference'}"


class ReadPayment(models.Model):
    """A payment of a bill whose files were read, for the payment and the bill as they were then (`read_hash`); `is_whole`
    where all of them could be had, else it is tried again."""

    business = models.ForeignKey("access.Business", on_delete=models.CASCADE, related_name="+")
    remote_id = models.CharField(max_length=64)
    read_hash = models.CharField(max_length=64)
    is_whole = models.BooleanField()
    read_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["business", "remote_id"], name="payment_read_once")]

    def __str__(self) -> str:
        return self.remote_id


class PictureLook(models.Model):
    """How a picture looks, by the SHA-256 of its bytes: 1,024 bits in hexadecimal digits, which those of its copies resemble
    (looks.py)."""

    business = models.ForeignKey("access.Business", on_delete=models.CASCADE, related_name="+")
    sha256 = models.CharField(max_length=64)
    look = models.CharField(max_length=256)
    remembered_at = models.DateTimeField(default=timezone.now)

    class Meta:
        """The same bytes look the same, wherever they are attached."""

        constraints = [models.UniqueConstraint(fields=["business", "sha256"], name="one_look_per_picture")]

    def __str__(self) -> str:
        return self.sha256[:12]


class PictureBand(models.Model):
    """A band of the bits of a look as a hash of 64 bits, by which those are found that have one in common (looks.py): its key is
    the index that answers that."""

    pk = models.CompositePrimaryKey("business", "band", "look")
    business = models.ForeignKey("access.Business", on_delete=models.CASCADE, related_name="+", db_index=False)
    look = models.ForeignKey(PictureLook, on_delete=models.CASCADE, related_name="bands")
    band = models.BigIntegerField()

    def __str__(self) -> str:
        return f"{self.look_id}: {self.band}"
