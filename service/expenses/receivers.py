"""What the hooks of employees reach here: expenses that keep an account from being deleted."""

from service.businesses.models import Employee
from service.expenses.models import Expense, ExpenseStatus


def held_expenses_of(person: Employee) -> list[str]:
    """Payments by card whose money is held and not taken yet, in words."""
    held = Expense.objects.filter(employee=person, ledger_hold_id__isnull=False).exclude(status=ExpenseStatus.DELETED)
    return ["card payments that are not settled"] if held.exists() else []
