"""A change of a policy or of a workflow before it is made: what it says, what would be sent, what follows from it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from django.urls import reverse
from django.utils import timezone

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.access.operation import Operation
from dashboard.commands import policies as policy_commands
from dashboard.commands import workflows as workflow_commands
from dashboard.delegation.presence import presence_of
from dashboard.impact.consequences import Consequence
from dashboard.impact.mandate_reads import Snapshot
from dashboard.pages.policies.forms import policy as policy_forms
from dashboard.pages.policies.forms import reach
from dashboard.pages.policies.forms import workflow as workflow_forms
from dashboard.pages.policies.selectors.policies import waiting_expenses
from dashboard.pages.policies.selectors.workflows import voted_under, waiting_for_votes, waiting_under
from dashboard.policies import policy_text, workflow_text
from dashboard.policies.dead_ends import workflow_findings
from dashboard.policies.drafts import policy_draft, step_body, workflow_draft
from dashboard.policies.findings import RuleFinding, findings_of
from dashboard.policies.models import Replay
from dashboard.policies.names import names_for
from dashboard.policies.replay_text import replay_summary
from dashboard.policies.replays import change_digest, replay_of
from dashboard.policies.rulebook import Rulebook, rulebook_for
from dashboard.proposals.models import POLICY, WORKFLOW
from dashboard.proposals.snapshots import NO_POLICY, snapshot_of
from dashboard.proposals.targets import target_of_category_policy
from dashboard.schemas.policies import DeletionBody, NewPolicyBody, PolicyBody, SpendPolicy
from dashboard.schemas.workflows import OF_BILLS, Workflow, WorkflowBody, WorkflowEndBody
from dashboard.times import day_and_time
from dashboard.web.change_steps import ChangePreview

LOOK = "policies/look.html"
# A deleted workflow and a policy that is taken out of use decide nothing any more.
FROM_THEN = "It holds for what is spent from then on: what was decided before keeps its decision."
ALSO_JUDGED = "Expenses that wait for review when it takes effect are judged by it anew."
MARKS_GO = "Expenses that wait for review when it takes effect lose its mark."
REQUESTS_GO = (
    "An open request that it asks for is withdrawn, or made anew by the policies that still ask for one. What was voted on "
    "stays decided."
)
REQUESTS_TOO = "Requests on expenses that wait for votes when it takes effect, and that it matches, go by it as well."
REQUESTS_ELSEWHERE = "Requests that wait for votes under it when it takes effect go by the next workflow that matches."
REQUESTS_ANEW = (
    "A request that waits for votes under it, or that it matches now, is withdrawn and made anew where its steps or its "
    "workflow have changed: the votes given on it count no more. What a policy names another workflow for stays there."
)
ALSO_WAITING = (
    "Expenses in review get its flag and its request for votes, or lose them; a block only flags them, since they are "
    "spent. What was voted on stays decided. An open request is withdrawn and made anew where another workflow decides now. "
    "Where several policies ask for votes, one request is made, by the workflow of the oldest that names one."
)
PAYMENTS_TOO = "Bill payments that are approved and not yet paid are checked again before their money leaves."


@dataclass(frozen=True, kw_only=True)
class GovernedPreview(ChangePreview):
    """The preview of a change of a policy or a workflow: `before` and `after` are it as it is and as it would be, None
    where there is none; `replay` the newest replay of exactly this change."""

    template: str = LOOK
    can_replay: bool = True
    before: SpendPolicy | Workflow | None = None
    after: SpendPolicy | Workflow | None = None
    replay: Replay | None = field(default=None)

    @property
    def digest(self) -> str:
        """What names this change: another draft, or another version to begin from, has another."""
        return change_digest(self.target_type, self.before, self.after)


def policy_address(actor: Actor, spend_policy: SpendPolicy) -> str:
    """The address of the page of a policy."""
    return reverse("policies_item", args=[actor.business.slug, spend_policy.id])


def workflow_address(actor: Actor, workflow: Workflow) -> str:
    """The address of the page of a workflow."""
    return reverse("workflows_item", args=[actor.business.slug, workflow.id])


def preview_of_new_policy(
    actor: Actor, type_: str, body: PolicyBody, *, key: str, group_id: str = "",
    replaced: SpendPolicy | None = None,
) -> GovernedPreview:  # fmt: skip
    """A policy to make: in a group, or, without one, as the policy of its category, which replaces the one there is."""
    operation = operations.CREATE_POLICY if group_id else operations.SET_CATEGORY_POLICY
    after = policy_draft(body, type_=type_, before=replaced)
    sent: NewPolicyBody = {**body, "type": type_}
    if not group_id:
        sent["status"] = "ACTIVE" if replaced else body["status"]
    target_id = f"new-{key}"[:64] if group_id else target_of_category_policy(sent)
    preview = _policy_preview(actor, operation, replaced, after, sent, target_id=replaced.id if replaced else target_id)
    if not group_id and replaced is None:
        preview = replace(preview, seen=NO_POLICY)
    heading = "Set category policy" if not group_id else "New policy"
    path = {"policyId": group_id} if group_id else {}
    leave = reverse("policies", args=[actor.business.slug])
    return replace(preview, heading=heading, button="Save policy", path=path, leave=leave)


def preview_of_policy_change(
    actor: Actor, read: Snapshot[SpendPolicy], body: PolicyBody, heading: str = "Edit policy"
) -> GovernedPreview:
    """The change of a policy that exists; `body` is what is sent."""
    before = read.value
    operation = policy_commands.change_of_policy(before.type)
    preview = _policy_preview(actor, operation, before, policy_draft(body, before=before), body, target_id=before.id)
    return replace(preview, heading=heading, path={"businessPolicyId": before.id}, trouble=read.trouble)


def preview_of_policy_deletion(
    actor: Actor, read: Snapshot[SpendPolicy], *, also_waiting: bool = False
) -> GovernedPreview:  # fmt: skip
    """The deletion of a policy: it is kept for the record, and can be brought back. With `also_waiting` it takes its marks
    of the expenses in review back: a change of its status does, which the service judges them by."""
    before = read.value
    after = before.model_copy(update={"status": "DELETED"})
    body: DeletionBody | None = {"status": "DELETED", "also_waiting": True} if also_waiting else None
    operation = (policy_commands.change_of_policy if also_waiting else policy_commands.deleting)(before.type)
    preview = _policy_preview(actor, operation, before, after, body, target_id=before.id)
    leave = reverse("policies", args=[actor.business.slug])
    sentences = [f"Deleted: {_sentence(actor, before)}", *([MARKS_GO] if also_waiting else [])]
    return replace(
        preview, heading="Delete policy", button="Delete policy", grave=True, has_form=False, path={"businessPolicyId": before.id},
        leave=leave, trouble=read.trouble, sentences=sentences,
        success=f"The policy “{policy_text.policy_title(before)}” is deleted.",
    )  # fmt: skip


def _sentence(actor: Actor, spend_policy: SpendPolicy) -> str:
    return policy_text.policy_sentence(spend_policy, names_for(actor.business, [spend_policy]))


def _policy_preview(
    actor: Actor, operation: Operation, before: SpendPolicy | None, after: SpendPolicy,
    body: PolicyBody | NewPolicyBody | DeletionBody | None, *, target_id: str,
) -> GovernedPreview:  # fmt: skip
    names = names_for(actor.business, [row for row in (before, after) if row])
    title = policy_text.policy_title(after)
    changes = policy_text.differences(before, after, names) if before else [policy_text.policy_sentence(after, names)]
    also_waiting = bool(body and body.get("also_waiting"))
    if also_waiting:
        changes = [*changes, ALSO_JUDGED if after.status == "ACTIVE" else MARKS_GO]
    return _with_replay(
        actor,
        GovernedPreview(
            operation=operation,
            heading="Edit policy",
            title=title,
            button="Save change",
            success=f"The policy “{title}” is saved.",
            sentences=changes,
            consequences=lambda: _consequences_of_policy(actor, before, after, also_waiting=also_waiting),
            target_type=POLICY,
            target_id=target_id,
            seen=snapshot_of(before) if before else {},
            about=(),
            leave=policy_address(actor, before) if before else reverse("policies", args=[actor.business.slug]),
            path={},
            body=body,
            grave=False,
            names=policy_forms.FIELDS,
            before=before,
            after=after,
        ),
    )


def _waiting_now(actor: Actor) -> str:
    # With its moment: a proposal keeps the sentence, and others wait by the time it is confirmed.
    count = waiting_expenses(actor).count()
    many = "1 expense waits" if count == 1 else f"{count:,} expenses wait"
    return f"On {day_and_time(timezone.now(), actor.business)}, {many} for review."


def _consequences_of_policy(
    actor: Actor, before: SpendPolicy | None, after: SpendPolicy, *, also_waiting: bool
) -> list[Consequence]:  # fmt: skip
    rulebook = rulebook_for(actor)
    findings = findings_of(after, rulebook.with_policy(after)) if after.status == "ACTIVE" else []
    judged = ALSO_WAITING if after.status == "ACTIVE" else REQUESTS_GO
    holds_for = Consequence(judged if also_waiting else FROM_THEN)
    consequences = [*_as_consequences(findings), holds_for, Consequence(PAYMENTS_TOO)]
    if also_waiting:
        return [*consequences, Consequence(_waiting_now(actor))]
    if before is not None and before.action == "REQUIRE_APPROVAL":
        flag = f"APPROVAL:{before.id}"
        waiting = waiting_expenses(actor).filter(payload__policy_flags__contains=[flag])
        if count := waiting.count():
            many = "expense waits" if count == 1 else "expenses wait"
            consequences.append(Consequence(f"{count} {many} for votes because of it, and still will."))
    return consequences


def _as_consequences(findings: Iterable[RuleFinding]) -> list[Consequence]:
    return [Consequence(finding.text, finding.grave) for finding in findings]


FOLLOWED = Consequence(
    "Those that wait for votes under it then get these steps. Votes of people who sit in them count, others stay for the record; one "
    "that has all its votes is approved immediately.",
    grave=True,
)


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
    return _with_replay(
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
    return _with_replay(actor, preview)


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
    consequences = _as_consequences(workflow_findings(after, rulebook, presence_of(actor.business)))
    return [*consequences, *_in_flight(actor, before, after, also_waiting=also_waiting)]


def _votes_now(actor: Actor, under: int) -> str:
    # With its moment, as `_waiting_now`.
    count = waiting_for_votes(actor)
    many = "1 request that a policy asks for waits" if count == 1 else f"{count:,} requests that policies ask for wait"
    return f"On {day_and_time(timezone.now(), actor.business)}, {many} for votes, {under:,} under this workflow."


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
        others = Consequence(f"{many} voted on by it, too, and not made anew: no other steps meanwhile.", grave=True)
        return [*anew, others] if count > under else anew
    if before is None or not count:
        return [Consequence("It holds for new requests; none waits under it now.")]
    many = f"{count} request{'s' * (count != 1)}"
    if after.action_type != OF_BILLS and (before.steps != after.steps or not after.active):
        text = f"{many} wait for votes under it: the service changes no steps before they are decided, unless it holds for them, too."
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


def _with_replay(actor: Actor, preview: GovernedPreview) -> GovernedPreview:
    """The preview with the newest replay of exactly this change, whose result is one of its consequences."""
    replay = replay_of(actor, preview.digest)
    if replay is None or not replay.is_done:
        return replace(preview, replay=replay)
    summary, consequences = replay_summary(replay), preview.consequences
    return replace(
        preview,
        replay=replay,
        consequences=lambda: [*consequences(), *(Consequence(text, grave) for text, grave in summary)],
    )


def restoring(spend_policy: SpendPolicy) -> PolicyBody:
    """The body that makes a policy what it was in an earlier version."""
    window = spend_policy.window
    return {
        "name": spend_policy.name or None,
        "target": spend_policy.target or None,
        "limit": spend_policy.limit,
        "currency": spend_policy.currency or None,
        "period": spend_policy.period or None,
        "per_person": spend_policy.per_person,
        "window": {"weekdays": window.weekdays, "from": window.opens, "to": window.closes} if window else None,
        "action": spend_policy.action,
        "workflow_id": spend_policy.workflow_id or None,
        "exempt": {"team_ids": spend_policy.exempt.team_ids, "employee_ids": spend_policy.exempt.employee_ids},
        "status": spend_policy.status if spend_policy.status != "DELETED" else "ACTIVE",
    }


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
