"""What can be done with transactions besides deciding on them: tag them."""

from django.db import transaction
from django.utils import timezone

from service import errors
from service.auth import Caller
from service.businesses.models import Business
from service.categories.selectors import active_subcategory
from service.events.audit import record_audit
from service.events.outbox import record_event
from service.expenses import services as expenses
from service.journal.models import Transaction, Type
from service.transactions import selectors, serializers

UNTAGGED = frozenset({Type.IFT, Type.REFUND})


def tag(caller: Caller, transaction_id: str, subcategory_id: str, seen: str | None = None) -> Transaction:
    """Files an expense or top-up under a subcategory; that of an expense is the expense's own, and changes there.

    409 tag_not_allowed for an IFT or REFUND, 409 transaction_split for one that is split, 409
    invalid_state in a closed book, 422 for an unknown subcategory. With what the caller has `seen` it filed under ("" for
    nothing), 409 changed where it is not.
    """
    with transaction.atomic():
        row = selectors.lock_transaction(caller, transaction_id)
        if row.type in UNTAGGED:
            raise errors.conflict("tag_not_allowed", f"A transaction of type {row.type} carries no subcategory.")
        check_open(caller, row)
        if row.parts.exists():
            raise errors.conflict("transaction_split", "It is split: change its parts, or remove the split first.")
        filed = active_subcategory(caller, subcategory_id)
        before = {"subcategory_id": row.subcategory_id}
        if row.expense_id:
            expenses.file_under(caller, row.expense_id, filed.id, seen)
        else:
            expenses.refuse_changed(row.subcategory, seen)
        row.subcategory = filed
        if caller.employee_id and caller.employee_id not in row.maker_ids:
            row.maker_ids = [*row.maker_ids, caller.employee_id]
        row.version += 1
        row.updated_at = timezone.now()
        row.save(update_fields=["subcategory", "maker_ids", "version", "updated_at"])
        record_event(caller.business, "transaction.tagged", serializers.fresh(row), previous=before, actor=caller)
        record_audit(caller, "transaction.tag", "transaction", row.id, before, {"subcategory_id": filed.id})
    return row


def check_open(caller: Caller, row: Transaction) -> None:
    """409 where the transaction's day lies in a closed period: its classification is part of the reports."""
    # Read afresh: the caller's business may be some seconds old.
    closed = Business.objects.values_list("books_closed_until", flat=True).get(id=caller.business.id)
    if closed and row.effective_on and row.effective_on <= closed:
        raise errors.invalid_state(f"The books are closed up to {closed}.")
