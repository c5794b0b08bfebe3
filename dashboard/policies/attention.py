"""What is not in order with the policies and workflows in force, for Home: found anew every few minutes, not with each page."""

from __future__ import annotations

from dashboard import cache
from dashboard.access.actor import Actor
from dashboard.delegation.presence import presence_of
from dashboard.mirror.scopes import visible_spend_policies, visible_workflows
from dashboard.policies.dead_ends import workflow_findings
from dashboard.policies.findings import all_findings
from dashboard.policies.rulebook import rulebook_for

FOR_S = 300


def troubles_of(actor: Actor) -> dict[str, int]:
    """How many active workflows nobody can complete now ("workflows"), and how many policies can never match or contradict
    each other ("policies"); at most five minutes old, and nothing for who may not read them."""
    name = f"policies:troubles:{actor.business.pk}"
    known: dict[str, int] | None = cache.load(name)
    if known is None or not isinstance(known, dict):
        known = _count(actor)
        cache.store(name, known, FOR_S)
    return known


def _count(actor: Actor) -> dict[str, int]:
    if not visible_workflows(actor).exists() and not visible_spend_policies(actor).exists():
        return {"workflows": 0, "policies": 0}
    rulebook, presence = rulebook_for(actor), presence_of(actor.business)
    stuck = [
        workflow
        for workflow in rulebook.workflows
        if any(finding.grave for finding in workflow_findings(workflow, rulebook, presence))
    ]
    wrong = {policy.id for policy, finding in all_findings(rulebook) if finding.grave}
    return {"workflows": len(stuck), "policies": len(wrong)}
