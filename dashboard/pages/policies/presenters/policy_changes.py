"""A change of a policy before it is made: what it says, what would be sent, what follows from it."""

from __future__ import annotations

from dataclasses import replace

from django.urls import reverse
from django.utils import timezone

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.access.operation import Operation
from dashboard.commands import policies as policy_commands
from dashboard.impact.consequences import Consequence
from dashboard.impact.mandate_reads import Snapshot
from dashboard.pages.policies.forms import policy as policy_forms
from dashboard.pages.policies.presenters.previews import GovernedPreview, as_consequences, with_replay
from dashboard.pages.policies.selectors.policies import waiting_expenses
from dashboard.policies import policy_text
from dashboard.policies.drafts import policy_draft
from dashboard.policies.findings import findings_of
from dashboard.policies.names import names_for
from dashboard.policies.rulebook import rulebook_for
from dashboard.proposals.models import POLICY
from dashboard.proposals.snapshots import NO_POLICY, snapshot_of
from dashboard.proposals.targets import target_of_category_policy
from dashboard.schemas.policies import DeletionBody, NewPolicyBody, PolicyBody, SpendPolicy
from dashboard.times import day_and_time

# A deleted workflow and a policy that is taken out of use decide nothing any more.
FROM_THEN = "It holds for what is spent from then on: what was decided before keeps its decision."
ALSO_JUDGED = "Expenses that wait for review when it takes effect are judged by it again."
MARKS_GO = "Expenses that wait for review when it takes effect lose its mark."
REQUESTS_GO = (
    "An open request that it asks for is withdrawn, or made again by the policies that still ask for one. What was decided "
    "stays decided."
)
ALSO_WAITING = (
    "Expenses in review get its flag and its approval request, or lose them; a block only flags them, since they are "
    "spent. What was decided stays decided. An open request is withdrawn and made again where another workflow decides now. "
    "Where several policies require approval, one request is made, by the workflow of the oldest that names one."
)
PAYMENTS_TOO = "Bill payments that are approved and not yet paid are checked again before their money leaves."


def policy_address(actor: Actor, spend_policy: SpendPolicy) -> str:
    """The address of the page of a policy."""
    return reverse("policies_item", args=[actor.business.slug, spend_policy.id])


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
    return with_replay(
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
    consequences = [*as_consequences(findings), holds_for, Consequence(PAYMENTS_TOO)]
    if also_waiting:
        return [*consequences, Consequence(_waiting_now(actor))]
    if before is not None and before.action == "REQUIRE_APPROVAL":
        flag = f"APPROVAL:{before.id}"
        waiting = waiting_expenses(actor).filter(payload__policy_flags__contains=[flag])
        if count := waiting.count():
            many = "expense waits" if count == 1 else "expenses wait"
            consequences.append(Consequence(f"{count} {many} for approval because of it, and still will."))
    return consequences


def restoring_policy(spend_policy: SpendPolicy) -> PolicyBody:
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
