"""Trying a rule on the last 90 days: what it fits, what people did with that, and which rule before it takes it first.

Counted by the database over all of the business's items, in a number of queries that does not grow with them.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django.db.models import Case, Count, F, IntegerField, Q, QuerySet, Value, When
from django.utils import timezone

from dashboard import times
from dashboard.access.actor import Actor
from dashboard.categorisation.conditions import condition_of
from dashboard.categorisation.filings import filed_by_rule
from dashboard.categorisation.models import CategoryRule, RuleTrial
from dashboard.categorisation.uncategorised import (
    EXPENSE_KIND,
    TRANSACTION_KIND,
    counted_expenses,
    counted_transactions,
    with_subcategory,
)
from dashboard.mirror.scopes import visible_expenses, visible_transactions

DAYS = 90
MOST_EXAMPLES = 50
# A trial that is older says little of what a rule will do: it is tried again before it is switched on.
VALID_FOR = timedelta(days=7)
MOMENTS = {EXPENSE_KIND: "transaction_date", TRANSACTION_KIND: "occurred_at"}
NAMES = {EXPENSE_KIND: "merchant", TRANSACTION_KIND: "counterparty"}


def first_moment(actor: Actor) -> tuple[date, date, datetime]:
    """The first and the last of the 90 days at the business, and the moment at which the first begins."""
    zone = ZoneInfo(actor.business.time_zone)
    last = timezone.now().astimezone(zone).date()
    first = last - timedelta(days=DAYS - 1)
    return first, last, datetime.combine(first, time(), zone)


def items_since(actor: Actor, kind: str, since: datetime) -> QuerySet[Any]:
    """The actor's items of a kind that count and can have a category, each with its `filed_id`, "" or None for none."""
    if kind == EXPENSE_KIND:
        from_expenses = counted_expenses(visible_expenses(actor)).filter(transaction_date__gte=since)
        return from_expenses.annotate(filed_id=F("subcategory_id"))
    return with_subcategory(counted_transactions(visible_transactions(actor)).filter(occurred_at__gte=since))


def try_rule(actor: Actor, rule: CategoryRule, earlier: Sequence[CategoryRule]) -> RuleTrial:
    """Tries it on the last 90 days and stores what came of it; `earlier` are the rules before it that are on."""
    first, last, since = first_moment(actor)
    trial = RuleTrial(
        rule=rule, digest=rule.digest, first_day=first, last_day=last, matched=0, uncategorised=0, same=0, otherwise=0,
        by_rules=0, tried_by=actor.name[:254],
    )  # fmt: skip
    by_earlier: dict[int, int] = {}
    for kind in (EXPENSE_KIND, TRANSACTION_KIND):
        condition = condition_of(rule, kind)
        if condition is None:
            continue
        rows = items_since(actor, kind, since).filter(condition).annotate(is_filed_by_rule=filed_by_rule(kind))
        _count(trial, rows, rule)
        for rule_id, number in _by_earlier(rows, earlier, kind):
            by_earlier[rule_id] = by_earlier.get(rule_id, 0) + number
        trial.examples += _examples(actor, rows, rule, kind)
    trial.by_earlier = [[other.pk, by_earlier[other.pk]] for other in earlier if by_earlier.get(other.pk)]
    trial.examples = trial.examples[:MOST_EXAMPLES]
    trial.save()
    return trial


def _has_none() -> Q:
    return Q(filed_id="") | Q(filed_id=None)


def _otherwise(rule: CategoryRule) -> Q:
    return ~_has_none() & ~Q(filed_id=rule.subcategory_id) & Q(is_filed_by_rule=False)


def _count(trial: RuleTrial, rows: QuerySet[Any], rule: CategoryRule) -> None:
    counts = rows.aggregate(
        matched=Count("pk"),
        uncategorised=Count("pk", filter=_has_none()),
        same=Count("pk", filter=Q(filed_id=rule.subcategory_id, is_filed_by_rule=False)),
        otherwise=Count("pk", filter=_otherwise(rule)),
        by_rules=Count("pk", filter=Q(is_filed_by_rule=True)),
    )
    for name, number in counts.items():
        setattr(trial, name, getattr(trial, name) + number)


def _by_earlier(rows: QuerySet[Any], earlier: Sequence[CategoryRule], kind: str) -> list[tuple[int, int]]:
    """How many of the rows each of the earlier rules takes first: [(the rule's id, how many), …]."""
    cases = [
        When(condition, then=Value(other.pk))
        for other in earlier
        if (condition := condition_of(other, kind)) is not None
    ]
    if not cases:
        return []
    by_rule = rows.annotate(taker=Case(*cases, default=None, output_field=IntegerField())).exclude(taker=None)
    return list(by_rule.order_by().values_list("taker").annotate(number=Count("pk")))


def _examples(actor: Actor, rows: QuerySet[Any], rule: CategoryRule, kind: str) -> list[list[str]]:
    columns = ("remote_id", NAMES[kind], "category_name", MOMENTS[kind], "amount_text")
    newest = rows.filter(_otherwise(rule)).order_by(f"-{MOMENTS[kind]}", "-pk").values_list(*columns)[:MOST_EXAMPLES]
    return [
        [kind, remote_id, title or remote_id, category, times.day(at, actor.business), amount]
        for remote_id, title, category, at, amount in newest
    ]


def valid_trial(rule: CategoryRule) -> RuleTrial | None:
    """The newest trial of the rule as it is now, not older than a week; None where it has to be tried."""
    recent = timezone.now() - VALID_FOR
    rows = RuleTrial.objects.filter(rule=rule, digest=rule.digest, created_at__gte=recent)
    return rows.order_by("-created_at").first()
