"""What is sent to issue, change, order and try cards."""

from decimal import Decimal
from typing import Any, NotRequired, TypedDict

from pydantic import Field

from dashboard.schemas.base import RequestSchema
from dashboard.schemas.cards import CardControls


class NewCard(RequestSchema):
    """A card to make; a physical one is ordered, which somebody else approves."""

    employee_id: str
    name: str
    org_wallet_ref: str
    type: str
    # Beside the published fields: sent where it is not the usual one.
    funding: str | None = None
    controls: dict[str, Any] | None = None
    shipping: dict[str, str] | None = None


class CardChange(RequestSchema):
    """New controls, whole, if nobody has changed the card since that version; `funding` where that changes."""

    name: str | None = None
    funding: str | None = None
    controls: dict[str, Any]
    version: int | None = None


class Why(RequestSchema):
    """Why a card is blocked, retired or reissued."""

    reason: str | None = None


class Orders(RequestSchema):
    """Several orders of physical cards, and why not where they are rejected."""

    ids: list[str] = Field(min_length=1, max_length=200)
    reason: str | None = None


class Purchase(RequestSchema):
    """A purchase to try out, under other controls and another funding than the card's own where they are given."""

    card_id: str
    amount: Decimal
    merchant: str
    mcc: str | None = None
    country: str
    channel: str
    at: str | None = None
    controls: dict[str, Any] | None = None
    funding: str | None = None


class PurchaseBody(TypedDict):
    """The body of TRY_PURCHASE: the amount in whole units of the card's currency, `at` in ISO 8601 (None: now), and the
    controls and the funding to try where they are not the card's own."""

    card_id: str
    amount: Decimal
    merchant: str
    mcc: str | None
    country: str
    channel: str
    at: str | None
    controls: NotRequired[CardControls]
    funding: NotRequired[str | None]


class NewPhysicalCard(RequestSchema):
    """The body of a request for a physical card."""

    name: str
    org_wallet_ref: str
    shipping: dict[str, str] | None = None


class NewSingleUseCard(RequestSchema):
    """The body of a request for a single-use card."""

    amount: Decimal
    purpose: str
    org_wallet_ref: str
    comparison: str
    merchant: str | None = None


class TakeBack(RequestSchema):
    """A request that is taken back."""

    action: str = "cancel"


class OncePolicyChange(RequestSchema):
    """The whole policy, if nobody has changed it since that version."""

    enabled: bool
    limits: list[dict[str, Any]]
    valid_days: int
    max_open: int
    version: int


class Shipping(TypedDict):
    """Where a physical card is shipped to; `country` is its ISO 3166 code."""

    name: str
    street: str
    city: str
    country: str


class PhysicalCardBody(TypedDict):
    """The body of REQUEST_PHYSICAL_CARD; without `shipping` the card is collected."""

    name: str
    org_wallet_ref: str
    shipping: Shipping | None


class SingleUseCardBody(TypedDict):
    """The body of REQUEST_SINGLE_USE_CARD: the amount in whole units of the wallet's currency, any merchant for None."""

    purpose: str
    amount: Decimal
    comparison: str
    merchant: str | None
    org_wallet_ref: str


class CreateCardBody(TypedDict):
    """The body of CREATE_CARD; `funding` is None for the usual one, `shipping` where it is collected or virtual."""

    employee_id: str
    name: str
    org_wallet_ref: str
    type: str
    funding: str | None
    controls: CardControls | None
    shipping: NotRequired[Shipping | None]
