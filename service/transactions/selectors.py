"""Which transactions a caller sees, and what is read of them: no query for transactions starts anywhere else."""

from collections.abc import Sequence

from django.db.models import Q, QuerySet

from service import errors, periods
from service.accounts.wallets import wallet_by_ref
from service.auth import Caller
from service.businesses.models import Role
from service.journal.models import Transaction, Type
from service.teams.selectors import reviewed_teams
from service.transactions import serializers
from service.transactions.schemas import TransactionQuery


def visible(caller: Caller) -> QuerySet[Transaction]:
    """Own for a card user, those of the teams they review and their own for a reviewer, else all of the business."""
    rows = Transaction.objects.filter(business_id=caller.business.id)
    if caller.role == Role.CARD_USER:
        return rows.filter(employee_id=caller.employee_id) if caller.employee_id else rows.none()
    if caller.role == Role.REVIEWER:
        seen = Q(team_id__in=reviewed_teams(caller))
        return rows.filter(seen | Q(employee_id=caller.employee_id) if caller.employee_id else seen)
    return rows


def lock_transaction(caller: Caller, transaction_id: str) -> Transaction:
    """One transaction, locked for a change; 404 when it is none of the caller's to see."""
    transaction = find_transaction(caller, transaction_id)
    if transaction is None:
        raise errors.not_found("transaction")
    return transaction


def find_transaction(caller: Caller, transaction_id: str) -> Transaction | None:
    """One transaction, locked for a change; None where the caller sees none of that id."""
    return visible(caller).select_for_update(no_key=True, of=("self",)).filter(id=transaction_id).first()


def find_purchase(caller: Caller, expense_id: str) -> Transaction | None:
    """The purchase that an expense is about, locked for a change; None while it is on hold, or where the caller sees none."""
    rows = visible(caller).select_for_update(no_key=True, of=("self",))
    return rows.filter(type=Type.EXPENSE, expense_id=expense_id).order_by("id").first() if expense_id else None


def filter_transactions(caller: Caller, query: TransactionQuery) -> QuerySet[Transaction]:
    """The transactions that the filters let through; 404 for a wallet that is none of the business's."""
    rows = serializers.with_documents(visible(caller))
    start, end = periods.between(caller.business, query.from_, query.to)
    filters = {
        "type": query.type,
        "status": query.status,
        "direction": query.direction,
        "currency": query.currency,
        "org_wallet_ref": wallet_by_ref(caller.business, query.accountref).org_wallet_ref if query.accountref else None,
        "occurred_at__gte": start,
        "occurred_at__lt": end,
    }
    return rows.filter(**{name: value for name, value in filters.items() if value is not None})


def recent(caller: Caller, limit: int) -> Sequence[Transaction]:
    """The newest that the caller sees."""
    return list(serializers.with_documents(visible(caller)).order_by("-occurred_at", "-id")[:limit])


def get_transaction(caller: Caller, transaction_id: str) -> Transaction:
    """One transaction; 404 when it is none of the caller's to see."""
    transaction = serializers.with_documents(visible(caller)).filter(id=transaction_id).first()
    if transaction is None:
        raise errors.not_found("transaction")
    return transaction
