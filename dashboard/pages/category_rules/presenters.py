"""How rules are shown: each in one sentence, its trial in figures, and what it has categorised."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NotRequired, TypedDict

from django.urls import reverse

from dashboard import operations_pages, times
from dashboard.access.actor import Actor
from dashboard.access.check import can_open
from dashboard.categorisation.conditions import conditions_text, sentence_of
from dashboard.categorisation.filings import correction_counts, waiting_for_periods, with_correction
from dashboard.categorisation.models import CategoryRule, FilingState, RuleFiling, RuleTrial
from dashboard.categorisation.rules import problems_for, visible_rules
from dashboard.categorisation.trials import valid_trial
from dashboard.categorisation.uncategorised import EXPENSE_KIND
from dashboard.web.submission import new_key

FILINGS = 50
TONES = {
    FilingState.WAITING: "info", FilingState.DONE: "ok", FilingState.REFUSED: "bad", FilingState.UNKNOWN: "warn",
    FilingState.OVERTAKEN: "", FilingState.CLOSED: "warn",
}  # fmt: skip
ITEMS = {EXPENSE_KIND: "expenses_item"}


@dataclass(frozen=True, slots=True)
class RuleRow:
    """A rule of the list: what it asks, what it files under, why it can file nothing, and what it has filed."""

    id: int
    position: int
    conditions: str
    category: str
    is_on: bool
    problems: list[str]
    filed: int
    corrected: int


@dataclass(frozen=True, slots=True)
class TrialView:
    """What a trial came to: `earlier` are the earlier rules with how many each takes first, `examples` what people filed
    otherwise, as (address, title, category, day, amount)."""

    days: str
    day: str
    by: str
    trial: RuleTrial
    earlier: list[tuple[str, int]]
    earlier_total: int
    left: int
    examples: list[tuple[str, str, str, str, str]]


@dataclass(frozen=True, slots=True)
class FilingRow:
    """An item that the rule has categorised, or not: `corrected` is the category that somebody gave it since."""

    href: str
    title: str
    day: str
    state: tuple[str, str]
    outcome: str
    corrected: str


class RulesContext(TypedDict):
    """What category_rules/rules.html reads."""

    rows: list[RuleRow]
    may_change: bool
    key: str


class RuleContext(TypedDict):
    """What category_rules/rule.html reads; `is_tried` says whether it can be switched on as it is, `waiting_for_periods`
    how many items wait for each closed period, `by` and `since` who switched it on and on which day."""

    rule: CategoryRule
    sentence: str
    problems: list[str]
    trial: TrialView | None
    is_tried: bool
    filed: int
    corrected: int
    waiting_for_periods: list[tuple[str, int]]
    filings: list[FilingRow]
    by: str
    since: str
    may_change: bool
    key: str
    problem: NotRequired[str]


def rules_context(actor: Actor) -> RulesContext:
    """All rules in their order, in a number of queries that does not grow with them."""
    rules = list(visible_rules(actor))
    problems, counts = problems_for(actor, rules), correction_counts(actor, rules)
    rows = [
        RuleRow(
            rule.pk, rule.position, conditions_text(rule, actor.business.locale), rule.category_label, rule.is_on,
            problems[rule.pk] + ([rule.trouble] if rule.trouble else []), *counts.get(rule.pk, (0, 0)),
        )
        for rule in rules
    ]  # fmt: skip
    return {"rows": rows, "may_change": _may_change(actor), "key": new_key()}


def _may_change(actor: Actor) -> bool:
    return bool(can_open(actor, operations_pages.CHANGE_CATEGORY_RULES))


def rule_context(actor: Actor, rule: CategoryRule) -> RuleContext:
    """One rule with its newest trial and what it has filed, the newest first."""
    filings = RuleFiling.objects.filter(rule=rule).order_by("-created_at", "-pk")[:FILINGS]
    filed, corrected = correction_counts(actor, [rule]).get(rule.pk, (0, 0))
    trial = RuleTrial.objects.filter(rule=rule, digest=rule.digest).order_by("-created_at").first()
    by = rule.switched_on_by.user.get_full_name() if rule.switched_on_by else ""
    return {
        "rule": rule,
        "sentence": sentence_of(rule, actor.business.locale),
        "problems": problems_for(actor, [rule])[rule.pk] + ([rule.trouble] if rule.trouble else []),
        "trial": _trial(actor, trial) if trial else None,
        "is_tried": valid_trial(rule) is not None,
        "filed": filed,
        "corrected": corrected,
        "waiting_for_periods": waiting_for_periods(rule),
        "filings": [_filing(actor, filing, since) for filing, since in with_correction(filings, actor)],
        "by": by,
        "since": times.day(rule.switched_on_at, actor.business),
        "may_change": _may_change(actor),
        "key": new_key(),
    }


def _trial(actor: Actor, trial: RuleTrial) -> TrialView:
    rules = {rule.pk: rule for rule in visible_rules(actor).filter(pk__in=[rule_id for rule_id, _ in trial.by_earlier])}
    locale = actor.business.locale
    earlier = [
        (f"Rule {rules[rule_id].position}: {sentence_of(rules[rule_id], locale)}" if rule_id in rules else "A rule that was deleted", count)
        for rule_id, count in trial.by_earlier
    ]  # fmt: skip
    first = sum(count for _, count in earlier)
    return TrialView(
        f"{trial.first_day.day} {trial.first_day:%b %Y} to {trial.last_day.day} {trial.last_day:%b %Y}",
        times.day(trial.created_at, actor.business), trial.tried_by, trial, earlier, first, trial.matched - first,
        [
            (_address(actor, kind, remote_id), title, category, day, amount)
            for kind, remote_id, title, category, day, amount in trial.examples
        ],
    )  # fmt: skip


def _address(actor: Actor, kind: str, remote_id: str) -> str:
    return reverse(ITEMS.get(kind, "transactions_item"), args=[actor.business.slug, remote_id])


def _filing(actor: Actor, filing: RuleFiling, corrected: str) -> FilingRow:
    state = FilingState(filing.state)
    return FilingRow(
        _address(actor, filing.kind, filing.remote_id), filing.title,
        times.day(filing.settled_at or filing.created_at, actor.business), (str(state.label), TONES[state]),
        filing.outcome, corrected,
    )  # fmt: skip
