"""Uses of cards on the wire: the decision `{approved, code, checks}`, what became of it, and a purchase to try out."""

from datetime import datetime
from decimal import Decimal
from typing import Literal

from ninja import Schema
from pydantic import ConfigDict, Field, field_validator, model_validator

from service import inputs
from service.cards.schemas_controls import CardChannel, Closed, Controls, Country, Mcc
from service.pagination import Envelope, PageQuery
from service.text import ObjectId, Words

Status = Literal["DECLINED", "APPROVED", "CAPTURED", "REVERSED", "EXPIRED"]


class AuthorizationQuery(PageQuery):
    """Which uses: of one card, in one state."""

    card_id: ObjectId | None = None
    status: Status | None = None


class Terminal(Closed):
    """What a merchant's terminal tells of a purchase."""

    card_id: ObjectId
    amount: inputs.Number = Field(gt=0, le=10**13)
    merchant: Words
    merchant_id: Words | None = None
    mcc: Mcc | None = None
    country: Country = "KE"
    channel: CardChannel = "CARD_PRESENT"
    at: inputs.Moment | None = None

    @field_validator("at")
    @classmethod
    def within_reason(cls, at: datetime | None) -> datetime | None:
        """A moment that calendars know."""
        if at and not 2000 <= at.year < 2100:
            raise ValueError("at: between the years 2000 and 2100.")
        return at


class Trial(Terminal):
    """A purchase to try out, at any moment; with `controls` under these instead of those that the card has, with
    `funding` spending that instead (for those who see wallets)."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [
                {
                    "card_id": "0192f0c0ffee000012345678",
                    "amount": 1250,
                    "merchant": "Java House",
                    "controls": {"per_transaction_limit": 100000},
                }
            ]
        },
    )

    controls: Controls | None = None
    funding: Literal["ALLOCATION", "BUSINESS_WALLET"] | None = None


class Purchase(Terminal):
    """A use of a card. With `dry_run` it is only tried out: what would be said, and nothing stays.

    Without, it is played as the card network would: `settle` takes the money at once, `force_post` without asking.
    """

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [
                {"card_id": "0192f0c0ffee000012345678", "amount": 1250, "merchant": "Java House", "dry_run": True}
            ]
        },
    )

    dry_run: bool = False
    settle: bool = False
    force_post: bool = False

    @model_validator(mode="after")
    def check_dry_run_alone(self) -> "Purchase":
        """What is tried out is neither settled nor forced, and what is forced is not backdated."""
        if self.dry_run and (self.settle or self.force_post):
            raise ValueError("dry_run: what is tried out takes no money.")
        if self.at and not self.dry_run:
            raise ValueError("at: only a purchase that is tried out may lie at another time.")
        return self


class ClearingBody(Closed):
    """What the network presents for a use whose money is held. Amounts as numbers of its currency.

    CAPTURE takes an amount (all that is held without one; `final` gives back the rest), REVERSE gives back an amount or
    all, INCREASE asks for more.
    """

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"kind": "CAPTURE", "amount": 500, "final": False}]}
    )

    kind: Literal["CAPTURE", "REVERSE", "INCREASE"]
    amount: inputs.Number | None = Field(default=None, gt=0, le=10**13)
    final: bool = True

    @model_validator(mode="after")
    def an_increase_has_an_amount(self) -> "ClearingBody":
        """Refuses an increase of a hold that does not say by how much."""
        if self.kind == "INCREASE" and self.amount is None:
            raise ValueError("amount: by how much?")
        return self


class CheckOut(Schema):
    """One check of a use of a card, and the code of why it did not pass."""

    check: str
    passed: bool
    code: str


class AuthorizationOut(Schema):
    """A use of a card. A purchase that was tried out has no _id. `reason` says a decline in words.

    `funding` is what the card spent when it was used; `remaining` what was left of that, where too little was: of a
    wallet of the business only for those who see wallets.
    """

    id: str | None = Field(alias="_id")
    card_id: str
    last_four: str
    employee_id: str
    approved: bool
    status: str
    code: str | None
    reason: str | None
    checks: list[CheckOut]
    amount: Decimal
    amount_minor: int
    captured: Decimal
    captured_minor: int
    currency: str
    funding: Literal["ALLOCATION", "BUSINESS_WALLET"]
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
    createdAt: datetime  # noqa: N815  the published spelling
    updatedAt: datetime  # noqa: N815


class AuthorizationPage(Envelope):
    """A page of the uses of cards, declined ones among them."""

    docs: list[AuthorizationOut]


class CardTransaction(Schema):
    """Money that a card spent or is about to: PENDING until the merchant takes it."""

    id: str = Field(alias="_id")
    card_id: str
    status: Literal["PENDING", "POSTED", "REVERSED", "EXPIRED"]
    amount: Decimal
    amount_minor: int
    currency: str
    merchant: str
    mcc: str
    country: str
    channel: str
    expense_id: str | None
    transaction_date: datetime
    createdAt: datetime  # noqa: N815
    updatedAt: datetime  # noqa: N815


class CardTransactionPage(Envelope):
    """A page of what one card was used for."""

    docs: list[CardTransaction]


STATES = {"APPROVED": "PENDING", "CAPTURED": "POSTED", "REVERSED": "REVERSED", "EXPIRED": "EXPIRED"}
