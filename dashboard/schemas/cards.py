"""Cards as the service tells them (decisions B.7), and the bodies that make, change, try and ask for one."""

from datetime import datetime
from decimal import Decimal
from typing import Any, NotRequired, TypedDict

from dashboard.schemas.base import Amount, Currency, Id, ResponseSchema, Text

# What a card spends: the holder's allocation, or the wallet of the business itself.
ALLOCATION, BUSINESS_WALLET = "ALLOCATION", "BUSINESS_WALLET"


class LimitBody(TypedDict):
    """A limit over time as it is sent: the amount in minor units, the MCCs that it is for alone."""

    interval: str
    amount: int
    mcc: NotRequired[list[str]]
    counts_refunds: NotRequired[bool]


class SingleUse(TypedDict):
    """The one purchase that a card is for: LTE or EQUALS an amount in minor units."""

    comparison: str
    amount: int


# The published names are words of Python.
Hours = TypedDict("Hours", {"from": str, "to": str})
ActiveWindow = TypedDict(
    "ActiveWindow", {"from": str, "until": str, "weekdays": list[int], "hours": Hours}, total=False
)


class TemporaryLimits(TypedDict):
    """Higher limits until a moment (ISO 8601 with its zone), in minor units."""

    until: str
    per_transaction_limit: NotRequired[int]
    limits: NotRequired[list[LimitBody]]


class AmountControls(TypedDict):
    """What one purchase may cost, in minor units, and how many there may be per span (1h, 24h)."""

    per_transaction_limit: int | None
    max_count: dict[str, int]
    single_use: SingleUse | None


class PlaceControls(TypedDict):
    """MCCs, merchants, countries (ISO 3166) and channels that are allowed or blocked; empty: any."""

    mcc_allowed: list[str]
    mcc_blocked: list[str]
    merchants_allowed: list[str]
    merchants_blocked: list[str]
    countries_allowed: list[str]
    countries_blocked: list[str]
    channels_allowed: list[str]


class TimeControls(TypedDict):
    """On which days and at which hours, the day after which the card locks itself, and how soon receipts are due."""

    active_window: ActiveWindow
    auto_lock_at: str | None
    require_receipt_within_days: int | None


class CardControls(TypedDict, total=False):
    """The controls of a card as they are sent: only those that are set (interface, "Cards"; decisions B.7)."""

    per_transaction_limit: int
    max_count: dict[str, int]
    single_use: SingleUse
    limits: list[LimitBody]
    mcc_allowed: list[str]
    mcc_blocked: list[str]
    merchants_allowed: list[str]
    merchants_blocked: list[str]
    countries_allowed: list[str]
    countries_blocked: list[str]
    channels_allowed: list[str]
    active_window: ActiveWindow
    auto_lock_at: str
    require_receipt_within_days: int
    temporary: TemporaryLimits


class CardState(ResponseSchema):
    """A card before or after a change of the service's own record: what the record says of it."""

    name: Text = ""
    funding: Text = ""
    reason: Text = ""
    controls: dict[str, Any] | None = None


class CardEvent(ResponseSchema):
    """A line of the service's own record of a card; `acting_employee` or else `actor` did it."""

    action: Text = ""
    acting_employee: Text = ""
    actor: Text = ""
    at: datetime | None = None
    before: CardState | None = None
    after: CardState | None = None


class Spend(ResponseSchema):
    """What was spent with a card in the running day and month, and ever."""

    day: Amount = Decimal(0)
    month: Amount = Decimal(0)
    lifetime: Amount = Decimal(0)


class Allocation(ResponseSchema):
    """What the holder's employee wallet has for all of their cards; `on_hold` waits for merchants."""

    available: Amount
    on_hold: Amount = Decimal(0)


class Card(ResponseSchema):
    """A card. `status` is REQUESTED, ORDERED, INACTIVE, ACTIVE, BLOCKED, RETIRED, EXPIRED, or a word we do not know.

    `funding` is ALLOCATION or BUSINESS_WALLET, empty where a service does not say; `allocation` is told of the first.
    """

    id: Id
    type: Text = "VIRTUAL"
    status: Text = ""
    employee_id: Text = ""
    currency: Currency
    name: Text = ""
    last_four: Text = ""
    funding: Text = ""
    allocation: Allocation | None = None
    controls: dict[str, Any] = {}
    spend: Spend | None = None
    version: int | None = None


class LimitLeft(ResponseSchema):
    """A limit over time as it stands now; `resets_at` is None for one that never begins anew."""

    interval: Text
    mcc: list[str] = []
    amount: Amount
    spent: Amount
    remaining: Amount
    resets_at: datetime | None = None


class CardSource(ResponseSchema):
    """What a card spends; `available` and `on_hold` are None for a wallet that the asker does not see."""

    funding: Text = ""
    name: Text = ""
    status: Text = ""
    available: Amount | None = None
    on_hold: Amount | None = None


class CardBalance(ResponseSchema):
    """What a card can spend now; `available` is None where only a wallet that the asker does not see bounds it.

    `source` is None where a service does not say what the card spends.
    """

    status: Text = ""
    currency: Currency
    source: CardSource | None = None
    held: Amount = Decimal(0)
    spend: Spend
    per_transaction_limit: Amount | None = None
    limits: list[LimitLeft] = []
    available: Amount | None = None


class CardTransaction(ResponseSchema):
    """Money that a card spent or is about to: PENDING until the merchant takes it."""

    id: Id
    status: Text = ""
    amount: Amount
    currency: Currency
    merchant: Text = ""
    mcc: Text = ""
    country: Text = ""
    channel: Text = ""
    expense_id: Text = ""
    transaction_date: datetime


class Check(ResponseSchema):
    """One check of a purchase, and whether it was passed."""

    check: Text
    passed: bool
    code: Text = ""


class SimulatedPurchase(ResponseSchema):
    """What would happen to a purchase: the first check that is not passed is the rule that decides.

    `remaining` is what the source has left, where it has too little and the asker may know.
    """

    approved: bool
    code: Text = ""
    reason: Text = ""
    currency: Text = ""
    remaining: Amount | None = None
    checks: list[Check] = []


class OnceLimit(ResponseSchema):
    """Of a currency, in minor units: the most that may be asked for, and up to what nobody needs to approve."""

    currency: str
    max_amount: int
    auto_approve_up_to: int = 0


class OncePolicy(ResponseSchema):
    """How cards for one purchase are asked for in the business; a currency without a limit is not bounded."""

    enabled: bool
    limits: list[OnceLimit] = []
    valid_days: int
    max_open: int
    version: int
