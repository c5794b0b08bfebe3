"""The pure function, as tables: facts and rules on one side, the decision and its trace on the other."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.business_policies.evaluation import (
    ALLOW,
    BLOCK,
    BREACHED,
    EXEMPT,
    FLAG,
    GRAVITY,
    PASSED,
    REQUIRE_APPROVAL,
    Facts,
    Rule,
    Step,
    concluded,
    evaluate,
    period_end,
    period_start,
)

NAIROBI = ZoneInfo("Africa/Nairobi")
# A Wednesday, 09:30 in Nairobi.
WEDNESDAY = datetime(2026, 3, 4, 6, 30, tzinfo=UTC)
FACTS = Facts(
    amount_minor=5_000,
    currency="KES",
    at=WEDNESDAY,
    zone=NAIROBI,
    employee_id="carla",
    team_id="field",
    channel="MPESA_TILL",
    subcategory_id="fuel",
    category_id="travel",
    vendor_id="shell",
)
OFFICE = {"weekdays": [1, 2, 3, 4, 5], "from": "08:00", "to": "18:00"}
NIGHT = {"weekdays": [3], "from": "22:00", "to": "06:00"}


def rule(type_: str = "CHANNEL", target: str = "MPESA", action: str = BLOCK, **more: Any) -> Rule:
    return Rule(id="r", type=type_, target=target, action=action, **more)


@pytest.mark.parametrize(
    ("rule_", "facts", "decision", "outcome"),
    [
        # What a rule is about.
        (rule(), {}, BLOCK, BREACHED),
        (rule(target="MPESA_TILL"), {}, BLOCK, BREACHED),
        (rule(target="MPESA_PAYBILL"), {}, ALLOW, None),
        (rule(target="CARD"), {"channel": "ECOMMERCE"}, BLOCK, BREACHED),
        (rule(target="CARD"), {"channel": "CARD"}, BLOCK, BREACHED),
        (rule(target="AIRTIME"), {}, ALLOW, None),
        (rule("SUBCATEGORY", "fuel"), {}, BLOCK, BREACHED),
        (rule("SUBCATEGORY", "taxi"), {}, ALLOW, None),
        (rule("SUBCATEGORY", "fuel"), {"subcategory_id": ""}, ALLOW, None),
        (rule("CATEGORY", "travel"), {}, BLOCK, BREACHED),
        (rule("CATEGORY", "meals"), {}, ALLOW, None),
        (rule("VENDOR", "shell"), {}, BLOCK, BREACHED),
        (rule("VENDOR", "total"), {}, ALLOW, None),
        (rule("VENDOR", "SELF"), {}, ALLOW, None),
        (rule("VENDOR", "SELF"), {"to_self": True, "vendor_id": ""}, BLOCK, BREACHED),
        # Actions.
        (rule(action=FLAG), {}, FLAG, BREACHED),
        (rule(action=REQUIRE_APPROVAL), {}, REQUIRE_APPROVAL, BREACHED),
        # Limits: up to and with the limit is fine; another currency is not meant.
        (rule(limit_minor=5_000, currency="KES"), {}, ALLOW, PASSED),
        (rule(limit_minor=4_999, currency="KES"), {}, BLOCK, BREACHED),
        (rule(limit_minor=1, currency="USD"), {}, ALLOW, None),
        (rule(limit_minor=0, currency="KES"), {"amount_minor": 1}, BLOCK, BREACHED),
        (rule(limit_minor=9_000, currency="KES", period="WEEK"), {"spent_minor": {"r": 4_000}}, ALLOW, PASSED),
        (rule(limit_minor=9_000, currency="KES", period="WEEK"), {"spent_minor": {"r": 4_001}}, BLOCK, BREACHED),
        (rule(limit_minor=9_000, currency="KES"), {"spent_minor": {"r": 9_000}}, ALLOW, PASSED),
        # Exemptions.
        (rule(exempt_employee_ids=frozenset({"carla"})), {}, ALLOW, EXEMPT),
        (rule(exempt_team_ids=frozenset({"field"})), {}, ALLOW, EXEMPT),
        (rule(exempt_team_ids=frozenset({"office"})), {}, BLOCK, BREACHED),
        (rule(exempt_employee_ids=frozenset({"carla"})), {"employee_id": ""}, BLOCK, BREACHED),
        # Hours, in the zone of the business.
        (rule("DAY_TIME", "", window=OFFICE), {}, ALLOW, PASSED),
        (rule("DAY_TIME", "", window=OFFICE), {"at": WEDNESDAY.replace(hour=4, minute=59)}, BLOCK, BREACHED),
        (rule("DAY_TIME", "", window=OFFICE), {"at": WEDNESDAY.replace(hour=5, minute=0)}, ALLOW, PASSED),
        (rule("DAY_TIME", "", window=OFFICE), {"at": WEDNESDAY.replace(hour=15, minute=0)}, BLOCK, BREACHED),
        (rule("DAY_TIME", "", window=OFFICE), {"at": WEDNESDAY.replace(day=7)}, BLOCK, BREACHED),
        (rule("DAY_TIME", "", window=OFFICE), {"zone": ZoneInfo("Pacific/Auckland")}, BLOCK, BREACHED),
        (rule("DAY_TIME", "", window=NIGHT), {}, BLOCK, BREACHED),
        (rule("DAY_TIME", "", window=NIGHT), {"at": WEDNESDAY.replace(hour=20)}, ALLOW, PASSED),
        (rule("DAY_TIME", "", window=NIGHT), {"at": WEDNESDAY.replace(day=5, hour=2)}, ALLOW, PASSED),
        (rule("DAY_TIME", "", window=NIGHT), {"at": WEDNESDAY.replace(hour=2)}, BLOCK, BREACHED),
    ],
)
def test_one_rule(rule_: Rule, facts: dict[str, Any], decision: str, outcome: str | None) -> None:
    found = evaluate(replace(FACTS, **facts), [rule_])
    assert found.decision == decision
    assert [step.outcome for step in found.trace] == ([outcome] if outcome else [])
    assert all(step.message for step in found.trace)


def test_the_gravest_decides_and_all_are_told() -> None:
    rules = [
        Rule("a", "CHANNEL", "MPESA", FLAG),
        Rule("b", "CATEGORY", "travel", REQUIRE_APPROVAL),
        Rule("c", "VENDOR", "shell", BLOCK, limit_minor=10_000, currency="KES"),
        Rule("d", "SUBCATEGORY", "fuel", BLOCK, exempt_team_ids=frozenset({"field"})),
    ]
    found = evaluate(FACTS, rules)
    assert found.decision == REQUIRE_APPROVAL
    assert found.deciding is not None
    assert found.deciding.rule.id == "b"
    assert [(step.rule.id, step.outcome) for step in found.trace] == [
        ("a", BREACHED),
        ("b", BREACHED),
        ("c", PASSED),
        ("d", EXEMPT),
    ]
    assert found.flags == ["CHANNEL:a", "APPROVAL:b"]


def test_nothing_to_ask_allows() -> None:
    assert evaluate(FACTS, []).decision == ALLOW
    assert evaluate(FACTS, []).deciding is None


@pytest.mark.parametrize(
    ("period", "start"),
    [("DAY", (2026, 3, 4)), ("WEEK", (2026, 3, 2)), ("MONTH", (2026, 3, 1)), ("YEAR", (2026, 1, 1))],
)
def test_periods_begin_at_midnight_there(period: str, start: tuple[int, int, int]) -> None:
    assert period_start(period, WEDNESDAY, NAIROBI) == datetime(*start, tzinfo=NAIROBI)
    late = datetime(2025, 12, 31, 21, 30, tzinfo=UTC)
    assert period_start("YEAR", late, NAIROBI) == datetime(2026, 1, 1, tzinfo=NAIROBI)


@pytest.mark.parametrize("period", ["DAY", "WEEK", "MONTH", "YEAR"])
def test_a_period_of_the_leap_day_has_an_end(period: str) -> None:
    at = datetime(2044, 2, 29, 8, tzinfo=UTC)
    start = period_start(period, at, ZoneInfo("Africa/Nairobi"))
    assert start <= at < period_end(period, start)


@given(at=st.datetimes(datetime(1990, 1, 1), datetime(2090, 1, 1)), zone=st.sampled_from(["Africa/Nairobi", "Europe/Amsterdam"]))  # fmt: skip  # noqa: DTZ001
def test_each_moment_is_in_one_period_and_the_next_begins_where_it_ends(at: datetime, zone: str) -> None:
    there = ZoneInfo(zone)
    moment = at.replace(tzinfo=UTC)
    for period in ("DAY", "WEEK", "MONTH", "YEAR"):
        start = period_start(period, moment, there)
        end = period_end(period, start)
        assert start <= moment < end
        assert period_start(period, end, there) == end


def test_of_very_many_rules_those_that_say_something_are_kept() -> None:
    passed = [Step(rule(target=str(place)), PASSED, "") for place in range(60)]
    breached = Step(rule(), BREACHED, "The policy allows none of it.")
    stored = concluded([*passed, breached]).as_dict()
    assert (stored["decision"], len(stored["trace"])) == ("BLOCK", 50)
    assert stored["trace"][0] == breached.as_dict()
    assert concluded(passed[:3]).as_dict()["trace"] == [step.as_dict() for step in passed[:3]]


ACTIONS = st.lists(st.sampled_from([FLAG, REQUIRE_APPROVAL, BLOCK]), max_size=6)


@given(actions=ACTIONS, seed=st.randoms())
def test_the_order_of_rules_does_not_decide(actions: list[str], seed: Any) -> None:
    rules = [Rule(str(place), "CHANNEL", "MPESA", action) for place, action in enumerate(actions)]
    shuffled = list(rules)
    seed.shuffle(shuffled)
    found = evaluate(FACTS, rules).decision
    assert found == evaluate(FACTS, shuffled).decision
    assert GRAVITY.index(found) == max((GRAVITY.index(action) for action in actions), default=0)
