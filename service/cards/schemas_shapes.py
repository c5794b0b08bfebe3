"""The fields of what cards answer and of the controls that they store, as the interface names them."""

from datetime import datetime
from decimal import Decimal
from typing import Required, TypedDict

from service.respond import JsonObject


class LimitControls(TypedDict, total=False):
    """A limit over time as it is stored: at most `amount` minor units in a window of `interval`, of all merchant codes or
    of those in `mcc`; `counts_refunds` gives back what was refunded."""

    interval: Required[str]
    amount: Required[int]
    mcc: list[str]
    counts_refunds: bool


class SingleUseControls(TypedDict, total=False):
    """One use, of exactly (EQUALS) or at most (LTE) an amount in minor units; of any where none is named."""

    comparison: str
    amount: int


class TemporaryControls(TypedDict, total=False):
    """Higher limits until a moment in ISO 8601."""

    per_transaction_limit: int | None
    limits: list[LimitControls]
    until: Required[str]


# These keys are no names of Python: a TypedDict can have them in this form alone.
HoursControls = TypedDict("HoursControls", {"from": str, "to": str})
MaxCountControls = TypedDict("MaxCountControls", {"1h": int | None, "24h": int | None}, total=False)
_From = TypedDict("_From", {"from": str | None}, total=False)


class WindowControls(_From, total=False):
    """When a card may be used: inclusive days in ISO 8601, weekdays (1 is Monday), hours of the day."""

    until: str | None
    weekdays: list[int]
    hours: HoursControls | None


class ControlsShape(TypedDict, total=False):
    """The controls of a card as they are stored and shown: schemas_controls.Controls without what it leaves unset."""

    mcc_allowed: list[str]
    mcc_blocked: list[str]
    merchants_allowed: list[str]
    merchants_blocked: list[str]
    countries_allowed: list[str]
    countries_blocked: list[str]
    channels_allowed: list[str]
    per_transaction_limit: int | None
    limits: list[LimitControls]
    max_count: MaxCountControls | None
    single_use: SingleUseControls | None
    active_window: WindowControls | None
    auto_lock_at: str | None
    require_receipt_within_days: int | None
    temporary: TemporaryControls | None


class CheckShape(TypedDict):
    """A check as it is stored and shown; `code` is empty where it was passed."""

    check: str
    passed: bool
    code: str


class AllocationShape(TypedDict):
    """What is allocated, as the interface shows it."""

    available: Decimal
    available_minor: int
    on_hold: Decimal
    on_hold_minor: int


class TeamRefShape(TypedDict):
    """The team that somebody is in."""

    _id: str
    name: str
    code: str


class SpendShape(TypedDict):
    """What a card was used for: today, this month, and ever."""

    day: Decimal
    month: Decimal
    lifetime: Decimal


class CardSourceShape(TypedDict):
    """What a card spends; what a wallet of the business has is None for whoever does not see wallets."""

    funding: str
    name: str
    status: str
    available: Decimal | None
    available_minor: int | None
    on_hold: Decimal | None
    on_hold_minor: int | None


class LimitLeftShape(TypedDict):
    """A limit over time as it stands now; `resets_at` is None for one that never begins anew."""

    interval: str
    mcc: list[str]
    amount: Decimal
    spent: Decimal
    remaining: Decimal
    remaining_minor: int
    resets_at: datetime | None


class CardBalanceShape(TypedDict):
    """What a card can spend as the interface shows it; `available` is None where only a wallet that the caller does not
    see bounds it."""

    card_id: str
    status: str
    org_wallet_ref: str
    currency: str
    source: CardSourceShape
    held: Decimal
    held_minor: int
    spend: SpendShape
    per_transaction_limit: Decimal | None
    limits: list[LimitLeftShape]
    available: Decimal | None
    available_minor: int | None
    as_of: datetime


class CardShape(TypedDict):
    """A card as the interface shows it."""

    _id: str
    type: str
    status: str
    blocked_by: str | None
    blocked_by_id: str | None
    reason: str | None
    employee_id: str
    person: str
    team: TeamRefShape | None
    org_wallet_ref: str
    currency: str
    funding: str
    allocation: AllocationShape | None
    name: str
    last_four: str
    brand: str
    expiry_month: int
    expiry_year: int
    card_vcn: str
    controls: ControlsShape
    spend: SpendShape
    replaces: str | None
    replaced_by: str | None
    version: int
    createdAt: datetime
    updatedAt: datetime
    updated_at: datetime


class AuthorizationShape(TypedDict):
    """The decision as the interface shows it, and what it was about."""

    _id: str
    card_id: str
    last_four: str
    employee_id: str
    approved: bool
    status: str
    code: str | None
    reason: str | None
    checks: list[CheckShape]
    amount: Decimal
    amount_minor: int
    captured: Decimal
    captured_minor: int
    currency: str
    funding: str
    remaining: Decimal | None
    remaining_minor: int | None
    merchant: str
    merchant_id: str
    mcc: str
    country: str
    channel: str
    expense_id: str | None
    expires_at: datetime | None
    version: int
    createdAt: datetime
    updatedAt: datetime
    updated_at: datetime


class CardTransactionShape(TypedDict):
    """A use that was allowed, as a transaction of the card."""

    _id: str
    card_id: str
    status: str
    amount: Decimal
    amount_minor: int
    currency: str
    merchant: str
    mcc: str
    country: str
    channel: str
    expense_id: str | None
    transaction_date: datetime
    createdAt: datetime
    updatedAt: datetime


class SingleUseRequestShape(TypedDict):
    """A request as the interface shows it."""

    _id: str
    status: str
    employee_id: str
    person: str
    team_id: str | None
    org_wallet_ref: str
    currency: str
    amount: Decimal
    amount_minor: int
    comparison: str
    merchant: str | None
    purpose: str
    approval_id: str | None
    card_id: str | None
    decided_by: str | None
    decided_at: datetime | None
    reason: str | None
    version: int
    createdAt: datetime
    updatedAt: datetime
    updated_at: datetime


class SingleUsePolicyShape(TypedDict):
    """The policy as the interface shows it."""

    enabled: bool
    limits: list[JsonObject]
    valid_days: int
    max_open: int
    version: int


class OrderShape(TypedDict):
    """An order as the interface shows it."""

    _id: str
    status: str
    card: CardShape
    shipping: JsonObject | None
    requested_by: str
    decided_by: str | None
    decided_at: datetime | None
    reason: str | None
    shipped_at: datetime | None
    delivered_at: datetime | None
    version: int
    createdAt: datetime
    updatedAt: datetime
    updated_at: datetime
