"""The fields of what the serializers of cards answer, as the interface names them."""

from datetime import datetime
from decimal import Decimal
from typing import TypedDict

from service.cards.controls import CheckShape
from service.respond import JsonObject


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
    controls: JsonObject
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


class TransactionShape(TypedDict):
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
