"""The history of a policy or a workflow as a readable log: each version with what it changed, and the way back to it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
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
    """A version as it is printed; `is_current` has nothing to go back to, `restores` leads to its being restored; `decided`
    whether it was in force at the moment that was asked about."""

    number: int | None
    when: str
    who: str
    sentences: list[str]
    is_current: bool
    restores: bool
    decided: bool = False


class HistoryContext(TypedDict):
    """What policies/history.html reads: `target` is "policy" or "workflow", `item_id` the id of it; `then` the moment that
    was asked about, "" for none, and `is_known` whether the version that was in force at it is among them."""

    target: str
    item_id: str
    title: str
    lines: list[VersionLine]
    proposals: list[Proposal]
    problem: str
    may_change: Verdict
    then: str
    is_known: bool


def history_context(
    actor: Actor, versions: Versions, spend_policy: SpendPolicy, at: datetime | None = None
) -> HistoryContext:  # fmt: skip
    """The history of a spend policy; marked the version that was in force at a moment, where one is asked about."""
    states = [SpendPolicy.model_validate(row.after) for row in versions.rows if row.after]
    names = names_for(actor.business, [spend_policy, *states])
    lines = _marked([_policy_line(actor, row, spend_policy, names) for row in versions.rows], versions, at)
    may = can_open(actor, policy_commands.change_of_policy(spend_policy.type))
    return _context(
        actor, POLICY, spend_policy.id, policy_text.policy_title(spend_policy), lines, versions.trouble, may, at
    )


def workflow_history_context(
    actor: Actor, versions: Versions, workflow: Workflow, at: datetime | None = None
) -> HistoryContext:  # fmt: skip
    """The history of a workflow; as `history_context`."""
    states = [Workflow.model_validate(row.after) for row in versions.rows if row.after]
    names = names_for(actor.business, workflows=[workflow, *states])
    lines = _marked([_workflow_line(actor, row, workflow, names) for row in versions.rows], versions, at)
    may = can_open(actor, workflow_commands.change_of_workflow(workflow.action_type))
    return _context(actor, WORKFLOW, workflow.id, workflow.name, lines, versions.trouble, may, at)


def _marked(lines: list[VersionLine], versions: Versions, at: datetime | None) -> list[VersionLine]:
    """The lines, of which the newest that was there at a moment is marked."""
    if at is None:
        return lines
    place = next((place for place, row in enumerate(versions.rows) if row.at is not None and row.at <= at), None)
    return [replace(line, decided=number == place) for number, line in enumerate(lines)]


def _context(
    actor: Actor, target: str, item_id: str, title: str, lines: list[VersionLine], problem: str, may: Verdict,
    at: datetime | None,
) -> HistoryContext:  # fmt: skip
    proposals = visible_proposals(actor).filter(target_type=target, target_id=item_id).order_by("-pk")
    return {
        "target": target,
        "item_id": item_id,
        "title": title,
        "lines": lines,
        "proposals": list(proposals[:MOST_PROPOSALS]),
        "problem": problem,
        "may_change": may,
        "then": day_and_time(at, actor.business),
        "is_known": any(line.decided for line in lines),
    }


def _policy_line(actor: Actor, row: Version, current: SpendPolicy, names: Names) -> VersionLine:
    before = SpendPolicy.model_validate(row.before) if row.before else None
    after = SpendPolicy.model_validate(row.after) if row.after else None
    if after is None:
        sentences = ["Deleted."]
    elif before is None:
        sentences = [f"Created: {policy_text.policy_sentence(after, names)}"]
    else:
        sentences = policy_text.differences(before, after, names) or ["Nothing that is shown here."]
    restores = after is not None and after.status != "DELETED" and row.number != current.version
    return _line(actor, row, sentences, names, current.version, restores)


def _workflow_line(actor: Actor, row: Version, current: Workflow, names: Names) -> VersionLine:
    before = Workflow.model_validate(row.before) if row.before else None
    after = Workflow.model_validate(row.after) if row.after else None
    if after is None:
        sentences = ["Deleted."]
    elif before is None:
        sentences = ["Created.", *workflow_text.sentences_of(after, names)]
    else:
        sentences = workflow_text.differences(before, after, names) or ["Nothing that is shown here."]
    return _line(actor, row, sentences, names, current.version, after is not None and row.number != current.version)


def _line(
    actor: Actor, row: Version, sentences: list[str], names: Names, current: int | None, restores: bool
) -> VersionLine:
    who = names.people.get(row.by) or row.by or "the finance service"
    return VersionLine(
        row.number, day_and_time(row.at, actor.business), who, sentences, row.number == current,
        restores and row.number is not None,
    )  # fmt: skip
