"""Payment requests on the wire (decisions B.13)."""

from datetime import datetime
from decimal import Decimal
from typing import Any, Literal

from ninja import Schema
from pydantic import ConfigDict, Field

from service import inputs, money
from service.approvals.models import Approval, ApprovalStatus, Vote
from service.approvals.steps import at_turn, progress, seats
from service.auth import Caller
from service.pagination import Envelope, PageQuery
from service.text import ObjectId

# What is asked votes for today; service/approvals/subjects.py is told what follows.
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
    """A vote that was given."""

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
    """A payment request."""

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
    reason: inputs.Sentences = Field(max_length=500, examples=["The account is not the vendor's."])


class RejectBillBody(Schema):
    """Which bill payment's request is rejected, and why."""

    model_config = ConfigDict(extra="forbid")

    approval_id: ObjectId
    reason: inputs.Sentences = Field(max_length=500, examples=["Paid twice."])


def requester(row: Approval) -> dict[str, str]:
    """Who asked."""
    if row.requested_by:
        return {"employee_id": row.requested_by.id, "name": row.requested_by.name}
    return {"employee_id": "", "name": row.requested_label}


def is_turn_of(row: Approval, caller: Caller) -> bool:
    """Whether the acting employee may vote on it now."""
    return any(seat["employee_id"] == caller.employee_id for seat in at_turn(row))


def _vote(row: Vote) -> dict[str, Any]:
    return {
        "employee_id": row.voter_id,
        "name": row.voter.name,
        "decision": row.decision,
        "reason": row.reason,
        "at": row.created_at,
    }


def steps(row: Approval) -> list[dict[str, Any]]:
    """Who was asked in which step, and what they said: of a mandate each approver, of a workflow each of its steps."""
    said = {vote.voter_id: vote.decision for vote in row.votes.all()}
    snapshot = row.mandate_snapshot
    if "steps" not in snapshot:
        return [_step(seat, said.get(seat["employee_id"], "WAITING"), None) for seat in snapshot["approvers"]]
    shown = []
    for step, given in progress(row):
        for each in step["employee_ids"]:
            heard = said.get(each, "WAITING") if each in given or said.get(each) == Vote.Decision.REJECT else "WAITING"
            seat = {"order": step["order"], "employee_id": each, "required": False}
            shown.append(_step(seat, heard, step["min_approvals"]))
    return shown


def _step(seat: dict[str, Any], status: str, needed: int | None) -> dict[str, Any]:
    return {
        "order": seat["order"],
        "employee_id": seat["employee_id"],
        "required": seat["required"],
        "status": status,
        "min_approvals": needed,
    }


def approval(row: Approval) -> dict[str, Any]:
    """A payment request as the interface shows it; requester, votes and voters should be loaded."""
    votes = list(row.votes.all())
    return {
        "_id": row.id,
        "kind": row.kind,
        "action_type": row.action_type,
        "ref": row.ref,
        "title": row.title,
        "payee": row.payee,
        "amount": money.to_number(row.amount_minor, row.currency),
        "amount_minor": row.amount_minor,
        "currency": row.currency,
        "org_wallet_ref": row.org_wallet_ref,
        "requested_by": requester(row),
        "requested_at": row.requested_at,
        "makers": row.maker_ids,
        "due": row.due_at,
        "expires_at": row.expires_at,
        "status": row.status,
        "approvals_required": row.approvals_required,
        "approvals_given": row.approvals_given,
        "votes": [_vote(vote) for vote in votes],
        "eligible": [
            {"employee_id": seat["employee_id"], "max_amount_minor": seat["max_amount_minor"]} for seat in seats(row)
        ],
        "steps": steps(row),
        "at_turn": [seat["employee_id"] for seat in at_turn(row)],
        "code_required": row.mandate_snapshot["code_required"],
        "mandate_id": row.mandate_snapshot["mandate_id"],
        "workflow_id": row.mandate_snapshot.get("workflow_id", ""),
        "risk": row.risk_at_decision or row.risk_at_request,
        "risk_at_request": row.risk_at_request,
        "risk_at_decision": row.risk_at_decision,
        "decided_at": row.decided_at,
        "version": row.version,
        "updated_at": row.updated_at,
    }


def digest(row: Approval, risk: dict[str, Any], caller: Caller) -> dict[str, Any]:
    """The request in short."""
    number = money.to_number(row.amount_minor, row.currency)
    return {
        "_id": row.id,
        "ref": row.ref,
        "kind": row.kind,
        "headline": f"{row.currency} {number:,} to {row.payee}: {row.title}",
        "amount": number,
        "amount_minor": row.amount_minor,
        "currency": row.currency,
        "payee": row.payee,
        "due": row.due_at,
        "status": row.status,
        "my_turn": is_turn_of(row, caller),
        "risk": risk,
        "risk_at_request": row.risk_at_request,
    }
