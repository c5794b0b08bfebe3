"""Cards, what they may be used for, and each time one was used."""

from django.db import models

from service.businesses.models import Business
from service.employees.models import Employee
from service.expenses.models import Expense
from service.ids import object_id


class CardStatus(models.TextChoices):
    """The states of decisions B.7."""

    REQUESTED = "REQUESTED", "Ordered, not approved yet"
    REJECTED = "REJECTED", "Order rejected"
    ORDERED = "ORDERED", "On its way"
    INACTIVE = "INACTIVE", "Delivered, not activated"
    ACTIVE = "ACTIVE", "Active"
    BLOCKED = "BLOCKED", "Blocked"
    RETIRED = "RETIRED", "Retired for good"
    EXPIRED = "EXPIRED", "Expired"


class Card(models.Model):
    """A card of an employee that pays from one wallet of the business. Its number is never here: a token stands for it."""

    class Type(models.TextChoices):
        VIRTUAL = "VIRTUAL", "Virtual"
        PHYSICAL = "PHYSICAL", "Physical"
        SINGLE_USE = "SINGLE_USE", "Closed after the first use"

    id = models.CharField(primary_key=True, max_length=24, default=object_id)
    business = models.ForeignKey(Business, on_delete=models.CASCADE, related_name="cards")
    employee = models.ForeignKey(Employee, on_delete=models.PROTECT, related_name="cards")
    type = models.CharField(max_length=12, choices=Type.choices, default=Type.VIRTUAL)
    status = models.CharField(max_length=12, choices=CardStatus.choices, default=CardStatus.ACTIVE)
    blocked_by = models.CharField(max_length=10, blank=True, default="")
    org_wallet_ref = models.CharField(max_length=40)
    currency = models.CharField(max_length=3)
    name = models.CharField(max_length=100)
    token = models.CharField(max_length=60, unique=True)
    last_four = models.CharField(max_length=4)
    brand = models.CharField(max_length=20, default="VISA")
    expiry_month = models.PositiveSmallIntegerField()
    expiry_year = models.PositiveSmallIntegerField()
    # The controls as the interface takes them (service/cards/controls.py reads them).
    controls = models.JSONField(default=dict, blank=True)
    version = models.PositiveIntegerField(default=1)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        indexes = [models.Index(fields=["business", "-created_at", "-id"], name="card_newest")]

    def __str__(self) -> str:
        return f"{self.name} …{self.last_four}"


class Authorization(models.Model):
    """One use of a card: allowed with a hold, or declined with the code that says why."""

    class Status(models.TextChoices):
        DECLINED = "DECLINED", "Declined"
        APPROVED = "APPROVED", "Money is held"
        CAPTURED = "CAPTURED", "Money was taken"
        REVERSED = "REVERSED", "The hold was given back"

    id = models.CharField(primary_key=True, max_length=24, default=object_id)
    card = models.ForeignKey(Card, on_delete=models.PROTECT, related_name="authorizations")
    status = models.CharField(max_length=10, choices=Status.choices)
    code = models.CharField(max_length=30, blank=True, default="")
    checks = models.JSONField(default=list)
    amount_minor = models.BigIntegerField()
    currency = models.CharField(max_length=3)
    merchant = models.CharField(max_length=150)
    merchant_id = models.CharField(max_length=60, blank=True, default="")
    mcc = models.CharField(max_length=4, blank=True, default="")
    country = models.CharField(max_length=2, blank=True, default="")
    channel = models.CharField(max_length=20)
    ledger_hold_id = models.BigIntegerField(null=True)
    expense = models.ForeignKey(Expense, null=True, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField()

    class Meta:
        indexes = [models.Index(fields=["card", "created_at"], name="authorization_of_card")]

    def __str__(self) -> str:
        return f"{self.status} {self.amount_minor} {self.currency}"
