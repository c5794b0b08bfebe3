"""Charges: which expenses belong to a subscription, what a new one does, and what was spent in which period.

An expense is a charge where its receiver is the subscription's vendor, in its currency, on its card if it has one, or
on another one of the line of reissued cards that it is of.
"""

from collections import Counter
from collections.abc import Sequence
from datetime import date, timedelta
from decimal import Decimal
from typing import TypedDict

from django.db.models import QuerySet, Sum
from django.utils import timezone

from service import errors, money, periods, sql
from service.auth import Caller
from service.cards import lineage
from service.events.outbox import record_event
from service.expenses.models import Expense, ExpenseStatus
from service.subscriptions import serializers
from service.subscriptions.frequency import SPANS, Span, next_charge, start_of_period
from service.subscriptions.models import Charge, Subscription, SubscriptionStatus
from service.subscriptions.patterns import merchant_key

LOOK_BACK = timedelta(days=1100)  # three annual charges fit into it
NEAR_PERCENT = 80
NOT_CHARGED = (ExpenseStatus.REFUNDED, ExpenseStatus.DELETED)

CHARGED = """
select s.id, s.merchant_key, s.currency, coalesce(nullif(c.lineage, ''), c.id, '')
from subscriptions_subscription s left join cards_card c on c.id = s.card_id
where s.business_id = %s and s.merchant_key = any(%s)
"""


def question(caller: Caller, expenses: Sequence[Expense]) -> sql.SqlStatement | None:
    """Which subscriptions the expenses may be charges of: one query by index however many there are, most belong to none."""
    merchants = sorted(set(filter(None, (merchant_key(row.receiver) for row in expenses))))
    return sql.SqlStatement(CHARGED, [caller.business.id, merchants]) if merchants else None


def notice(caller: Caller, expenses: Sequence[Expense], candidates: Sequence[sql.Row]) -> None:
    """Records the expenses that were just written as charges of their subscriptions; inside their transaction. `candidates`
    is what `question` gave."""
    if not candidates:
        return
    keys = {row.id: merchant_key(row.receiver) for row in expenses}
    lines = lineage.lineages(row.card_id for row in expenses) if any(line for *_, line in candidates) else {}
    for row in expenses:
        for subscription_id, merchant, currency, line in candidates:
            if (merchant, currency) == (keys[row.id], row.currency) and line in ("", lines.get(row.card_id)):
                _charge(caller, subscription_id, row)


def _charge(caller: Caller, subscription_id: str, expense: Expense) -> None:
    subscription = Subscription.objects.select_for_update(no_key=True, of=("self",)).get(pk=subscription_id)
    Charge.objects.get_or_create(subscription=subscription, expense=expense)
    if subscription.last_charge_at is None or subscription.last_charge_at < expense.transaction_date:
        subscription.last_charge_at = expense.transaction_date
        if subscription.status == SubscriptionStatus.ACTIVE:
            frequency = subscription.billing_frequency
            subscription.next_charge_at = next_charge(expense.transaction_date, frequency, caller.business)
    subscription.version += 1
    subscription.save()
    charge = {"expense_id": expense.id, "amount_minor": expense.amount_minor}
    payload = serializers.subscription(subscription)
    record_event(caller.business, "subscription.charged", {**payload, "charge": charge}, actor=caller)
    spent = spent_now(caller, subscription)
    limit = subscription.limit_minor
    if limit is not None and NEAR_PERCENT * limit <= 100 * spent:
        period = {"spent_minor": spent, "limit_minor": limit}
        record_event(caller.business, "subscription.limit_near", {**payload, "period": period}, actor=caller)


def spent_now(caller: Caller, subscription: Subscription) -> int:
    """What was charged in the current billing period, in minor units."""
    today = periods.day_of(timezone.now(), caller.business)
    first = start_of_period(SPANS[subscription.billing_frequency], today)  # type: ignore[index]
    rows = of(subscription).exclude(status__in=NOT_CHARGED)
    begun = rows.filter(transaction_date__gte=periods.start_of(first, caller.business))
    return begun.aggregate(sum=Sum("amount_minor"))["sum"] or 0


def of(subscription: Subscription) -> QuerySet[Expense]:
    """The expenses that are its charges."""
    return Expense.objects.filter(id__in=Charge.objects.filter(subscription=subscription).values("expense_id"))


def adopt(subscription: Subscription) -> None:
    """Makes past expenses of the vendor (and card) its charges, and notes the last one (unsaved)."""
    since = timezone.now() - LOOK_BACK
    rows = Expense.objects.filter(
        business=subscription.business, currency=subscription.currency, transaction_date__gte=since
    ).exclude(status=ExpenseStatus.DELETED)
    if subscription.card is not None:
        rows = rows.filter(card_id__in=lineage.line_of(subscription.card))
    names = [
        name
        for name in rows.order_by().values_list("receiver", flat=True).distinct()
        if merchant_key(name) == subscription.merchant_key
    ]
    past = list(rows.filter(receiver__in=names).order_by("transaction_date").values_list("id", "transaction_date"))
    Charge.objects.bulk_create(
        (Charge(subscription=subscription, expense_id=expense_id) for expense_id, _ in past), ignore_conflicts=True
    )
    if past:
        subscription.last_charge_at = past[-1][1]


class SpanShape(TypedDict):
    """What was charged in one span of days, which begins on `start`."""

    start: date
    amount: Decimal
    amount_minor: int
    count: int


class SpentShape(TypedDict):
    """What was charged for a subscription, in all and per span."""

    subscription_id: str
    name: str
    vendor: str
    currency: str
    total: Decimal
    total_minor: int
    count: int
    periods: list[SpanShape]


def spent(
    caller: Caller, rows: Sequence[Subscription], first: date | None, last: date | None, span: Span
) -> list[SpentShape]:
    """What was charged for each subscription, in all and per period; 400 where the days are the wrong way round."""
    if first and last and first > last:
        raise errors.validation_failed("from", "It lies after `to`.", "range")
    start, end = periods.between(caller.business, first, last)
    charges = Charge.objects.filter(subscription__in=rows).exclude(expense__status__in=NOT_CHARGED)
    if start:
        charges = charges.filter(expense__transaction_date__gte=start)
    if end:
        charges = charges.filter(expense__transaction_date__lt=end)
    sums: dict[str, Counter[date]] = {row.id: Counter() for row in rows}
    counts: dict[str, Counter[date]] = {row.id: Counter() for row in rows}
    for key, at, minor in charges.values_list("subscription_id", "expense__transaction_date", "expense__amount_minor"):
        begun = start_of_period(span, periods.day_of(at, caller.business))
        sums[key][begun] += minor
        counts[key][begun] += 1
    return [_spent(row, sums[row.id], counts[row.id]) for row in rows]


def _spent(row: Subscription, sums: Counter[date], counts: Counter[date]) -> SpentShape:
    return {
        "subscription_id": row.id,
        "name": row.name,
        "vendor": row.vendor,
        "currency": row.currency,
        "total": money.to_number(sums.total(), row.currency),
        "total_minor": sums.total(),
        "count": counts.total(),
        "periods": [
            {
                "start": begun,
                "amount": money.to_number(sums[begun], row.currency),
                "amount_minor": sums[begun],
                "count": counts[begun],
            }
            for begun in sorted(counts)
        ],
    }
