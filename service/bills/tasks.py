"""What workers do about bill payments: pay what is approved, and ask about what a rail has not said."""

import logging

from celery import shared_task

from service.bills import execution
from service.bills.queue import EXECUTE

log = logging.getLogger(__name__)


@shared_task(name=EXECUTE)
def execute(payment_id: str) -> str:
    """Right after the approval: pays as far as it goes. Safe to run twice, also at the same time."""
    return execution.execute(payment_id)


@shared_task(name="service.bills.sweep")
def sweep() -> int:
    """Every 5 seconds: goes on with what a lost message, a killed worker or a silent rail left open."""
    waiting = execution.due()
    for payment_id in waiting:
        try:
            execution.execute(payment_id)
        except Exception:
            log.exception("bill payment %s could not be worked on", payment_id)
    return len(waiting)
