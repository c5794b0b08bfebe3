"""Handing an approved payout to the worker: a nudge after the commit. What the nudge misses, the sweep finds."""

import logging

from django.db import transaction

from service.payments.models import Batch

log = logging.getLogger(__name__)


def execute_soon(batch: Batch) -> None:
    """Asks a worker to pay it once this transaction is committed."""
    batch_id = batch.id

    def nudge() -> None:
        from service.payments.tasks import execute  # the task's module imports what is paid by it

        try:
            execute.apply_async([batch_id], ignore_result=True, retry=False)
        except Exception:
            log.exception("payout %s: no worker could be asked, the sweep will find it", batch_id)

    transaction.on_commit(nudge, robust=True)
