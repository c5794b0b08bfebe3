"""One item under one rulebook: what the policies decide, which workflow it falls to, and whether anybody could vote.

Pure, as evaluation and routing are: the simulator and the replay both ask here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from dashboard.policies import weighed_items
from dashboard.policies.evaluation import BLOCK, FLAG, REQUIRE_APPROVAL, Evaluation, Used, evaluate
from dashboard.policies.names import Names
from dashboard.policies.routing import RoutedFacts, lacking, route, step_seats, votes_of
from dashboard.policies.rulebook import Rulebook
from dashboard.policies.weighed_items import Weighed
from dashboard.schemas.wallet_policies import Mandate
from dashboard.schemas.workflows import OF_BILLS, OF_POLICIES, Workflow

# Who decides on an item: nobody has to, a workflow, a mandate, or nobody can.
FREE, WORKFLOW, MANDATE, NOBODY = "FREE", "WORKFLOW", "MANDATE", "NOBODY"
STOPPED = "STOPPED"


@dataclass(frozen=True, slots=True)
class Route:
    """Who decides on an item: the kind, the workflow or mandate, and how many votes that takes."""

    kind: str
    workflow: Workflow | None = None
    mandate: Mandate | None = None
    votes: int = 0

    @property
    def key(self) -> tuple[str, str, int]:
        """What makes two routes the same."""
        source = self.workflow or self.mandate
        return self.kind, source.id if source else "", self.votes


@dataclass(frozen=True, slots=True)
class PolicyOutcome:
    """What a rulebook makes of an item; `is_known` is False where a fact that nobody knows could change it."""

    evaluation: Evaluation
    route: Route
    is_known: bool

    @property
    def is_blocked(self) -> bool:
        """Whether a policy forbids it."""
        return self.evaluation.decision == BLOCK

    @property
    def key(self) -> tuple[str, bool, tuple[str, str, int]]:
        """What makes two outcomes the same way: the decision, whether it is flagged, and who decides."""
        return self.evaluation.decision, bool(_flagged(self.evaluation)), self.route.key


def _flagged(evaluation: Evaluation) -> list[str]:
    return [step.rule.id for step in evaluation.breaches if step.rule.action == FLAG]


def policy_outcome(weighed: Weighed, rulebook: Rulebook, mandates: Sequence[Mandate], used: Used) -> PolicyOutcome:
    """What a rulebook makes of an item. `mandates` are the active ones of the business."""
    evaluation = evaluate(weighed.uses, rulebook.rules, used)
    route_ = _route(weighed, evaluation, rulebook, mandates)
    return PolicyOutcome(evaluation, route_, evaluation.is_known)


def _route(weighed: Weighed, evaluation: Evaluation, rulebook: Rulebook, mandates: Sequence[Mandate]) -> Route:
    names = rulebook.names
    if evaluation.decision == BLOCK:
        return Route(STOPPED)
    needs_votes = evaluation.decision == REQUIRE_APPROVAL
    named = _named(evaluation, rulebook) if needs_votes else None
    if weighed.kind == weighed_items.EXPENSE:
        if not needs_votes:
            return Route(FREE)
        return _voted(weighed, named or route(weighed.routed, rulebook.of_policies), names, mandates, OF_POLICIES)
    usual = route(weighed.routed, rulebook.of_bills)
    if named is not None:
        least = votes_of(usual) if usual else _least(_mandate_for(mandates, OF_BILLS, weighed.routed))
        return _voted(weighed, named, names, mandates, OF_BILLS, least)
    if usual is not None or _mandate_for(mandates, OF_BILLS, weighed.routed) is not None or not needs_votes:
        return _voted(weighed, usual, names, mandates, OF_BILLS, is_free=True)
    return _voted(weighed, route(weighed.routed, rulebook.of_policies), names, (), OF_POLICIES)


def _named(evaluation: Evaluation, rulebook: Rulebook) -> Workflow | None:
    """The workflow that a broken policy names: of several the first that names one."""
    named = (step.rule.workflow_id for step in evaluation.breaches if step.rule.action == REQUIRE_APPROVAL)
    workflow_id = next(filter(None, named), "")
    return rulebook.workflow(workflow_id) if workflow_id else None


def _voted(
    weighed: Weighed, workflow: Workflow | None, names: Names, mandates: Sequence[Mandate], action_type: int,
    least: int = 0, *, is_free: bool = False,
) -> Route:  # fmt: skip
    """The route by a workflow, else by the mandate that applies; without one nobody has to decide where it `is_free`, else
    nobody can."""
    if workflow is not None:
        votes = max(votes_of(workflow), least)
        return Route(WORKFLOW if _can_complete(weighed, workflow, names, least) else NOBODY, workflow, votes=votes)
    mandate = _mandate_for(mandates, action_type, weighed.routed)
    if mandate is not None:
        able = [
            seat
            for seat in mandate.approvers
            if seat.active
            and seat.approver_id not in weighed.makers
            and (seat.max_amount_minor is None or weighed.routed.amount_minor <= seat.max_amount_minor)
        ]
        enough = len(able) >= mandate.min_approvers
        return Route(MANDATE if enough else NOBODY, mandate=mandate, votes=mandate.min_approvers)
    return Route(FREE if is_free else NOBODY)


def _can_complete(weighed: Weighed, workflow: Workflow, names: Names, least: int) -> bool:
    """Whether its votes could be given, by those who are active, or review the team, now and have not made the item."""
    reviewers = names.reviewers.get(weighed.team_id, frozenset())
    seats = step_seats(workflow.steps, names.approvers, weighed.makers, reviewers=reviewers)
    missing = max(0, least - sum(step.needed for step in seats))
    if missing and seats:
        seats[-1] = replace(seats[-1], needed=seats[-1].needed + missing)
    return lacking(seats) is None


def _mandate_for(mandates: Sequence[Mandate], action_type: int, routed_facts: RoutedFacts) -> Mandate | None:
    """The active mandate for an amount: of several the one that starts highest."""
    fitting = [
        mandate
        for mandate in mandates
        if mandate.active
        and mandate.action_type == action_type
        and mandate.currency == routed_facts.currency
        and mandate.min_amount_minor <= routed_facts.amount_minor
        and (mandate.max_amount_minor is None or routed_facts.amount_minor <= mandate.max_amount_minor)
    ]
    return min(fitting, key=lambda mandate: (-mandate.min_amount_minor, mandate.id), default=None)


def _least(mandate: Mandate | None) -> int:
    return mandate.min_approvers if mandate else 0
