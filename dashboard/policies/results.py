"""What comes of a replay: how each item would have gone, counted by what changed, by team and by person."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypedDict

from dashboard.policies import weighed_items, weighing
from dashboard.policies.evaluation import FLAG, UNKNOWN
from dashboard.policies.models import ReplayChange
from dashboard.policies.names import Names
from dashboard.policies.policy_text import listed_with
from dashboard.policies.rulebook import Rulebook
from dashboard.policies.usage import Usage
from dashboard.policies.weighed_items import BILL, Weighed
from dashboard.policies.weighing import FREE, NOBODY, STOPPED, PolicyOutcome, policy_outcome
from dashboard.schemas.policies import SpendPolicy
from dashboard.schemas.wallet_policies import Mandate

# What nobody has measured: how long somebody looks at an item before they vote.
MINUTES_PER_VOTE = 4
MOST_GROUPS = 50


class GroupCount(TypedDict):
    """How many items of a team or a person would have gone another way, by what changed."""

    id: str
    counts: dict[str, int]


class ReplayResult(TypedDict):
    """A replay in figures: items by kind, changes by code, votes more (or fewer), and how long requests take now."""

    weighed: dict[str, int]
    changes: dict[str, int]
    votes: int
    wait_minutes: int | None
    wait_sample: int
    teams: list[GroupCount]
    people: list[GroupCount]
    missing_bills: int


@dataclass
class Tally:
    """The figures of a replay while it runs."""

    weighed: Counter[str] = field(default_factory=Counter)
    changes: Counter[str] = field(default_factory=Counter)
    votes: int = 0
    teams: dict[str, Counter[str]] = field(default_factory=dict)
    people: dict[str, Counter[str]] = field(default_factory=dict)

    def add(self, weighed: Weighed, before: PolicyOutcome, after: PolicyOutcome) -> ReplayChange | None:
        """Counts an item; answers how it would have gone another way, None where it would not."""
        self.weighed[weighed.kind] += 1
        change = change_of(before, after)
        if change is None:
            return None
        self.changes[change.value] += 1
        if change is not ReplayChange.UNWEIGHED:
            self.votes += after.route.votes - before.route.votes
        self.teams.setdefault(weighed.team_id, Counter())[change.value] += 1
        self.people.setdefault(weighed.person_id, Counter())[change.value] += 1
        return change

    def result(self, wait_minutes: int | None, wait_sample: int, missing_bills: int) -> ReplayResult:
        """The figures as they are stored: of teams and people those with the most changes."""
        return {
            "weighed": dict(self.weighed),
            "changes": dict(self.changes),
            "votes": self.votes,
            "wait_minutes": wait_minutes,
            "wait_sample": wait_sample,
            "teams": _most(self.teams),
            "people": _most(self.people),
            "missing_bills": missing_bills,
        }


def _most(groups: dict[str, Counter[str]]) -> list[GroupCount]:
    ordered = sorted(groups.items(), key=lambda group: (-group[1].total(), group[0]))
    return [{"id": name, "counts": dict(counts)} for name, counts in ordered[:MOST_GROUPS]]


def replayed(
    items: Iterable[Weighed], before: Rulebook, after: Rulebook, mandates: Sequence[Mandate], usage: Usage
) -> Iterator[tuple[Weighed, PolicyOutcome, PolicyOutcome]]:
    """Each item with what either rulebook makes of it; `usage` counts the items as they go by."""
    for item in items:
        was = policy_outcome(item, before, mandates, usage.used)
        becomes = policy_outcome(item, after, mandates, usage.used)
        usage.add(item)
        yield item, was, becomes


def change_of(before: PolicyOutcome, after: PolicyOutcome) -> ReplayChange | None:
    """How an item would have gone another way; None where it would not."""
    unknown_before, unknown_after = _unknown(before), _unknown(after)
    if before.key == after.key and unknown_before == unknown_after:
        return None
    if unknown_before or unknown_after:
        return ReplayChange.UNWEIGHED
    was, becomes = before.route.kind, after.route.kind
    if becomes == NOBODY and was != NOBODY:
        return ReplayChange.NOBODY
    if becomes == STOPPED:
        return ReplayChange.BLOCKED if was != STOPPED else None
    if was in (STOPPED, NOBODY) or (becomes == FREE and was != FREE):
        return ReplayChange.RELEASED
    if was == FREE and becomes != FREE:
        return ReplayChange.APPROVAL
    if before.route.key != after.route.key:
        return ReplayChange.ROUTE
    return ReplayChange.FLAGGED if _flags(after) else ReplayChange.RELEASED if _flags(before) else None


def _unknown(outcome: PolicyOutcome) -> frozenset[object]:
    return frozenset() if outcome.is_known else frozenset(
        step.rule for step in outcome.evaluation.trace if step.outcome == UNKNOWN
    )  # fmt: skip


def _flags(outcome: PolicyOutcome) -> bool:
    return any(step.rule.action == FLAG for step in outcome.evaluation.breaches)


def outcome_text(outcome: PolicyOutcome, policies: dict[str, SpendPolicy], names: Names) -> str:
    """What a rulebook makes of an item, in words: "Approval by “Large bills”, 2 approvals, flagged by “Nights”"."""
    if not outcome.is_known:
        rules = [_title(step.rule.id, policies) for step in outcome.evaluation.trace if step.outcome == UNKNOWN]
        return f"Not known: {listed_with(rules, 'or')} may apply"
    route, deciding = outcome.route, outcome.evaluation.deciding
    reason = f" because of {_title(deciding.rule.id, policies)}" if deciding else ""
    votes = f"{route.votes} approval{'s' * (route.votes != 1)}"
    match route.kind:
        case kind if kind == STOPPED:
            return f"Blocked{reason}"
        case kind if kind == NOBODY:
            by = f"“{route.workflow.name}”" if route.workflow else "the mandate" if route.mandate else "no workflow"
            return f"Nobody could approve it: {by}"
        case kind if kind == weighing.MANDATE:
            text = f"Approval by the mandate, {votes}"
        case kind if kind == FREE:
            text = "No approval needed"
        case _:
            text = f"Approval by “{route.workflow.name if route.workflow else ''}”, {votes}"
    flagged = [_title(step.rule.id, policies) for step in outcome.evaluation.breaches if step.rule.action == FLAG]
    return f"{text}, flagged by {listed_with(flagged)}" if flagged else text


def _title(policy_id: str, policies: dict[str, SpendPolicy]) -> str:
    policy = policies.get(policy_id)
    return f"“{policy.name or policy.type}”" if policy else "a policy"


NOUNS = {
    weighed_items.EXPENSE: ("expense", "expenses"),
    weighed_items.PAYMENT: ("bill payment", "bill payments"),
    BILL: ("bill", "bills"),
}


def weighed_text(result: ReplayResult) -> str:
    """What was weighed, in words: "214 expenses and 12 bill payments"."""
    parts = [
        f"{count:,} {NOUNS[kind][count != 1]}" for kind in NOUNS if (count := result["weighed"].get(kind, 0))
    ]  # fmt: skip
    return listed_with(parts) or "nothing"
