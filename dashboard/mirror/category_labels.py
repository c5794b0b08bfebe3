"""The category that stands on an expense or a transaction in the copy: renamed or moved, it is called what it is called now.

Their own answer names their category, but it is not read again because of that: nothing of them has changed. So a worker
writes the new name, in batches, and past rows that somebody is writing just then: nobody waits for it.
"""

from collections.abc import Sequence

from django.db import connection
from django.db.models import F, Value
from django.db.models.functions import Concat

from dashboard.access.models import Business
from dashboard.enqueue import enqueue_on_commit
from dashboard.mirror.models import Category, Expense, Transaction

TASK = "dashboard.mirror.relabel_expenses"
WAITS_S = 300
AT_ONCE = 1000
# Those of a subcategory that are called otherwise, with how many parts more there are.
EXPENSES = """
with waiting as (
    select id from mirror_expense
    where business_id = %(business)s and subcategory_id = %(subcategory)s
        and category_name <> %(label)s || case when part_count > 1 then ' and ' || part_count - 1 || ' more' else '' end
    limit %(limit)s for update skip locked
)
update mirror_expense expense set category_name = %(label)s
    || case when part_count > 1 then ' and ' || part_count - 1 || ' more' else '' end
from waiting where waiting.id = expense.id
"""
# And transactions, which are called by the subcategory's name alone.
TRANSACTIONS = EXPENSES.replace("mirror_expense", "mirror_transaction")


def follow_categories(business: Business, kind: str, ids: Sequence[str]) -> None:
    """Has a worker call expenses and transactions by what their subcategories are called now; registered with the
    copy's writes. A worker that cannot be reached finds them with the next read of the categories."""
    if kind == "category":
        enqueue_on_commit(TASK, business.pk, expires_s=WAITS_S)


def relabel_expenses(business: Business) -> int:
    """Calls the expenses and transactions of every subcategory whose name or category has changed by what it is called now;
    how many. Those that were being written meanwhile stay for the next time."""
    label = Concat("category_name", Value(" · "), "name")
    changed = Category.objects.filter(business=business).annotate(label=label).exclude(expense_label=F("label"))
    return sum(_relabel(row) for row in changed)


def _relabel(row: Category) -> int:
    count, is_done = 0, True
    for model, statement, label in ((Expense, EXPENSES, label_of(row)), (Transaction, TRANSACTIONS, row.name)):
        values: dict[str, str | int] = {
            "business": row.business_id,
            "subcategory": row.remote_id,
            "label": label,
            "limit": AT_ONCE,
        }
        while written := _write_batch(statement, values):
            count += written
        rows = model.objects.filter(business_id=row.business_id, subcategory_id=row.remote_id)
        is_done = is_done and not rows.exclude(category_name__startswith=label).exists()
    if is_done:
        Category.objects.filter(pk=row.pk, name=row.name, category_name=row.category_name).update(
            expense_label=f"{row.category_name} · {row.name}"
        )
    return count


def _write_batch(statement: str, values: dict[str, str | int]) -> int:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return int(cursor.rowcount)


def category_labels_of(business_id: int) -> dict[str, str]:
    """What the subcategories of a business are called with their categories, by their ids."""
    rows = Category.objects.filter(business_id=business_id)
    return {row.remote_id: label_of(row) for row in rows.only("remote_id", "category_name", "name")}


def label_of(row: Category) -> str:
    """A subcategory with its category: "Travel · Fuel"."""
    return f"{row.category_name} · {row.name}" if row.category_name else row.name
