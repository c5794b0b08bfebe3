"""What the hooks of employees and categories reach here: expenses that keep an account from being deleted, and what is filed
under a subcategory."""

from django.db.models import Exists, OuterRef, Q, QuerySet

from service.businesses.models import Employee
from service.categories.hooks import Ids, Users, businesses_of
from service.expenses.models import Expense, ExpenseStatus, TransactionPart
from service.journal.models import Transaction


def held_expenses_of(person: Employee) -> list[str]:
    """Payments by card whose money is held and not taken yet, in words."""
    held = Expense.objects.filter(employee=person, ledger_hold_id__isnull=False).exclude(status=ExpenseStatus.DELETED)
    return ["card payments that are not settled"] if held.exists() else []


def _expenses_under(subcategory_ids: Ids, _: Ids) -> QuerySet[Expense]:
    owned = Expense.objects.filter(business_id__in=businesses_of(subcategory_ids))
    return owned.filter(subcategory_id__in=subcategory_ids)


def _transactions_under(subcategory_ids: Ids, _: Ids) -> QuerySet[Transaction]:
    parts = TransactionPart.objects.filter(transaction_id=OuterRef("id"), subcategory_id__in=subcategory_ids)
    owned = Transaction.objects.filter(business_id__in=businesses_of(subcategory_ids))
    return owned.filter(Q(subcategory_id__in=subcategory_ids) | Exists(parts))


FILED = (
    Users("expense", _expenses_under, lambda row: " · ".join(filter(None, (row.receiver, row.transaction_ref)))),
    # With their parts, which stand here too.
    Users("transaction", _transactions_under, lambda row: " · ".join(filter(None, (row.counterparty, row.ref)))),
)
