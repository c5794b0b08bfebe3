"""What rules have filed: by which rule an item was filed, and what people have corrected since."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet
from django.db.models.functions import TruncMonth

from dashboard.access.actor import Actor
from dashboard.categorisation.models import CategoryRule, FilingState, RuleFiling
from dashboard.categorisation.uncategorised import EXPENSE_KIND, TRANSACTION_KIND, with_subcategory
from dashboard.mirror.scopes import visible_expenses, visible_transactions


def filed_by_rule(kind: str) -> Exists:
    """Whether an item (with its `filed_id`) stands where a rule has filed it: what nobody has chosen is no choice of
    people."""
    filings = RuleFiling.objects.filter(
        business=OuterRef("business"), kind=kind, remote_id=OuterRef("remote_id"), state=FilingState.DONE,
        subcategory_id=OuterRef("filed_id"),
    )  # fmt: skip
    return Exists(filings)


def filing_of(actor: Actor, kind: str, remote_id: str) -> RuleFiling | None:
    """By which rule an item that the actor may see was filed; None where none has."""
    return RuleFiling.objects.filter(
        business=actor.business, kind=kind, remote_id=remote_id, state=FilingState.DONE
    ).first()


def with_correction(rows: Iterable[RuleFiling], actor: Actor) -> list[tuple[RuleFiling, str]]:
    """Filings, each with the category that its item was given since by somebody, "" where it stands as filed. Two queries
    more, however many there are."""
    filings = list(rows)
    by_kind = {
        kind: [filing.remote_id for filing in filings if filing.kind == kind]
        for kind in (EXPENSE_KIND, TRANSACTION_KIND)
    }
    standing: dict[tuple[str, str], tuple[str, str]] = {}
    expenses = visible_expenses(actor).filter(remote_id__in=by_kind[EXPENSE_KIND])
    for remote_id, subcategory_id, name in expenses.values_list("remote_id", "subcategory_id", "category_name"):
        standing[EXPENSE_KIND, remote_id] = (subcategory_id, name)
    others: Any = with_subcategory(visible_transactions(actor).filter(remote_id__in=by_kind[TRANSACTION_KIND]))
    for remote_id, subcategory_id, name in others.values_list("remote_id", "filed_id", "category_name"):
        standing[TRANSACTION_KIND, remote_id] = (subcategory_id or "", name)
    return [(filing, _corrected(filing, standing.get((filing.kind, filing.remote_id)))) for filing in filings]


def _corrected(filing: RuleFiling, standing: tuple[str, str] | None) -> str:
    if filing.state != FilingState.DONE or standing is None or standing[0] in ("", filing.subcategory_id):
        return ""
    return standing[1] or standing[0]


def correction_counts(actor: Actor, rules: Iterable[CategoryRule]) -> dict[int, tuple[int, int]]:
    """How many each rule has filed, and how many of these stand under another category by now, by the rule's id."""
    counts: dict[int, tuple[int, int]] = {}
    for rule_id, filed, corrected in _counted(actor, [rule.pk for rule in rules]):
        before = counts.get(rule_id, (0, 0))
        counts[rule_id] = (before[0] + filed, before[1] + corrected)
    return counts


def _counted(actor: Actor, rule_ids: list[int]) -> list[tuple[int, int, int]]:
    rows: list[tuple[int, int, int]] = []
    standing: dict[str, QuerySet[Any]] = {
        EXPENSE_KIND: visible_expenses(actor).annotate(filed_id=F("subcategory_id")),
        TRANSACTION_KIND: with_subcategory(visible_transactions(actor)),
    }
    for kind, items in standing.items():
        elsewhere = items.filter(remote_id=OuterRef("remote_id")).exclude(
            Q(filed_id="") | Q(filed_id=None) | Q(filed_id=OuterRef("subcategory_id"))
        )
        done = RuleFiling.objects.filter(rule_id__in=rule_ids, kind=kind, state=FilingState.DONE)
        counted = (
            done.annotate(is_corrected=Exists(elsewhere))
            .values_list("rule_id")
            .annotate(filed=Count("pk"), corrected=Count("pk", filter=Q(is_corrected=True)))
        )
        rows += [(rule_id, filed, corrected) for rule_id, filed, corrected in counted]
    return rows


def waiting_for_periods(rule: CategoryRule) -> list[tuple[str, int]]:
    """Of each closed period, "October 2026", how many items of the rule wait until it is open again; the oldest first."""
    waiting = RuleFiling.objects.filter(rule=rule, state=FilingState.CLOSED).order_by()
    months = (
        waiting.annotate(month=TruncMonth("item_day"))
        .values_list("month")
        .annotate(count=Count("pk"))
        .order_by("month")
    )
    return [(f"{month:%B %Y}", count) for month, count in months]
