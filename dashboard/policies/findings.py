"""What is wrong with a policy before it is in force: rules that can never match or never decide, and rules that contradict.

Pure: from a rulebook to sentences. What is said here follows from the rules alone, whatever is spent.
"""

from __future__ import annotations

from dataclasses import dataclass

from dashboard.policies.evaluation import GRAVITY, REQUIRE_APPROVAL
from dashboard.policies.policy_text import policy_title
from dashboard.policies.rulebook import Rulebook, everybody_exempt
from dashboard.policies.rules import PolicyRule, families, policy_rule_of
from dashboard.schemas.policies import EVERY_DAY, SpendPolicy

# In which periods what was spent in one was spent, too, itself among them: "" is one use. A week may lie in two months.
LONGER = {
    "": ("", "DAY", "WEEK", "MONTH", "YEAR"), "DAY": ("DAY", "WEEK", "MONTH", "YEAR"), "WEEK": ("WEEK",),
    "MONTH": ("MONTH", "YEAR"), "YEAR": ("YEAR",),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class RuleFinding:
    """Something that follows from the rules alone: `field` is the form's field that it is about, "" for the whole."""

    text: str
    grave: bool = True
    field: str = ""


def findings_of(spend_policy: SpendPolicy, rulebook: Rulebook) -> list[RuleFinding]:
    """What is wrong with an active policy among the others of the rulebook; [] for one that is not in force."""
    if spend_policy.status != "ACTIVE":
        return []
    rule = policy_rule_of(spend_policy)
    others = [row for row in rulebook.policies if row.id != spend_policy.id and row.status == "ACTIVE"]
    findings = [*_never_matches(spend_policy, rule, rulebook), *_not_seen(spend_policy)]
    findings += [
        _shadowed_by(other, spend_policy) for other in others if shadows(policy_rule_of(other), rule, rulebook)
    ]
    findings += [
        _shadowed_by(spend_policy, other) for other in others if shadows(rule, policy_rule_of(other), rulebook)
    ]
    findings += [
        _repeated_by(other, spend_policy) for other in others if makes_redundant(policy_rule_of(other), rule, rulebook)
    ]
    findings += [
        _repeated_by(spend_policy, other) for other in others if makes_redundant(rule, policy_rule_of(other), rulebook)
    ]
    findings += [_no_common_hours(spend_policy, other) for other in others if contradict(rule, policy_rule_of(other))]
    return findings


def all_findings(rulebook: Rulebook) -> list[tuple[SpendPolicy, RuleFinding]]:
    """Everything that is wrong with the policies in force, each sentence once, with the policy that it is about."""
    texts: set[str] = set()
    pairs = []
    for policy in rulebook.policies:
        for finding in findings_of(policy, rulebook):
            if finding.text not in texts:
                texts.add(finding.text)
                pairs.append((policy, finding))
    return pairs


def never_closed(policy_rule: PolicyRule) -> bool:
    """Whether a rule on hours holds all the time, so that nothing lies outside."""
    return (
        policy_rule.type == "DAY_TIME"
        and policy_rule.weekdays >= set(EVERY_DAY)
        and (policy_rule.opens, policy_rule.closes) == ("00:00", "24:00")
    )


def _never_matches(spend_policy: SpendPolicy, policy_rule: PolicyRule, rulebook: Rulebook) -> list[RuleFinding]:
    title = policy_title(spend_policy)
    findings = []
    if never_closed(policy_rule):
        findings.append(RuleFinding(f"“{title}” can never match: its hours hold all the time.", field="weekdays"))
    if everybody_exempt(rulebook, policy_rule.exempt_team_ids, policy_rule.exempt_employee_ids):
        findings.append(RuleFinding(f"“{title}” can never match: everybody is exempt.", field="exempt_teams"))
    if policy_rule.type == "SUBCATEGORY" and policy_rule.target in rulebook.archived:
        findings.append(RuleFinding(f"“{title}” matches nothing new: its subcategory is archived.", False, "target"))
    if policy_rule.type == "VENDOR" and policy_rule.target in rulebook.gone_vendors:
        findings.append(RuleFinding(f"“{title}” matches no new bill: its vendor is deleted.", False, "target"))
    if policy_rule.action == REQUIRE_APPROVAL and not _somebody_votes(policy_rule, rulebook):
        text = f"“{title}” asks for approval, and no active policy workflow says whose: what breaks it is refused."
        findings.append(RuleFinding(text, field="workflow_id"))
    return findings


def _somebody_votes(policy_rule: PolicyRule, rulebook: Rulebook) -> bool:
    if policy_rule.workflow_id:
        workflow = rulebook.workflow(policy_rule.workflow_id)
        return workflow is not None and workflow.active
    return bool(rulebook.of_policies)


def _not_seen(spend_policy: SpendPolicy) -> list[RuleFinding]:
    """Where a card is used nobody has filed the purchase yet, so a policy on categories does not see it."""
    if spend_policy.type not in ("SUBCATEGORY", "CATEGORY"):
        return []
    text = f"“{policy_title(spend_policy)}” does not stop card purchases: they are categorised after the card was used."
    return [RuleFinding(text, grave=False, field="target")]


def shadows(policy_rule: PolicyRule, other: PolicyRule, rulebook: Rulebook) -> bool:
    """Whether a rule makes another one pointless: whatever breaks the other breaks it, and its answer is graver."""
    graver = GRAVITY.get(policy_rule.action, 0) > GRAVITY.get(other.action, 0)
    return graver and _covers(policy_rule, other, rulebook)


def makes_redundant(policy_rule: PolicyRule, other: PolicyRule, rulebook: Rulebook) -> bool:
    """Whether a rule makes another one pointless that does the same: whatever breaks the other breaks it. Of two that are alike the
    older one stays. What asks for votes by another workflow is not the same."""
    if policy_rule.action != other.action or not _covers(policy_rule, other, rulebook):
        return False
    if policy_rule.action == REQUIRE_APPROVAL and policy_rule.workflow_id != other.workflow_id:
        return False
    return policy_rule.id < other.id or not _covers(other, policy_rule, rulebook)


def _covers(policy_rule: PolicyRule, other: PolicyRule, rulebook: Rulebook) -> bool:
    """Whether whatever breaks the other breaks a rule."""
    return (
        _is_wider(policy_rule, other, rulebook)
        and _breaks_sooner(policy_rule, other)
        and policy_rule.exempt_team_ids <= other.exempt_team_ids
        and policy_rule.exempt_employee_ids <= other.exempt_employee_ids
    )


def _is_wider(policy_rule: PolicyRule, other: PolicyRule, rulebook: Rulebook) -> bool:
    """Whether a rule is about all that the other is about."""
    if "DAY_TIME" in (policy_rule.type, other.type):
        return policy_rule.type == other.type
    if (policy_rule.type, policy_rule.target) == (other.type, other.target):
        return True
    if policy_rule.type == other.type == "CHANNEL":
        return policy_rule.target in families(other.target)
    is_parent = policy_rule.type == "CATEGORY" and other.type == "SUBCATEGORY"
    return is_parent and rulebook.categories.get(other.target) == policy_rule.target


def _breaks_sooner(policy_rule: PolicyRule, other: PolicyRule) -> bool:
    """Whether every breach of the other is one of the rule, as far as limits and hours say."""
    if policy_rule.type == "DAY_TIME":
        return _is_within(policy_rule, other)
    if policy_rule.limit_minor is None:
        return True
    if other.limit_minor is None or policy_rule.currency != other.currency:
        return False
    # Of a wider target at least as much is used in the same or a longer period, and by everybody at least as much as by one person.
    counts_people = not other.period or other.per_person or not policy_rule.per_person
    counts_as_much = counts_people and policy_rule.period in LONGER[other.period]
    return counts_as_much and policy_rule.limit_minor <= other.limit_minor


def _is_within(inner: PolicyRule, outer: PolicyRule) -> bool:
    """Whether the hours of one lie within those of the other; those that pass midnight are compared as they stand."""
    same_shape = (inner.opens < inner.closes) == (outer.opens < outer.closes)
    return (
        inner.weekdays <= outer.weekdays and same_shape and inner.opens >= outer.opens and inner.closes <= outer.closes
    )


def contradict(policy_rule: PolicyRule, other: PolicyRule) -> bool:
    """Whether two rules on hours have no hour in common, so that every use of money breaks one of them."""
    if policy_rule.type != "DAY_TIME" or other.type != "DAY_TIME":
        return False
    if policy_rule.opens >= policy_rule.closes or other.opens >= other.closes:
        return False
    hours_meet = max(policy_rule.opens, other.opens) < min(policy_rule.closes, other.closes)
    return not (hours_meet and policy_rule.weekdays & other.weekdays)


def _shadowed_by(stricter: SpendPolicy, spend_policy: SpendPolicy) -> RuleFinding:
    return RuleFinding(
        f"“{policy_title(spend_policy)}” never decides: whatever breaks it breaks “{policy_title(stricter)}” as well, which is stricter.",
        grave=False,
    )


def _repeated_by(remaining: SpendPolicy, spend_policy: SpendPolicy) -> RuleFinding:
    return RuleFinding(
        f"“{policy_title(spend_policy)}” changes nothing: whatever breaks it breaks “{policy_title(remaining)}” as well, which does the same.",
        grave=False,
    )


def _no_common_hours(spend_policy: SpendPolicy, other: SpendPolicy) -> RuleFinding:
    names = " and ".join(sorted((f"“{policy_title(spend_policy)}”", f"“{policy_title(other)}”")))
    return RuleFinding(
        f"{names} contradict each other: they have no hour in common, so all spending breaks one of them."
    )
