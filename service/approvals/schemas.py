"""Payment requests on the wire (decisions B.13)."""

from datetime import datetime
from decimal import Decimal
from typing import Any, Literal

from ninja import Schema
from pydantic import ConfigDict, Field

from service import inputs
from service.approvals.models import ApprovalStatus
from service.pagination import Envelope, PageQuery
from service.text import ObjectId, Reason

# What is asked votes for today; service/approvals/hooks.py knows what follows.
Kind = Literal[
    "BULK_PAYOUT",
    "BANK_TRANSFER",
    "BILL_PAYMENT",
    "ALLOCATION",
    "PAYMENT_REQUEST",
    "FX_TRANSFER",
    "INVESTMENT",
    "CARD_REQUEST",
    "POLICY",
]


class Person(Schema):
    """An employee by id and name; a client that acted for nobody has a label instead of an id."""

    employee_id: str
    name: str


class VoteOut(Schema):
    """A vote on a request: who gave it, which, and why."""

    employee_id: str
    name: str
    decision: str
    reason: str
    at: datetime


class Seat(Schema):
    """Somebody who may still vote, up to an amount."""

    employee_id: str
    max_amount_minor: int | None


class Step(Schema):
    """One approver in one step and what they have said; `min_approvals` of a workflow's step: so many of its people."""

    order: int
    employee_id: str
    required: bool
    status: str
    min_approvals: int | None


class Signal(Schema):
    """One reason of a score: its weight and what it was seen by."""

    code: str
    weight: int
    evidence: dict[str, Any]


class RiskOut(Schema):
    """A score of 0 to 100 and its reasons. HIGH asks for one more approver, CRITICAL for a decision by itself."""

    score: int
    level: str
    signals: list[Signal]
    model_version: str


class ApprovalOut(Schema):
    """A request for votes: what for, who asked for it, who has voted, and whose turn it is."""

    id: str = Field(alias="_id")
    kind: str
    action_type: int
    ref: str
    title: str
    payee: str
    amount: Decimal
    amount_minor: int
    currency: str
    org_wallet_ref: str
    requested_by: Person
    requested_at: datetime
    makers: list[str]
    due: datetime | None
    expires_at: datetime | None
    status: str
    approvals_required: int
    approvals_given: int
    votes: list[VoteOut]
    eligible: list[Seat]
    steps: list[Step]
    at_turn: list[str] = Field(description="The employees who may vote now; all others wait for them.")
    code_required: bool = Field(description="Once approved, it waits for a one-time code.")
    mandate_id: str
    workflow_id: str
    risk: RiskOut
    risk_at_request: RiskOut
    risk_at_decision: RiskOut | None
    decided_at: datetime | None
    version: int
    updated_at: datetime


class ApprovalPage(Envelope):
    """A page of the payment requests."""

    docs: list[ApprovalOut]


class DigestOut(Schema):
    """A payment request in short, with its risk as it is now and as it was when it was asked for."""

    id: str = Field(alias="_id")
    ref: str
    kind: str
    headline: str
    amount: Decimal
    amount_minor: int
    currency: str
    payee: str
    due: datetime | None
    status: str
    my_turn: bool
    risk: RiskOut
    risk_at_request: RiskOut


class DigestPage(Envelope):
    """A page of the payment requests with what an approver weighs: payee, cut-off, risk."""

    docs: list[DigestOut]


class ApprovalQuery(PageQuery):
    """Filters of the list; a moment bounds when the request was made."""

    status: ApprovalStatus | None = None
    kind: Kind | None = None
    ref: inputs.Line | None = Field(None, max_length=64)
    org_wallet_ref: inputs.Line | None = Field(None, max_length=40)
    currency: str | None = Field(None, pattern="^[A-Z]{3}$")
    requested_by: ObjectId | None = None
    risk_level: Literal["LOW", "MEDIUM", "HIGH", "CRITICAL"] | None = None
    from_: inputs.Moment | None = Field(None, alias="from")
    to: inputs.Moment | None = None
    my_turn: bool = Field(False, description="Only what the acting employee may vote on now.")


class ApproveRequestBody(Schema):
    """Which request is approved."""

    model_config = ConfigDict(extra="forbid")

    approval_id: ObjectId
    reason: inputs.Lines | None = Field(None, max_length=500)


class RejectBody(Schema):
    """Which request is rejected, and why."""

    model_config = ConfigDict(extra="forbid")

    approval_id: ObjectId
    reason: Reason = Field(examples=["The account is not the vendor's."])


class RejectBillBody(Schema):
    """Which bill payment's request is rejected, and why."""

    model_config = ConfigDict(extra="forbid")

    approval_id: ObjectId
    reason: Reason = Field(examples=["Paid twice."])
