"""The copy of what is asked for beside expenses and payment requests: cards, funds, bill payments, transactions by hand."""

from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.search import SearchVectorField
from django.db import models
from django.db.models import Q
from django.db.models.fields.json import KeyTextTransform

from dashboard.mirror.models.mirrored import Mirrored, terms

WAITING_STATES = ("PENDING", "REQUESTED")
# One person's word is enough. Where votes are asked for, the request for votes waits, not the thing itself.
WAITING_REQUEST = Q(status__in=WAITING_STATES, voted=False, tombstoned_at__isnull=True)
DECIDED_REQUEST = Q(voted=False, tombstoned_at__isnull=True) & ~Q(status__in=WAITING_STATES)
# All payouts have a list of their own, whatever became of them.
PAYOUT = Q(kind="payout", tombstoned_at__isnull=True)


class ApprovalRequest(Mirrored):
    """A request beside expenses and payments: an order of a physical card, a single-use card, a fund, a bill's payment.

    `kind` is the noun of its events; `voted` says that a mandate asks for votes, so that an Approval stands for it.
    """

    kind = models.CharField(max_length=20)
    ref = models.CharField(max_length=120)
    title = models.CharField(max_length=300)
    payee = models.CharField(max_length=300, blank=True)
    amount_minor = models.BigIntegerField(null=True)
    currency = models.CharField(max_length=3, blank=True)
    amount_text = models.CharField(max_length=60, blank=True)
    org_wallet_ref = models.CharField(max_length=64, blank=True)
    # Whose card or money it will be, and of which team; who asked.
    holder_id = models.CharField(max_length=64, blank=True)
    holder_name = models.CharField(max_length=200, blank=True)
    team_id = models.CharField(max_length=64, blank=True)
    requested_by_id = models.CharField(max_length=80, blank=True)
    requested_at = models.DateTimeField()
    due_at = models.DateTimeField(null=True)
    status = models.CharField(max_length=20)
    voted = models.BooleanField(default=False)
    # A batch of payments or a single one. A column and no expression: of those the planner learns how common each value is.
    payout_kind = models.GeneratedField(
        expression=KeyTextTransform("kind", "payload"), output_field=models.TextField(null=True), db_persist=True
    )
    search = models.GeneratedField(
        expression=terms("title", "payee", "ref", "holder_name"), output_field=SearchVectorField(), db_persist=True
    )

    class Meta:
        db_table = "mirror_request"
        constraints = [models.UniqueConstraint(fields=["business", "remote_id"], name="one_copy_per_request")]
        indexes = [
            models.Index(fields=["business", "-requested_at", "-id"], condition=WAITING_REQUEST, name="req_waiting"),
            models.Index(fields=["business", "-requested_at", "-id"], condition=DECIDED_REQUEST, name="req_decided"),
            models.Index(fields=["business", "kind", "ref"], name="req_ref"),
            # With all that payouts are filtered, sorted and summed by: those of some days are put into another order without reading one.
            models.Index(
                fields=["business", "-requested_at", "-id"], condition=PAYOUT, name="payout_newest",
                include=["amount_minor", "currency", "status", "payout_kind"],
            ),
            models.Index(fields=["business", "amount_minor", "id"], condition=PAYOUT, name="payout_amount"),
            models.Index(fields=["business", "status", "-requested_at", "-id"], condition=PAYOUT, name="payout_status"),
            # A few payouts among all: single payments, another currency.
            models.Index(
                fields=["business", "payout_kind", "-requested_at", "-id"], condition=PAYOUT, name="payout_kind"
            ),
            models.Index(
                fields=["business", "currency", "-requested_at", "-id"], condition=PAYOUT, name="payout_currency"
            ),
            GinIndex(fields=["search"], name="req_search"),
        ]  # fmt: skip
