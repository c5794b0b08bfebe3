"""Seats and access that a leaver gives up: changed at once, or proposed where the business asks for a second admin."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.access.operation import Operation
from dashboard.commands import workflows
from dashboard.commands.investments import operators_of, replace_operators
from dashboard.commands.run import FormKey
from dashboard.errors import NotAllowed, NotFound
from dashboard.impact.mandate_text import as_changed, mandate_changes, mandate_title
from dashboard.mirror.models import FundAccount, WalletPolicy
from dashboard.mirror.models.policies import OPEN_POLICY
from dashboard.mirror.scopes import visible_fund_accounts, visible_policies, visible_wallets, visible_workflows
from dashboard.money import exponent
from dashboard.offboarding.dead_ends import with_heir
from dashboard.offboarding.models import OffboardingStep
from dashboard.offboarding.outcome import OVER, Carried, StepAction, over_before
from dashboard.policies import workflow_text
from dashboard.policies.drafts import step_body
from dashboard.policies.names import names_for
from dashboard.proposals.models import WORKFLOW, Proposal, ProposalState
from dashboard.proposals.outcomes import decline
from dashboard.proposals.reconfirmation import ask_again
from dashboard.proposals.selectors import visible_proposals
from dashboard.proposals.services import Draft, apply_or_propose
from dashboard.proposals.snapshots import snapshot_of
from dashboard.proposals.targets import MANDATE, read_mandate, read_workflow
from dashboard.schemas.base import JsonObject
from dashboard.schemas.permissions import MandateBody, NewSeatBody
from dashboard.schemas.workflows import OF_BILLS

# What a seat of a fund account lets somebody do.
RIGHTS = ("can_invest", "can_withdraw")


def _reason(step: OffboardingStep) -> str:
    return f"{step.offboarding.employee_name} is leaving."


def _submit(actor: Actor, draft: Draft) -> Carried:
    proposal = apply_or_propose(actor, draft)
    return Carried() if proposal is None else Carried(proposal_id=proposal.pk)


def _workflow_type(actor: Actor, step: OffboardingStep) -> int:
    row = visible_workflows(actor).filter(remote_id=step.remote_id).first()
    if row is None:
        raise NotFound("The workflow no longer exists.", code="not_found")
    return row.action_type


def _workflow_change(actor: Actor, step: OffboardingStep) -> JsonObject:
    """The steps with the heir in them, of the workflow as it is now, and what that changes in words; OVER where none names
    the leaver any more."""
    leaver, action_type = step.offboarding.employee_id, _workflow_type(actor, step)
    before = read_workflow(actor, action_type, step.remote_id)
    if not any(leaver in (row.approver_ids or ()) for row in before.steps):
        return OVER
    after = with_heir(before, leaver, step.heir_id)
    names = names_for(actor.business, workflows=[before, after])
    steps = [step_body(row) for row in after.steps]
    return {
        "action_type": action_type, "name": before.name, "body": {"steps": steps}, "seen": dict(snapshot_of(before)),
        "sentences": workflow_text.differences(before, after, names),
    }  # fmt: skip


def _change_workflow(actor: Actor, step: OffboardingStep) -> Carried:
    if (over := over_before(step, "remove")) is not None:
        return over
    data = step.data
    draft = Draft(
        operation=workflows.change_of_workflow(data["action_type"]), title=data["name"], key=step.key,
        path={"workflowId": step.remote_id}, body=data["body"], target_type=WORKFLOW, target_id=step.remote_id,
        seen=data["seen"], sentences=data["sentences"], reason=_reason(step),
    )  # fmt: skip
    return _submit(actor, draft)


def _workflow_names(actor: Actor, step: OffboardingStep, employee_id: str) -> bool:
    payload = visible_workflows(actor).filter(remote_id=step.remote_id).values_list("payload", flat=True).first()
    steps: Sequence[Mapping[str, Any]] = (payload or {}).get("steps") or []
    return any(employee_id in (row.get("approver_ids") or ()) for row in steps)


def _workflow_is_without(actor: Actor, step: OffboardingStep) -> bool:
    return not _workflow_names(actor, step, step.offboarding.employee_id)


def _workflow_names_heir(actor: Actor, step: OffboardingStep) -> bool:
    return _workflow_is_without(actor, step) and _workflow_names(actor, step, step.heir_id)


def _mandate_change(actor: Actor, step: OffboardingStep) -> JsonObject:
    """The seat that is added, with what the leaver could approve, or removed; of the mandate as it is now."""
    before = read_mandate(actor, step.remote_id)
    leaver = next((seat for seat in before.approvers if seat.approver_id == step.offboarding.employee_id), None)
    if step.action == "add":
        minor = leaver.max_amount_minor if leaver else None
        most = None if minor is None else str(Decimal(minor).scaleb(-exponent(before.currency)))
        seat: NewSeatBody = {
            "approver_id": step.heir_id, "required": bool(leaver and leaver.required), "max_amount": most
        }  # fmt: skip
        body: MandateBody = {"approvers": [seat]}
    else:
        body = {"approver_ids": [step.offboarding.employee_id]}
    after = as_changed(before, {}, body, {step.heir_id: step.heir_name})
    locale = actor.business.locale
    return {
        "name": mandate_title(before, locale), "body": body, "seen": dict(snapshot_of(before)),
        "sentences": mandate_changes(before, after, locale),
        "about": sorted({seat.approver_id for mandate in (before, after) for seat in mandate.approvers}),
    }  # fmt: skip


def _of_mandate(step: OffboardingStep) -> Operation:
    return operations.ADD_MANDATE_APPROVERS if step.action == "add" else operations.REMOVE_MANDATE_APPROVERS


def _change_mandate(actor: Actor, step: OffboardingStep) -> Carried:
    data = step.data
    body = data["body"]
    if "approvers" in body:
        seats = [
            seat | {"max_amount": None if seat["max_amount"] is None else Decimal(seat["max_amount"])}
            for seat in body["approvers"]
        ]
        body = {"approvers": seats}
    draft = Draft(
        operation=_of_mandate(step), title=data["name"], key=step.key, path={"mandate_id": step.remote_id}, body=body,
        target_type=MANDATE, target_id=step.remote_id, seen=data["seen"], about=data["about"],
        sentences=data["sentences"], reason=_reason(step),
    )  # fmt: skip
    return _submit(actor, draft)


def _seated(actor: Actor, step: OffboardingStep, employee_id: str) -> bool:
    return any(seat.approver_id == employee_id for seat in read_mandate(actor, step.remote_id).approvers)


def _policy(actor: Actor, step: OffboardingStep) -> WalletPolicy:
    row: WalletPolicy | None = visible_policies(actor).filter(remote_id=step.remote_id).first()
    if row is None:
        raise NotFound("The policy no longer exists.", code="not_found")
    return row


def _policy_change(actor: Actor, step: OffboardingStep) -> JsonObject:
    row = _policy(actor, step)
    name = visible_wallets(actor).filter(remote_id=row.wallet_id).values_list("name", flat=True).first()
    return {
        "wallet_id": row.wallet_id, "version": row.remote_version,
        "name": f"{step.offboarding.employee_name} · {name or row.wallet_id}",
    }  # fmt: skip


def _revoke_policy(actor: Actor, step: OffboardingStep) -> Carried:
    data = step.data
    draft = Draft(
        operation=operations.REVOKE_WALLET_POLICY, title=data["name"], key=step.key, wallet_id=data["wallet_id"],
        employee_id=step.offboarding.employee_id, path={"policyId": step.remote_id}, policy_id=step.remote_id,
        seen_version=data["version"], reason=_reason(step),
        sentences=["The policy is revoked permanently: it cannot be reactivated, only granted again."],
    )  # fmt: skip
    return _submit(actor, draft)


def _policy_is_over(actor: Actor, step: OffboardingStep) -> bool:
    return _policy(actor, step).status not in OPEN_POLICY


def _account(actor: Actor, step: OffboardingStep) -> FundAccount:
    row: FundAccount | None = visible_fund_accounts(actor).filter(remote_id=step.remote_id).first()
    if row is None:
        raise NotFound("The fund account no longer exists.", code="not_found")
    return row


def _operators_left(actor: Actor, step: OffboardingStep) -> JsonObject:
    """Everybody but the leaver and oneself, whose own seat stays as it is, with the version that is replaced. An heir has
    the leaver's rights beside their own. OVER where the leaver operates it no more."""
    if step.heir_id and step.heir_id == actor.employee_id:
        raise NotAllowed("Nobody names themselves an operator: another admin does it.")
    now = operators_of(actor, _account(actor, step))
    seats = {seat.employee_id: {name: getattr(seat, name) for name in RIGHTS} for seat in now.operators}
    leavers = seats.pop(step.offboarding.employee_id, None)
    if leavers is None:
        return OVER
    if step.heir_id:
        own = seats.get(step.heir_id, {})
        seats[step.heir_id] = {name: held or own.get(name, False) for name, held in leavers.items()}
    seats.pop(actor.employee_id, None)
    operators = [{"employee_id": employee_id, **rights} for employee_id, rights in seats.items()]
    return {"version": now.version, "operators": operators}


def _replace_operators(actor: Actor, step: OffboardingStep) -> Carried:
    if (over := over_before(step, "remove")) is not None:
        return over
    data, account = step.data, _account(actor, step)
    seats = replace_operators(actor, account, data["operators"], data["version"], key=FormKey(step.key))
    waits = any(seat.employee_id == step.heir_id and seat.status == "PENDING" for seat in seats)
    return Carried(sentence=f"{step.heir_name} counts once another admin has confirmed them." if waits else "")


def _operates(actor: Actor, step: OffboardingStep, employee_id: str) -> bool:
    return any(seat.get("employee_id") == employee_id for seat in _account(actor, step).operators)


def _operates_no_more(actor: Actor, step: OffboardingStep) -> bool:
    return not _operates(actor, step, step.offboarding.employee_id)


def _heir_operates(actor: Actor, step: OffboardingStep) -> bool:
    return _operates_no_more(actor, step) and _operates(actor, step, step.heir_id)


def _proposal(actor: Actor, step: OffboardingStep) -> Proposal:
    row: Proposal | None = visible_proposals(actor).filter(pk=int(step.remote_id)).first()
    if row is None:
        raise NotFound("The proposal no longer exists.", code="not_found")
    return row


def _decline_proposal(actor: Actor, step: OffboardingStep) -> Carried:
    decline(actor, _proposal(actor, step), _reason(step))
    return Carried()


def _proposal_is_over(actor: Actor, step: OffboardingStep) -> bool:
    return _proposal(actor, step).state != ProposalState.WAITING


def _reopen_proposal(actor: Actor, step: OffboardingStep) -> Carried:
    ask_again(actor, _proposal(actor, step), _reason(step))
    return Carried()


def _is_not_confirmed_by_leaver(actor: Actor, step: OffboardingStep) -> bool:
    row = _proposal(actor, step)
    by_leaver = row.decided_by is not None and row.decided_by.employee_id == step.offboarding.employee_id
    return row.state != ProposalState.CONFIRMED or not by_leaver


SEATS: dict[tuple[str, str], StepAction] = {
    ("workflow", "replace"): StepAction(
        workflows.change_of_workflow(OF_BILLS), _change_workflow, _workflow_names_heir, prepare=_workflow_change
    ),
    ("workflow", "remove"): StepAction(
        workflows.change_of_workflow(OF_BILLS), _change_workflow, _workflow_is_without, prepare=_workflow_change
    ),
    ("mandate", "add"): StepAction(
        operations.ADD_MANDATE_APPROVERS, _change_mandate,
        lambda actor, step: _seated(actor, step, step.heir_id), prepare=_mandate_change,
    ),
    ("mandate", "remove"): StepAction(
        operations.REMOVE_MANDATE_APPROVERS, _change_mandate,
        lambda actor, step: not _seated(actor, step, step.offboarding.employee_id), prepare=_mandate_change,
    ),
    ("operator", "replace"): StepAction(
        operations.REPLACE_TREASURY_OPERATORS, _replace_operators, _heir_operates, prepare=_operators_left
    ),
    ("operator", "remove"): StepAction(
        operations.REPLACE_TREASURY_OPERATORS, _replace_operators, _operates_no_more, prepare=_operators_left
    ),
    ("wallet_policy", "revoke"): StepAction(
        operations.REVOKE_WALLET_POLICY, _revoke_policy, _policy_is_over, prepare=_policy_change
    ),
    ("proposal", "decline"): StepAction(None, _decline_proposal, _proposal_is_over),
    ("proposal", "reopen"): StepAction(None, _reopen_proposal, _is_not_confirmed_by_leaver),
}  # fmt: skip
