"""The copy of expenses."""

from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.search import SearchVectorField
from django.db import models
from django.db.models import F, Q
from django.db.models.fields.json import KeyTextTransform
from django.db.models.lookups import IsNull

from dashboard.mirror.models.mirrored import LIVE, Mirrored, terms
from dashboard.mirror.models.weights import LEAST_RISK, USUAL_S, decide_by_field, stake, weighed_risk

WAITING_EXPENSE = Q(status="PENDING", tombstoned_at__isnull=True)
# It waits, and somebody has looked at it before: they asked the spender, who has answered since (decisions B.15 leads to
# PENDING from nowhere else). As text, because a null of JSON is no NULL.
ANSWERED_EXPENSE = Q(status="PENDING") & Q(IsNull(KeyTextTransform("reviewed_at", "payload"), False))
# It waits, and its receipts as they are now have been read and say the same as it does.
MATCHING_EXPENSE = WAITING_EXPENSE & Q(receipt_reading="SAME", read_hash=F("payload_hash"))
# It waits, and its receipts as they are now were not read yet.
UNREAD_EXPENSE = WAITING_EXPENSE & Q(has_receipt=True) & ~Q(read_hash=F("payload_hash"))

# It is filed under nothing: the queue of what has no category asks for these alone.
UNCATEGORISED_EXPENSE = Q(subcategory_id="", tombstoned_at__isnull=True)


class ReceiptCheck(models.TextChoices):
    """What came of reading the receipts of an expense: they say the same, something else, or nothing; or they could not be
    had, and are asked for again."""

    SAME = "SAME", "Matches"
    DIFFERS = "DIFFERS", "Differs"
    NOTHING = "NOTHING", "Not readable"
    LATER = "LATER", "Not available"


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
    # Into how many parts it is split, each under a category of its own (payload); 0 for what is whole.
    part_count = models.PositiveSmallIntegerField(default=0, db_default=0)
    transaction_ref = models.CharField(max_length=120, blank=True)
    has_receipt = models.BooleanField(default=False)
    risk = models.SmallIntegerField(default=0)
    # What the dashboard itself knows, which the copy leaves as it is (weights.py). `read_hash` is the payload_hash that the
    # receipts were read for: of any other, what was read says nothing.
    dismissed_risk = models.SmallIntegerField(default=0, db_default=0)
    usual_s = models.IntegerField(default=USUAL_S, db_default=USUAL_S)
    usual_minor = models.BigIntegerField(default=0, db_default=0)
    receipt_reading = models.CharField(
        max_length=8, choices=ReceiptCheck.choices, blank=True, default="", db_default=""
    )
    read_hash = models.CharField(max_length=32, blank=True, default="", db_default="")
    weighed_risk = weighed_risk()
    stake = stake()
    decide_by = decide_by_field("transaction_date")
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
            models.Index(
                fields=["business", "weighed_risk", "id"], condition=WAITING_EXPENSE, name="exp_waiting_weighed"
            ),
            # The order by urgency, and what looks clean.
            models.Index(
                fields=["business", "stake", "id"],
                condition=WAITING_EXPENSE & Q(stake__isnull=False),
                name="exp_waiting_stake",
            ),
            models.Index(
                fields=["business", "decide_by", "id"],
                condition=WAITING_EXPENSE & Q(stake__isnull=True),
                name="exp_waiting_decide_by",
            ),
            # Of those the risky ones, about little money: who filters by risk looks through no others, and not at their rows.
            models.Index(
                fields=["business", "decide_by", "id", "weighed_risk"],
                condition=WAITING_EXPENSE & Q(stake__isnull=True, weighed_risk__gte=LEAST_RISK),
                name="exp_waiting_risky",
            ),
            models.Index(fields=["business", "decide_by", "id"], condition=MATCHING_EXPENSE, name="exp_matching"),
            models.Index(fields=["decide_by", "id"], condition=UNREAD_EXPENSE, name="exp_to_read"),
            # What is usual at a merchant.
            models.Index(
                fields=["business", "merchant", "currency", "amount_minor"],
                condition=Q(status="APPROVED", tombstoned_at__isnull=True),
                name="exp_approved_at",
            ),
            models.Index(fields=["business", "-transaction_date", "-id"], condition=LIVE, name="exp_recent"),
            models.Index(fields=["business", "amount_minor", "id"], condition=LIVE, name="exp_amount"),
            models.Index(fields=["business", "employee_id", "-transaction_date", "-id"], name="exp_employee"),
            models.Index(fields=["business", "team_id", "-transaction_date", "-id"], name="exp_team"),
            models.Index(fields=["business", "status", "-transaction_date", "-id"], name="exp_status"),
            models.Index(
                fields=["business", "subcategory_id", "-transaction_date", "-id"],
                condition=LIVE,
                name="exp_subcategory",
            ),
            models.Index(
                fields=["business", "-transaction_date", "-id"],
                condition=UNCATEGORISED_EXPENSE,
                name="exp_uncategorised",
            ),
            # What is split is of the categories of its parts: few are.
            models.Index(fields=["business"], condition=Q(part_count__gt=0), name="exp_split"),
            GinIndex(fields=["search"], name="exp_search"),
        ]

    @property
    def is_answered(self) -> bool:
        """Whether it waits for review again because the spender has answered a question."""
        return self.status == "PENDING" and bool(self.payload.get("reviewed_at"))
