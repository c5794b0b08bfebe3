"""The category that stands on an expense in the copy: renamed or moved, it is called what it is called now.

An expense's own answer names its category, but it is not read again because of that: nothing of it has changed.
"""

from collections.abc import Sequence

from django.db import connection

from dashboard.access.models import Business
from dashboard.mirror.models import Category

EXPENSES = """
update mirror_expense expense set category_name = concat_ws(' · ', nullif(category.category_name, ''), category.name)
    || case when expense.part_count > 1 then ' and ' || expense.part_count - 1 || ' more' else '' end
from mirror_category category
where category.business_id = %(business)s and category.remote_id = any(%(ids)s)
    and expense.business_id = %(business)s and expense.subcategory_id = category.remote_id
    and expense.category_name <> concat_ws(' · ', nullif(category.category_name, ''), category.name)
        || case when expense.part_count > 1 then ' and ' || expense.part_count - 1 || ' more' else '' end
"""


def follow_written(business: Business, kind: str, ids: Sequence[str]) -> None:
    """Calls expenses by what their subcategories are called now; registered with the copy's writes."""
    if kind != "category":
        return
    with connection.cursor() as cursor:
        cursor.execute(EXPENSES, {"business": business.pk, "ids": list(ids)})


def labels_of(business_id: int) -> dict[str, str]:
    """What the subcategories of a business are called with their categories, by their ids."""
    rows = Category.objects.filter(business_id=business_id)
    return {row.remote_id: label_of(row) for row in rows.only("remote_id", "category_name", "name")}


def label_of(row: Category) -> str:
    """A subcategory with its category: "Travel · Fuel"."""
    return f"{row.category_name} · {row.name}" if row.category_name else row.name
