"""Sends a task to a worker as soon as the transaction has committed; without it the schedule runs the task later. And how
many wait for one."""

from functools import partial

import redis
import structlog
from celery import current_app
from django.conf import settings
from django.db import transaction

log = structlog.get_logger(__name__)

QUEUES = ("dashboard", "decisions")
# A queue that is away must not keep a person waiting: one try, half a second.
BROKER_TIMEOUTS = {"max_retries": 0, "interval_start": 0, "socket_connect_timeout": 0.5, "socket_timeout": 0.5}


def enqueue_on_commit(task: str, *args: object, expires_s: int) -> None:
    """Asks for a task by its name once the transaction has committed; nobody has to do it after so many seconds.

    A queue that cannot be reached is logged, and the task waits for the schedule.
    """
    transaction.on_commit(partial(_enqueue, task, args, expires_s))


def _enqueue(task: str, args: tuple[object, ...], expires_s: int) -> None:
    try:
        options = {**(current_app.conf.broker_transport_options or {}), **BROKER_TIMEOUTS}
        with current_app.connection_for_write(transport_options=options) as connection:
            current_app.send_task(task, args=list(args), connection=connection, retry=False, expires=expires_s)
    except Exception as error:  # whatever the broker's client raises: what is to be done is written down
        log.warning("not enqueued", task=task, error=type(error).__name__)


def jobs_by_queue() -> dict[str, int] | None:
    """How many jobs of all businesses no worker has begun yet, by the name of their queue; None where Redis is away."""
    try:
        with redis.Redis.from_url(settings.CELERY_BROKER_URL, socket_timeout=2, socket_connect_timeout=2) as client:
            return {queue: int(client.llen(queue)) for queue in QUEUES}
    except redis.RedisError as away:
        log.warning("the queues cannot be counted", error=type(away).__name__)
        return None
