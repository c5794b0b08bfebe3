"""Payment requests, the votes on them, and the mandates and workflows that say who votes (decisions B.9, B.12, B.13)."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q

from service.businesses.models import Business, Employee
from service.ids import object_id


class ActionType(models.IntegerChoices):
    """What a mandate is about. 11 is published; the others are ours."""

    BULK_PAYOUT = 1, "Bulk payout"
    BANK_TRANSFER = 2, "Bank transfer"
    BILL_PAYMENT = 3, "Bill payment"
    ALLOCATION = 4, "Allocation"
    PAYMENT_REQUEST = 5, "Payment request"
    FX_TRANSFER = 6, "FX"
    INVESTMENT = 7, "Investment"
    CARD_REQUEST = 8, "Card request"
    POLICY_BASED = 11, "Policy based"


class Mandate(models.Model):
    """How many of whom must approve an action of a kind, between two amounts (minor units; no maximum: null)."""

    id = models.CharField(primary_key=True, max_length=24, default=object_id)
    business = models.ForeignKey(Business, on_delete=models.CASCADE, related_name="mandates")
    action_type = models.PositiveSmallIntegerField(choices=ActionType.choices)
    name = models.CharField(max_length=100)
    currency = models.CharField(max_length=3)
    min_amount_minor = models.BigIntegerField(default=0)
    max_amount_minor = models.BigIntegerField(null=True)
    min_approvers = models.PositiveSmallIntegerField(default=1)
    sequential = models.BooleanField(default=False)
    code_required = models.BooleanField(default=False, help_text="approved payments also wait for a one-time code")
    active = models.BooleanField(default=True)
    version = models.PositiveIntegerField(default=1)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(min_approvers__gte=1)
                & (Q(max_amount_minor=None) | Q(max_amount_minor__gte=F("min_amount_minor"))),
                name="mandate_makes_sense",
            )
        ]
        indexes = [models.Index(fields=["business", "action_type", "currency"], name="mandate_by_action")]

    def __str__(self) -> str:
        return self.name


class MandateApprover(models.Model):
    """A person a mandate lets vote: up to an amount (null: any), in an order, required or not."""

    id = models.CharField(primary_key=True, max_length=24, default=object_id)
    mandate = models.ForeignKey(Mandate, on_delete=models.CASCADE, related_name="approvers")
    employee = models.ForeignKey(Employee, on_delete=models.CASCADE, related_name="+")
    required = models.BooleanField(default=False)
    max_amount_minor = models.BigIntegerField(null=True)
    order = models.PositiveSmallIntegerField(default=0)
    active = models.BooleanField(default=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["mandate", "employee"], name="approver_once_per_mandate")]

    def __str__(self) -> str:
        return f"{self.employee_id} for {self.mandate_id}"


class Workflow(models.Model):
    """Steps of votes, one after the other, for what meets the conditions: of those that match, the first by priority.

    `conditions` and `steps` are as service/approvals/schemas_workflows.py writes them; amounts in minor units.
    """

    id = models.CharField(primary_key=True, max_length=24, default=object_id)
    business = models.ForeignKey(Business, on_delete=models.CASCADE, related_name="workflows")
    action_type = models.PositiveSmallIntegerField(choices=ActionType.choices)
    name = models.CharField(max_length=100)
    active = models.BooleanField(default=True)
    priority = models.PositiveIntegerField(default=100, help_text="the lowest goes first")
    conditions = models.JSONField(default=dict)
    steps = models.JSONField()
    version = models.PositiveIntegerField(default=1)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        indexes = [
            models.Index(fields=["business", "action_type", "priority", "id"], name="workflow_by_priority"),
            models.Index(fields=["business", "action_type", "-created_at", "-id"], name="workflow_newest"),
        ]

    def __str__(self) -> str:
        return self.name


class ApprovalStatus(models.TextChoices):
    """PENDING until its last needed vote, a rejection, a withdrawal or its time is over."""

    PENDING = "PENDING"
    APPROVED = "APPROVED"
    REJECTED = "REJECTED"
    WITHDRAWN = "WITHDRAWN"
    EXPIRED = "EXPIRED"
    CANCELLED = "CANCELLED"


class Approval(models.Model):
    """A request for votes on one thing (`kind` and `ref`), under the mandate as it was when it was asked for."""

    id = models.CharField(primary_key=True, max_length=24, default=object_id)
    business = models.ForeignKey(Business, on_delete=models.PROTECT, related_name="+")
    kind = models.CharField(max_length=20)
    action_type = models.PositiveSmallIntegerField(choices=ActionType.choices)
    ref = models.CharField(max_length=64)
    subject_id = models.CharField(max_length=24)
    title = models.CharField(max_length=200)
    payee = models.CharField(max_length=200, blank=True, default="")
    amount_minor = models.BigIntegerField()
    currency = models.CharField(max_length=3)
    org_wallet_ref = models.CharField(max_length=40, blank=True, default="")
    requested_by = models.ForeignKey(Employee, null=True, on_delete=models.SET_NULL, related_name="+")
    requested_label = models.CharField(max_length=80)
    maker_ids = ArrayField(models.CharField(max_length=24), default=list)
    requested_at = models.DateTimeField(auto_now_add=True)
    due_at = models.DateTimeField(null=True)
    expires_at = models.DateTimeField(null=True)
    status = models.CharField(max_length=9, choices=ApprovalStatus.choices, default=ApprovalStatus.PENDING)
    approvals_required = models.PositiveSmallIntegerField()
    approvals_given = models.PositiveSmallIntegerField(default=0)
    mandate_snapshot = models.JSONField()
    risk_at_request = models.JSONField()
    risk_at_decision = models.JSONField(null=True)
    risk_level = models.CharField(max_length=8)
    decided_at = models.DateTimeField(null=True)
    version = models.PositiveIntegerField(default=1)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["business", "kind", "subject_id"], condition=Q(status="PENDING"), name="one_open_approval"
            ),
            models.CheckConstraint(condition=Q(approvals_required__gte=1), name="approval_needs_votes"),
        ]
        indexes = [
            models.Index(fields=["business", "-created_at", "-id"], name="approval_newest"),
            models.Index(fields=["expires_at"], condition=Q(status="PENDING"), name="approval_due"),
            models.Index(fields=["business", "ref"], name="approval_by_ref"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.ref}: {self.status}"


class Vote(models.Model):
    """One person's vote on one request: once, for good."""

    class Decision(models.TextChoices):
        """What an approver said: both sides are counted by the workflow."""

        APPROVE = "APPROVE"
        REJECT = "REJECT"

    id = models.CharField(primary_key=True, max_length=24, default=object_id)
    approval = models.ForeignKey(Approval, on_delete=models.PROTECT, related_name="votes")
    voter = models.ForeignKey(Employee, on_delete=models.PROTECT, related_name="+")
    decision = models.CharField(max_length=7, choices=Decision.choices)
    reason = models.CharField(max_length=500, blank=True, default="")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["approval", "voter"], name="one_vote_each")]

    def __str__(self) -> str:
        return f"{self.voter_id} {self.decision}"
