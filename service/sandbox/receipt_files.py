"""A receipt of one's own choice in a sandbox business: the file that a spender would have sent in."""

from django.db import transaction
from django.utils import timezone

from service import errors
from service.auth import system_caller
from service.businesses.models import Business
from service.expenses import receipts
from service.expenses.models import Expense
from service.expenses.services import record_expense_change


def attach_receipt_file(business: Business, expense_id: str, file_name: str, content: bytes) -> None:
    """Adds the file to the expense's receipts, checked as every receipt is; 404 for an expense of no such business."""
    with transaction.atomic():
        rows = Expense.objects.select_for_update(no_key=True, of=("self",))
        expense = rows.filter(business=business, id=expense_id).first()
        if expense is None:
            raise errors.not_found("expense")
        receipts.store(expense, file_name, content).save(force_insert=True)
        before = {"status": expense.status}
        expense.version += 1
        expense.updated_at = timezone.now()
        expense.save(update_fields=["version", "updated_at"])
        record_expense_change(system_caller(business), expense, "expense.updated", "expense.attach_receipt", before)
