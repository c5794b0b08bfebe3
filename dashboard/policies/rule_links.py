"""The policies and workflows that have a say in an item, each with the way to its version of when it was entered or requested."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
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
from dashboard.times import day_and_time

# What of an evaluation a policy had a say in; one that was passed has decided nothing.
DECIDED = frozenset({"BREACHED", "EXEMPT"})
# The kind of the requests for votes on expenses.
VOTES = "POLICY"
# How the newest request for votes stands; a payment may be a draft again, on which nothing decides.
HEADINGS = {
    "PENDING": "What decides on it",
    "APPROVED": "What its newest request was decided by",
    "REJECTED": "What its newest request was decided by",
}
OF_NO_DECISION = "What its newest request was to be decided by"


@dataclass(frozen=True, slots=True)
class RequestRules:
    """What the newest request for votes on a payment goes by: `heading` says how that request stands, in words."""

    heading: str
    links: list[RuleLink]


def rules_of_expense(actor: Actor, expense: Expense) -> list[RuleLink]:
    """The policies that mark an expense, as they were when it was entered, which is when the service asked them, those that
    judged it anew while it waited, by the version of then, and the workflows of its requests for votes, which stay when the
    mark is gone; [] for who reads none."""
    flags = expense.payload.get("policy_flags") or []
    marking = [str(flag).partition(":")[2] for flag in flags]
    anew = _judged_anew(expense)
    rows = _policies(actor, [*marking, *anew])
    at = moment(expense.payload.get("createdAt")) or expense.transaction_date
    policies = [
        *_policy_links(actor, rows, set(marking) - anew.keys(), at),
        *(_link_anew(actor, row, anew[row.id], marks=row.id in marking) for row in rows if row.id in anew),
    ]
    if not expense.transaction_ref:
        return policies
    requests = list(
        visible_approvals(actor).filter(kind=VOTES, ref=expense.transaction_ref[:64]).order_by("requested_at", "pk")
    )
    names = _workflow_names(actor, requests)
    return [*policies, *filter(None, (_workflow_of_votes(actor, request, names) for request in requests))]


def _judged_anew(expense: Expense) -> dict[str, Mapping[str, object]]:
    """{policy id: {"version", "at"}} of the policies that judged an expense anew, as the service tells them."""
    rows = expense.payload.get("judged_anew") or []
    return {str(row.get("policy_id") or ""): row for row in rows if isinstance(row, Mapping)}


def _link_anew(actor: Actor, spend_policy: SpendPolicy, judged: Mapping[str, object], *, marks: bool) -> RuleLink:
    at = moment(judged.get("at"))
    which = f"Policy “{policy_title(spend_policy)}”, version {judged.get('version')} since {day_and_time(at, actor.business)}"
    title = which if marks else f"{which}, which no longer marks it"
    return RuleLink(title, _address(actor, "policies_history", spend_policy.id, at))


def _workflow_of_votes(actor: Actor, approval: Approval, names: Mapping[str, str]) -> RuleLink | None:
    link = _workflow(actor, approval, names)
    is_over = link is not None and approval.status == "WITHDRAWN"
    return RuleLink(f"{link.title}, whose request was withdrawn", link.address) if link and is_over else link


def rules_of_approval(actor: Actor, approval: Approval, approval_request: ApprovalRequest | None) -> list[RuleLink]:
    """The workflow that a payment request is voted on by, and the policies that had a say in it, as they were when it was
    requested; [] for who reads none."""
    ids = _of_evaluation(approval_request)
    return _rules(actor, approval, ids, _policies(actor, ids), _workflow_names(actor, [approval]))


def rounds_of(actor: Actor, subjects: Iterable[ApprovalRequest]) -> dict[str, list[Approval]]:
    """{ref: the requests for votes on it, the oldest first} of payments; every ref stands in it."""
    rounds: dict[str, list[Approval]] = {subject.ref: [] for subject in subjects}
    rows = visible_approvals(actor).filter(ref__in=[ref for ref in rounds if ref]).order_by("requested_at", "pk")
    for approval in rows:
        rounds[approval.ref].append(approval)
    return rounds


def rules_of_requests(
    actor: Actor, subjects: Sequence[ApprovalRequest], rounds: Mapping[str, list[Approval]]
) -> dict[str, RequestRules]:
    """{ref: by what its newest request for votes was decided, or is} of bills' payments and payouts with their rounds: the
    workflow and the policies of then, or the mandate; no links before any round, and for who reads none. Read at once for
    all of them."""
    newest = {ref: of_ref[-1] for ref, of_ref in rounds.items() if of_ref}
    pairs = [(subject, newest[subject.ref]) for subject in subjects if subject.ref in newest]
    names = _workflow_names(actor, [approval for _, approval in pairs])
    policies = _policies(actor, [policy_id for subject, _ in pairs for policy_id in _of_evaluation(subject)])
    rules = {subject.ref: RequestRules("", []) for subject in subjects}
    for subject, approval in pairs:
        of_then = [
            RuleLink(f"{rule.title}, as it was when this was requested", rule.address)
            for rule in _rules(actor, approval, _of_evaluation(subject), policies, names)
        ]
        mandate = _mandate(actor, approval)
        heading = HEADINGS.get(approval.status, OF_NO_DECISION)
        rules[subject.ref] = RequestRules(heading, [*filter(None, [mandate]), *of_then])
    return rules


def rules_of_request(actor: Actor, approval_request: ApprovalRequest) -> RequestRules:
    """`rules_of_requests` of one payment or payout."""
    return rules_of_requests(actor, [approval_request], rounds_of(actor, [approval_request]))[approval_request.ref]


def _rules(
    actor: Actor, approval: Approval, ids: list[str], policies: list[SpendPolicy], names: Mapping[str, str]
) -> list[RuleLink]:
    workflow = _workflow(actor, approval, names)
    return [*filter(None, [workflow]), *_policy_links(actor, policies, ids, approval.requested_at)]


def _mandate(actor: Actor, approval: Approval) -> RuleLink | None:
    """The mandate of a request that no workflow asks for; None for who reads none. How many approvals it asked for stands
    with the request; the finance service publishes no version of a mandate, so the link is to what it is now."""
    mandate_id = str(approval.payload.get("mandate_id") or "")
    if not mandate_id or approval.payload.get("workflow_id") or not can_open(actor, operations.LIST_MANDATES):
        return None
    needed = approval.approvals_required
    title = f"Mandate, as it is now; {needed} {'approval was' if needed == 1 else 'approvals were'} required then"
    return RuleLink(title, reverse("mandates_item", args=[actor.business.slug, mandate_id]))


def _workflow(actor: Actor, approval: Approval, names: Mapping[str, str]) -> RuleLink | None:
    """The workflow of a request, as it was when it was made; None where a mandate asks, and for who reads none."""
    workflow_id = _workflow_id(approval)
    if workflow_id not in names:
        return None
    address = _address(actor, "workflows_history", workflow_id, approval.requested_at)
    return RuleLink(f"Workflow “{names[workflow_id]}”", address)


def _workflow_id(approval: Approval) -> str:
    return str(approval.payload.get("workflow_id") or "")


def _workflow_names(actor: Actor, approvals: Iterable[Approval]) -> dict[str, str]:
    """{id: name} of the workflows that the actor reads."""
    ids = {_workflow_id(approval) for approval in approvals} - {""}
    rows = visible_workflows(actor).filter(remote_id__in=ids) if ids else None
    return dict(rows.values_list("remote_id", "name")) if rows is not None else {}


def _of_evaluation(approval_request: ApprovalRequest | None) -> list[str]:
    evaluation = approval_request.payload.get("policy") if approval_request is not None else None
    trace = evaluation.get("trace") if isinstance(evaluation, Mapping) else None
    steps = [step for step in trace or [] if isinstance(step, Mapping)]
    return [str(step.get("policy_id") or "") for step in steps if step.get("outcome") in DECIDED]


def _policies(actor: Actor, ids: Iterable[str]) -> list[SpendPolicy]:
    """Those of the policies that the actor reads, by name."""
    named = {policy_id for policy_id in ids if policy_id}
    if not named:
        return []
    rows = visible_spend_policies(actor).filter(remote_id__in=named).order_by("sort_name", "pk")
    return typed(rows.values_list("payload", flat=True), SpendPolicy)


def _policy_links(
    actor: Actor, policies: Iterable[SpendPolicy], ids: Container[str], at: datetime | None
) -> list[RuleLink]:
    return [
        RuleLink(f"Policy “{policy_title(policy)}”", _address(actor, "policies_history", policy.id, at))
        for policy in policies
        if policy.id in ids
    ]


def _address(actor: Actor, name: str, remote_id: str, at: datetime | None) -> str:
    address = reverse(name, args=[actor.business.slug, remote_id])
    return f"{address}?{urlencode({'at': at.isoformat()})}" if at is not None else address
