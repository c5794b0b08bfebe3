"""Subscriptions: what is charged again and again by one merchant (decisions B.20)."""

from django.db import models
from django.db.models import Q

from service.businesses.models import Business, Employee, Team
from service.cards.models import Card
from service.categories.models import Subcategory
from service.expenses.models import Expense
from service.ids import object_id


class SubscriptionStatus(models.TextChoices):
    """As published: either may follow the other."""

    ACTIVE = "ACTIVE", "Active"
    PAUSED = "PAUSED", "Paused"


class Frequency(models.TextChoices):
    """How often it is charged; service/subscriptions/frequency.py knows the days."""

    WEEKLY = "WEEKLY", "Weekly"
    MONTHLY = "MONTHLY", "Monthly"
    QUARTERLY = "QUARTERLY", "Quarterly"
    ANNUAL = "ANNUAL", "Annual"


class Subscription(models.Model):
    """A subscription; charges are the expenses of its merchant (and card, where it has one). Minor units."""

    id = models.CharField(primary_key=True, max_length=24, default=object_id)
    business = models.ForeignKey(Business, on_delete=models.CASCADE, related_name="+", db_index=False)
    name = models.CharField(max_length=100)
    vendor = models.CharField(max_length=150, help_text="the merchant as charges name it")
    merchant_key = models.CharField(max_length=150, help_text="the merchant without case and punctuation")
    employee = models.ForeignKey(Employee, null=True, on_delete=models.PROTECT, related_name="+")
    card = models.ForeignKey(Card, null=True, on_delete=models.PROTECT, related_name="+")
    team = models.ForeignKey(Team, null=True, on_delete=models.PROTECT, related_name="+")
    subcategory = models.ForeignKey(Subcategory, null=True, on_delete=models.PROTECT, related_name="+")
    currency = models.CharField(max_length=3)
    amount_minor = models.BigIntegerField()
    limit_minor = models.BigIntegerField(null=True)
    billing_frequency = models.CharField(max_length=9, choices=Frequency.choices, default=Frequency.MONTHLY)
    status = models.CharField(max_length=6, choices=SubscriptionStatus.choices, default=SubscriptionStatus.ACTIVE)
    next_charge_at = models.DateTimeField(null=True)
    last_charge_at = models.DateTimeField(null=True)
    generated = models.BooleanField(default=False)
    version = models.PositiveIntegerField(default=1)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(amount_minor__gt=0) & (Q(limit_minor=None) | Q(limit_minor__gt=0)),
                name="subscription_amounts",
            ),
            models.UniqueConstraint(
                fields=["business", "merchant_key", "currency", "card"],
                nulls_distinct=False,
                name="subscription_once_per_merchant_and_card",
            ),
        ]
        indexes = [models.Index(fields=["business", "-created_at", "-id"], name="subscription_newest")]

    def __str__(self) -> str:
        return self.name


class Charge(models.Model):
    """An expense that is a charge of a subscription."""

    id = models.BigAutoField(primary_key=True)
    subscription = models.ForeignKey(Subscription, on_delete=models.CASCADE, related_name="charges")
    expense = models.ForeignKey(Expense, on_delete=models.CASCADE, related_name="+")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["subscription", "expense"], name="charge_once")]

    def __str__(self) -> str:
        return f"{self.expense_id} of {self.subscription_id}"
