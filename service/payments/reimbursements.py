"""Payments that pay expenses back to an employee: what is wrong with the expenses that they name, and which payout has them."""

from collections.abc import Collection, Iterable, Mapping, Sequence

from service import money
from service.auth import Caller
from service.expenses import reimbursements
from service.expenses.models import Expense, ExpenseStatus
from service.payments.models import Batch, Item
from service.payments.schemas import NewItem


def expense_problems(caller: Caller, currency: str, new_items: Sequence[NewItem]) -> dict[int, dict[str, str]]:
    """What is wrong with the expenses of payments in a currency, by the places of the payments and by field. The expenses stay locked
    until the transaction ends, so that what is right here is claimed by nobody else meanwhile."""
    named = {expense_id for new_item in new_items for expense_id in new_item.expense_ids}
    if not named:
        return {}
    known = reimbursements.lock_expenses(caller, named)
    messages_by_place: dict[int, dict[str, str]] = {}
    named_before: set[str] = set()
    for place, new_item in enumerate(new_items):
        if messages := _messages(new_item, currency, known, named_before):
            messages_by_place[place] = messages
        named_before.update(new_item.expense_ids)
    return messages_by_place


def _messages(
    new_item: NewItem, currency: str, known: Mapping[str, Expense], named_before: Collection[str]
) -> dict[str, str]:
    if len(set(new_item.expense_ids)) < len(new_item.expense_ids):
        return {"expense_ids": "It names an expense twice."}
    expenses = []
    for expense_id in new_item.expense_ids:
        expense = known.get(expense_id)
        if expense is None:
            return {"expense_ids": "There is no such expense."}
        if why := _why_not(expense, currency, is_named_before=expense_id in named_before):
            return {"expense_ids": why}
        expenses.append(expense)
    if len({expense.employee_id for expense in expenses}) > 1:
        return {"expense_ids": "They are expenses of several people: pay each in a payment of their own."}
    whole = sum(expense.amount_minor + expense.fees_minor for expense in expenses)
    if expenses and _minor(new_item, currency) > whole:
        return {"amount": f"It is more than its expenses come to: {currency} {money.to_number(whole, currency)}."}
    return {}


def _why_not(expense: Expense, currency: str, *, is_named_before: bool) -> str:
    """Why an expense cannot be paid back; "" where it can."""
    ref = expense.transaction_ref
    if expense.paid_back_by:
        return f"The expense {ref} is paid back by the payout {expense.paid_back_by} already."
    if expense.status != ExpenseStatus.APPROVED:
        return f"The expense {ref} is not approved."
    if is_named_before:
        return f"The expense {ref} is paid back by another payment of this payout already."
    return f"The expense {ref} is in {expense.currency}." if expense.currency != currency else ""


def _minor(new_item: NewItem, currency: str) -> int:
    try:
        return money.to_minor(new_item.amount, currency)
    except money.MoneyError:
        # It is refused by itself.
        return 0


def claim_expenses(caller: Caller, batch: Batch, items: Iterable[Item]) -> None:
    """Names a new payout at the expenses that its payments pay back; they are locked already."""
    if expense_ids := _ids(items):
        expenses = reimbursements.lock_expenses(caller, expense_ids)
        reimbursements.name_payout(caller, list(expenses.values()), batch.batch_no)


def release_unpaid(caller: Caller, batch: Batch, items: Iterable[Item]) -> None:
    """Leaves the expenses of these payments to other payouts: they are not paid."""
    reimbursements.release_expenses(caller, batch.batch_no, _ids(items))


def _ids(items: Iterable[Item]) -> list[str]:
    return [expense_id for item in items for expense_id in item.expense_ids]
