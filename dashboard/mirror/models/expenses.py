"""The copy of expenses."""

from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.search import SearchVectorField
from django.db import models
from django.db.models import Q
from django.db.models.fields.json import KeyTextTransform
from django.db.models.lookups import IsNull

from dashboard.mirror.models.mirrored import LIVE, Mirrored, terms

WAITING_EXPENSE = Q(status="PENDING", tombstoned_at__isnull=True)
# It waits, and somebody has looked at it before: they asked the spender, who has answered since (decisions B.15 leads to
# PENDING from nowhere else). As text, because a null of JSON is no NULL.
ANSWERED_EXPENSE = Q(status="PENDING") & Q(IsNull(KeyTextTransform("reviewed_at", "payload"), False))


class Expense(Mirrored):
    """An expense, with the columns that scope, filter, sort and print a row (decisions B.15, E.4)."""

    employee_id = models.CharField(max_length=64)
    employee_name = models.CharField(max_length=200)
    team_id = models.CharField(max_length=64, blank=True)
    team_name = models.CharField(max_length=200, blank=True)
    org_wallet_ref = models.CharField(max_length=64, blank=True)
    status = models.CharField(max_length=20)
    transaction_date = models.DateTimeField()
    amount_minor = models.BigIntegerField()
    currency = models.CharField(max_length=3)
    amount_text = models.CharField(max_length=60)
    merchant = models.CharField(max_length=300, blank=True)
    notes = models.TextField(blank=True)
    category_name = models.CharField(max_length=200, blank=True)
    subcategory_id = models.CharField(max_length=64, blank=True)
    transaction_ref = models.CharField(max_length=120, blank=True)
    has_receipt = models.BooleanField(default=False)
    risk = models.SmallIntegerField(default=0)
    search = models.GeneratedField(
        expression=terms("merchant", "employee_name", "team_name", "category_name", "transaction_ref", "notes"),
        output_field=SearchVectorField(),
        db_persist=True,
    )

    class Meta:
        constraints = [models.UniqueConstraint(fields=["business", "remote_id"], name="one_copy_per_expense")]
        indexes = [
            # The inbox: only what waits, so that a million decided expenses weigh nothing.
            models.Index(
                fields=["business", "-transaction_date", "-id"], condition=WAITING_EXPENSE, name="exp_waiting"
            ),
            models.Index(
                fields=["business", "team_id", "-transaction_date", "-id"],
                condition=WAITING_EXPENSE,
                name="exp_waiting_team",
            ),
            models.Index(
                fields=["business", "amount_minor", "id"], condition=WAITING_EXPENSE, name="exp_waiting_amount"
            ),
            models.Index(fields=["business", "risk", "id"], condition=WAITING_EXPENSE, name="exp_waiting_risk"),
            models.Index(fields=["business", "-transaction_date", "-id"], condition=LIVE, name="exp_recent"),
            models.Index(fields=["business", "amount_minor", "id"], condition=LIVE, name="exp_amount"),
            models.Index(fields=["business", "employee_id", "-transaction_date", "-id"], name="exp_employee"),
            models.Index(fields=["business", "team_id", "-transaction_date", "-id"], name="exp_team"),
            models.Index(fields=["business", "status", "-transaction_date", "-id"], name="exp_status"),
            GinIndex(fields=["search"], name="exp_search"),
        ]

    @property
    def is_answered(self) -> bool:
        """Whether it waits for review again because the spender has answered a question."""
        return self.status == "PENDING" and bool(self.payload.get("reviewed_at"))
