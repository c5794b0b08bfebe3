"""What spend policies decide on a use of money: one pure function, for the simulator, the replay and their tests alike.

It decides as the service does (decisions B.20; a property test compares the two over HTTP), and knows a third answer: a
fact or a sum that nobody knows makes a rule UNKNOWN, and the decision then is one of two. No clock, no database.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from dashboard.policies.rules import SELF, PolicyRule, families

ALLOW, FLAG, REQUIRE_APPROVAL, BLOCK = "ALLOW", "FLAG", "REQUIRE_APPROVAL", "BLOCK"
GRAVITY = {ALLOW: 0, FLAG: 1, REQUIRE_APPROVAL: 2, BLOCK: 3}
EXEMPT, PASSED, BREACHED, UNKNOWN = "EXEMPT", "PASSED", "BREACHED", "UNKNOWN"


@dataclass(frozen=True, slots=True)
class SpendFacts:
    """A use of money: who, how, for what, to whom, how much (minor units), and when (aware). What is "" it has not, what is
    None nobody knows."""

    amount_minor: int
    currency: str
    at: datetime
    zone: ZoneInfo
    employee_id: str | None = ""
    team_id: str | None = ""
    channel: str | None = ""
    subcategory_id: str | None = ""
    category_id: str | None = ""
    vendor_id: str | None = ""
    to_self: bool | None = False


@dataclass(frozen=True, slots=True)
class Span:
    """How much of a limit was used before, in minor units: at least `low`, at most `high`."""

    low: int = 0
    high: int = 0


# How much of a rule's period was used before a use of money, of a rule per person by that person; asked for rules with a
# period alone.
Used = Callable[[PolicyRule, SpendFacts], Span]


@dataclass(frozen=True, slots=True)
class RuleOutcome:
    """What one rule says: EXEMPT, PASSED, BREACHED or UNKNOWN; `used` and `amount_minor` where it compared a limit."""

    rule: PolicyRule
    outcome: str
    amount_minor: int = 0
    used: Span | None = None


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The decision, and what each rule that is about the use said. With an unknown rule the decision is at least
    `decision` and at most `gravest`."""

    decision: str
    gravest: str
    trace: tuple[RuleOutcome, ...]

    @property
    def is_known(self) -> bool:
        """Whether no unknown fact could change the decision."""
        return self.decision == self.gravest

    @property
    def breaches(self) -> list[RuleOutcome]:
        """The rules that were broken."""
        return [step for step in self.trace if step.outcome == BREACHED]

    @property
    def deciding(self) -> RuleOutcome | None:
        """The first rule of the gravity that decided."""
        return next((step for step in self.breaches if step.rule.action == self.decision), None)

    @property
    def flags(self) -> frozenset[str]:
        """What an expense keeps of it: TYPE:id of each rule that flags, APPROVAL:id of each that asks for votes."""
        named = {FLAG: "", REQUIRE_APPROVAL: "APPROVAL"}
        return frozenset(
            f"{named[step.rule.action] or step.rule.type}:{step.rule.id}"
            for step in self.breaches
            if step.rule.action in named
        )


def evaluate(uses: Sequence[SpendFacts], rules: Iterable[PolicyRule], used: Used) -> Evaluation:
    """Asks every rule that is about one of the uses, which happen together; the gravest breach decides (BLOCK over
    REQUIRE_APPROVAL over FLAG). A limit over a period sees the sum of the uses, one per person the sum of each person's."""
    trace = []
    for rule in rules:
        covered = [(use, about) for use in uses if (about := is_about(use, rule)) is not False]
        if covered:
            trace.append(_outcome(covered, rule, used))
    known = max(
        (step.rule.action for step in trace if step.outcome == BREACHED), key=GRAVITY.__getitem__, default=ALLOW
    )
    unknown = (step.rule.action for step in trace if step.outcome == UNKNOWN)
    gravest = max((known, *unknown), key=GRAVITY.__getitem__)
    return Evaluation(known, gravest, tuple(trace))


def is_about(facts: SpendFacts, policy_rule: PolicyRule) -> bool | None:
    """Whether a rule's target, and its currency where it has a limit, are those of the use; None where nobody knows."""
    if policy_rule.currency and policy_rule.currency != facts.currency:
        return False
    match policy_rule.type:
        case "DAY_TIME":
            return True
        case "CHANNEL":
            return None if facts.channel is None else policy_rule.target in families(facts.channel)
        case "VENDOR" if policy_rule.target == SELF:
            return facts.to_self
        case "VENDOR":
            value = facts.vendor_id
        case "SUBCATEGORY":
            value = facts.subcategory_id
        case "CATEGORY":
            value = facts.category_id
        case _:
            # A type that a later service has: what it is about is not known here.
            return None
    return None if value is None else policy_rule.target == value


def _outcome(covered: Sequence[tuple[SpendFacts, bool | None]], policy_rule: PolicyRule, used: Used) -> RuleOutcome:
    if not policy_rule.period:
        steps = [_of_use(use, policy_rule, about, None) for use, about in covered]
    else:
        steps = [_of_use(use, policy_rule, about, used) for use, about in _together(covered, policy_rule)]
    return max(steps, key=lambda step: (step.outcome == BREACHED, step.outcome == UNKNOWN))


def _together(
    covered: Sequence[tuple[SpendFacts, bool | None]], policy_rule: PolicyRule
) -> Iterator[tuple[SpendFacts, bool | None]]:
    """What a limit over a period sees of uses that happen together: their sum, of one per person the sum of each person's."""
    people = dict.fromkeys(use.employee_id for use, _ in covered) if policy_rule.per_person else [""]
    for employee_id in people:
        uses = [row for row in covered if not policy_rule.per_person or row[0].employee_id == employee_id]
        about = None if any(about is None for _, about in uses) else True
        yield replace(uses[0][0], amount_minor=sum(use.amount_minor for use, _ in uses)), about


def _of_use(facts: SpendFacts, policy_rule: PolicyRule, about: bool | None, used: Used | None) -> RuleOutcome:
    exempt = _is_exempt(facts, policy_rule)
    if exempt:
        return RuleOutcome(policy_rule, EXEMPT)
    outcome, span = _breach(facts, policy_rule, used)
    if outcome == BREACHED and (about is None or exempt is None):
        outcome = UNKNOWN
    return RuleOutcome(policy_rule, outcome, facts.amount_minor, span)


def _is_exempt(facts: SpendFacts, policy_rule: PolicyRule) -> bool | None:
    if facts.employee_id in policy_rule.exempt_employee_ids or facts.team_id in policy_rule.exempt_team_ids:
        return True
    unknown_person = facts.employee_id is None and policy_rule.exempt_employee_ids
    unknown_team = facts.team_id is None and policy_rule.exempt_team_ids
    return None if unknown_person or unknown_team else False


def _breach(facts: SpendFacts, policy_rule: PolicyRule, used: Used | None) -> tuple[str, Span | None]:
    if policy_rule.type == "DAY_TIME":
        return (PASSED if is_within(facts.at, facts.zone, policy_rule) else BREACHED), None
    if policy_rule.limit_minor is None:
        return BREACHED, None
    span = used(policy_rule, facts) if used else Span()
    if span.low + facts.amount_minor > policy_rule.limit_minor:
        return BREACHED, span
    return (UNKNOWN if span.high + facts.amount_minor > policy_rule.limit_minor else PASSED), span


def is_within(at: datetime, zone: ZoneInfo, policy_rule: PolicyRule) -> bool:
    """Whether a moment lies within a rule's hours. Those from 22:00 to 06:00 pass midnight, and belong to the day on which
    they begin."""
    local = at.astimezone(zone)
    hour, day = f"{local.hour:02d}:{local.minute:02d}", local.isoweekday()
    if policy_rule.opens < policy_rule.closes:
        inside = policy_rule.opens <= hour < policy_rule.closes
    else:
        inside = hour >= policy_rule.opens or hour < policy_rule.closes
        if hour < policy_rule.closes:
            day = (local - timedelta(days=1)).isoweekday()
    return inside and day in policy_rule.weekdays


def period_start(period: str, at: datetime, zone: ZoneInfo) -> datetime:
    """When the day, week (from Monday), month or year began that a moment lies in, in that zone. ValueError for none of
    these."""
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
