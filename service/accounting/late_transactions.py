"""What was posted in a month though its own day lies before: it arrived late."""

from datetime import date, datetime
from decimal import Decimal
from typing import TypedDict

from django.db.models import QuerySet

from service import money
from service.accounting.periods import Month
from service.auth import Caller
from service.journal.models import Transaction
from service.periods import start_of


class LateShape(TypedDict):
    """A transaction whose own day lies before the month that it was posted in."""

    _id: str
    type: str
    counterparty: str
    ref: str
    occurred_at: datetime
    effective_on: date | None
    direction: str
    currency: str
    amount: Decimal
    amount_minor: int
    ledger_transaction_id: int | None


def late(caller: Caller, month: Month) -> QuerySet[Transaction]:
    """What was posted in the month though it happened before its first day: it arrived late, when its own month was
    closed or over."""
    return Transaction.objects.filter(
        business_id=caller.business.id,
        effective_on__range=(month.first, month.last),
        occurred_at__lt=start_of(month.first, caller.business),
    )


def late_row(row: Transaction) -> LateShape:
    """A late transaction as the interface shows it."""
    return {
        "_id": row.id,
        "type": row.type,
        "counterparty": row.counterparty,
        "ref": row.ref,
        "occurred_at": row.occurred_at,
        "effective_on": row.effective_on,
        "direction": row.direction,
        "currency": row.currency,
        "amount": money.to_number(row.amount_minor, row.currency),
        "amount_minor": row.amount_minor,
        "ledger_transaction_id": row.ledger_transaction_id,
    }
