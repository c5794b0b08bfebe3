"""What follows from rules alone: dead rules, contradictions, hours; as tables, without a service."""

import dataclasses
from datetime import datetime
from itertools import product
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from dashboard.policies.dead_ends import is_within as narrower
from dashboard.policies.evaluation import BLOCK, BREACHED, UNKNOWN, Span, SpendFacts, evaluate, period_start
from dashboard.policies.findings import contradict, makes_redundant, shadows
from dashboard.policies.policy_text import days_text
from dashboard.policies.rulebook import Rulebook
from dashboard.policies.rules import PolicyRule
from dashboard.schemas.workflows import Conditions

NAIROBI = ZoneInfo("Africa/Nairobi")
NOON = datetime(2026, 11, 24, 12, 0, tzinfo=NAIROBI)
BOOK = Rulebook(categories={"lunch": "meals"})


def rule(type_: str = "CHANNEL", target: str = "MPESA", action: str = "BLOCK", **more: Any) -> PolicyRule:
    return PolicyRule(id=f"{type_}-{target}-{action}", type=type_, target=target, action=action, **more)


def limit(minor: int, period: str = "WEEK") -> dict[str, Any]:
    return {"limit_minor": minor, "currency": "KES", "period": period}


@pytest.mark.parametrize(
    ("first", "second", "is_dead"),
    [
        (rule("CHANNEL", "CARD"), rule("CHANNEL", "ATM", "FLAG"), True),
        (rule("CHANNEL", "ATM"), rule("CHANNEL", "CARD", "FLAG"), False),
        (rule("CHANNEL", "CARD", "FLAG"), rule("CHANNEL", "ATM", "BLOCK"), False),
        (rule("CATEGORY", "meals"), rule("SUBCATEGORY", "lunch", "REQUIRE_APPROVAL"), True),
        (rule("CATEGORY", "travel"), rule("SUBCATEGORY", "lunch", "REQUIRE_APPROVAL"), False),
        (rule(**limit(100)), rule(action="FLAG", **limit(200)), True),
        (rule(**limit(300)), rule(action="FLAG", **limit(200)), False),
        (rule(**limit(100, "DAY")), rule(action="FLAG", **limit(200)), False),
        # What is above KES 2 in a day is above KES 1 in its week, month and year; a week may lie in two months.
        (rule(**limit(100)), rule(action="FLAG", **limit(200, "DAY")), True),
        (rule(**limit(100)), rule(action="FLAG", **limit(200, "")), True),
        (rule(**limit(100, "YEAR")), rule(action="FLAG", **limit(200, "MONTH")), True),
        (rule(**limit(100, "MONTH")), rule(action="FLAG", **limit(200)), False),
        (rule(**limit(300)), rule(action="FLAG", **limit(200, "DAY")), False),
        (rule(per_person=True, **limit(100)), rule(action="FLAG", **limit(200, "")), True),
        (rule(exempt_team_ids=frozenset({"t"})), rule(action="FLAG"), False),
        (rule(exempt_team_ids=frozenset({"t"})), rule(action="FLAG", exempt_team_ids=frozenset({"t", "u"})), True),
        (rule(**limit(100)), rule(action="FLAG"), False),
        # Everybody's sum is at least one person's, never the other way round.
        (rule(**limit(100)), rule(action="FLAG", per_person=True, **limit(100)), True),
        (rule(per_person=True, **limit(100)), rule(action="FLAG", per_person=True, **limit(200)), True),
        (rule(per_person=True, **limit(100)), rule(action="FLAG", **limit(200)), False),
        (rule(per_person=True, **limit(100, "DAY")), rule(action="FLAG", per_person=True, **limit(200)), False),
    ],
)
def test_a_rule_is_dead_where_a_stricter_one_is_broken_whenever_it_is(
    first: PolicyRule, second: PolicyRule, is_dead: bool
) -> None:
    assert shadows(first, second, BOOK) is is_dead


def named(policy_rule: PolicyRule, name: str, **more: Any) -> PolicyRule:
    return dataclasses.replace(policy_rule, id=name, **more)


VOTES = "REQUIRE_APPROVAL"


@pytest.mark.parametrize(
    ("first", "second", "is_dead"),
    [
        (rule("CHANNEL", "CARD"), rule("CHANNEL", "ATM"), True),
        (rule("CHANNEL", "ATM"), rule("CHANNEL", "CARD"), False),
        (rule(**limit(100)), rule(**limit(200, "DAY")), True),
        (rule(**limit(100)), rule(**limit(200, "MONTH")), False),
        (rule(**limit(100)), rule(action="FLAG", **limit(200)), False),
        (rule(action=VOTES), rule("CHANNEL", "MPESA_TILL", VOTES), True),
        (rule(action=VOTES), rule("CHANNEL", "MPESA_TILL", VOTES, workflow_id="w"), False),
        # Of two that are alike the older one stays.
        (named(rule(), "1"), named(rule(), "2"), True),
        (named(rule(), "2"), named(rule(), "1"), False),
        (named(rule("CHANNEL", "CARD"), "2"), named(rule("CHANNEL", "ATM"), "1"), True),
    ],
)
def test_a_rule_that_another_one_repeats_is_dead(first: PolicyRule, second: PolicyRule, is_dead: bool) -> None:
    assert makes_redundant(first, second, BOOK) is is_dead


def test_no_use_of_money_breaks_a_dead_rule_alone() -> None:
    """Whatever `shadows` calls dead, no use among many gets its decision from it; nor breaks one what another makes_redundant alone."""
    rules = [
        rule(type_, target, action, **bounds)
        for (type_, target), action, bounds in product(
            [("CHANNEL", "CARD"), ("CHANNEL", "ATM"), ("CATEGORY", "meals"), ("SUBCATEGORY", "lunch")],
            ["FLAG", "REQUIRE_APPROVAL", "BLOCK"],
            [
                {},
                limit(100, ""),
                limit(200, ""),
                limit(200, "DAY"),
                limit(150),
                {"per_person": True, **limit(200, "DAY")},
            ],
        )
    ]
    uses = [
        SpendFacts(minor, "KES", NOON, NAIROBI, channel=channel, subcategory_id=filed, category_id=parent)
        for minor, channel, (filed, parent) in product(
            (50, 150, 250), ("ATM", "ECOMMERCE", "MPESA"), (("lunch", "meals"), ("dinner", "meals"), ("", ""))
        )
    ]
    rules = [named(each, f"{place}") for place, each in enumerate(rules)]
    dead = [(first, second) for first, second in product(rules, rules) if shadows(first, second, BOOK)]
    again = [
        (first, second)
        for first, second in product(rules, rules)
        if first.id != second.id and makes_redundant(first, second, BOOK)
    ]
    assert len(dead) > 30
    assert any(second.per_person and not first.per_person for first, second in dead)
    assert len(again) > 30
    for first, second in dead + again:
        for use, (own, of_day, of_week) in product(uses, ((0, 0, 0), (0, 180, 180), (80, 90, 160))):
            spans = {("DAY", True): own, ("DAY", False): of_day, ("WEEK", False): of_week}
            used = {key: Span(minor, minor) for key, minor in spans.items()}
            found = evaluate([use], [second, first], lambda rule, _, used=used: used[rule.period, rule.per_person])
            broken = [step.rule for step in found.breaches]
            assert second not in broken or first in broken, (first, second, use)
            assert found.deciding is None or found.deciding.rule is not second or first.action == second.action


def hours(opens: str, closes: str, days: tuple[int, ...] = (1, 2, 3, 4, 5, 6, 7)) -> PolicyRule:
    return rule("DAY_TIME", "", opens=opens, closes=closes, weekdays=frozenset(days))


@pytest.mark.parametrize(
    ("first", "second", "do"),
    [
        (hours("08:00", "18:00"), hours("18:00", "22:00"), True),
        (hours("08:00", "18:00"), hours("17:00", "22:00"), False),
        (hours("08:00", "18:00", (1, 2)), hours("08:00", "18:00", (6, 7)), True),
        (hours("22:00", "06:00"), hours("08:00", "18:00"), False),
    ],
)
def test_hours_that_have_none_in_common_contradict(first: PolicyRule, second: PolicyRule, do: bool) -> None:
    assert contradict(first, second) is do


def test_what_nobody_knows_makes_the_decision_one_of_two() -> None:
    strict, use = rule(**limit(100)), SpendFacts(60, "KES", NOON, NAIROBI, channel="MPESA_TILL")
    within, between, beyond = (
        evaluate([use], [strict], lambda *_, span=span: span) for span in (Span(0, 40), Span(0, 41), Span(41, 90))
    )
    assert (within.decision, within.is_known) == ("ALLOW", True)
    assert (between.decision, between.gravest, between.is_known) == ("ALLOW", "BLOCK", False)
    assert between.trace[0].outcome == UNKNOWN
    assert (beyond.decision, beyond.is_known) == ("BLOCK", True)
    somebody = dataclasses.replace(use, channel=None)
    assert evaluate([somebody], [rule()], lambda *_: Span()).gravest == BLOCK
    exempting = rule(exempt_employee_ids=frozenset({"carla"}))
    unknown = evaluate([dataclasses.replace(use, employee_id=None)], [exempting], lambda *_: Span())
    assert unknown.trace[0].outcome == UNKNOWN
    assert evaluate([use], [exempting], lambda *_: Span()).trace[0].outcome == BREACHED


def test_periods_begin_on_the_clock_of_the_business() -> None:
    assert [period_start(period, NOON, NAIROBI).date().isoformat() for period in ("DAY", "WEEK", "MONTH", "YEAR")] == [
        "2026-11-24", "2026-11-23", "2026-11-01", "2026-01-01",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("narrow", "wide", "inside"),
    [
        ({"currency": "KES", "min_amount_minor": 500}, {}, True),
        ({}, {"currency": "KES"}, False),
        ({"currency": "KES", "min_amount_minor": 500}, {"currency": "KES", "min_amount_minor": 100}, True),
        ({"currency": "KES", "min_amount_minor": 50}, {"currency": "KES", "min_amount_minor": 100}, False),
        ({"currency": "KES"}, {"currency": "KES", "max_amount_minor": 100}, False),
        ({"team_ids": ["a"]}, {"team_ids": ["a", "b"]}, True),
        ({"team_ids": ["a", "c"]}, {"team_ids": ["a", "b"]}, False),
    ],
)
def test_conditions_within_others(narrow: dict[str, Any], wide: dict[str, Any], inside: bool) -> None:
    assert narrower(Conditions(**narrow), Conditions(**wide)) is inside


@pytest.mark.parametrize(
    ("days", "words"),
    [
        ((1, 2, 3, 4, 5), "Mon–Fri"),
        ((6, 7), "Sat and Sun"),
        (range(1, 8), "every day"),
        ((1, 3, 6), "Mon, Wed and Sat"),
    ],
)
def test_weekdays_in_words(days: tuple[int, ...], words: str) -> None:
    assert days_text(days) == words
