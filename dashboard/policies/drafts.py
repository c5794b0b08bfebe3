"""A policy or a workflow as a change would make it, before anything is sent: what its sentences and a replay are about."""

from __future__ import annotations

from collections.abc import Mapping

from dashboard.money import to_minor
from dashboard.schemas.policies import Exempt, ExemptionBody, PolicyBody, SpendingHours, SpendPolicy
from dashboard.schemas.workflows import Conditions, ConditionsBody, Step, StepBody, Workflow, WorkflowBody

# Ids sort by age, and a draft is the newest.
DRAFT_ID = "~draft"


def policy_draft(
    body: PolicyBody | ExemptionBody, *, type_: str = "", before: SpendPolicy | None = None
) -> SpendPolicy:
    """The policy that a body of an operation makes, of `before` where it changes one; amounts become minor units."""
    fields: Mapping[str, object] = body
    base = before or SpendPolicy(id=DRAFT_ID, type=type_, action=str(fields.get("action") or ""), status="ACTIVE")
    changes = {name: fields[name] for name in ("name", "target", "action", "status") if fields.get(name) is not None}
    changes |= {name: fields[name] or "" for name in ("currency", "period", "workflow_id") if name in fields}
    if "limit" in body:
        limit, currency = body["limit"], body["currency"] or base.currency
        changes["limit"] = limit
        changes["limit_minor"] = None if limit is None else to_minor(limit, currency)
    if fields.get("per_person") is not None:
        changes["per_person"] = fields["per_person"]
    if fields.get("window") is not None:
        changes["window"] = SpendingHours.model_validate(fields["window"])
    if body["exempt"] is not None:
        changes["exempt"] = Exempt.model_validate(body["exempt"])
    return base.model_copy(update=changes)


def workflow_draft(body: WorkflowBody, *, action_type: int, before: Workflow | None = None) -> Workflow:
    """The workflow that a body of an operation makes, of `before` where it changes one."""
    base = before or Workflow(id=DRAFT_ID, action_type=action_type)
    changes = {
        "name": body["name"], "active": body["active"], "priority": body["priority"],
        "conditions": _conditions(body["conditions"]), "steps": [Step.model_validate(step) for step in body["steps"]],
    }  # fmt: skip
    return base.model_copy(update=changes)


def step_body(workflow_step: Step) -> StepBody:
    """The body that makes a step what it is."""
    body: StepBody = {"order": workflow_step.order, "min_approvals": workflow_step.min_approvals}
    if workflow_step.approver_ids is None:
        return {**body, "role": workflow_step.role or "APPROVER"}
    return {**body, "approver_ids": workflow_step.approver_ids}


def _conditions(body: ConditionsBody) -> Conditions:
    currency = body["currency"] or ""
    low, high = (
        None if amount is None else to_minor(amount, currency) for amount in (body["min_amount"], body["max_amount"])
    )
    return Conditions.model_validate({**body, "min_amount_minor": low, "max_amount_minor": high})
