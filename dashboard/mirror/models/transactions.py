"""The copy of transactions."""

from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.search import SearchVectorField
from django.db import models
from django.db.models import Q

from dashboard.mirror.models.mirrored import LIVE, Mirrored, terms

# It is filed under nothing and no expense stands behind it, whose category would be its own.
UNCATEGORISED_TRANSACTION = models.Q(category_name="", expense_id="", tombstoned_at__isnull=True)
# The first day of the month that a row is of in the books, as far as a row alone can say it: of its posting, else of its own day by
# UTC. The few that are not posted and happened while a month turned elsewhere are told apart in dashboard/mirror/late.py.
BOOKED_MONTH = models.Func(
    models.F("effective_on"),
    models.Func(models.F("occurred_at"), template="(%(expressions)s AT TIME ZONE 'UTC')::date"),
    template="date_trunc('month', coalesce(%(expressions)s)::timestamp)::date",
)


class Transaction(Mirrored):
    """A movement on one wallet: `amount_minor` is above zero where money came in, below where it went out."""

    type = models.CharField(max_length=20)
    status = models.CharField(max_length=20)
    direction = models.CharField(max_length=3)
    org_wallet_ref = models.CharField(max_length=64)
    currency = models.CharField(max_length=3)
    amount_minor = models.BigIntegerField()
    amount_text = models.CharField(max_length=60)
    fees_text = models.CharField(max_length=60, blank=True)
    counterparty = models.CharField(max_length=200, blank=True)
    ref = models.CharField(max_length=200, blank=True)
    channel = models.CharField(max_length=40, blank=True)
    description = models.CharField(max_length=500, blank=True)
    category_name = models.CharField(max_length=200, blank=True)
    subcategory_id = models.CharField(max_length=64, blank=True, default="", db_default="")
    part_count = models.PositiveSmallIntegerField(default=0, db_default=0)
    employee_id = models.CharField(max_length=64, blank=True)
    team_id = models.CharField(max_length=64, blank=True)
    expense_id = models.CharField(max_length=64, blank=True)
    occurred_at = models.DateTimeField()
    # The ledger's day, once it is posted: that of what arrives late lies in a later period than its own.
    effective_on = models.DateField(null=True)
    booked_month = models.GeneratedField(expression=BOOKED_MONTH, output_field=models.DateField(), db_persist=True)
    search = models.GeneratedField(
        expression=terms("counterparty", "ref", "description", "category_name"),
        output_field=SearchVectorField(),
        db_persist=True,
    )

    class Meta:
        constraints = [models.UniqueConstraint(fields=["business", "remote_id"], name="one_copy_per_transaction")]
        indexes = [
            models.Index(fields=["business", "-occurred_at", "-id"], condition=LIVE, name="trx_recent"),
            # Days are looked at in the index itself: of those of a day, by amount, the others are not read.
            models.Index(fields=["business", "amount_minor", "id", "occurred_at"], condition=LIVE, name="trx_amount"),
            models.Index(fields=["business", "employee_id", "-occurred_at", "-id"], name="trx_employee"),
            models.Index(fields=["business", "team_id", "-occurred_at", "-id"], name="trx_team"),
            # Without a category, of the kinds that have one: with an expense behind it or without.
            models.Index(
                fields=["business", "-occurred_at", "-id"],
                condition=LIVE & Q(category_name="", type__in=("EXPENSE", "TOPUP")),
                name="trx_uncategorised",
            ),
            # What a filter leaves of a million must not be looked for among all others: nearly all are posted purchases.
            models.Index(
                fields=["business", "status", "-occurred_at", "-id"],
                condition=LIVE & ~Q(status="POSTED"),
                name="trx_status",
            ),
            models.Index(
                fields=["business", "type", "-occurred_at", "-id"], condition=LIVE & ~Q(type="EXPENSE"), name="trx_type"
            ),
            models.Index(fields=["business", "currency", "-occurred_at", "-id"], condition=LIVE, name="trx_currency"),
            models.Index(fields=["business", "booked_month", "-occurred_at", "-id"], condition=LIVE, name="trx_booked"),
            models.Index(
                fields=["business", "subcategory_id"], condition=~Q(subcategory_id=""), name="trx_subcategory"
            ),
            GinIndex(fields=["search"], name="trx_search"),
        ]
