"""Which payout pays an expense back to its employee: one at a time, and none after it was paid."""

from collections.abc import Collection, Sequence

from django.utils import timezone

from service.auth import Caller
from service.expenses import selectors
from service.expenses.models import Expense
from service.expenses.services import record_expense_changes
from service.respond import ChangedFields


def lock_expenses(caller: Caller, expense_ids: Collection[str]) -> dict[str, Expense]:
    """The expenses of these ids that the caller sees, by id. Locked in one order until the transaction ends: of two payouts that name
    the same expense the later one waits, and sees what the first has done."""
    rows = selectors.visible(caller).filter(id__in=expense_ids)
    return {row.id: row for row in rows.select_for_update(no_key=True, of=("self",)).order_by("id")}


def name_payout(caller: Caller, expenses: Sequence[Expense], payout_no: str) -> None:
    """Names the payout that pays these locked expenses back, with their events."""
    _save(caller, expenses, payout_no, "expense.pay_back")


def release_expenses(caller: Caller, payout_no: str, expense_ids: Collection[str]) -> None:
    """Of these expenses those that the payout was to pay back and does not: another may. Inside the caller's transaction."""
    if expense_ids:
        rows = Expense.objects.filter(business=caller.business, id__in=expense_ids, paid_back_by=payout_no)
        expenses = list(rows.select_for_update(no_key=True, of=("self",)).order_by("id"))
        _save(caller, expenses, "", "expense.release")


def _save(caller: Caller, expenses: Sequence[Expense], payout_no: str, action: str) -> None:
    now = timezone.now()
    changed: list[tuple[Expense, ChangedFields]] = []
    for expense in expenses:
        changed.append((expense, {"paid_back_by": expense.paid_back_by}))
        expense.paid_back_by, expense.updated_at = payout_no, now
        expense.version += 1
    Expense.objects.bulk_update(expenses, ["paid_back_by", "version", "updated_at"], batch_size=500)
    record_expense_changes(caller, changed, "expense.updated", action)
