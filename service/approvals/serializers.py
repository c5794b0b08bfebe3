"""Payment requests and workflows as the interface shows them: dictionaries in the shapes of the schemas."""

from decimal import Decimal
from typing import Any

from service import money
from service.approvals.models import Approval, Vote, Workflow
from service.approvals.steps import at_turn, progress, seats
from service.auth import Caller


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


def workflow(row: Workflow) -> dict[str, Any]:
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
            **{name: conditions.get(name, []) for name in ("team_ids", "subcategory_ids", "vendor_ids")},
        },
        "steps": row.steps,
        "version": row.version,
        "createdAt": row.created_at,
        "updatedAt": row.updated_at,
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
