"""What can be done with transactions besides deciding on them: find them, tag them."""

from collections.abc import Sequence

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from service import errors, periods
from service.accounts.wallets import wallet
from service.auth import Caller
from service.businesses.models import Business
from service.events.audit import note
from service.events.outbox import record
from service.expenses import services as expenses
from service.journal.models import Transaction, Type
from service.transactions import manual_entries, selectors, serializers
from service.transactions.schemas import TransactionQuery

UNTAGGED = frozenset({Type.IFT, Type.REFUND})


def find(caller: Caller, query: TransactionQuery) -> QuerySet[Transaction]:
    """The transactions that the filters let through; 404 for a wallet that is none of the business's."""
    rows = serializers.with_documents(selectors.visible(caller))
    start, end = periods.between(caller.business, query.from_, query.to)
    filters = {
        "type": query.type,
        "status": query.status,
        "direction": query.direction,
        "currency": query.currency,
        "org_wallet_ref": wallet(caller.business, query.accountref).org_wallet_ref if query.accountref else None,
        "occurred_at__gte": start,
        "occurred_at__lt": end,
    }
    return rows.filter(**{name: value for name, value in filters.items() if value is not None})


def recent(caller: Caller, limit: int) -> Sequence[Transaction]:
    """The newest that the caller sees."""
    return list(serializers.with_documents(selectors.visible(caller)).order_by("-occurred_at", "-id")[:limit])


def one(caller: Caller, transaction_id: str) -> Transaction:
    """One transaction; 404 when it is none of the caller's to see."""
    found = serializers.with_documents(selectors.visible(caller)).filter(id=transaction_id).first()
    if found is None:
        raise errors.not_found("transaction")
    return found


def tag(caller: Caller, transaction_id: str, subcategory_id: str) -> Transaction:
    """Files an expense or top-up under a subcategory; that of an expense is the expense's own, and changes there.

    409 tag_not_allowed for an IFT or REFUND, 409 invalid_state in a closed book, 422 for an unknown subcategory.
    """
    with transaction.atomic():
        row = selectors.locked(caller, transaction_id)
        if row.type in UNTAGGED:
            raise errors.conflict("tag_not_allowed", f"A transaction of type {row.type} carries no subcategory.")
        check_open(caller, row)
        filed = manual_entries.active(caller, subcategory_id)
        before = {"subcategory_id": row.subcategory_id}
        if row.expense_id:
            expenses.file_under(caller, row.expense_id, filed.id)
        row.subcategory = filed
        if caller.employee_id and caller.employee_id not in row.maker_ids:
            row.maker_ids = [*row.maker_ids, caller.employee_id]
        row.version += 1
        row.updated_at = timezone.now()
        row.save(update_fields=["subcategory", "maker_ids", "version", "updated_at"])
        record(caller.business, "transaction.tagged", serializers.fresh(row), previous=before, actor=caller)
        note(caller, "transaction.tag", "transaction", row.id, before, {"subcategory_id": filed.id})
    return row


def check_open(caller: Caller, row: Transaction) -> None:
    """409 where the transaction's day lies in a closed period: its classification is part of the reports."""
    # Read afresh: the caller's business may be some seconds old.
    closed = Business.objects.values_list("books_closed_until", flat=True).get(id=caller.business.id)
    if closed and row.effective_on and row.effective_on <= closed:
        raise errors.invalid_state(f"The books are closed up to {closed}.")
