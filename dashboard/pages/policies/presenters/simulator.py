"""What would happen to an example: rule by rule, the rule that decides, and who would have to approve."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypedDict

from dashboard.access.actor import Actor
from dashboard.money import text
from dashboard.pages.policies.forms.simulator import ExampleForm
from dashboard.policies import weighing
from dashboard.policies.evaluation import (
    ALLOW,
    BLOCK,
    BREACHED,
    EXEMPT,
    FLAG,
    PASSED,
    REQUIRE_APPROVAL,
    UNKNOWN,
    RuleOutcome,
)
from dashboard.policies.names import Names
from dashboard.policies.policy_text import limit_period_text, policy_sentence, policy_title
from dashboard.policies.replay_run import current_mandates
from dashboard.policies.rulebook import Rulebook, rulebook_for
from dashboard.policies.usage import Usage
from dashboard.policies.weighed_items import Weighed, lookups_for
from dashboard.policies.weighing import FREE, NOBODY, STOPPED, PolicyOutcome, policy_outcome
from dashboard.policies.workflow_text import sentences_of
from dashboard.schemas.policies import SpendPolicy

OUTCOMES = {
    BREACHED: ("Breached", "bad"), PASSED: ("Passed", "ok"), EXEMPT: ("Exempt", ""), UNKNOWN: ("Not known", "warn"),
}  # fmt: skip
DECISIONS = {
    ALLOW: ("Allowed", "ok"), FLAG: ("Allowed and flagged", "warn"), REQUIRE_APPROVAL: ("Needs approval", "info"),
    BLOCK: ("Blocked", "bad"),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class TraceLine:
    """One rule that is about the example: its sentence, what it said in a word with its tone, and the figures."""

    policy: SpendPolicy
    title: str
    sentence: str
    outcome: tuple[str, str]
    figures: str
    decides: bool


class SimulatorContext(TypedDict):
    """What policies/simulator.html reads; `decision` is None before an example was typed."""

    here: str
    form: ExampleForm
    decision: tuple[str, str] | None
    reason: str
    lines: list[TraceLine]
    others: int
    route: list[str]
    notes: list[str]


def simulator_context(actor: Actor, form: ExampleForm) -> SimulatorContext:
    """The page before anything was typed, or with what is wrong beside its field."""
    return {
        "here": "simulator", "form": form, "decision": None, "reason": "", "lines": [], "others": 0, "route": [],
        "notes": [],
    }  # fmt: skip


def simulated(actor: Actor, form: ExampleForm) -> SimulatorContext:
    """What would happen to a valid example, by the policies and workflows of the copy."""
    rulebook = rulebook_for(actor)
    vendor_ids = sorted({rule.target for rule in rulebook.rules if rule.type == "VENDOR"} - {"SELF"})
    weighed = form.item(lookups_for(actor.business, vendor_ids))
    usage = Usage.of(rulebook.rules, weighed.uses[0].zone)
    usage.load_until(actor.business, weighed.at)
    outcome = policy_outcome(weighed, rulebook, current_mandates(actor), usage.used)
    policies = {policy.id: policy for policy in rulebook.policies}
    deciding = outcome.evaluation.deciding
    lines = [
        _line(step, policies[step.rule.id], rulebook.names, weighed, decides=step is deciding)
        for step in outcome.evaluation.trace
    ]
    return {
        "here": "simulator",
        "form": form,
        "decision": _decision(outcome),
        "reason": f"“{policy_title(policies[deciding.rule.id])}” decides." if deciding else "No policy is breached.",
        "lines": sorted(lines, key=lambda line: not line.decides),
        "others": len(rulebook.rules) - len(lines),
        "route": _route(outcome, rulebook),
        "notes": _notes(form, weighed, outcome),
    }


def _decision(outcome: PolicyOutcome) -> tuple[str, str]:
    word, tone = DECISIONS[outcome.evaluation.decision]
    if outcome.route.kind == NOBODY:
        return "Refused: nobody could approve it", "bad"
    if not outcome.is_known:
        gravest = DECISIONS[outcome.evaluation.gravest][0].lower()
        return f"{word}, or {gravest}", "warn"
    return word, tone


def _line(
    rule_outcome: RuleOutcome, spend_policy: SpendPolicy, names: Names, weighed: Weighed, *, decides: bool
) -> TraceLine:
    return TraceLine(
        spend_policy,
        policy_title(spend_policy),
        policy_sentence(spend_policy, names),
        OUTCOMES[rule_outcome.outcome],
        _figures(rule_outcome, weighed, names),
        decides,
    )


def _figures(rule_outcome: RuleOutcome, weighed: Weighed, names: Names) -> str:
    rule, used = rule_outcome.rule, rule_outcome.used
    if rule.limit_minor is None or used is None:
        return ""
    limit = text(rule.limit_minor, rule.currency, names.locale)
    low = text(used.low + rule_outcome.amount_minor, rule.currency, names.locale)
    if not rule.period:
        return f"{low} of {limit}"
    high = text(used.high + rule_outcome.amount_minor, rule.currency, names.locale)
    spent = low if used.low == used.high else f"{low} to {high}"
    return f"{spent} of {limit} {limit_period_text(rule.period, per_person=rule.per_person)}"


def _route(outcome: PolicyOutcome, rulebook: Rulebook) -> list[str]:
    route = outcome.route
    if route.kind == STOPPED:
        return []
    if route.workflow is not None:
        intro = "Nobody could complete" if route.kind == NOBODY else "Approval by"
        return [f"{intro} the workflow “{route.workflow.name}”.", *sentences_of(route.workflow, rulebook.names)[1:]]
    if route.kind == weighing.MANDATE:
        return [f"Approval by the mandate: {route.votes} of its approvers."]
    if route.kind == FREE:
        return ["Nobody has to approve it because of a policy or a workflow."]
    return ["Approval is required, and no workflow or mandate says whose: it is refused."]


def _notes(form: ExampleForm, weighed: Weighed, outcome: PolicyOutcome) -> list[str]:
    notes = []
    if form.cleaned_data["subcategory"] and not weighed.uses[0].subcategory_id:
        notes.append("A card purchase is categorised after the card was used: policies on categories do not see it.")
    if not outcome.is_known:
        notes.append("Payouts and bill payments may have used the limit: how much of it by then is not known here.")
    if form.cleaned_data["kind"] == "bill_payment":
        notes.append("A high risk requires one extra approval where somebody can give it: that is not weighed here.")
    return notes
