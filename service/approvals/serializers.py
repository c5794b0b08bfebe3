"""Payment requests and workflows as the interface shows them: dictionaries in the shapes of the schemas."""

from datetime import datetime
from decimal import Decimal
from typing import TypedDict

from service import money
from service.approvals.models import Approval, Vote, Workflow
from service.approvals.risk_scores import RiskShape
from service.approvals.steps import StoredStep, at_turn, progress, seats
from service.auth import Caller


class VoteShape(TypedDict):
    """A vote as it was given: by whom, which, with which reason, and when."""

    employee_id: str
    name: str
    decision: str
    reason: str
    at: datetime


class StepShape(TypedDict):
    """One approver in one step and what they have said."""

    order: int
    employee_id: str
    required: bool
    status: str
    min_approvals: int | None


class PersonShape(TypedDict):
    """A person by id and name; the id is empty where nobody of the business asked."""

    employee_id: str
    name: str


class SeatShape(TypedDict):
    """Somebody who may still vote, up to an amount."""

    employee_id: str
    max_amount_minor: int | None


class ApprovalShape(TypedDict):
    """A payment request as the interface shows it."""

    _id: str
    kind: str
    action_type: int
    ref: str
    title: str
    payee: str
    amount: Decimal
    amount_minor: int
    currency: str
    org_wallet_ref: str
    requested_by: PersonShape
    requested_at: datetime
    makers: list[str]
    due: datetime | None
    expires_at: datetime | None
    status: str
    approvals_required: int
    approvals_given: int
    votes: list[VoteShape]
    eligible: list[SeatShape]
    steps: list[StepShape]
    at_turn: list[str]
    code_required: bool
    mandate_id: str
    workflow_id: str
    risk: RiskShape
    risk_at_request: RiskShape
    risk_at_decision: RiskShape | None
    decided_at: datetime | None
    version: int
    updated_at: datetime


class DigestShape(TypedDict):
    """A request for votes in short, as lists show it; amounts in units and minor units of its currency."""

    _id: str
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
    risk: RiskShape
    risk_at_request: RiskShape


class ConditionsShape(TypedDict):
    """What a request must be for a workflow to count; amounts are None where none is asked for."""

    currency: str | None
    min_amount: Decimal | None
    max_amount: Decimal | None
    min_amount_minor: int | None
    max_amount_minor: int | None
    team_ids: list[str]
    subcategory_ids: list[str]
    vendor_ids: list[str]


class WorkflowShape(TypedDict):
    """A workflow as the interface shows it."""

    _id: str
    name: str
    action_type: int
    active: bool
    priority: int
    conditions: ConditionsShape
    steps: list[StoredStep]
    version: int
    createdAt: datetime
    updatedAt: datetime


def requester(row: Approval) -> PersonShape:
    """Who asked for approval: the employee's id and name; "" and the client's label where no employee did."""
    if row.requested_by:
        return {"employee_id": row.requested_by.id, "name": row.requested_by.name}
    return {"employee_id": "", "name": row.requested_label}


def is_turn_of(row: Approval, caller: Caller) -> bool:
    """Whether the acting employee may vote on it now."""
    return any(seat["employee_id"] == caller.employee_id for seat in at_turn(row))


def _vote(row: Vote) -> VoteShape:
    return {
        "employee_id": row.voter_id,
        "name": row.voter.name,
        "decision": row.decision,
        "reason": row.reason,
        "at": row.created_at,
    }


def approval(row: Approval) -> ApprovalShape:
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


def digest(row: Approval, risk: RiskShape, caller: Caller) -> DigestShape:
    """A request for approval in short, as lists of what waits have it."""
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


def workflow(row: Workflow) -> WorkflowShape:
    """A workflow as the interface shows it."""
    conditions = row.conditions
    currency = conditions.get("currency")

    def number(name: str) -> Decimal | None:
        minor = conditions.get(f"{name}_minor")
        return None if minor is None else money.to_number(minor, currency)

    return {
        "_id": row.id,
        "name": row.name,
        "action_type": row.action_type,
        "active": row.active,
        "priority": row.priority,
        "conditions": {
            "currency": currency,
            "min_amount": number("min_amount"),
            "max_amount": number("max_amount"),
            "min_amount_minor": conditions.get("min_amount_minor"),
            "max_amount_minor": conditions.get("max_amount_minor"),
            "team_ids": conditions.get("team_ids", []),
            "subcategory_ids": conditions.get("subcategory_ids", []),
            "vendor_ids": conditions.get("vendor_ids", []),
        },
        "steps": row.steps,
        "version": row.version,
        "createdAt": row.created_at,
        "updatedAt": row.updated_at,
    }


def steps(row: Approval) -> list[StepShape]:
    """Who was asked in which step, and what they said: of a mandate each approver, of a workflow each of its steps."""
    decisions = {vote.voter_id: vote.decision for vote in row.votes.all()}
    snapshot = row.mandate_snapshot
    if "steps" not in snapshot:
        return [
            {
                "order": seat["order"],
                "employee_id": seat["employee_id"],
                "required": seat["required"],
                "status": decisions.get(seat["employee_id"], "WAITING"),
                "min_approvals": None,
            }
            for seat in snapshot["approvers"]
        ]
    step_rows: list[StepShape] = []
    for step, given in progress(row):
        for employee_id in step["employee_ids"]:
            decision = decisions.get(employee_id, "WAITING")
            # An approval counts in the step that was at its turn, a rejection in each that names the person.
            counts_here = employee_id in given or decision == Vote.Decision.REJECT
            step_rows.append(
                {
                    "order": step["order"],
                    "employee_id": employee_id,
                    "required": False,
                    "status": decision if counts_here else "WAITING",
                    "min_approvals": step["min_approvals"],
                }
            )
    return step_rows
