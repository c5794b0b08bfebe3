"""The history of a policy or a workflow as a readable log: each version with what it changed, and the way back to it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypedDict

from dashboard.access.actor import Actor
from dashboard.access.check import Verdict, can_open
from dashboard.commands import policies as policy_commands
from dashboard.commands import workflows as workflow_commands
from dashboard.pages.policies.selectors.history import Version, Versions
from dashboard.policies import policy_text, workflow_text
from dashboard.policies.names import Names, names_for
from dashboard.proposals.models import POLICY, WORKFLOW, Proposal
from dashboard.proposals.selectors import visible_proposals
from dashboard.schemas.policies import SpendPolicy
from dashboard.schemas.workflows import Workflow
from dashboard.times import day_and_time

MOST_PROPOSALS = 20


@dataclass(frozen=True, slots=True)
class VersionLine:
    """A version as it is printed; `is_current` has nothing to go back to, `restores` leads to its being restored."""

    number: int | None
    when: str
    who: str
    sentences: list[str]
    is_current: bool
    restores: bool


class HistoryContext(TypedDict):
    """What policies/history.html reads: `target` is "policy" or "workflow", `item_id` the id of it."""

    target: str
    item_id: str
    title: str
    lines: list[VersionLine]
    proposals: list[Proposal]
    problem: str
    may_change: Verdict


def history_context(actor: Actor, versions: Versions, policy: SpendPolicy) -> HistoryContext:
    """The history of a spend policy."""
    states = [SpendPolicy.model_validate(row.after) for row in versions.rows if row.after]
    names = names_for(actor.business, [policy, *states])
    lines = [_policy_line(actor, row, policy, names) for row in versions.rows]
    may = can_open(actor, policy_commands.change_of_policy(policy.type))
    return _context(actor, POLICY, policy.id, policy_text.policy_title(policy), lines, versions.trouble, may)


def workflow_history_context(actor: Actor, versions: Versions, workflow: Workflow) -> HistoryContext:
    """The history of a workflow."""
    states = [Workflow.model_validate(row.after) for row in versions.rows if row.after]
    names = names_for(actor.business, workflows=[workflow, *states])
    lines = [_workflow_line(actor, row, workflow, names) for row in versions.rows]
    may = can_open(actor, workflow_commands.change_of_workflow(workflow.action_type))
    return _context(actor, WORKFLOW, workflow.id, workflow.name, lines, versions.trouble, may)


def _context(
    actor: Actor, target: str, item_id: str, title: str, lines: list[VersionLine], problem: str, may: Verdict
) -> HistoryContext:
    proposals = visible_proposals(actor).filter(target_type=target, target_id=item_id).order_by("-pk")
    return {
        "target": target,
        "item_id": item_id,
        "title": title,
        "lines": lines,
        "proposals": list(proposals[:MOST_PROPOSALS]),
        "problem": problem,
        "may_change": may,
    }


def _policy_line(actor: Actor, row: Version, now: SpendPolicy, names: Names) -> VersionLine:
    before = SpendPolicy.model_validate(row.before) if row.before else None
    after = SpendPolicy.model_validate(row.after) if row.after else None
    if after is None:
        sentences = ["Deleted."]
    elif before is None:
        sentences = [f"Created: {policy_text.policy_sentence(after, names)}"]
    else:
        sentences = policy_text.differences(before, after, names) or ["Nothing that is shown here."]
    restores = after is not None and after.status != "DELETED" and row.number != now.version
    return _line(actor, row, sentences, names, now.version, restores)


def _workflow_line(actor: Actor, row: Version, now: Workflow, names: Names) -> VersionLine:
    before = Workflow.model_validate(row.before) if row.before else None
    after = Workflow.model_validate(row.after) if row.after else None
    if after is None:
        sentences = ["Deleted."]
    elif before is None:
        sentences = ["Created.", *workflow_text.sentences_of(after, names)]
    else:
        sentences = workflow_text.differences(before, after, names) or ["Nothing that is shown here."]
    return _line(actor, row, sentences, names, now.version, after is not None and row.number != now.version)


def _line(
    actor: Actor, row: Version, sentences: list[str], names: Names, current: int | None, restores: bool
) -> VersionLine:
    who = names.people.get(row.by) or row.by or "the finance service"
    return VersionLine(
        row.number, day_and_time(row.at, actor.business), who, sentences, row.number == current,
        restores and row.number is not None,
    )  # fmt: skip
