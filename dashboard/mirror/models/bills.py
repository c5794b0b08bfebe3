"""The copy of bills."""

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.search import SearchVectorField
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Upper

from dashboard.mirror.models.mirrored import LIVE, Mirrored, terms

OPEN_BILL_STATES = ("OPEN", "PARTIALLY_PAID")
# What is still to be paid: a million paid bills weigh nothing in its lists and in the aging of what is owed.
ORDERED_BILL = ~Q(purchase_order="") & Q(tombstoned_at__isnull=True)
OPEN_BILL = Q(status__in=OPEN_BILL_STATES, tombstoned_at__isnull=True)


class Bill(Mirrored):
    """A bill on its two axes (decisions B.9): `status` is how far it is paid, `approval_status` what was decided on its
    payments. `number_key` is the number without case, spaces and punctuation; `file_hashes` are the SHA-256 of its files,
    by both of which the same bill is known again."""

    bill_no = models.CharField(max_length=60)
    number_key = models.CharField(max_length=60)
    vendor_id = models.CharField(max_length=64)
    vendor_name = models.CharField(max_length=200)
    team_id = models.CharField(max_length=64, blank=True)
    currency = models.CharField(max_length=3)
    total_minor = models.BigIntegerField()
    total_text = models.CharField(max_length=60)
    balance_minor = models.BigIntegerField()
    balance_text = models.CharField(max_length=60)
    issued_on = models.DateField()
    due_on = models.DateField()
    status = models.CharField(max_length=20)
    approval_status = models.CharField(max_length=20)
    duplicate_of = models.CharField(max_length=64, blank=True)
    file_hashes = ArrayField(models.CharField(max_length=64), default=list)
    # The teams that have a share of one of its lines.
    split_team_ids = ArrayField(models.CharField(max_length=64), default=list)
    memo = models.TextField(blank=True)
    purchase_order = models.CharField(max_length=60, blank=True, default="")
    created_by_id = models.CharField(max_length=80, blank=True)
    # When the service made it; None where it does not say.
    entered_at = models.DateTimeField(null=True)
    search = models.GeneratedField(
        expression=terms("bill_no", "vendor_name", "memo", "purchase_order"),
        output_field=SearchVectorField(),
        db_persist=True,
    )

    class Meta:
        constraints = [models.UniqueConstraint(fields=["business", "remote_id"], name="one_copy_per_bill")]
        indexes = [
            models.Index(fields=["business", "due_on", "id"], condition=OPEN_BILL, name="bill_open_due"),
            models.Index(fields=["business", "issued_on", "id"], condition=OPEN_BILL, name="bill_open_issued"),
            models.Index(fields=["business", "total_minor", "id"], condition=OPEN_BILL, name="bill_open_amount"),
            models.Index(fields=["business", "approval_status", "due_on", "id"], condition=OPEN_BILL, name="bill_open_axis"),
            # What is to be paid to vendors, with all that it is filtered, sorted and summed by, as `bill_vendor` has all of theirs.
            models.Index(
                fields=["business", "vendor_id", "due_on", "id"], condition=OPEN_BILL, name="bill_open_vendor",
                include=["issued_on", "total_minor", "balance_minor", "currency", "status", "approval_status"],
            ),
            # The aging of what is owed is answered from this index alone.
            models.Index(
                fields=["business", "currency", "due_on"], include=["balance_minor"], condition=OPEN_BILL, name="bill_aging"
            ),
            models.Index(fields=["business", "due_on", "id"], condition=LIVE, name="bill_due"),
            models.Index(fields=["business", "issued_on", "id"], condition=LIVE, name="bill_issued"),
            models.Index(fields=["business", "total_minor", "id"], condition=LIVE, name="bill_amount"),
            models.Index(fields=["business", "status", "due_on", "id"], condition=LIVE, name="bill_status"),
            # A few bills among all: withdrawn or rejected payments, another currency.
            models.Index(fields=["business", "approval_status", "status", "due_on", "id"], condition=LIVE, name="bill_axis"),
            # The shortest and the longest term: between them lies the day of issue of what is due within some days.
            models.Index(F("business"), F("due_on") - F("issued_on"), condition=LIVE, name="bill_term"),
            models.Index(fields=["business", "currency", "due_on", "id"], condition=LIVE, name="bill_currency"),
            # With all that the bills of vendors are filtered, sorted and summed by: those of a hundred vendors are put into another
            # order, and counted, without reading one.
            models.Index(
                fields=["business", "vendor_id", "due_on", "id"], condition=LIVE, name="bill_vendor",
                include=["issued_on", "total_minor", "balance_minor", "currency", "status", "approval_status"],
            ),
            models.Index(fields=["business", "team_id", "due_on", "id"], condition=LIVE, name="bill_team"),
            # The bills that a person entered, and those of a number: for evidence packs, and for what a credit note corrects.
            models.Index(fields=["business", "created_by_id", "entered_at", "id"], condition=LIVE, name="bill_maker"),
            models.Index(fields=["business", "number_key"], condition=LIVE, name="bill_number"),
            models.Index(
                "business", Upper("purchase_order"), "due_on", "id", condition=ORDERED_BILL, name="bill_purchase_order"
            ),
            GinIndex(fields=["search"], name="bill_search"),
            GinIndex(fields=["file_hashes"], name="bill_files"),
            GinIndex(fields=["split_team_ids"], name="bill_split_teams"),
        ]  # fmt: skip
