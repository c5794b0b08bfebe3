"""Cards on the wire (decisions B.7)."""

from datetime import datetime
from decimal import Decimal
from typing import Annotated, Any, Literal

from ninja import Schema
from pydantic import ConfigDict, Field, model_validator

from service import inputs
from service.cards.schemas_controls import Closed, Controls, Country
from service.pagination import Envelope
from service.text import Code, ObjectId, Phone, Reason, Words

__all__ = ["Controls", "NewCard"]

Sentence = Annotated[inputs.Sentences, Field(max_length=300)]


class ShippingAddress(Closed):
    """Where a physical card goes."""

    name: Words
    street: Words
    city: Words
    postal_code: Code | None = None
    country: Country
    phone: Phone | None = None


class NewCard(Closed):
    """A card to make. A virtual one is active at once; for a physical one this is an order, which somebody approves.

    It spends its holder's allocation, or with BUSINESS_WALLET (set by an admin, with a limit over time) the wallet itself.
    """

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [
                {
                    "employee_id": "0192f0c0ffee000012345678",
                    "org_wallet_ref": "1",
                    "name": "Fuel",
                    "type": "PHYSICAL",
                    "controls": {"per_transaction_limit": 500000},
                }
            ]
        },
    )

    employee_id: ObjectId
    name: Words
    org_wallet_ref: Code = "1"
    type: Literal["VIRTUAL", "PHYSICAL", "SINGLE_USE"] = "VIRTUAL"
    funding: Literal["ALLOCATION", "BUSINESS_WALLET"] = "ALLOCATION"
    controls: Controls = Field(default_factory=Controls)
    shipping: ShippingAddress | None = None

    @model_validator(mode="after")
    def only_plastic_is_shipped(self) -> "NewCard":
        """An address is for a physical card."""
        if self.shipping and self.type != "PHYSICAL":
            raise ValueError("shipping: only a physical card is shipped.")
        return self


class CardChange(Closed):
    """What to change: controls are replaced whole. With `version`, only if nobody has changed the card since."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"examples": [{"name": "Fuel", "controls": {"per_transaction_limit": 500000}, "version": 1}]},
    )

    name: Words | None = None
    funding: Literal["ALLOCATION", "BUSINESS_WALLET"] | None = None
    controls: Controls | None = None
    version: inputs.Whole | None = Field(default=None, ge=1, le=2_000_000_000)

    @model_validator(mode="after")
    def changes_a_field(self) -> "CardChange":
        """Refuses a body that changes nothing: at least one field is needed."""
        if self.name is None and self.controls is None and self.funding is None:
            raise ValueError("Name what to change.")
        return self


class Why(Closed):
    """Why a card is blocked, retired or reissued, for the record."""

    reason: Reason | None = None


class CardTeam(Schema):
    """The team of whoever has a card."""

    id: str = Field(alias="_id")
    name: str
    code: str


class Spend(Schema):
    """What was spent with the card in the running day and month, and ever; numbers in the card's currency."""

    day: Decimal
    month: Decimal
    lifetime: Decimal


class Allocation(Schema):
    """What the holder's employee wallet has in the card's currency, for all of their cards; `on_hold` waits for
    merchants to take it."""

    available: Decimal
    available_minor: int
    on_hold: Decimal
    on_hold_minor: int


class CardOut(Schema):
    """A card; its number is never shown. `allocation` is null where it spends from a wallet of the business."""

    id: str = Field(alias="_id")
    type: str
    status: str
    blocked_by: str | None
    blocked_by_id: str | None
    reason: str | None
    employee_id: str
    person: str
    team: CardTeam | None
    org_wallet_ref: str
    currency: str
    funding: Literal["ALLOCATION", "BUSINESS_WALLET"]
    allocation: Allocation | None
    name: str
    last_four: str
    brand: str
    expiry_month: int
    expiry_year: int
    card_vcn: str
    controls: dict[str, Any]
    spend: Spend
    replaces: str | None
    replaced_by: str | None
    version: int
    createdAt: datetime  # noqa: N815  the published spelling
    updatedAt: datetime  # noqa: N815


class CardPage(Envelope):
    """A page of the cards that the caller may see."""

    docs: list[CardOut]


class LimitLeft(Schema):
    """A limit over time as it stands now; `resets_at` is null for one that never begins anew."""

    interval: str
    mcc: list[str]
    amount: Decimal
    spent: Decimal
    remaining: Decimal
    remaining_minor: int
    resets_at: datetime | None


class CardSource(Schema):
    """What the card spends: an allocation, or a wallet of the business. What a wallet of the business has is null for
    whoever does not see wallets."""

    funding: Literal["ALLOCATION", "BUSINESS_WALLET"]
    name: str
    status: str
    available: Decimal | None
    available_minor: int | None
    on_hold: Decimal | None
    on_hold_minor: int | None


class CardBalance(Schema):
    """What a card can spend, and from what. `available`: the dearest purchase that fits now; null where only a wallet
    that the caller does not see bounds it."""

    card_id: str
    status: str
    org_wallet_ref: str
    currency: str
    source: CardSource
    held: Decimal
    held_minor: int
    spend: Spend
    per_transaction_limit: Decimal | None
    limits: list[LimitLeft]
    available: Decimal | None
    available_minor: int | None
    as_of: datetime


class Fingerprint(Schema):
    """Equal for equal card numbers; there is no way back to the number."""

    card_id: str
    fingerprint: str
    algorithm: str
