"""The risk signal of policies: a payment that breaks one, or passes by an exemption from one.

Limits over time are not counted here: they were when the payment began, under a lock, and what broke them stands with
it (signals.py reads that). Here each kind of line is asked about by itself, in two queries however many requests there are.
"""

from collections.abc import Iterator, Sequence
from typing import TypedDict

from service import periods
from service.approvals.risk_scores import Question
from service.business_policies.enforcement import in_force, rule
from service.business_policies.evaluation import BREACHED, PASSED, REQUIRE_APPROVAL, Facts, evaluate
from service.businesses.models import Business
from service.risk import signals


class PolicyEvidence(TypedDict):
    """The rule that spoke up, by its policy, and what it said."""

    policy: str
    type: str
    outcome: str
    action: str
    says: str


def policy_exceptions(business: Business, questions: Sequence[Question]) -> Iterator[tuple[str, PolicyEvidence]]:
    """Key and evidence of the requests that a policy would speak up about: the gravest rule that does (what is
    broken, then what asks for votes, then what exempts)."""
    rules = [policy for policy in map(rule, in_force(business)) if not policy.period]
    if not rules:
        return
    by_key = {question.key: question for question in questions}
    seen: set[str] = set()
    for key, channel, subcategory, category, vendor, team, currency, amount in signals.uses(business, list(by_key)):
        question = by_key[key]
        facts = Facts(
            amount_minor=amount,
            currency=currency,
            at=question.requested_at,
            zone=periods.zone_of(business),
            employee_id=question.requester_id,
            team_id=team,
            channel=channel,
            subcategory_id=subcategory,
            category_id=category,
            vendor_id=vendor,
        )
        steps = [step for step in evaluate(facts, rules).trace if step.outcome != PASSED]
        if steps and key not in seen:
            seen.add(key)
            gravest = min(steps, key=lambda step: (step.outcome != BREACHED, step.rule.action == REQUIRE_APPROVAL))
            yield (
                key,
                {
                    "policy": gravest.rule.id,
                    "type": gravest.rule.type,
                    "outcome": gravest.outcome,
                    "action": gravest.rule.action,
                    "says": gravest.message,
                },
            )
