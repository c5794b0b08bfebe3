"""Cards on the wire (decisions B.7)."""

from datetime import date, datetime
from decimal import Decimal
from typing import Annotated, Any, Literal

from ninja import Schema
from pydantic import ConfigDict, Field, StringConstraints, model_validator

from service.cards.models import Card
from service.pagination import Envelope
from service.text import ObjectId, Words

Mcc = Annotated[str, StringConstraints(pattern=r"^[0-9]{4}$")]
Country = Annotated[str, StringConstraints(pattern=r"^[A-Z]{2}$")]
Minor = Annotated[int, Field(ge=1, le=10**15)]
Channel = Literal["CARD_PRESENT", "ECOMMERCE", "ATM", "CONTACTLESS", "RECURRING"]


class Closed(Schema):
    """Takes its own fields and no others."""

    model_config = ConfigDict(extra="forbid")


class IntervalLimit(Closed):
    """At most `amount` minor units in a window of the business's time zone."""

    interval: Literal["PER_DAY", "PER_WEEK", "PER_MONTH", "PER_YEAR", "ALL_TIME"]
    amount: Minor
    mcc: list[Mcc] = Field(default_factory=list, max_length=100)


class MaxCount(Closed):
    """At most so many uses."""

    hour: int | None = Field(default=None, alias="1h", ge=0, le=10_000)
    day: int | None = Field(default=None, alias="24h", ge=0, le=10_000)


class SingleUse(Closed):
    """One use, of exactly or at most the amount."""

    comparison: Literal["EQUALS", "LTE"] = "LTE"
    amount: Minor


class Controls(Closed):
    """What the card may be used for. Lists that allow and block the same kind exclude each other."""

    mcc_allowed: list[Mcc] = Field(default_factory=list, max_length=300)
    mcc_blocked: list[Mcc] = Field(default_factory=list, max_length=300)
    merchants_allowed: list[Words] = Field(default_factory=list, max_length=300)
    merchants_blocked: list[Words] = Field(default_factory=list, max_length=300)
    countries_allowed: list[Country] = Field(default_factory=list, max_length=250)
    countries_blocked: list[Country] = Field(default_factory=list, max_length=250)
    channels_allowed: list[Channel] = Field(default_factory=list)
    per_transaction_limit: Minor | None = None
    limits: list[IntervalLimit] = Field(default_factory=list, max_length=20)
    max_count: MaxCount | None = None
    single_use: SingleUse | None = None
    auto_lock_at: date | None = None

    @model_validator(mode="after")
    def one_kind_of_list(self) -> "Controls":
        """Refuses MCC lists that both allow and block."""
        if self.mcc_allowed and self.mcc_blocked:
            raise ValueError("mcc_allowed and mcc_blocked exclude each other.")
        return self


class NewCard(Closed):
    """A card to make. A virtual one is active at once, a physical one is INACTIVE until it is delivered."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [
                {
                    "employee_id": "0192f0c0ffee000012345678",
                    "org_wallet_ref": "1",
                    "name": "Fuel",
                    "type": "VIRTUAL",
                    "controls": {"per_transaction_limit": 500000},
                }
            ]
        },
    )

    employee_id: ObjectId
    name: Words
    org_wallet_ref: str = Field(default="1", max_length=40)
    type: Literal["VIRTUAL", "PHYSICAL", "SINGLE_USE"] = "VIRTUAL"
    controls: Controls = Field(default_factory=Controls)


class CardTeam(Schema):
    id: str = Field(alias="_id")
    name: str
    code: str


class Spend(Schema):
    """What was spent with the card in the running day and month, and ever; numbers in the card's currency."""

    day: Decimal
    month: Decimal
    lifetime: Decimal


class CardOut(Schema):
    """A card; its number is never shown."""

    id: str = Field(alias="_id")
    type: str
    status: str
    blocked_by: str | None
    employee_id: str
    person: str
    team: CardTeam | None
    org_wallet_ref: str
    currency: str
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
    docs: list[CardOut]


def card(row: Card, spent: tuple[Decimal, Decimal, Decimal]) -> dict[str, Any]:
    """A card as the interface shows it; employee and team should be joined."""
    team = row.employee.team
    return {
        "_id": row.id,
        "type": row.type,
        "status": row.status,
        "blocked_by": row.blocked_by or None,
        "employee_id": row.employee_id,
        "person": row.employee.name,
        "team": {"_id": team.id, "name": team.name, "code": team.code} if team else None,
        "org_wallet_ref": row.org_wallet_ref,
        "currency": row.currency,
        "name": row.name,
        "last_four": row.last_four,
        "brand": row.brand,
        "expiry_month": row.expiry_month,
        "expiry_year": row.expiry_year,
        "card_vcn": row.token,
        "controls": row.controls,
        "spend": {"day": spent[0], "month": spent[1], "lifetime": spent[2]},
        "replaces": None,
        "replaced_by": None,
        "version": row.version,
        "createdAt": row.created_at,
        "updatedAt": row.updated_at,
    }
