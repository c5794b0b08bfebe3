"""Cards, what they may be used for, each time one was used, and what people ask for: physical and single-use cards."""

from django.db import models
from django.db.models import Q

from service.accounts.models import Funding
from service.businesses.models import Business, Employee
from service.expenses.models import Expense
from service.ids import object_id


class CardStatus(models.TextChoices):
    """The states of decisions B.7; service/cards/transitions.py says what leads where."""

    REQUESTED = "REQUESTED", "Ordered, not approved yet"
    REJECTED = "REJECTED", "Order rejected"
    ORDERED = "ORDERED", "On its way"
    INACTIVE = "INACTIVE", "Delivered, not activated"
    ACTIVE = "ACTIVE", "Active"
    BLOCKED = "BLOCKED", "Blocked"
    RETIRED = "RETIRED", "Closed for good"
    EXPIRED = "EXPIRED", "Expired"


class Blocker(models.TextChoices):
    """On whose side a block is: it decides who may lift it."""

    USER = "USER", "The holder"
    ADMIN = "ADMIN", "Somebody else of the business"
    SYSTEM = "SYSTEM", "The platform"


class Card(models.Model):
    """A card of an employee, on one wallet of the business. Its number is never here: a token stands for it.

    `funding` says what it spends: the holder's allocation in the card's currency, or that wallet itself, which needs a
    limit over time for all purchases (a constraint of the table: migration 0005).
    """

    class Type(models.TextChoices):
        """What a card is: a number alone, plastic, or a number for one purchase."""

        VIRTUAL = "VIRTUAL", "Virtual"
        PHYSICAL = "PHYSICAL", "Physical"
        SINGLE_USE = "SINGLE_USE", "Closed after the first use"

    id = models.CharField(primary_key=True, max_length=24, default=object_id)
    business = models.ForeignKey(Business, on_delete=models.CASCADE, related_name="cards")
    employee = models.ForeignKey(Employee, on_delete=models.PROTECT, related_name="cards")
    type = models.CharField(max_length=12, choices=Type.choices, default=Type.VIRTUAL)
    status = models.CharField(max_length=12, choices=CardStatus.choices, default=CardStatus.ACTIVE)
    blocked_by = models.CharField(max_length=10, blank=True, default="")
    # Who blocked it, as Caller.label says it: an employee's id, or a client by its public name.
    blocker = models.CharField(max_length=80, blank=True, default="")
    reason = models.CharField(max_length=500, blank=True, default="")
    org_wallet_ref = models.CharField(max_length=40)
    currency = models.CharField(max_length=3)
    funding = models.CharField(max_length=16, choices=Funding.choices, default=Funding.ALLOCATION)
    name = models.CharField(max_length=100)
    token = models.CharField(max_length=60, unique=True)
    last_four = models.CharField(max_length=4)
    brand = models.CharField(max_length=20, default="VISA")
    expiry_month = models.PositiveSmallIntegerField()
    expiry_year = models.PositiveSmallIntegerField()
    # The controls as the interface takes them (service/cards/controls.py reads them).
    controls = models.JSONField(default=dict, blank=True)
    replaces = models.OneToOneField(
        "self", null=True, blank=True, on_delete=models.PROTECT, related_name="replacement", db_index=False
    )
    replaced_by = models.CharField(max_length=24, blank=True, default="")
    # The first card of a line of reissued ones, empty for the first itself: their uses count together.
    lineage = models.CharField(max_length=24, blank=True, default="")
    created_by = models.CharField(max_length=80, blank=True, default="")
    version = models.PositiveIntegerField(default=1)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        indexes = [
            models.Index(fields=["business", "-created_at", "-id"], name="card_newest"),
            models.Index(fields=["employee", "-created_at", "-id"], name="card_of_employee"),
            models.Index(fields=["lineage"], condition=~Q(lineage=""), name="card_lineage"),
            models.Index(fields=["expiry_year", "expiry_month"], condition=Q(status="ACTIVE"), name="card_expiring"),
        ]

    def __str__(self) -> str:
        return f"{self.name} …{self.last_four}"


class Authorization(models.Model):
    """One use of a card: allowed with a hold, or declined with the code that says why.

    `amount_minor` is what the merchant may take in all; `captured_minor` what was taken. `funding` is what the card
    spent when it was used; `remaining_minor` what that had left, where it was declined for want of it.
    """

    class Status(models.TextChoices):
        """What became of a use of a card: declined, or what its hold has come to."""

        DECLINED = "DECLINED", "Declined"
        APPROVED = "APPROVED", "Money is held"
        CAPTURED = "CAPTURED", "Money was taken"
        REVERSED = "REVERSED", "The hold was given back"
        EXPIRED = "EXPIRED", "The hold has run out"

    id = models.CharField(primary_key=True, max_length=24, default=object_id)
    business = models.ForeignKey(Business, on_delete=models.CASCADE, related_name="+", db_index=False)
    card = models.ForeignKey(Card, on_delete=models.PROTECT, related_name="authorizations", db_index=False)
    status = models.CharField(max_length=10, choices=Status.choices)
    code = models.CharField(max_length=30, blank=True, default="")
    checks = models.JSONField(default=list)
    amount_minor = models.BigIntegerField()
    captured_minor = models.BigIntegerField(default=0)
    currency = models.CharField(max_length=3)
    funding = models.CharField(max_length=16, choices=Funding.choices, default=Funding.BUSINESS_WALLET)
    remaining_minor = models.BigIntegerField(null=True)
    merchant = models.CharField(max_length=150)
    merchant_id = models.CharField(max_length=60, blank=True, default="")
    mcc = models.CharField(max_length=4, blank=True, default="")
    country = models.CharField(max_length=2, blank=True, default="")
    channel = models.CharField(max_length=20)
    ledger_hold_id = models.BigIntegerField(null=True)
    expires_at = models.DateTimeField(null=True)
    expense = models.ForeignKey(Expense, null=True, on_delete=models.PROTECT, related_name="+")
    version = models.PositiveIntegerField(default=1)
    created_at = models.DateTimeField()
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        indexes = [
            models.Index(fields=["card", "created_at"], name="authorization_of_card"),
            models.Index(fields=["business", "-created_at", "-id"], name="authorization_newest"),
            models.Index(fields=["expires_at"], condition=Q(status="APPROVED"), name="authorization_expiring"),
        ]

    def __str__(self) -> str:
        return f"{self.status} {self.amount_minor} {self.currency}"


class Capture(models.Model):
    """Money that a merchant took: each taking is a posting and an expense of its own.

    `effect` names the request that it came with (service/effects.py), empty where there was no key.
    """

    id = models.BigAutoField(primary_key=True)
    authorization = models.ForeignKey(Authorization, on_delete=models.CASCADE, related_name="captures")
    expense = models.ForeignKey(Expense, on_delete=models.PROTECT, related_name="+")
    amount_minor = models.BigIntegerField()
    ledger_transaction_id = models.BigIntegerField()
    effect = models.CharField(max_length=24, blank=True, default="")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["authorization", "effect"], condition=~Q(effect=""), name="capture_once_per_request"
            )
        ]

    def __str__(self) -> str:
        return f"{self.amount_minor} of {self.authorization_id}"


class OrderStatus(models.TextChoices):
    """Where the order of a physical card stands; it moves together with its card."""

    REQUESTED = "REQUESTED", "Waits for approval"
    REJECTED = "REJECTED", "Rejected"
    ORDERED = "ORDERED", "Being made"
    SHIPPED = "SHIPPED", "On its way"
    DELIVERED = "DELIVERED", "Delivered"
    CANCELLED = "CANCELLED", "The card was closed before it came"


class CardOrder(models.Model):
    """Somebody wants a physical card: its card exists from the beginning, REQUESTED."""

    id = models.CharField(primary_key=True, max_length=24, default=object_id)
    business = models.ForeignKey(Business, on_delete=models.CASCADE, related_name="+", db_index=False)
    card = models.OneToOneField(Card, on_delete=models.PROTECT, related_name="order")
    status = models.CharField(max_length=10, choices=OrderStatus.choices, default=OrderStatus.REQUESTED)
    shipping = models.JSONField(null=True)
    requested_by = models.CharField(max_length=80)
    decided_by = models.CharField(max_length=80, blank=True, default="")
    decided_at = models.DateTimeField(null=True)
    reason = models.CharField(max_length=500, blank=True, default="")
    shipped_at = models.DateTimeField(null=True)
    delivered_at = models.DateTimeField(null=True)
    version = models.PositiveIntegerField(default=1)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        indexes = [
            models.Index(fields=["business", "-created_at", "-id"], name="card_order_newest"),
            models.Index(
                fields=["decided_at"], condition=Q(status__in=["ORDERED", "SHIPPED"]), name="card_order_moving"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.id} {self.status}"


class RequestStatus(models.TextChoices):
    """Where a request for a single-use card stands."""

    PENDING = "PENDING", "Waits for a decision"
    APPROVED = "APPROVED", "Approved: the card is there"
    REJECTED = "REJECTED", "Rejected"
    CANCELLED = "CANCELLED", "Withdrawn"
    EXPIRED = "EXPIRED", "Nobody decided in time"


class SingleUseRequest(models.Model):
    """Somebody asks for a card for one purchase of at most (or exactly) an amount."""

    id = models.CharField(primary_key=True, max_length=24, default=object_id)
    business = models.ForeignKey(Business, on_delete=models.CASCADE, related_name="+", db_index=False)
    employee = models.ForeignKey(Employee, on_delete=models.PROTECT, related_name="+")
    org_wallet_ref = models.CharField(max_length=40)
    currency = models.CharField(max_length=3)
    amount_minor = models.BigIntegerField()
    comparison = models.CharField(max_length=6, default="LTE")
    merchant = models.CharField(max_length=100, blank=True, default="")
    purpose = models.CharField(max_length=300)
    status = models.CharField(max_length=10, choices=RequestStatus.choices, default=RequestStatus.PENDING)
    approval_id = models.CharField(max_length=24, blank=True, default="")
    card = models.OneToOneField(Card, null=True, on_delete=models.PROTECT, related_name="request")
    decided_by = models.CharField(max_length=80, blank=True, default="")
    decided_at = models.DateTimeField(null=True)
    reason = models.CharField(max_length=500, blank=True, default="")
    version = models.PositiveIntegerField(default=1)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        indexes = [models.Index(fields=["business", "-created_at", "-id"], name="single_use_newest")]

    def __str__(self) -> str:
        return f"{self.amount_minor} {self.currency} {self.status}"


class SingleUsePolicy(models.Model):
    """What a business lets people ask for; one without a row has the defaults."""

    business = models.OneToOneField(Business, primary_key=True, on_delete=models.CASCADE, related_name="+")
    enabled = models.BooleanField(default=True)
    # Per currency, in minor units: {"currency", "max_amount", "auto_approve_up_to"}.
    limits = models.JSONField(default=list)
    valid_days = models.PositiveSmallIntegerField(default=30)
    max_open = models.PositiveSmallIntegerField(default=5)
    version = models.PositiveIntegerField(default=1)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        verbose_name_plural = "single-use policies"

    def __str__(self) -> str:
        return f"single use of {self.business_id}"
