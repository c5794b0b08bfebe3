"""Asking a worker for a job, by the job's name: who asks need not import the module that does it."""

import logging

from celery import current_app
from django.db import transaction

log = logging.getLogger(__name__)


def on_commit(task: str, *args: str) -> None:
    """Queues the job once this transaction is committed; each such job has a sweep that finds what was never queued."""
    transaction.on_commit(lambda: send(task, *args), robust=True)


def send(task: str, *args: str) -> None:
    """Asks for the job now. A queue that is away is logged, never raised: the sweep comes."""
    try:
        current_app.send_task(task, args, ignore_result=True, retry=False)
    except Exception:
        log.exception("%s %s: no worker could be asked, the sweep will find it", task, " ".join(args))
