"""What is read of budgets: within the business of the caller, and as far as they may see."""

from collections.abc import Sequence
from datetime import date

from django.db.models import QuerySet
from django.utils import timezone

from service import errors
from service.auth import Caller
from service.budgets import figures, serializers
from service.budgets.models import Budget
from service.budgets.schemas import BudgetQuery
from service.periods import day_of


def filter_budgets(caller: Caller, query: BudgetQuery) -> QuerySet[Budget]:
    """The budgets of the business that the filters let through."""
    rows = Budget.objects.filter(business_id=caller.business.id, active=query.active).select_related("category")
    equal = {"team_id": query.team_id, "currency": query.currency}
    return rows.filter(**{name: value for name, value in equal.items() if value is not None})


def get_budget(caller: Caller, budget_id: str) -> Budget:
    """One budget; 404 when the business has none such."""
    rows = Budget.objects.filter(business_id=caller.business.id, id=budget_id).select_related("category")
    budget = rows.first()
    if budget is None:
        raise errors.not_found("budget")
    return budget


def budget_details(caller: Caller, rows: Sequence[Budget], on: date | None = None) -> list[serializers.BudgetShape]:
    """Budgets with their figures in the period in which a day lies, the current one where none is given; one query for all
    of them. 400 for a day that has not come yet."""
    today = day_of(timezone.now(), caller.business)
    if on and on > today:
        raise errors.invalid_parameters("on", "It has not come yet.", "range")
    day = on or today
    by_id = figures.of(caller.business, [row.id for row in rows], day)
    return [serializers.budget(row, by_id.get(row.id, figures.Figures()), day) for row in rows]


def assignable(caller: Caller, budget_id: str, currency: str) -> Budget:
    """A budget that a bill of this currency may be assigned to; 422 otherwise."""
    budget = Budget.objects.filter(business_id=caller.business.id, id=budget_id, active=True).first()
    if budget is None:
        raise errors.validation_failed("budget_id", "There is no such active budget.", "unknown")
    if budget.currency != currency:
        raise errors.validation_failed("budget_id", f"The budget is in {budget.currency}.", "currency")
    return budget
