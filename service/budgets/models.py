"""Budgets: what may be spent in a period. What is committed and spent is never stored (service/budgets/figures.py)."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q

from service.businesses.models import Business, Team
from service.categories.models import Category
from service.ids import object_id


class BudgetPeriod(models.TextChoices):
    """Which calendar period the amount is for, in the business's time zone."""

    MONTH = "MONTH", "A month"
    QUARTER = "QUARTER", "A quarter"
    YEAR = "YEAR", "A year"


def usual_alerts() -> list[int]:
    """At which parts of its amount, in percent, somebody is told where nobody has said otherwise."""
    return [80, 100]


class Budget(models.Model):
    """An amount (minor units) for each period; of a team, or of the business where it has none; with a category what is filed
    there alone is spent of it."""

    id = models.CharField(primary_key=True, max_length=24, default=object_id)
    business = models.ForeignKey(Business, on_delete=models.CASCADE, related_name="+")
    team = models.ForeignKey(Team, null=True, on_delete=models.PROTECT, related_name="+")
    category = models.ForeignKey(Category, null=True, on_delete=models.PROTECT, related_name="+")
    name = models.CharField(max_length=100)
    currency = models.CharField(max_length=3)
    period = models.CharField(max_length=7, choices=BudgetPeriod.choices, default=BudgetPeriod.MONTH)
    amount_minor = models.BigIntegerField()
    alert_percents = ArrayField(models.PositiveSmallIntegerField(), default=usual_alerts, blank=True)
    active = models.BooleanField(default=True)
    version = models.PositiveIntegerField(default=1)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["business", "name"], name="budget_name_once_per_business"),
            models.CheckConstraint(condition=Q(amount_minor__gt=0), name="budget_amount"),
        ]

    def __str__(self) -> str:
        return self.name


class BudgetAlert(models.Model):
    """That a budget reached a part of its amount in a period: it is told once in each."""

    budget = models.ForeignKey(Budget, on_delete=models.CASCADE, related_name="alerts")
    period_start = models.DateField()
    percent = models.PositiveSmallIntegerField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["budget", "period_start", "percent"], name="budget_alert_once")]

    def __str__(self) -> str:
        return f"{self.budget_id}: {self.percent} % from {self.period_start}"
