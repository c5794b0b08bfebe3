"""Handing an approved bill payment to the worker: a nudge after the commit. What it misses, the sweep finds."""

import logging

from django.db import transaction

from service.bills.models import BillPayment

log = logging.getLogger(__name__)


def execute_soon(payment: BillPayment) -> None:
    """Asks a worker to pay it once this transaction is committed."""
    payment_id = payment.id

    def nudge() -> None:
        from service.bills.tasks import execute  # the task's module imports what is paid by it

        try:
            execute.apply_async([payment_id], ignore_result=True, retry=False)
        except Exception:
            log.exception("bill payment %s: no worker could be asked, the sweep will find it", payment_id)

    transaction.on_commit(nudge, robust=True)
