"""The copy of payment requests."""

from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.search import SearchVectorField
from django.db import models
from django.db.models import Q

from dashboard.mirror.models.mirrored import LIVE, Mirrored, terms
from dashboard.mirror.models.weights import LEAST_RISK, USUAL_S, decide_by_field, stake, weighed_risk

WAITING_APPROVAL = Q(status="PENDING", tombstoned_at__isnull=True)


class Approval(Mirrored):
    """A payment request that waits for votes, or once did (decisions B.13)."""

    kind = models.CharField(max_length=40)
    action_type = models.SmallIntegerField(null=True)
    ref = models.CharField(max_length=120)
    title = models.CharField(max_length=300)
    payee = models.CharField(max_length=300, blank=True)
    amount_minor = models.BigIntegerField(null=True)
    currency = models.CharField(max_length=3, blank=True)
    amount_text = models.CharField(max_length=60, blank=True)
    org_wallet_ref = models.CharField(max_length=64, blank=True)
    requested_by_id = models.CharField(max_length=64, blank=True)
    requested_by_name = models.CharField(max_length=200, blank=True)
    requested_at = models.DateTimeField()
    due_at = models.DateTimeField(null=True)
    expires_at = models.DateTimeField(null=True)
    status = models.CharField(max_length=20)
    approvals_required = models.SmallIntegerField(default=1)
    approvals_given = models.SmallIntegerField(default=0)
    # Who has voted (employee ids), so that "waiting for me" is answered without a call.
    voters = models.JSONField(default=list)
    # Who may still vote, from the mandate's snapshot: [{employee_id, max_amount_minor}].
    eligible = models.JSONField(default=list)
    risk = models.SmallIntegerField(default=0)
    risk_level = models.CharField(max_length=8, blank=True)
    signals = models.JSONField(default=list)
    # What the dashboard itself knows, which the copy leaves as it is (weights.py).
    dismissed_risk = models.SmallIntegerField(default=0, db_default=0)
    usual_s = models.IntegerField(default=USUAL_S, db_default=USUAL_S)
    usual_minor = models.BigIntegerField(default=0, db_default=0)
    weighed_risk = weighed_risk()
    stake = stake()
    decide_by = decide_by_field("requested_at")
    search = models.GeneratedField(
        expression=terms("title", "payee", "ref", "requested_by_name"),
        output_field=SearchVectorField(),
        db_persist=True,
    )

    class Meta:
        constraints = [models.UniqueConstraint(fields=["business", "remote_id"], name="one_copy_per_approval")]
        indexes = [
            models.Index(fields=["business", "-requested_at", "-id"], condition=WAITING_APPROVAL, name="apr_waiting"),
            models.Index(
                fields=["business", "stake", "id"],
                condition=WAITING_APPROVAL & Q(stake__isnull=False),
                name="apr_waiting_stake",
            ),
            models.Index(
                fields=["business", "decide_by", "id"],
                condition=WAITING_APPROVAL & Q(stake__isnull=True),
                name="apr_waiting_decide_by",
            ),
            # Of those the risky ones, about little money: who filters by risk looks through no others, and not at their rows.
            models.Index(
                fields=["business", "decide_by", "id", "weighed_risk"],
                condition=WAITING_APPROVAL & Q(stake__isnull=True, weighed_risk__gte=LEAST_RISK),
                name="apr_waiting_risky",
            ),
            models.Index(fields=["business", "-requested_at", "-id"], condition=LIVE, name="apr_recent"),
            models.Index(fields=["business", "ref"], name="apr_ref"),
            GinIndex(fields=["search"], name="apr_search"),
        ]
