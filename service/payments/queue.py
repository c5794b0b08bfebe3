"""Handing an approved payout to the worker: a message after the commit. What it misses, the sweep finds."""

from service import enqueue
from service.payments.models import Batch

EXECUTE = "service.payments.execute"


def execute_soon(batch: Batch) -> None:
    """Asks a worker to pay it once this transaction is committed."""
    enqueue.on_commit(EXECUTE, batch.id)
