"""What can have a category: expenses, and transactions that no expense stands behind; and which of them have none.

The same rows for the queue, its bulk action, the trial of a rule and the job that files by rules. Whose rows they are is
said by the query that they are narrowed from (dashboard/mirror/scopes.py).
"""

from django.db.models import F, Q, QuerySet
from django.db.models.fields.json import KeyTextTransform, KeyTransform

from dashboard.access.actor import Actor
from dashboard.mirror.models import Expense, Transaction
from dashboard.mirror.models.expenses import UNCATEGORISED_EXPENSE
from dashboard.mirror.models.transactions import UNCATEGORISED_TRANSACTION
from dashboard.mirror.scopes import visible_expenses, visible_transactions

EXPENSE_KIND, TRANSACTION_KIND = "expense", "transaction"
# What counts for nothing any more needs no category.
OVER = {EXPENSE_KIND: ("REJECTED", "REFUNDED", "DELETED"), TRANSACTION_KIND: ("REJECTED", "REVERSED")}
# The types that a category is for; an expense's own transaction is filed with its expense.
FILED_TYPES = ("EXPENSE", "TOPUP")


def expenses_to_file(actor: Actor) -> QuerySet[Expense]:
    """The actor's expenses that count and have no category."""
    return counted_expenses(visible_expenses(actor)).filter(UNCATEGORISED_EXPENSE)


def transactions_to_file(actor: Actor) -> QuerySet[Transaction]:
    """The actor's transactions that can have a category, count, have no expense and no category."""
    return counted_transactions(visible_transactions(actor)).filter(UNCATEGORISED_TRANSACTION)


def counted_expenses(rows: QuerySet[Expense]) -> QuerySet[Expense]:
    """Those that count for something."""
    return rows.exclude(status__in=OVER[EXPENSE_KIND])


def counted_transactions(rows: QuerySet[Transaction]) -> QuerySet[Transaction]:
    """Those that can have a category of their own and count for something."""
    return rows.filter(type__in=FILED_TYPES, expense_id="").exclude(status__in=OVER[TRANSACTION_KIND])


def with_subcategory(rows: QuerySet[Transaction]) -> QuerySet[Transaction]:
    """The rows with `filed_id`, the subcategory that each is filed under, "" or None for none."""
    return rows.annotate(filed_id=KeyTextTransform("_id", KeyTransform("subcategory", "payload")))


def filed_expenses(rows: QuerySet[Expense]) -> QuerySet[Expense]:
    """Those that have a category, each with its `filed_id`."""
    return rows.exclude(subcategory_id="").annotate(filed_id=F("subcategory_id"))


def filed_transactions(rows: QuerySet[Transaction]) -> QuerySet[Transaction]:
    """Those that have a category, each with its `filed_id`."""
    return with_subcategory(rows).exclude(Q(category_name="") | Q(filed_id=None))
