"""The policies and workflows that have a say in an item, each with the way to its version of when it was entered or requested."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.access.check import can_open
from dashboard.client.page import typed
from dashboard.decisions.desk_items import RuleLink
from dashboard.mirror.mappers.mapper import moment
from dashboard.mirror.models import Approval, ApprovalRequest, Expense
from dashboard.mirror.scopes import visible_approvals, visible_spend_policies, visible_workflows
from dashboard.policies.policy_text import policy_title
from dashboard.schemas.policies import SpendPolicy

# What of an evaluation a policy had a say in; one that was passed has decided nothing.
DECIDED = frozenset({"BREACHED", "EXEMPT"})
# The kind of the requests for votes on expenses.
VOTES = "POLICY"


def rules_of_expense(actor: Actor, expense: Expense) -> list[RuleLink]:
    """The policies that mark an expense, as they were when it was entered, which is when the service asked them, and the
    workflows of its requests for votes, which stay when the mark is gone; [] for who reads none."""
    flags = expense.payload.get("policy_flags") or []
    ids = [str(flag).partition(":")[2] for flag in flags]
    policies = _policies(actor, ids, moment(expense.payload.get("createdAt")) or expense.transaction_date)
    if not expense.transaction_ref:
        return policies
    requests = (
        visible_approvals(actor).filter(kind=VOTES, ref=expense.transaction_ref[:64]).order_by("requested_at", "pk")
    )
    return [*policies, *filter(None, (_workflow(actor, request) for request in requests))]


def rules_of_approval(actor: Actor, approval: Approval, subject: ApprovalRequest | None) -> list[RuleLink]:
    """The workflow that a payment request is voted on by, and the policies that had a say in it, as they were when it was
    requested; [] for who reads none."""
    at = approval.requested_at
    policies = _policies(actor, _of_evaluation(subject.payload if subject is not None else {}), at)
    workflow = _workflow(actor, approval)
    return policies if workflow is None else [workflow, *policies]


def rules_of_request(actor: Actor, subject: ApprovalRequest) -> list[RuleLink]:
    """By what the newest request for votes on a bill's payment or a payout was decided, or is: the workflow and the policies
    of then, or the mandate; [] before any, and for who reads none."""
    rounds = visible_approvals(actor).filter(ref=subject.ref).order_by("-requested_at", "-pk")
    approval = rounds.first() if subject.ref else None
    if approval is None:
        return []
    mandate = _mandate(actor, approval)
    rules = rules_of_approval(actor, approval, subject)
    of_then = [RuleLink(f"{rule.title}, as it was when this was requested", rule.address) for rule in rules]
    return of_then if mandate is None else [mandate, *of_then]


def _mandate(actor: Actor, approval: Approval) -> RuleLink | None:
    """The mandate of a request that no workflow asks for; None for who reads none. How many approvals it asked for stands
    with the request; the finance service publishes no version of a mandate, so the link is to what it is now."""
    mandate_id = str(approval.payload.get("mandate_id") or "")
    if not mandate_id or approval.payload.get("workflow_id") or not can_open(actor, operations.LIST_MANDATES):
        return None
    needed = approval.approvals_required
    title = f"Mandate, as it is now; {needed} {'approval was' if needed == 1 else 'approvals were'} required then"
    return RuleLink(title, reverse("mandates_item", args=[actor.business.slug, mandate_id]))


def _workflow(actor: Actor, approval: Approval) -> RuleLink | None:
    """The workflow of a request, as it was when it was made; None where a mandate asks, and for who reads none."""
    workflow_id = str(approval.payload.get("workflow_id") or "")
    rows = visible_workflows(actor).filter(remote_id=workflow_id)
    name = rows.values_list("name", flat=True).first() if workflow_id else None
    if name is None:
        return None
    return RuleLink(f"Workflow “{name}”", _address(actor, "workflows_history", workflow_id, approval.requested_at))


def _of_evaluation(payload: Mapping[str, Any]) -> list[str]:
    evaluation = payload.get("policy")
    trace = evaluation.get("trace") if isinstance(evaluation, Mapping) else None
    steps = [step for step in trace or [] if isinstance(step, Mapping)]
    return [str(step.get("policy_id") or "") for step in steps if step.get("outcome") in DECIDED]


def _policies(actor: Actor, ids: Iterable[str], at: datetime | None) -> list[RuleLink]:
    named = {policy_id for policy_id in ids if policy_id}
    if not named:
        return []
    rows = visible_spend_policies(actor).filter(remote_id__in=named).order_by("sort_name", "pk")
    return [
        RuleLink(f"Policy “{policy_title(policy)}”", _address(actor, "policies_history", policy.id, at))
        for policy in typed(rows.values_list("payload", flat=True), SpendPolicy)
    ]


def _address(actor: Actor, name: str, remote_id: str, at: datetime | None) -> str:
    address = reverse(name, args=[actor.business.slug, remote_id])
    return f"{address}?{urlencode({'at': at.isoformat()})}" if at is not None else address
