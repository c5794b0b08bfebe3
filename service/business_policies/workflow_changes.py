"""Changing the workflows that policies ask for, and taking them out of use; a deactivated one is kept for the record.

Who votes is not changed under a vote that runs, and no policy is left with nobody to ask.
"""

from service import errors
from service.approvals import workflows
from service.approvals.models import ActionType, Approval, ApprovalStatus, Workflow
from service.auth import Caller
from service.business_policies.models import Action, BusinessPolicy, PolicyState
from service.business_policies.pending_requests import request_anew
from service.business_policies.schemas import NewPolicyWorkflow, PolicyWorkflowChange

KIND = ActionType.POLICY_BASED


def create_workflow(caller: Caller, new: NewPolicyWorkflow) -> Workflow:
    """A new workflow; with `also_waiting` open requests that go by it now are made anew. Inside a transaction.

    Refusals as for workflows.create, and what pending_requests.request_anew raises.
    """
    row = workflows.create(caller, KIND, new)
    if new.also_waiting:
        request_anew(caller, row, with_own=False)
    return row


def change_workflow(caller: Caller, workflow_id: str, changes: PolicyWorkflowChange) -> Workflow:
    """Changes what is given, as another version. Inside a transaction.

    404; 422 for approvers who are none; 409 in_use for other steps or deactivation while a request is voted on by it,
    and for deactivation while an active policy needs it. With `also_waiting` those requests are made anew: raises what
    pending_requests.request_anew raises, and 409 in_use where one still goes by a workflow that is taken out of use, or by
    its steps as they were: a payment that a policy sent to votes is not made anew.
    """
    row, ends = _locked(caller, workflow_id), changes.active is False
    if ends and row.active:
        _check_no_policy_needs(row)
    changed = workflows.change(caller, KIND, workflow_id, changes)
    has_other_steps = changed.steps != row.steps
    if changes.also_waiting:
        request_anew(caller, changed, with_own=has_other_steps and not ends)
    if ends or has_other_steps:
        _check_nothing_waits(changed, besides=changed.version if changes.also_waiting and not ends else None)
    return changed


def deactivate_workflow(caller: Caller, workflow_id: str) -> Workflow:
    """Takes a workflow out of use; once more is a no-op. The same refusals. Inside a transaction."""
    row = _locked(caller, workflow_id)
    changes = PolicyWorkflowChange.model_validate({"active": False})
    return change_workflow(caller, workflow_id, changes) if row.active else row


def usable(workflow_id: str) -> bool:
    """Whether a policy may ask for a workflow, which stays so until the end of the transaction."""
    rows = Workflow.objects.select_for_update(of=("self",), no_key=True).filter(pk=workflow_id)
    return any(row.active for row in rows)


def _locked(caller: Caller, workflow_id: str) -> Workflow:
    workflows.lock_for_change(caller.business)
    row = (
        workflows.list_workflows(caller, KIND)
        .select_for_update(no_key=True, of=("self",))
        .filter(id=workflow_id)
        .first()
    )
    if row is None:
        raise errors.not_found("workflow")
    return row


def _check_nothing_waits(row: Workflow, besides: int | None = None) -> None:
    """409 where a request is voted on by the workflow; `besides` those that were made by this version of it."""
    waiting = Approval.objects.filter(business_id=row.business_id, status=ApprovalStatus.PENDING)
    waiting = waiting.filter(mandate_snapshot__workflow_id=row.id)
    if besides is not None:
        waiting = waiting.exclude(mandate_snapshot__version=besides)
    first = waiting.order_by("created_at").first()
    if first is not None:
        raise errors.conflict("in_use", f"The request {first.ref} is decided by this workflow: end it first.")


def _check_no_policy_needs(row: Workflow) -> None:
    """A policy needs the workflow that it names; one that names none needs any."""
    policies = BusinessPolicy.objects.filter(
        business_id=row.business_id, status=PolicyState.ACTIVE, action=Action.REQUIRE_APPROVAL
    )
    needing = policies.filter(workflow=row).first()
    others = Workflow.objects.filter(business_id=row.business_id, action_type=KIND, active=True).exclude(pk=row.pk)
    if needing is None and not others.exists():
        needing = policies.filter(workflow=None).first()
    if needing is not None:
        raise errors.conflict("in_use", f"The policy {needing.id} asks for this workflow: change the policy first.")
