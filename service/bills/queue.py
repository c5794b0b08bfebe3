"""Handing an approved bill payment to the worker: a message after the commit. What it misses, the sweep finds."""

from service import enqueue
from service.bills.models import BillPayment

EXECUTE = "service.bills.execute"


def execute_soon(payment: BillPayment) -> None:
    """Asks a worker to pay it once this transaction is committed."""
    enqueue.on_commit(EXECUTE, payment.id)
