"""A change of a workflow before it is made: what it says, what would be sent, what holds for the requests under it."""

from __future__ import annotations

from django.urls import reverse
from django.utils import timezone

from dashboard.access.actor import Actor
from dashboard.commands import workflows as workflow_commands
from dashboard.delegation.presence import presence_of
from dashboard.impact.consequences import Consequence
from dashboard.impact.mandate_reads import Snapshot
from dashboard.pages.policies.forms import reach
from dashboard.pages.policies.forms import workflow as workflow_forms
from dashboard.pages.policies.presenters.previews import GovernedPreview, as_consequences, with_replay
from dashboard.pages.policies.selectors.workflows import voted_under, waiting_for_votes, waiting_under
from dashboard.policies import policy_text, workflow_text
from dashboard.policies.dead_ends import workflow_findings
from dashboard.policies.drafts import step_body, workflow_draft
from dashboard.policies.names import names_for
from dashboard.policies.rulebook import Rulebook, rulebook_for
from dashboard.proposals.models import WORKFLOW
from dashboard.proposals.snapshots import snapshot_of
from dashboard.schemas.workflows import OF_BILLS, Workflow, WorkflowBody, WorkflowEndBody
from dashboard.times import day_and_time

REQUESTS_TOO = (
    "Requests on expenses that wait for approval when it takes effect, and that it matches, go by it as well."
)
REQUESTS_ELSEWHERE = (
    "Requests that wait for approval under it when it takes effect go by the next workflow that matches."
)
REQUESTS_ANEW = (
    "A request that waits for approval under it, or that it matches now, is withdrawn and made again where its steps or its "
    "workflow have changed: its approvals no longer count. What a policy names another workflow for stays there."
)
FOLLOWED = Consequence(
    "Those that wait for approval under it then get these steps. Approvals by people in them count, others stay for the record; one "
    "that has all its approvals is approved immediately.",
    grave=True,
)


def workflow_address(actor: Actor, workflow: Workflow) -> str:
    """The address of the page of a workflow."""
    return reverse("workflows_item", args=[actor.business.slug, workflow.id])


def preview_of_workflow(
    actor: Actor, action_type: int, body: WorkflowBody, *, key: str, read: Snapshot[Workflow] | None = None,
    heading: str = "",
) -> GovernedPreview:  # fmt: skip
    """A workflow to make, or, where one is read, its change; `body` is what is sent, whole."""
    before = read.value if read else None
    after = workflow_draft(body, action_type=action_type, before=before)
    operation = workflow_commands.change_of_workflow(action_type) if before else workflow_commands.creating(action_type)
    names = names_for(actor.business, workflows=[row for row in (before, after) if row])
    changes = workflow_text.differences(before, after, names) if before else workflow_text.sentences_of(after, names)
    heading = heading or ("Edit workflow" if before else "New workflow")
    also_waiting = bool(body.get("also_waiting"))
    if also_waiting:
        changes = [*changes, _reach_text(actor, before, after)]
    return with_replay(
        actor,
        GovernedPreview(
            operation=operation,
            heading=heading,
            title=after.name,
            button="Save change" if before else "Save workflow",
            success=f"The workflow “{after.name}” is saved.",
            sentences=changes,
            consequences=lambda: _consequences_of_workflow(actor, before, after, also_waiting=also_waiting),
            target_type=WORKFLOW,
            target_id=before.id if before else f"new-{key}"[:64],
            seen=snapshot_of(before) if before else {},
            about=(),
            leave=workflow_address(actor, before) if before else reverse("workflows", args=[actor.business.slug]),
            path={"workflowId": before.id} if before else {},
            body=body,
            names={**workflow_forms.FIELDS, "also_waiting": reach.REACH},
            trouble=read.trouble if read else "",
            before=before,
            after=after,
        ),
    )


def preview_of_workflow_end(
    actor: Actor, read: Snapshot[Workflow], *, also_waiting: bool = False
) -> GovernedPreview:  # fmt: skip
    """A workflow of bills deleted, or one of policies taken out of use; with `also_waiting` one of policies for the requests
    that wait under it as well: a change of it does, which the service makes them anew by."""
    before = read.value
    is_of_bills = before.action_type == OF_BILLS
    verb = "Delete workflow" if is_of_bills else "Deactivate workflow"
    names = names_for(actor.business, workflows=[before])
    done = "Deleted" if is_of_bills else "Deactivated"
    sentences = [f"{done}: {sentence}" for sentence in workflow_text.sentences_of(before, names)[:1]]
    body: WorkflowEndBody | None = {"active": False, "also_waiting": True} if also_waiting else None
    sentences += [REQUESTS_ELSEWHERE] if also_waiting else []
    preview = GovernedPreview(
        operation=(workflow_commands.change_of_workflow if also_waiting else workflow_commands.removing)(
            before.action_type
        ),
        heading=verb,
        title=before.name,
        button=verb,
        success=f"The workflow “{before.name}” is {done.lower()}.",
        sentences=sentences if before.active or is_of_bills else [],
        consequences=lambda: _consequences_of_end(actor, before, also_waiting=also_waiting),
        target_type=WORKFLOW,
        target_id=before.id,
        seen=snapshot_of(before),
        about=(),
        leave=reverse("workflows", args=[actor.business.slug]),
        path={"workflowId": before.id},
        body=body,
        grave=True,
        has_form=False,
        trouble=read.trouble,
        before=before,
        after=None,
    )
    return with_replay(actor, preview)


def _reach_text(actor: Actor, before: Workflow | None, after: Workflow) -> str:
    """What a change that holds for what waits as well does to it."""
    if before and after.action_type == OF_BILLS:
        return _in_flight_text(waiting_under(actor, before.id))
    return REQUESTS_TOO if after.active else REQUESTS_ELSEWHERE


def _in_flight_text(count: int) -> str:
    """That a change of a workflow of bills holds for the requests under it, of which there are so many now."""
    return f"It applies to the {count:,} in flight, too." if count > 1 else "It applies to those in flight, too."


def _consequences_of_workflow(
    actor: Actor, before: Workflow | None, after: Workflow, *, also_waiting: bool
) -> list[Consequence]:  # fmt: skip
    rulebook = rulebook_for(actor)
    consequences = as_consequences(workflow_findings(after, rulebook, presence_of(actor.business)))
    return [*consequences, *_in_flight(actor, before, after, also_waiting=also_waiting)]


def _votes_now(actor: Actor, under: int) -> str:
    # With its moment: a proposal keeps the sentence, and others wait by the time it is confirmed.
    count = waiting_for_votes(actor)
    many = "1 request that a policy asks for waits" if count == 1 else f"{count:,} requests that policies ask for wait"
    return f"On {day_and_time(timezone.now(), actor.business)}, {many} for approval, {under:,} under this workflow."


def _in_flight(
    actor: Actor, before: Workflow | None, after: Workflow, *, also_waiting: bool
) -> list[Consequence]:  # fmt: skip
    """What holds for requests that wait now: the service lets them keep the copy that they were made with, unless the change
    holds for them as well."""
    count = waiting_under(actor, before.id) if before else 0
    if also_waiting and after.action_type == OF_BILLS:
        return [FOLLOWED]
    if also_waiting:
        under = voted_under(actor, before.id) if before else 0
        anew = [Consequence(REQUESTS_ANEW, grave=True), Consequence(_votes_now(actor, under))]
        many = "1 request on a payment is" if count - under == 1 else f"{count - under:,} requests on payments are"
        others = Consequence(
            f"{many} decided by it, too, and not made again: its steps cannot change meanwhile.", grave=True
        )
        return [*anew, others] if count > under else anew
    if before is None or not count:
        return [Consequence("It holds for new requests; none waits under it now.")]
    many = f"{count} request{'s' * (count != 1)}"
    if after.action_type != OF_BILLS and (before.steps != after.steps or not after.active):
        text = f"{many} wait for approval under it: the service changes no steps before they are decided, unless it holds for them, too."
        return [Consequence(text, grave=True)]
    return [Consequence(f"It holds for new requests: {many} under it keep the version they were made with.")]


def _consequences_of_end(actor: Actor, before: Workflow, *, also_waiting: bool) -> list[Consequence]:
    rulebook = rulebook_for(actor)
    named = [row for row in rulebook.policies if row.workflow_id == before.id and row.status == "ACTIVE"]
    consequences = [
        Consequence(f"The policy “{policy_text.policy_title(row)}” asks for it: change the policy first.", grave=True)
        for row in named
    ]
    ended = before.model_copy(update={"active": False})
    consequences += _in_flight(actor, before, ended, also_waiting=also_waiting)
    consequences.append(Consequence(_route_without(rulebook, before)))
    return consequences


def _route_without(rulebook: Rulebook, before: Workflow) -> str:
    left = rulebook.without_workflow(before.id)
    others = left.of_bills if before.action_type == OF_BILLS else left.of_policies
    if others:
        return "What it matched falls to the next workflow that matches, else to the mandate."
    if before.action_type == OF_BILLS:
        return "No workflow of bills is left: mandates alone decide who approves, and without one nobody has to."
    return "No workflow of policies is left: what a policy sends for approval without naming one falls to the mandate."


def restoring_workflow(workflow: Workflow) -> WorkflowBody:
    """The body that makes a workflow what it was in an earlier version."""
    conditions = workflow.conditions
    return {
        "name": workflow.name,
        "active": workflow.active,
        "priority": workflow.priority,
        "conditions": {
            "currency": conditions.currency or None,
            "min_amount": conditions.min_amount,
            "max_amount": conditions.max_amount,
            "team_ids": conditions.team_ids,
            "subcategory_ids": conditions.subcategory_ids,
            "vendor_ids": conditions.vendor_ids,
        },
        "steps": [step_body(step) for step in workflow.steps],
    }
