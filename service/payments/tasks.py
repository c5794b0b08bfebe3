"""What workers do about payments: pay approved payouts, follow pushes, let codes expire."""

import logging

from celery import shared_task

from service.payments import execution, intents, pushes, queue

log = logging.getLogger(__name__)


@shared_task(name=queue.EXECUTE)
def execute(batch_id: str) -> str:
    """Right after the approval: pays a payout as far as it goes. Safe to run twice, also at the same time."""
    return execution.execute(batch_id)


def has_due() -> bool:
    """Whether the sweep has anything to do: a payout to look at, or an intent whose time is over."""
    return bool(execution.due()) or intents.expired().exists()


@shared_task(name="service.payments.sweep")
def sweep() -> int:
    """Every 5 seconds: goes on with what a lost message, a killed worker or an undecided rail left open."""
    batches = execution.due()
    for batch_id in batches:
        try:
            execution.execute(batch_id)
        except Exception:
            log.exception("payout %s could not be worked on", batch_id)
    intents.end_expired()
    return len(batches)


@shared_task(name="service.payments.pushes")
def follow_pushes() -> int:
    """Every 2 seconds: asks about pushes whose result did not come."""
    return pushes.follow()
