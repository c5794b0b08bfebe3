"""What a rule asks of an item: as a query, as a sentence, and whether an earlier rule asks less."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping

from django.db.models import Q

from dashboard.categorisation.models import CategoryRule
from dashboard.categorisation.uncategorised import EXPENSE_KIND, TRANSACTION_KIND
from dashboard.money import text

# Where the words of a rule are looked for, and what holds the merchant.
NAMED_BY = {EXPENSE_KIND: "merchant", TRANSACTION_KIND: "counterparty"}
SEARCHED = {
    EXPENSE_KIND: ("merchant", "notes", "payload__description"),
    TRANSACTION_KIND: ("counterparty", "ref", "description"),
}


def condition_of(rule: CategoryRule, kind: str) -> Q | None:
    """What of a kind the rule fits; None where it can fit nothing of the kind: only expenses are paid by card."""
    if rule.card_id and kind != EXPENSE_KIND:
        return None
    condition = Q()
    for name in (rule.merchant, rule.vendor_name):
        if name:
            condition &= Q(**{f"{NAMED_BY[kind]}__iexact": name})
    if rule.card_id:
        condition &= Q(payload__card_vcn=rule.card_token)
    if rule.text:
        words = Q()
        for field in SEARCHED[kind]:
            words |= Q(**{f"{field}__icontains": rule.text})
        condition &= words
    if rule.currency:
        condition &= Q(currency=rule.currency) & _amount(rule)
    return condition


def _amount(rule: CategoryRule) -> Q:
    """Money that went out is below zero in a transaction: its size counts."""
    came, went = Q(amount_minor__gte=0), Q(amount_minor__lt=0)
    if rule.least_minor is not None:
        came, went = came & Q(amount_minor__gte=rule.least_minor), went & Q(amount_minor__lte=-rule.least_minor)
    if rule.most_minor is not None:
        came, went = came & Q(amount_minor__lte=rule.most_minor), went & Q(amount_minor__gte=-rule.most_minor)
    return came | went


def conditions_text(rule: CategoryRule, locale: str) -> str:
    """Its conditions in words: "merchant is Java House and amount is at least KES 1,000.00"."""
    parts = [f"merchant is {rule.merchant}"] if rule.merchant else []
    parts += [f"vendor is {rule.vendor_name}"] if rule.vendor_name else []
    parts += [f"card is {rule.card_name}"] if rule.card_name else []
    parts += [f"text contains “{rule.text}”"] if rule.text else []
    least, most = (
        text(minor, rule.currency, locale) if minor is not None else "" for minor in (rule.least_minor, rule.most_minor)
    )
    if least and most:
        parts.append(f"amount is {least} to {most}")
    elif least:
        parts.append(f"amount is at least {least}")
    elif most:
        parts.append(f"amount is at most {most}")
    elif rule.currency:
        parts.append(f"currency is {rule.currency}")
    return " and ".join(parts)


def sentence_of(rule: CategoryRule, locale: str) -> str:
    """The rule in one sentence: "If merchant is Java House, then Costs · Meals"."""
    return f"If {conditions_text(rule, locale)}, then {rule.category_label}"


def is_shadowed(rule: CategoryRule, earlier: CategoryRule) -> bool:
    """Whether the earlier rule fits everything that the rule fits: nothing is left for it, by what both ask alone."""
    names = {name.casefold() for name in (rule.merchant, rule.vendor_name) if name}
    names_before = {name.casefold() for name in (earlier.merchant, earlier.vendor_name) if name}
    words = earlier.text.casefold()
    return (
        names_before <= names
        and earlier.card_id in ("", rule.card_id)
        and (not words or words in rule.text.casefold() or any(words in name for name in names))
        and earlier.currency in ("", rule.currency)
        and (earlier.least_minor is None or (rule.least_minor is not None and rule.least_minor >= earlier.least_minor))
        and (earlier.most_minor is None or (rule.most_minor is not None and rule.most_minor <= earlier.most_minor))
    )


def problems_of(
    rule: CategoryRule, earlier: Iterable[CategoryRule], *, labels: Container[str], closed_cards: Iterable[str],
    active_vendors: Mapping[str, str],
) -> list[str]:  # fmt: skip
    """Why the rule can never file anything, in sentences; [] where nothing is known to be in its way.

    `labels` are the categories to file under, `closed_cards` the ids of closed cards, `active_vendors` names by id.
    `earlier` are the rules before it that are on.
    """
    problems = []
    if rule.subcategory_id not in labels:
        problems.append("Its category is archived or no longer exists.")
    if rule.card_id and rule.card_id in set(closed_cards):
        problems.append("Its card is closed: no purchase is made with it any more.")
    if rule.vendor_id and rule.vendor_id not in active_vendors:
        problems.append("Its vendor is no longer active.")
    names = {name.casefold() for name in (rule.merchant, rule.vendor_name) if name}
    if len(names) > 1:
        problems.append("It can never match: its merchant and its vendor have different names.")
    shadow = next((other for other in earlier if is_shadowed(rule, other)), None)
    if shadow is not None:
        problems.append(f"It never gets to file anything: rule {shadow.position} before it fits all that it fits.")
    return problems
