"""The policies that do not count for a leaver: the exemption ends, or somebody else has it, by a change of the policy."""

from __future__ import annotations

from collections.abc import Iterator

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.client.page import typed
from dashboard.commands import policies
from dashboard.errors import NotFound
from dashboard.mirror.models import Employee
from dashboard.mirror.scopes import visible_spend_policies
from dashboard.offboarding.labels import END_EXEMPTION, PASS_EXEMPTION, LeftBehind
from dashboard.offboarding.models import OffboardingStep
from dashboard.offboarding.outcome import OVER, Carried, StepAction, over_before
from dashboard.policies import policy_text
from dashboard.policies.drafts import policy_draft
from dashboard.policies.names import names_for
from dashboard.proposals.models import POLICY
from dashboard.proposals.services import Draft, apply_or_propose
from dashboard.proposals.snapshots import snapshot_of
from dashboard.proposals.targets import read_policy
from dashboard.schemas.base import JsonObject
from dashboard.schemas.policies import SpendPolicy


def exemptions_left(actor: Actor, employee: Employee) -> Iterator[LeftBehind]:
    """The policies that name an employee among the people they do not count for, by name."""
    named = visible_spend_policies(actor).filter(payload__exempt__employee_ids__contains=[employee.remote_id])
    rows = named.exclude(status="DELETED").order_by("sort_name", "pk").values_list("payload", flat=True)
    for policy in typed(rows, SpendPolicy):
        title = f"Exempt from “{policy_text.policy_title(policy)}”"
        yield LeftBehind("exemption", policy.id, title[:300], (END_EXEMPTION, PASS_EXEMPTION))


def _policy_change(actor: Actor, step: OffboardingStep) -> JsonObject:
    """The exemptions without the leaver, of the policy as it is now, and what that changes in words; OVER where they are
    exempt no more."""
    before = read_policy(actor, step.remote_id)
    people = set(before.exempt.employee_ids)
    if before.status == "DELETED" or step.offboarding.employee_id not in people:
        return OVER
    people = people - {step.offboarding.employee_id} | ({step.heir_id} - {""})
    exempt = {"team_ids": sorted(before.exempt.team_ids), "employee_ids": sorted(people)}
    after = policy_draft({"exempt": exempt}, before=before)
    names = names_for(actor.business, [before, after])
    return {
        "type": before.type, "name": policy_text.policy_title(before), "body": {"exempt": exempt},
        "seen": dict(snapshot_of(before)), "sentences": policy_text.differences(before, after, names),
    }  # fmt: skip


def _change_policy(actor: Actor, step: OffboardingStep) -> Carried:
    if (over := over_before(step, "end")) is not None:
        return over
    data = step.data
    draft = Draft(
        operation=policies.change_of_policy(data["type"]), title=data["name"], key=step.key,
        path={"businessPolicyId": step.remote_id}, body=data["body"], target_type=POLICY, target_id=step.remote_id,
        seen=data["seen"], sentences=data["sentences"], reason=f"{step.offboarding.employee_name} is leaving.",
        # Nobody confirms an exemption of their own.
        about=[step.heir_id] if step.heir_id else [],
    )  # fmt: skip
    proposal = apply_or_propose(actor, draft)
    return Carried() if proposal is None else Carried(proposal_id=proposal.pk)


def _exempt(actor: Actor, step: OffboardingStep) -> list[str]:
    row = visible_spend_policies(actor).filter(remote_id=step.remote_id).first()
    if row is None:
        raise NotFound("The policy no longer exists.", code="not_found")
    return [] if row.status == "DELETED" else (row.payload.get("exempt") or {}).get("employee_ids") or []


def _is_exempt_no_more(actor: Actor, step: OffboardingStep) -> bool:
    return step.offboarding.employee_id not in _exempt(actor, step)


def _is_heir_exempt(actor: Actor, step: OffboardingStep) -> bool:
    exempt = _exempt(actor, step)
    return step.heir_id in exempt and step.offboarding.employee_id not in exempt


# Policies of categories have an operation of their own, for the same roles.
EXEMPTIONS: dict[tuple[str, str], StepAction] = {
    ("exemption", "end"): StepAction(
        operations.UPDATE_POLICY, _change_policy, _is_exempt_no_more, prepare=_policy_change
    ),
    ("exemption", "assign"): StepAction(
        operations.UPDATE_POLICY, _change_policy, _is_heir_exempt, prepare=_policy_change
    ),
}
