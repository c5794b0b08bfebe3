"""Treasury funds: the catalogue, a business's accounts in them, who operates those, and every movement (decisions B.19).

Money is integer minor units; units and prices are NUMERIC(28, 8), because a fund deals in fractions of a unit.
"""

from decimal import Decimal
from typing import Any

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q

from service.accounts.models import Wallet
from service.businesses.models import Business, Employee, Role
from service.ids import object_id
from service.ledger.models import LedgerAccount


def fraction(**options: Any) -> "models.DecimalField[Any, Any]":
    """A number of units, or a price: 28 digits, 8 of them decimals."""
    return models.DecimalField(max_digits=28, decimal_places=8, **options)


class Fund(models.Model):
    """A fund that its manager offers to every business."""

    class Type(models.TextChoices):
        """What a fund puts its money into."""

        MONEY_MARKET = "MONEY_MARKET"
        FIXED_INCOME = "FIXED_INCOME"
        BALANCED = "BALANCED"

    class Status(models.TextChoices):
        """Whether a fund takes new money."""

        OPEN = "OPEN"
        CLOSED = "CLOSED"

    id = models.CharField(primary_key=True, max_length=24, default=object_id)
    code = models.CharField(max_length=24, unique=True)
    name = models.CharField(max_length=100)
    manager = models.CharField(max_length=100)
    currency = models.CharField(max_length=3)
    type = models.CharField(max_length=12, choices=Type.choices)
    annual_yield_bps = models.IntegerField()
    yield_as_of = models.DateField()
    min_initial_minor = models.BigIntegerField()
    min_topup_minor = models.BigIntegerField()
    min_withdrawal_minor = models.BigIntegerField()
    notice_days = models.PositiveSmallIntegerField(default=0)
    status = models.CharField(max_length=6, choices=Status.choices, default=Status.OPEN)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    def __str__(self) -> str:
        return self.code


class FundPrice(models.Model):
    """What a unit cost on a day."""

    id = models.BigAutoField(primary_key=True)
    fund = models.ForeignKey(Fund, on_delete=models.CASCADE, related_name="prices", db_index=False)
    day = models.DateField()
    price = fraction()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["fund", "day"], name="fund_price_once"),
            models.CheckConstraint(condition=Q(price__gt=0), name="fund_price_positive"),
        ]

    def __str__(self) -> str:
        return f"{self.day}: {self.price}"


class AccountStatus(models.TextChoices):
    """SUSPENDED while its fund is closed: nothing goes in, what is there may leave. CLOSED is final."""

    PENDING_OPT_IN = "PENDING_OPT_IN"
    ACTIVE = "ACTIVE"
    SUSPENDED = "SUSPENDED"
    CLOSED = "CLOSED"


class FundAccount(models.Model):
    """What a business has in a fund. `cash` waits to be invested; `holding` carries the units at what was paid for them."""

    id = models.CharField(primary_key=True, max_length=24, default=object_id)
    business = models.ForeignKey(Business, on_delete=models.PROTECT, related_name="+")
    fund = models.ForeignKey(Fund, on_delete=models.PROTECT, related_name="+")
    status = models.CharField(max_length=14, choices=AccountStatus.choices, default=AccountStatus.PENDING_OPT_IN)
    units = fraction(default=Decimal(0))
    held_units = fraction(default=Decimal(0), help_text="of withdrawals that are under way")
    accrued = fraction(default=Decimal(0), help_text="interest not paid in units yet, in the currency's units")
    accrued_until = models.DateField(null=True)
    interest_minor = models.BigIntegerField(default=0, help_text="paid in units so far")
    cash = models.ForeignKey(Wallet, null=True, on_delete=models.PROTECT, related_name="+")
    holding = models.ForeignKey(LedgerAccount, null=True, on_delete=models.PROTECT, related_name="+")
    operators_version = models.PositiveIntegerField(default=1)
    version = models.PositiveIntegerField(default=1)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["business", "fund"], condition=~Q(status="CLOSED"), name="one_open_account_per_fund"
            ),
            models.CheckConstraint(
                condition=Q(held_units__gte=0, units__gte=F("held_units"), accrued__gte=0), name="fund_units_held"
            ),
        ]
        indexes = [models.Index(fields=["business", "-created_at", "-id"], name="fund_account_newest")]

    def __str__(self) -> str:
        return f"{self.fund_id}: {self.units}"


class Operator(models.Model):
    """An employee who may move money of a fund account without being an approver (decisions F.4).

    Each right is named by one admin and counts once another has confirmed it; an approver has it by role anyway.
    """

    id = models.BigAutoField(primary_key=True)
    account = models.ForeignKey(FundAccount, on_delete=models.CASCADE, related_name="operators")
    employee = models.ForeignKey(Employee, on_delete=models.CASCADE, related_name="+")
    can_invest = models.BooleanField(default=True)
    can_withdraw = models.BooleanField(default=True)
    confirmed_invest = models.BooleanField(default=False)
    confirmed_withdraw = models.BooleanField(default=False)
    # Who named the rights as they are, as Caller.label says it; empty where nobody knows: then they are named anew.
    named_by = models.CharField(max_length=80, blank=True, default="")
    named_at = models.DateTimeField(null=True)
    confirmed_by = models.CharField(max_length=24, blank=True, default="")
    confirmed_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["account", "employee"], name="operator_once"),
            models.CheckConstraint(
                condition=(Q(confirmed_invest=False) | Q(can_invest=True))
                & (Q(confirmed_withdraw=False) | Q(can_withdraw=True))
                & (Q(confirmed_at__isnull=False) | Q(confirmed_invest=False, confirmed_withdraw=False))
                & ~Q(confirmed_by=F("employee_id"))
                & (Q(confirmed_by="") | ~Q(confirmed_by=F("named_by"))),
                name="operator_confirmed_by_another",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.employee_id} on {self.account_id}"

    @property
    def waits(self) -> bool:
        """Whether something that was named still needs another admin: of an approver nothing does."""
        confirmed_as_named = self.confirmed_invest == self.can_invest and self.confirmed_withdraw == self.can_withdraw
        return self.employee.role != Role.APPROVER and not (self.confirmed_at is not None and confirmed_as_named)


class OptInStatus(models.TextChoices):
    """What became of a request to invest in a fund."""

    PENDING = "PENDING"
    APPROVED = "APPROVED"
    REJECTED = "REJECTED"
    EXPIRED = "EXPIRED"


class OptIn(models.Model):
    """The wish to hold a fund, which another person approves within seven days."""

    id = models.CharField(primary_key=True, max_length=24, default=object_id)
    business = models.ForeignKey(Business, on_delete=models.PROTECT, related_name="+")
    ref = models.CharField(max_length=32)
    account = models.ForeignKey(FundAccount, on_delete=models.PROTECT, related_name="opt_ins")
    status = models.CharField(max_length=8, choices=OptInStatus.choices, default=OptInStatus.PENDING)
    note = models.CharField(max_length=500, blank=True, default="")
    requested_by = models.CharField(max_length=80)
    maker_ids = ArrayField(models.CharField(max_length=24), default=list)
    approval_id = models.CharField(max_length=24, blank=True, default="", help_text="the mandate's request for votes")
    decided_by = models.CharField(max_length=80, blank=True, default="")
    decided_at = models.DateTimeField(null=True)
    expires_at = models.DateTimeField()
    version = models.PositiveIntegerField(default=1)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["business", "ref"], name="opt_in_ref_once")]
        indexes = [models.Index(fields=["expires_at"], condition=Q(status="PENDING"), name="opt_in_due")]

    def __str__(self) -> str:
        return f"{self.ref}: {self.status}"


class MovementKind(models.TextChoices):
    """TOP_UP moves cash to the account's investment wallet; INVEST turns cash into units, WITHDRAW units into cash."""

    INVEST = "INVEST"
    TOP_UP = "TOP_UP"
    WITHDRAW = "WITHDRAW"
    INTEREST = "INTEREST"


class MovementStatus(models.TextChoices):
    """See transitions.py. REQUESTED waits for its value date, PROCESSING for the fund manager."""

    PENDING_APPROVAL = "PENDING_APPROVAL"
    REQUESTED = "REQUESTED"
    PROCESSING = "PROCESSING"
    SETTLED = "SETTLED"
    FAILED = "FAILED"
    CANCELLED = "CANCELLED"


OPEN_MOVEMENTS = ("PENDING_APPROVAL", "REQUESTED", "PROCESSING")


class Movement(models.Model):
    """Money or units that move in a fund account. Of a withdrawal the units are fixed, and the amount when it settles."""

    id = models.CharField(primary_key=True, max_length=24, default=object_id)
    account = models.ForeignKey(FundAccount, on_delete=models.PROTECT, related_name="movements", db_index=False)
    business = models.ForeignKey(Business, on_delete=models.PROTECT, related_name="+", db_index=False)
    ref = models.CharField(max_length=32)
    kind = models.CharField(max_length=8, choices=MovementKind.choices)
    status = models.CharField(max_length=16, choices=MovementStatus.choices)
    amount_minor = models.BigIntegerField()
    units = fraction(default=Decimal(0))
    price = fraction(null=True)
    # Where the money comes from or goes to: a wallet of the business, or the account's own investment wallet.
    wallet = models.ForeignKey(Wallet, null=True, on_delete=models.PROTECT, related_name="+")
    value_date = models.DateField()
    requested_by = models.CharField(max_length=80)
    ledger_hold_id = models.BigIntegerField(null=True)
    ledger_transaction_id = models.BigIntegerField(null=True)
    provider_ref = models.CharField(max_length=40, blank=True, default="")
    failure_code = models.CharField(max_length=40, blank=True, default="")
    sent_at = models.DateTimeField(null=True)
    version = models.PositiveIntegerField(default=1)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["business", "ref"], name="movement_ref_once"),
            models.CheckConstraint(condition=Q(amount_minor__gte=0, units__gte=0), name="movement_amounts"),
        ]
        indexes = [
            models.Index(fields=["account", "-created_at", "-id"], name="movement_newest"),
            models.Index(
                fields=["value_date"], condition=Q(status__in=["REQUESTED", "PROCESSING"]), name="movement_due"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.ref}: {self.status}"


class Valuation(models.Model):
    """What a fund account was worth at the end of a day."""

    id = models.BigAutoField(primary_key=True)
    account = models.ForeignKey(FundAccount, on_delete=models.CASCADE, related_name="valuations", db_index=False)
    day = models.DateField()
    units = fraction()
    price = fraction()
    book_minor = models.BigIntegerField(help_text="what was paid for the units, with interest paid in units")
    market_minor = models.BigIntegerField(help_text="the units at the day's price, with what had accrued")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["account", "day"], name="valuation_once")]

    def __str__(self) -> str:
        return f"{self.day}: {self.market_minor}"
