"""Spend policies of a business in their groups (interface "Business policy", decisions B.20)."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q

from service.approvals.models import Workflow
from service.businesses.models import Business
from service.ids import object_id


class PolicyType(models.TextChoices):
    """What of an expense a spend policy looks at."""

    CHANNEL = "CHANNEL", "The way it is paid"
    SUBCATEGORY = "SUBCATEGORY", "The subcategory"
    CATEGORY = "CATEGORY", "The category"
    VENDOR = "VENDOR", "Who is paid"
    DAY_TIME = "DAY_TIME", "The day and the hour"


class Action(models.TextChoices):
    """What follows from a breach."""

    BLOCK = "BLOCK", "Refused"
    REQUIRE_APPROVAL = "REQUIRE_APPROVAL", "Waits for votes"
    FLAG = "FLAG", "Marked"


class LimitPeriod(models.TextChoices):
    """What a limit is for, in the business's time zone; weeks begin on Monday."""

    DAY = "DAY"
    WEEK = "WEEK"
    MONTH = "MONTH"
    YEAR = "YEAR"


class PolicyState(models.TextChoices):
    """DELETED is kept for the record and applies no more; a status that is given brings it back, as published."""

    ACTIVE = "ACTIVE"
    INACTIVE = "INACTIVE"
    DELETED = "DELETED"


class PolicyGroup(models.Model):
    """A group of policies of one business, for one or two types."""

    id = models.CharField(primary_key=True, max_length=24, default=object_id)
    business = models.ForeignKey(Business, on_delete=models.CASCADE, related_name="+")
    code = models.CharField(max_length=20)
    name = models.CharField(max_length=100)
    description = models.CharField(max_length=300)
    types = ArrayField(models.CharField(max_length=11, choices=PolicyType.choices))
    position = models.PositiveSmallIntegerField()
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["business", "code"], name="policy_group_once")]

    def __str__(self) -> str:
        return self.name


class BusinessPolicy(models.Model):
    """One policy. The limit is in minor units of `currency`; without it every use of the target is a breach; without a
    period it is a limit for each use. Over a period it counts what everybody spends, or `per_person` what each person does.
    `target`: a channel, the id of a subcategory, category or vendor, SELF, or nothing.
    """

    id = models.CharField(primary_key=True, max_length=24, default=object_id)
    business = models.ForeignKey(Business, on_delete=models.CASCADE, related_name="+")
    group = models.ForeignKey(PolicyGroup, on_delete=models.PROTECT, related_name="policies")
    type = models.CharField(max_length=11, choices=PolicyType.choices)
    name = models.CharField(max_length=100)
    target = models.CharField(max_length=40, blank=True, default="")
    limit_minor = models.BigIntegerField(null=True)
    currency = models.CharField(max_length=3, blank=True, default="")
    period = models.CharField(max_length=5, choices=LimitPeriod.choices, blank=True, default="")
    per_person = models.BooleanField(default=False)
    window = models.JSONField(default=dict)
    action = models.CharField(max_length=16, choices=Action.choices)
    workflow = models.ForeignKey(Workflow, null=True, on_delete=models.PROTECT, related_name="+")
    exempt_team_ids = ArrayField(models.CharField(max_length=24), default=list)
    exempt_employee_ids = ArrayField(models.CharField(max_length=24), default=list)
    status = models.CharField(max_length=8, choices=PolicyState.choices, default=PolicyState.ACTIVE)
    created_by = models.CharField(max_length=80)
    version = models.PositiveIntegerField(default=1)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        verbose_name_plural = "business policies"
        constraints = [
            models.UniqueConstraint(
                fields=["business", "type", "target", "currency", "period", "per_person"],
                condition=~Q(status="DELETED") & ~Q(type="DAY_TIME"),
                name="policy_once_per_target_and_period",
            ),
            models.CheckConstraint(
                condition=Q(limit_minor=None, currency="", period="") | (Q(limit_minor__gte=0) & ~Q(currency="")),
                name="policy_limit_has_currency",
            ),
            models.CheckConstraint(condition=Q(per_person=False) | ~Q(period=""), name="policy_per_person_has_period"),
        ]
        indexes = [
            models.Index(fields=["business", "id"], condition=Q(status="ACTIVE"), name="policy_in_force"),
            models.Index(fields=["business", "-created_at", "-id"], name="policy_newest"),
        ]

    def __str__(self) -> str:
        return self.name
