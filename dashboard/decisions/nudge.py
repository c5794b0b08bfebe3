"""Telling the sender that something is due: a help, never needed. The sweep each second finds it anyway."""

import structlog
from celery import current_app

log = structlog.get_logger(__name__)
SEND = "dashboard.decisions.send_due"
# A queue that is away must not keep a person waiting: one try, half a second.
HURRY = {"max_retries": 0, "interval_start": 0, "socket_connect_timeout": 0.5, "socket_timeout": 0.5}


def nudge() -> None:
    """Asks a worker to send what is due now; a queue that cannot be reached is logged and waited for by the sweep."""
    try:
        options = {**(current_app.conf.broker_transport_options or {}), **HURRY}
        with current_app.connection_for_write(transport_options=options) as connection:
            current_app.send_task(SEND, connection=connection, retry=False, expires=30)
    except Exception as error:  # whatever the broker's client raises: the decision is safe in the outbox
        log.warning("nudge failed", error=type(error).__name__)
