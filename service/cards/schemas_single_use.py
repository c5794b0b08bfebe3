"""Requests for single-use cards, and the policy about them, on the wire."""

from datetime import datetime
from decimal import Decimal
from typing import Any, Literal

from ninja import Schema
from pydantic import ConfigDict, Field, model_validator

from service import inputs, money
from service.cards.models import SingleUsePolicy, SingleUseRequest
from service.cards.schemas import Sentence
from service.cards.schemas_controls import Closed, Minor
from service.money import to_number
from service.pagination import Envelope, PageQuery
from service.text import Code, ObjectId, Words


class RequestQuery(PageQuery):
    """Which requests."""

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
    reason: Sentence | None = None

    @model_validator(mode="after")
    def a_rejection_says_why(self) -> "Decide":
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
    def once_each(self) -> "PolicyChange":
        """One entry per currency."""
        if len({each.currency for each in self.limits}) != len(self.limits):
            raise ValueError("limits: a currency is named twice.")
        return self


class SingleUsePolicyOut(Schema):
    """How single-use cards are asked for in the business."""

    enabled: bool
    limits: list[CurrencyLimit]
    valid_days: int
    max_open: int
    version: int


def serialize_request(row: SingleUseRequest) -> dict[str, Any]:
    """A request as the interface shows it; the employee should be joined."""
    return {
        "_id": row.id,
        "status": row.status,
        "employee_id": row.employee_id,
        "person": row.employee.name,
        "team_id": row.employee.team_id,
        "org_wallet_ref": row.org_wallet_ref,
        "currency": row.currency,
        "amount": to_number(row.amount_minor, row.currency),
        "amount_minor": row.amount_minor,
        "comparison": row.comparison,
        "merchant": row.merchant or None,
        "purpose": row.purpose,
        "approval_id": row.approval_id or None,
        "card_id": row.card_id,
        "decided_by": row.decided_by or None,
        "decided_at": row.decided_at,
        "reason": row.reason or None,
        "version": row.version,
        "createdAt": row.created_at,
        "updatedAt": row.updated_at,
        "updated_at": row.updated_at,
    }


def policy(row: SingleUsePolicy) -> dict[str, Any]:
    """The policy as the interface shows it."""
    return {
        "enabled": row.enabled,
        "limits": row.limits,
        "valid_days": row.valid_days,
        "max_open": row.max_open,
        "version": row.version,
    }
