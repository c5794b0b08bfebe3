"""Recurring bills: schedules from which a bill is entered on its day, and the days on which that was done."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q

from service.bills.models import Bill
from service.budgets.models import Budget
from service.businesses.models import Business, Team
from service.ids import object_id
from service.vendors.models import Vendor


class Interval(models.TextChoices):
    """How often a bill is entered."""

    WEEKLY = "WEEKLY"
    MONTHLY = "MONTHLY"
    QUARTERLY = "QUARTERLY"
    YEARLY = "YEARLY"


class ScheduleStatus(models.TextChoices):
    """PAUSED: by a person, or because a bill could not be entered (`trouble` says why)."""

    ACTIVE = "ACTIVE"
    PAUSED = "PAUSED"
    ENDED = "ENDED"


class BillSchedule(models.Model):
    """A bill that comes again. `day` is the day of the month, of which a shorter month has its last, or for WEEKLY the day of
    the week from Monday as 1; `lines` are the lines of each bill as they were sent. `due_at` is when `next_on` begins at
    the business: empty while nothing is to be entered."""

    id = models.CharField(primary_key=True, max_length=24, default=object_id)
    business = models.ForeignKey(Business, on_delete=models.PROTECT, related_name="+", db_index=False)
    vendor = models.ForeignKey(Vendor, on_delete=models.PROTECT, related_name="+")
    number_prefix = models.CharField(max_length=40)
    currency = models.CharField(max_length=3)
    lines = models.JSONField()
    total_minor = models.BigIntegerField()
    interval = models.CharField(max_length=9, choices=Interval.choices)
    day = models.PositiveSmallIntegerField()
    starts_on = models.DateField()
    ends_on = models.DateField(null=True)
    count = models.PositiveIntegerField(null=True)
    due_in_days = models.PositiveSmallIntegerField(default=30)
    team = models.ForeignKey(Team, null=True, on_delete=models.PROTECT, related_name="+")
    budget = models.ForeignKey(Budget, null=True, on_delete=models.PROTECT, related_name="+")
    subcategory_id = models.CharField(max_length=24, blank=True, default="")
    memo = models.CharField(max_length=1000, blank=True, default="")
    status = models.CharField(max_length=6, choices=ScheduleStatus.choices, default=ScheduleStatus.ACTIVE)
    trouble = models.CharField(max_length=300, blank=True, default="")
    bills_entered = models.PositiveIntegerField(default=0)
    next_on = models.DateField(null=True)
    due_at = models.DateTimeField(null=True)
    created_by = models.CharField(max_length=80)
    # Who decides on when and how much: none of them may vote on the payments of its bills.
    maker_ids = ArrayField(models.CharField(max_length=24), default=list)
    version = models.PositiveIntegerField(default=1)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(interval="WEEKLY", day__range=(1, 7)) | (~Q(interval="WEEKLY") & Q(day__range=(1, 31))),
                name="bill_schedule_day",
            ),
            models.CheckConstraint(
                condition=Q(due_at__isnull=True) | Q(status="ACTIVE"), name="bill_schedule_due_active"
            ),
        ]
        indexes = [
            models.Index(fields=["business", "-created_at", "-id"], name="bill_schedule_newest"),
            models.Index(fields=["due_at"], condition=Q(due_at__isnull=False), name="bill_schedule_due"),
        ]

    def __str__(self) -> str:
        return f"{self.number_prefix} {self.interval}"


class ScheduledBill(models.Model):
    """That a bill of a schedule was entered for a day: once, whoever asks for it and however often."""

    id = models.CharField(primary_key=True, max_length=24, default=object_id)
    schedule = models.ForeignKey(BillSchedule, on_delete=models.PROTECT, related_name="occurrences")
    on = models.DateField()
    bill = models.ForeignKey(Bill, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["schedule", "on"], name="scheduled_bill_once_per_day")]

    def __str__(self) -> str:
        return f"{self.schedule_id} on {self.on}"
