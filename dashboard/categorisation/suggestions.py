"""Which category is likely: a plain count of how the same was filed before. Nothing is weighed, hidden or applied by itself.

For each item it is counted under which categories its merchant's other items stand, then what its vendor's bills, its card
and its team say. A count needs three choices, and half of them or more for what is suggested; what is as frequent as the most
frequent is suggested beside it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Count, QuerySet
from django.db.models.fields.json import KeyTextTransform
from django.utils import timezone

from dashboard.access.actor import Actor
from dashboard.categorisation.filings import filed_by_rule
from dashboard.categorisation.uncategorised import (
    EXPENSE_KIND,
    TRANSACTION_KIND,
    counted_transactions,
    filed_expenses,
    filed_transactions,
)
from dashboard.mirror.models import Expense, Transaction
from dashboard.mirror.scopes import visible_bills, visible_expenses, visible_transactions, visible_vendors

LEAST_CHOICES = 3
# As many that are equally frequent say nothing.
MOST_TIED = 3
MOST_SUGGESTED = 5
EVIDENCE = timedelta(days=365)
MOST_BILLS = 500

# How often something stands under which subcategory, by what is counted and its value.
Counts = dict[tuple[str, str], Counter[str]]
# What is counted by, and its reason in words.
MERCHANT, COUNTERPARTY, VENDOR, CARD, TEAM = "merchant", "counterparty", "vendor", "card", "team"
REASONS = {
    MERCHANT: "{count} of {total} from {name} went to {category}",
    COUNTERPARTY: "{count} of {total} transactions with {name} went to {category}",
    VENDOR: "{count} of {total} bill lines of {name} went to {category}",
    CARD: "{count} of {total} with the same card went to {category}",
    TEAM: "{count} of {total} of {name} went to {category}",
}


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A category that is likely: `label` as people choose it, `reason` the count in words, `basis` what was counted by."""

    basis: str
    subcategory_id: str
    label: str
    reason: str
    count: int
    total: int


@dataclass(frozen=True, slots=True)
class Evidence:
    """What is counted for an item: by what, the value that is looked up, and what a reason calls it."""

    basis: str
    value: str
    name: str


def likeliest(counts: Mapping[str, int]) -> list[tuple[str, int]]:
    """The most frequent of the subcategories with its count, several where they are equally frequent; none where there are
    fewer than three choices, so many are equally frequent that it says nothing, or most choices went elsewhere."""
    most = max(counts.values(), default=0)
    if sum(counts.values()) < LEAST_CHOICES:
        return []
    tied = sorted((subcategory_id, count) for subcategory_id, count in counts.items() if count == most)
    is_usual = 2 * most * len(tied) >= sum(counts.values())
    return tied if is_usual and len(tied) <= MOST_TIED else []


def suggestions_for(
    actor: Actor, items: Sequence[Expense | Transaction], labels: Mapping[str, str]
) -> dict[str, list[Suggestion]]:
    """The suggestions of each item, by its remote id, from what the actor may see. `labels` are the categories to choose
    from, by id: what is no longer among them is not suggested. As many queries for fifty items as for one."""
    expenses = [item for item in items if isinstance(item, Expense)]
    others = [item for item in items if isinstance(item, Transaction)]
    vendors = {evidence.value for item in items for evidence in _evidence_of(item) if evidence.basis == VENDOR}
    counts = {
        **_counts_of_expenses(actor, expenses), **_counts_of_transactions(actor, others), **_counts_of_bills(actor, vendors)
    }  # fmt: skip
    return {item.remote_id: _suggestions(_evidence_of(item), counts, labels) for item in items}


def _evidence_of(item: Expense | Transaction) -> list[Evidence]:
    """What is counted for an item, in the order in which its suggestions stand."""
    if isinstance(item, Transaction):
        name = item.counterparty
        return [Evidence(COUNTERPARTY, name, name), Evidence(VENDOR, name.lower(), name)]
    card, name = str(item.payload.get("card_vcn") or ""), item.merchant
    return [
        Evidence(MERCHANT, name, name),
        Evidence(VENDOR, name.lower(), name),
        Evidence(CARD, card, ""),
        Evidence(TEAM, item.team_id, item.team_name or "the same team"),
    ]


def _suggestions(evidences: Iterable[Evidence], counts: Counts, labels: Mapping[str, str]) -> list[Suggestion]:
    suggestions: dict[str, Suggestion] = {}
    for evidence in evidences:
        counter = counts.get((evidence.basis, evidence.value), Counter())
        total = sum(counter.values())
        for subcategory_id, count in likeliest(counter):
            if subcategory_id not in labels or subcategory_id in suggestions:
                continue
            reason = REASONS[evidence.basis].format(
                count=count, total=total, name=evidence.name, category=labels[subcategory_id]
            )
            suggestions[subcategory_id] = Suggestion(
                evidence.basis, subcategory_id, labels[subcategory_id], reason, count, total
            )
    return list(suggestions.values())[:MOST_SUGGESTED]


def _since() -> datetime:
    return timezone.now() - EVIDENCE


def chosen_expenses(actor: Actor) -> QuerySet[Expense]:
    """The expenses of a year whose category people have chosen, of those that the actor may see and that were approved."""
    rows = visible_expenses(actor).filter(status="APPROVED", transaction_date__gte=_since())
    return filed_expenses(rows).exclude(filed_by_rule(EXPENSE_KIND))


def _counts_of_expenses(actor: Actor, items: Sequence[Expense]) -> Counts:
    if not items:
        return {}
    rows = chosen_expenses(actor)
    card = KeyTextTransform("card_vcn", "payload")
    cards = {str(item.payload.get("card_vcn") or "") for item in items} - {""}
    holders = {item.employee_id for item in items}
    counts = _counted(rows, MERCHANT, "merchant", {item.merchant for item in items})
    counts |= _counted(rows, TEAM, "team_id", {item.team_id for item in items})
    # Nothing finds a card's purchases by the card: those of its holder are few enough.
    counts |= _counted(rows.filter(employee_id__in=holders).annotate(card=card), CARD, "card", cards)
    return counts


def _counts_of_transactions(actor: Actor, items: Sequence[Transaction]) -> Counts:
    names = {item.counterparty for item in items} - {""}
    if not names:
        return {}
    rows = filed_transactions(counted_transactions(visible_transactions(actor).filter(occurred_at__gte=_since())))
    rows = rows.exclude(filed_by_rule(TRANSACTION_KIND))
    return _counted(rows, COUNTERPARTY, "counterparty", names)


def _counted(rows: QuerySet[Any], basis: str, field: str, values: set[str]) -> Counts:
    values = values - {""}
    counts: Counts = defaultdict(Counter)
    if values:
        query = rows.filter(**{f"{field}__in": sorted(values)}).order_by()
        for value, filed_id, count in query.values_list(field, "filed_id").annotate(number=Count("pk")):
            counts[basis, value][filed_id] += count
    return dict(counts)


def _counts_of_bills(actor: Actor, names: set[str]) -> Counts:
    """What the newest bills of vendors with these names, in small letters, were filed under, line by line."""
    counts: Counts = defaultdict(Counter)
    known = visible_vendors(actor).filter(sort_name__in=sorted(names - {""}))
    vendors = dict(known.values_list("remote_id", "sort_name")[:MOST_BILLS]) if names - {""} else {}
    if not vendors:
        return {}
    bills = visible_bills(actor).filter(vendor_id__in=sorted(vendors), issued_on__gte=_since().date())
    rows = bills.order_by("-due_on").values_list("vendor_id", "payload__line_items", "payload__subcategory_id")
    for vendor_id, lines, of_bill in rows[:MOST_BILLS]:
        for line in lines or ():
            if filed_id := str(line.get("subcategory_id") or of_bill or ""):
                counts[VENDOR, vendors[vendor_id]][filed_id] += 1
    return dict(counts)
