"""What the hooks of categories reach here: the budgets of a category, which count what is filed there."""

from django.db.models import QuerySet

from service.budgets.models import Budget
from service.categories.hooks import Ids, Users


def _budgets_of(_: Ids, category_ids: Ids) -> QuerySet[Budget]:
    return Budget.objects.filter(category_id__in=category_ids)


def _budgets_counting(category_ids: Ids) -> QuerySet[Budget]:
    return _budgets_of((), category_ids).filter(active=True)


FILED = Users("budget", _budgets_of, lambda row: row.name, _budgets_counting)
