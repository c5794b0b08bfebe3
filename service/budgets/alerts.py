"""Who spends too much is told of: a budget that reached a part of its amount, once in each period."""

from collections.abc import Iterable

from django.db import transaction
from django.utils import timezone

from service.auth import Caller, system_caller
from service.budgets import figures
from service.budgets.models import Budget, BudgetAlert
from service.budgets.selectors import budget_details
from service.budgets.serializers import BudgetShape
from service.businesses.models import Business
from service.events.outbox import record_event
from service.periods import day_of
from service.respond import JsonObject


def raise_due() -> int:
    """Tells of every budget that has reached a part of its amount since it was last looked at; answers how many."""
    businesses = Business.objects.filter(id__in=Budget.objects.filter(active=True).values("business_id"))
    return sum(_raise_of(business) for business in businesses)


def forget_unreached(caller: Caller, row: Budget) -> None:
    """Forgets that parts of the amount were reached in the current period that are not reached of the amount that it has now:
    reached once more, they are told of again."""
    used = _used(budget_details(caller, [row])[0])
    start = figures.bounds(row.period, day_of(timezone.now(), caller.business))[0]
    known = row.alerts.filter(period_start=start)
    known.exclude(percent__in=_reached(row, used, known.values_list("percent", flat=True))).delete()


def _used(details: BudgetShape) -> int:
    return details["committed_minor"] + details["spent_minor"]


def _reached(row: Budget, used: int, percents: Iterable[int]) -> list[int]:
    return [percent for percent in percents if used * 100 >= row.amount_minor * percent]


def _raise_of(business: Business) -> int:
    caller, today = system_caller(business), day_of(timezone.now(), business)
    rows = list(
        Budget.objects.filter(business=business, active=True).exclude(alert_percents=[]).select_related("category")
    )
    raised = 0
    for row, details in zip(rows, budget_details(caller, rows), strict=True):
        reached = _reached(row, _used(details), row.alert_percents)
        if not reached:
            continue
        start = figures.bounds(row.period, today)[0]
        with transaction.atomic():
            # Of several parts that were reached at once the largest is told of, and none of them again.
            alerts = [BudgetAlert(budget=row, period_start=start, percent=percent) for percent in reached]
            known = set(row.alerts.filter(period_start=start).values_list("percent", flat=True))
            if reached[-1] in known:
                continue
            BudgetAlert.objects.bulk_create(alerts, ignore_conflicts=True)
            payload: JsonObject = details
            record_event(business, "budget.threshold_reached", payload, actor=caller)
            raised += 1
    return raised
