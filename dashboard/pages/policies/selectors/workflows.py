"""Approval workflows as the service tells them now, or did when it last answered, and what their form offers."""

from __future__ import annotations

from dataclasses import dataclass

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.access.subject import Subject
from dashboard.client.page import read_page, typed
from dashboard.errors import Forbidden, NotFound, Unavailable
from dashboard.impact.mandate_reads import Snapshot
from dashboard.mirror.cached_responses import read_or_cached
from dashboard.mirror.choices import categories_of, teams_of
from dashboard.mirror.live_rows import store_rows
from dashboard.mirror.scopes import visible_approvals, visible_workflows
from dashboard.pages.policies.forms.workflow import WorkflowChoices
from dashboard.pages.policies.selectors.policies import approvers_of, cut_hint, vendor_choices, wallet_currencies
from dashboard.policies import rule_links
from dashboard.proposals import targets
from dashboard.proposals.models import WORKFLOW
from dashboard.schemas.workflows import OF_BILLS, OF_POLICIES, Workflow
from dashboard.times import as_of

LISTS = {OF_BILLS: operations.READ_BILL_WORKFLOW, OF_POLICIES: operations.LIST_POLICY_WORKFLOWS}


@dataclass(frozen=True)
class WorkflowLists:
    """The workflows of bills and of policies by priority; `refused` says why those of policies cannot be read at all."""

    of_bills: Snapshot[list[Workflow]]
    of_policies: Snapshot[list[Workflow]]
    refused: str = ""


def workflows_of(actor: Actor) -> WorkflowLists:
    """Both lists; those of policies need an entitlement of the business's account."""
    of_bills = _listed(actor, OF_BILLS)
    try:
        return WorkflowLists(of_bills, _listed(actor, OF_POLICIES))
    except (Forbidden, NotFound) as refused:
        return WorkflowLists(of_bills, Snapshot([], "", ""), refused.user_message)


def _listed(actor: Actor, action_type: int) -> Snapshot[list[Workflow]]:
    cached = read_or_cached(actor, LISTS[action_type], query={"limit": targets.MOST})
    payloads = [] if cached.data is None else read_page(cached.data).rows
    rows = sorted(typed(payloads, Workflow), key=lambda row: (not row.active, row.priority, row.id))
    if not cached.trouble:
        store_rows(actor, "workflow", payloads)
    return Snapshot(rows, as_of(cached.as_of, actor.business), cached.trouble)


def workflow_for(actor: Actor, workflow_id: str) -> Snapshot[Workflow]:
    """The workflow of this id, of bills or of policies. NotFound where there is none, Unavailable where none was read."""
    lists = workflows_of(actor)
    for read in (lists.of_bills, lists.of_policies):
        workflow = next((row for row in read.value if row.id == workflow_id), None)
        if workflow is not None:
            return Snapshot(workflow, read.as_of, read.trouble)
    trouble = lists.of_bills.trouble or lists.of_policies.trouble
    raise Unavailable(trouble) if trouble else NotFound(code="not_found")


def stored_workflow(actor: Actor, workflow_id: str) -> Workflow | None:
    """A workflow as the copy has it; None where it has none of this id."""
    row = visible_workflows(actor).filter(remote_id=workflow_id).first()
    return Workflow.model_validate(row.payload) if row else None


def subject_of_workflow(actor: Actor, workflow: Workflow) -> Subject:
    """What the gate and the audit must know of a workflow."""
    return Subject(business_id=actor.business.pk, kind=WORKFLOW, id=workflow.id, title=workflow.name)


def workflow_choices(actor: Actor, workflow: Workflow | None = None) -> WorkflowChoices:
    """What the form of a workflow offers."""
    seated = [approver_id for step in (workflow.steps if workflow else ()) for approver_id in step.approver_ids or ()]
    return WorkflowChoices(
        currencies=wallet_currencies(actor, workflow.conditions.currency if workflow else ""),
        teams=teams_of(actor),
        subcategories=categories_of(actor),
        vendors=vendor_choices(actor),
        vendors_hint=cut_hint(actor),
        approvers=approvers_of(actor, seated),
    )


def waiting_under(actor: Actor, workflow_id: str) -> int:
    """How many requests wait for votes under a workflow now: they keep the version that they were made with."""
    return visible_approvals(actor).filter(status="PENDING", payload__workflow_id=workflow_id).count()


def voted_under(actor: Actor, workflow_id: str) -> int:
    """How many of them spend policies ask for on expenses: these alone can be made anew."""
    rows = visible_approvals(actor).filter(status="PENDING", kind=rule_links.VOTES)
    return rows.filter(payload__workflow_id=workflow_id).count()


def waiting_for_votes(actor: Actor) -> int:
    """How many requests wait for votes now that spend policies ask for, under whatever workflow."""
    return visible_approvals(actor).filter(status="PENDING", kind=rule_links.VOTES).count()
