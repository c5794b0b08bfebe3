"""The copy of transactions."""

from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.search import SearchVectorField
from django.db import models
from django.db.models import Q

from dashboard.mirror.models.mirrored import LIVE, Mirrored, terms

# It is filed under nothing and no expense stands behind it, whose category would be its own.
UNCATEGORISED_TRANSACTION = models.Q(category_name="", expense_id="", tombstoned_at__isnull=True)


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
    search = models.GeneratedField(
        expression=terms("counterparty", "ref", "description", "category_name"),
        output_field=SearchVectorField(),
        db_persist=True,
    )

    class Meta:
        constraints = [models.UniqueConstraint(fields=["business", "remote_id"], name="one_copy_per_transaction")]
        indexes = [
            models.Index(fields=["business", "-occurred_at", "-id"], condition=LIVE, name="trx_recent"),
            models.Index(fields=["business", "amount_minor", "id"], condition=LIVE, name="trx_amount"),
            models.Index(fields=["business", "employee_id", "-occurred_at", "-id"], name="trx_employee"),
            models.Index(fields=["business", "team_id", "-occurred_at", "-id"], name="trx_team"),
            models.Index(
                fields=["business", "-occurred_at", "-id"],
                condition=UNCATEGORISED_TRANSACTION,
                name="trx_uncategorised",
            ),
            models.Index(fields=["business", "effective_on", "occurred_at"], condition=LIVE, name="trx_posted"),
            models.Index(
                fields=["business", "subcategory_id"], condition=~Q(subcategory_id=""), name="trx_subcategory"
            ),
            GinIndex(fields=["search"], name="trx_search"),
        ]
