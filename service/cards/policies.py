"""Spend policies at the use of a card: evaluated before the money is held, applied when the expense is written."""

from dataclasses import dataclass, replace

from service import errors
from service.approvals import mandates, steps
from service.approvals.models import ActionType
from service.auth import Caller
from service.business_policies import approvals, enforcement
from service.business_policies.evaluation import BLOCK, REQUIRE_APPROVAL, Evaluation, Facts
from service.cards.controls import Use
from service.cards.models import Card
from service.expenses.models import Expense
from service.expenses.new_expense import NewExpense


@dataclass(frozen=True, slots=True)
class PolicyOutcome:
    """The evaluation of the policies for a use of a card. `blocked`: it is declined, policy_blocked."""

    evaluation: Evaluation
    facts: Facts
    blocked: bool

    def flagged(self, new: NewExpense) -> NewExpense:
        """The expense with what the policies marked it with."""
        return replace(new, policy_flags=[*new.policy_flags, *self.evaluation.flags])

    def follow(self, caller: Caller, expense: Expense) -> None:
        """Asks for the votes that a policy wants on the expense that came of it; in the same transaction."""
        approvals.request_votes(caller, expense, self.evaluation, self.facts)


def evaluate_use(caller: Caller, card: Card, use: Use) -> PolicyOutcome:
    """What the active policies say; a use that would wait for votes which nobody could give is blocked."""
    facts = enforcement.facts_for(
        caller.business,
        employee=card.employee,
        team_id=card.employee.team_id,
        channel=enforcement.channel_of("CARD", use.channel),
        amount_minor=use.amount_minor,
        currency=card.currency,
        receiver=use.merchant,
        at=use.at,
    )
    evaluation = enforcement.decide(caller.business, facts)
    lacks_voters = evaluation.decision == REQUIRE_APPROVAL and not _somebody_votes(caller, card, evaluation, facts)
    return PolicyOutcome(evaluation, facts, evaluation.decision == BLOCK or lacks_voters)


def _somebody_votes(caller: Caller, card: Card, evaluation: Evaluation, facts: Facts) -> bool:
    makers = [card.employee_id]
    workflow = approvals.workflow_for(caller.business, evaluation, facts)
    try:
        if workflow is not None:
            steps.of_workflow(workflow, makers, extra=False, team_id=facts.team_id)
            return True
        mandate = mandates.applying(caller.business, ActionType.POLICY_BASED, facts.currency, facts.amount_minor)
        if mandate is not None:
            mandates.required(mandates.snapshot(mandate), makers, facts.amount_minor, extra=False)
    except errors.ServiceError:
        return False
    return mandate is not None
