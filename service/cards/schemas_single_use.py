"""Requests for single-use cards, and the policy about them, on the wire."""

from datetime import datetime
from decimal import Decimal
from typing import Literal

from ninja import Schema
from pydantic import ConfigDict, Field, model_validator

from service import inputs, money
from service.cards.schemas import Sentence
from service.cards.schemas_controls import Closed, Minor
from service.pagination import Envelope, PageQuery
from service.text import Code, ObjectId, Reason, Words


class RequestQuery(PageQuery):
    """Filters of the requests for single-use cards: whose, and in which state."""

    status: Literal["PENDING", "APPROVED", "REJECTED", "CANCELLED", "EXPIRED"] | None = None
    employee_id: ObjectId | None = None


class NewRequest(Closed):
    """A card for one purchase of at most (LTE) or exactly (EQUALS) an amount, at any merchant unless one is named."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"examples": [{"amount": 5000, "purpose": "Conference ticket", "org_wallet_ref": "1"}]},
    )

    amount: inputs.Number = Field(gt=0, le=10**13)
    purpose: Sentence = Field(min_length=1)
    org_wallet_ref: Code = "1"
    comparison: Literal["LTE", "EQUALS"] = "LTE"
    merchant: Words | None = None


class Decide(Closed):
    """approve and reject are somebody else's to say; cancel is for whoever asked, or an admin. A rejection has a reason."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"action": "approve"}]})

    action: Literal["approve", "reject", "cancel"]
    reason: Reason | None = None

    @model_validator(mode="after")
    def rejection_needs_reason(self) -> "Decide":
        """What the person will read."""
        if self.action == "reject" and not self.reason:
            raise ValueError("reason: say why it is rejected.")
        return self


class RequestOut(Schema):
    """A request; `approval_id` where a mandate asks for votes, `card_id` once it is approved."""

    id: str = Field(alias="_id")
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
    createdAt: datetime  # noqa: N815  the published spelling
    updatedAt: datetime  # noqa: N815


class RequestPage(Envelope):
    """A page of the requests for single-use cards."""

    docs: list[RequestOut]


class CurrencyLimit(Closed):
    """Of a currency, in minor units: what may be asked for, and up to what nobody needs to approve."""

    currency: str = Field(pattern="^[A-Z]{3}$")
    max_amount: Minor
    auto_approve_up_to: inputs.Whole = Field(default=0, ge=0, le=inputs.LARGEST)

    @model_validator(mode="after")
    def consistent(self) -> "CurrencyLimit":
        """A known currency, and nothing approved by itself that may not be asked for."""
        if self.currency not in money.CURRENCIES:
            raise ValueError("currency: there is no such currency.")
        if self.auto_approve_up_to > self.max_amount:
            raise ValueError("auto_approve_up_to lies above max_amount.")
        return self


class PolicyChange(Closed):
    """The whole policy. With `version`, only if nobody has changed it since. A currency without limits is not bounded."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"examples": [{"enabled": True, "limits": [{"currency": "KES", "max_amount": 5000000}]}]},
    )

    enabled: bool
    limits: list[CurrencyLimit] = Field(default_factory=list, max_length=50)
    valid_days: inputs.Whole = Field(default=30, ge=1, le=365)
    max_open: inputs.Whole = Field(default=5, ge=1, le=100)
    version: inputs.Whole | None = Field(default=None, ge=1, le=2_000_000_000)

    @model_validator(mode="after")
    def check_currencies_differ(self) -> "PolicyChange":
        """Refuses two entries for one currency."""
        if len({limit.currency for limit in self.limits}) != len(self.limits):
            raise ValueError("limits: a currency is named twice.")
        return self


class SingleUsePolicyOut(Schema):
    """How single-use cards are asked for in the business."""

    enabled: bool
    limits: list[CurrencyLimit]
    valid_days: int
    max_open: int
    version: int
