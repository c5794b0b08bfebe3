"""What the spend policies of a business say to a use of money: a pure function from facts to a decision with its trace.

Each rule that is about the use is asked in its turn; the gravest answer decides (BLOCK over REQUIRE_APPROVAL over FLAG).
No clock, no database: what was spent before comes with the facts. Tested as tables (decisions B.20).
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, TypedDict
from zoneinfo import ZoneInfo

from service import money

ALLOW, FLAG, REQUIRE_APPROVAL, BLOCK = "ALLOW", "FLAG", "REQUIRE_APPROVAL", "BLOCK"
GRAVITY = (ALLOW, FLAG, REQUIRE_APPROVAL, BLOCK)
# The outcome of one rule. Of very many rules only so many are stored, in this order of outcomes.
EXEMPT, PASSED, BREACHED = "EXEMPT", "PASSED", "BREACHED"
TRACE_ORDER = (BREACHED, EXEMPT, PASSED)
MOST_TRACED = 50

CARD_CHANNELS = frozenset({"CARD_PRESENT", "ECOMMERCE", "ATM", "CONTACTLESS", "RECURRING"})
SELF = "SELF"


@dataclass(frozen=True, slots=True)
class Facts:
    """A use of money: who, by which channel, for what, to whom, how much (minor units), and when (aware).

    `spent_minor` tells for each rule with a period what was used of it before this: by everybody, or, of one that counts
    per person, by this person.
    """

    amount_minor: int
    currency: str
    at: datetime
    zone: ZoneInfo
    employee_id: str = ""
    team_id: str = ""
    channel: str = ""
    subcategory_id: str = ""
    category_id: str = ""
    vendor_id: str = ""
    receiver: str = ""
    to_self: bool = False
    spent_minor: Mapping[str, int] = field(default_factory=dict)

    @property
    def channels(self) -> frozenset[str]:
        """The channel and the family it is of: MPESA_TILL is MPESA as well, ECOMMERCE is CARD."""
        return families(self.channel)


@dataclass(frozen=True, slots=True)
class Rule:
    """A policy as evaluation sees it. Without a limit every use of the target is a breach; without a period the limit
    is one for each use; over a period it counts everybody's uses, or each person's by themselves. `window` of DAY_TIME: weekdays (1 Monday … 7 Sunday) and hours ("08:00") in which spending is
    fine; outside it is a breach.
    """

    id: str
    type: str
    target: str
    action: str
    limit_minor: int | None = None
    currency: str = ""
    period: str = ""
    per_person: bool = False
    window: Mapping[str, Any] = field(default_factory=dict)
    exempt_team_ids: frozenset[str] = frozenset()
    exempt_employee_ids: frozenset[str] = frozenset()
    workflow_id: str = ""


class RuleOutcomeShape(TypedDict):
    """What one rule said, as it is stored and shown."""

    policy_id: str
    type: str
    action: str
    outcome: str
    says: str


class EvaluationShape(TypedDict):
    """An evaluation as it is stored and shown."""

    decision: str
    trace: list[RuleOutcomeShape]


@dataclass(frozen=True, slots=True)
class Step:
    """The outcome of one rule, and `message`: the same in words, which the interface calls `says`."""

    rule: Rule
    outcome: str
    message: str

    def as_dict(self) -> RuleOutcomeShape:
        """The step as the payment keeps it, in JSON's own types."""
        return {
            "policy_id": self.rule.id,
            "type": self.rule.type,
            "action": self.rule.action,
            "outcome": self.outcome,
            "says": self.message,
        }


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The decision, and the outcome of every rule in the order of evaluation."""

    decision: str
    trace: list[Step]

    @property
    def breaches(self) -> list[Step]:
        """The rules that were broken."""
        return [step for step in self.trace if step.outcome == BREACHED]

    @property
    def deciding(self) -> Step | None:
        """The first rule of the gravity that decided."""
        return next((step for step in self.breaches if step.rule.action == self.decision), None)

    def as_dict(self) -> EvaluationShape:
        """What is stored with the expense or payment, and shown of it: of very many rules, the broken ones first."""
        ordered = sorted(self.trace, key=lambda step: TRACE_ORDER.index(step.outcome))[:MOST_TRACED]
        trace = ordered if len(self.trace) > MOST_TRACED else self.trace
        return {"decision": self.decision, "trace": [step.as_dict() for step in trace]}

    @property
    def flags(self) -> list[str]:
        """What an expense keeps of it: TYPE:id of each rule that flags, APPROVAL:id of each that asks for votes."""
        named = {FLAG: "", REQUIRE_APPROVAL: "APPROVAL"}
        return [
            f"{named[step.rule.action] or step.rule.type}:{step.rule.id}"
            for step in self.breaches
            if step.rule.action in named
        ]


def families(channel: str) -> frozenset[str]:
    """A channel and the family it is of."""
    family = "CARD" if channel in CARD_CHANNELS else channel.split("_")[0]
    return frozenset({channel, family} - {""})


def evaluate(facts: Facts, policies: Iterable[Rule]) -> Evaluation:
    """Asks every rule that is about the use; the gravest breach decides, and nobody is asked twice."""
    return concluded([_evaluate_rule(facts, rule) for rule in policies if is_about(facts, rule)])


def concluded(trace: list[Step]) -> Evaluation:
    """The decision that a trace leads to."""
    breached = [step.rule.action for step in trace if step.outcome == BREACHED]
    return Evaluation(max(breached, key=GRAVITY.index, default=ALLOW), trace)


def is_about(facts: Facts, rule: Rule) -> bool:
    """Whether a rule's target, and its currency where it has a limit, are those of the use."""
    if rule.currency and rule.currency != facts.currency:
        return False
    if rule.type == "VENDOR" and rule.target == SELF:
        return facts.to_self
    named = {
        "CHANNEL": facts.channels,
        "SUBCATEGORY": {facts.subcategory_id},
        "CATEGORY": {facts.category_id},
        "VENDOR": {facts.vendor_id},
    }
    return rule.type == "DAY_TIME" or rule.target in named.get(rule.type, ())


def _evaluate_rule(facts: Facts, rule: Rule) -> Step:
    if facts.employee_id in rule.exempt_employee_ids or facts.team_id in rule.exempt_team_ids:
        return Step(rule, EXEMPT, "The person or the team is exempt.")
    if rule.type == "DAY_TIME":
        return _within(facts, rule)
    if rule.limit_minor is None:
        return Step(rule, BREACHED, "The policy allows none of it.")
    before = facts.spent_minor.get(rule.id, 0) if rule.period else 0
    total = before + facts.amount_minor
    spent, limit = (f"{money.to_number(minor, facts.currency):,}" for minor in (total, rule.limit_minor))
    words = f"{facts.currency} {spent} of {limit}" + (f" this {rule.period.lower()}" if rule.period else "")
    words += " per person" if rule.per_person else ""
    return Step(rule, BREACHED if total > rule.limit_minor else PASSED, words)


def _within(facts: Facts, rule: Rule) -> Step:
    """Hours from "22:00" to "06:00" pass midnight, and belong to the day on which they begin."""
    local = facts.at.astimezone(facts.zone)
    hour, day = local.strftime("%H:%M"), local.isoweekday()
    first, last = rule.window.get("from", "00:00"), rule.window.get("to", "24:00")
    if first < last:
        inside = first <= hour < last
    else:
        inside = hour >= first or hour < last
        if hour < last:
            day = (local - timedelta(days=1)).isoweekday()
    inside = inside and day in rule.window.get("weekdays", range(1, 8))
    moment = local.strftime("%a %H:%M")
    return Step(rule, PASSED if inside else BREACHED, f"{moment} is {'within' if inside else 'outside'} the hours.")


def period_start(period: str, at: datetime, zone: ZoneInfo) -> datetime:
    """When the day, week (from Monday), month or year began that a moment lies in, in that zone."""
    day = at.astimezone(zone).replace(hour=0, minute=0, second=0, microsecond=0)
    match period:
        case "DAY":
            return day
        case "WEEK":
            return day - timedelta(days=day.weekday())
        case "MONTH":
            return day.replace(day=1)
        case "YEAR":
            return day.replace(month=1, day=1)
        case _:
            raise ValueError(period)


def period_end(period: str, start: datetime) -> datetime:
    """When the period is over that began then: the first moment of the next one."""
    match period:
        case "DAY":
            return start + timedelta(days=1)
        case "WEEK":
            return start + timedelta(days=7)
        case "MONTH":
            return (start + timedelta(days=32)).replace(day=1)
        case "YEAR":
            # It began on the first of January, which every year has.
            return start.replace(year=start.year + 1)
        case _:
            raise ValueError(period)
