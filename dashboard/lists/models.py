"""Saved views, and exports with how far they are."""

import uuid

from django.db import models
from django.db.models import Q

from dashboard.access.models import Business, Membership
from dashboard.worker_lease import CountedLease, Leased


class SavedView(models.Model):
    """A query of a list under a name: its owner's own, or shared with the business."""

    business = models.ForeignKey(Business, on_delete=models.CASCADE, related_name="+")
    owner = models.ForeignKey(Membership, on_delete=models.CASCADE, related_name="saved_views")
    list_name = models.CharField(max_length=40)
    name = models.CharField(max_length=60)
    query = models.CharField(max_length=1500, blank=True)
    shared = models.BooleanField(default=False)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["owner", "list_name", "name"], name="view_name_once_per_owner"),
        ]
        indexes = [models.Index(fields=["business", "list_name"], name="views_of_a_list")]

    def __str__(self) -> str:
        return self.name


class ExportState(models.TextChoices):
    """How far the worker is with an export, or how it ended."""

    QUEUED = "QUEUED", "Queued"
    RUNNING = "RUNNING", "Running"
    DONE = "DONE", "Done"
    FAILED = "FAILED", "Failed"
    CANCELLED = "CANCELLED", "Cancelled"
    EXPIRED = "EXPIRED", "Expired"


UNFINISHED = (ExportState.QUEUED, ExportState.RUNNING)


class Export(CountedLease):
    """A query of a list, or the report of a period, on its way to a file: who asked, how far it is, and what the finished file
    holds. `list_name` and `query` are the list's and its query, or the report's and its period; `size` is that of the file, of a
    report that is still read how much of the answer is there."""

    class Form(models.TextChoices):
        """The format of the file that is exported."""

        CSV = "csv", "CSV"
        XLSX = "xlsx", "XLSX"
        XML = "xml", "XML"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    business = models.ForeignKey(Business, on_delete=models.CASCADE, related_name="+")
    membership = models.ForeignKey(Membership, on_delete=models.CASCADE, related_name="exports")
    list_name = models.CharField(max_length=40)
    query = models.CharField(max_length=1500, blank=True)
    # The query as it is read.
    asked = models.CharField(max_length=500, blank=True, db_default="")
    form = models.CharField(max_length=4, choices=Form.choices)
    state = models.CharField(max_length=9, choices=ExportState.choices, default=ExportState.QUEUED)
    rows_done = models.PositiveIntegerField(default=0)
    rows_total = models.PositiveIntegerField(null=True)
    totals = models.CharField(max_length=500, blank=True)
    file = models.CharField(max_length=200, blank=True)
    size = models.PositiveBigIntegerField(default=0)
    trouble = models.CharField(max_length=300, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        indexes = [
            models.Index(fields=["membership", "-created_at"], name="exports_of_a_person"),
            models.Index(
                fields=["state", "heartbeat_at"],
                condition=Q(state__in=["QUEUED", "RUNNING"]),
                name="exports_unfinished",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.list_name}.{self.form} {self.state}"

    @property
    def percent(self) -> int:
        """How many percent of its rows are written, 0 to 100."""
        if self.state == ExportState.DONE:
            return 100
        return min(99, self.rows_done * 100 // self.rows_total) if self.rows_total else 0


class ReceiptsJob(models.Model):
    """An export of receipts that the service makes: what was asked for, and how far it said it was when last asked."""

    business = models.ForeignKey(Business, on_delete=models.CASCADE, related_name="+")
    membership = models.ForeignKey(Membership, on_delete=models.CASCADE, related_name="+")
    remote_id = models.CharField(max_length=64)
    asked = models.JSONField()
    status = models.CharField(max_length=20, default="QUEUED")
    progress = models.PositiveSmallIntegerField(default=0)
    total = models.PositiveIntegerField(default=0)
    missing = models.PositiveIntegerField(default=0)
    size = models.PositiveBigIntegerField(default=0)
    trouble = models.CharField(max_length=300, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["membership", "remote_id"], name="receipts_job_once_per_person"),
        ]
        indexes = [models.Index(fields=["membership", "-created_at"], name="receipts_jobs_of_a_person")]

    def __str__(self) -> str:
        return f"{self.remote_id} {self.status}"

    @property
    def open(self) -> bool:
        """Whether the service has not finished it yet."""
        return self.status in {"QUEUED", "RUNNING"}


class Import(Leased):
    """Rows of a file on their way to the service, all or nothing: checked, then sent one by one by a worker.

    `rows` are the bodies to send, `made` the ids of what was made so far, by row number; a refusal undoes those. LEFT is
    one of which a part stands, since nobody may take it back any more.
    """

    class State(models.TextChoices):
        """How far an import is, from its checked file to its end."""

        CHECKED = "CHECKED", "Checked"
        QUEUED = "QUEUED", "Queued"
        RUNNING = "RUNNING", "Running"
        UNDOING = "UNDOING", "Taking back"
        DONE = "DONE", "Done"
        FAILED = "FAILED", "Nothing was added"
        LEFT = "LEFT", "A part stands"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    business = models.ForeignKey(Business, on_delete=models.CASCADE, related_name="+")
    membership = models.ForeignKey(Membership, on_delete=models.CASCADE, related_name="+")
    list_name = models.CharField(max_length=40)
    file_name = models.CharField(max_length=200)
    rows = models.JSONField()
    # Where each row stands in the file.
    lines = models.JSONField(default=list, db_default=models.Value([], models.JSONField()))
    made = models.JSONField(default=dict)
    trouble = models.CharField(max_length=400, blank=True)
    state = models.CharField(max_length=8, choices=State.choices, default=State.CHECKED)
    created_at = models.DateTimeField(auto_now_add=True)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        indexes = [
            models.Index(
                fields=["state", "heartbeat_at"],
                condition=Q(state__in=["QUEUED", "RUNNING", "UNDOING"]),
                name="imports_open",
            )
        ]

    def __str__(self) -> str:
        return f"{self.file_name} {self.state}"

    @property
    def open(self) -> bool:
        """Whether it is not finished: a worker works on it or is to."""
        return self.state in {"QUEUED", "RUNNING", "UNDOING"}

    @property
    def percent(self) -> int:
        """How many percent of its rows are created, 0 to 100."""
        return len(self.made) * 100 // len(self.rows) if self.rows else 100

    def line_of(self, number: int) -> int:
        """Where the row stands in the file; of an import that does not know, which one it is."""
        return self.lines[number - 1] if len(self.lines) >= number else number

    @property
    def standing(self) -> list[tuple[int, str]]:
        """The rows that were made and not taken back: where each stands in the file, and its name."""
        return [(self.line_of(at), str(self.rows[at - 1].get("name", ""))) for at in sorted(map(int, self.made))]
