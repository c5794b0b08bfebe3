"""Transactions as the interface shows them in its answers, filed as their expenses are now."""

from collections.abc import Sequence

from django.db.models import Prefetch, QuerySet

from service import money
from service.categories.models import Subcategory
from service.expenses.models import Expense, TransactionPart
from service.journal import serializers as journal
from service.journal.models import Transaction, TransactionDocument


def with_documents(rows: QuerySet[Transaction]) -> QuerySet[Transaction]:
    """The rows with all that `many` needs of other tables, but for their expenses: documents and parts."""
    files = TransactionDocument.objects.order_by("id")
    parts = TransactionPart.objects.select_related("subcategory").order_by("position")
    return rows.select_related("subcategory").prefetch_related(
        Prefetch("documents", queryset=files), Prefetch("parts", queryset=parts)
    )


def many(rows: Sequence[Transaction]) -> list[journal.TransactionShape]:
    """The rows of `with_documents`; one more query for the subcategories that their expenses are filed under."""
    expense_ids = [row.expense_id for row in rows if row.expense_id]
    filed: dict[str, Subcategory | None] = {}
    if expense_ids:
        expenses = Expense.objects.filter(id__in=expense_ids).select_related("subcategory").only("id", "subcategory")
        filed = {expense.id: expense.subcategory for expense in expenses}
    return [
        journal.transaction(row, filed.get(row.expense_id, row.subcategory), row.documents.all(), _parts(row))
        for row in rows
    ]


def fresh(row: Transaction) -> journal.TransactionShape:
    """One transaction as it is in the database now."""
    return many(list(with_documents(Transaction.objects.filter(pk=row.pk))))[0]


def _parts(row: Transaction) -> list[journal.PartShape]:
    return [
        {
            "subcategory": journal.filed(part.subcategory),
            "amount": money.to_number(part.amount_minor, row.currency),
            "amount_minor": part.amount_minor,
            "description": part.description,
        }
        for part in row.parts.all()
    ]
