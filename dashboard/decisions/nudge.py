"""Telling the sender that something is due: a help, never needed. The sweep each second finds it anyway."""

import structlog
from celery import current_app

log = structlog.get_logger(__name__)
SEND = "dashboard.decisions.send_due"


def nudge() -> None:
    """Asks a worker to send what is due now; a queue that cannot be reached is logged and waited for by the sweep."""
    try:
        current_app.send_task(SEND, retry=False, expires=30)
    except Exception as error:  # whatever the broker's client raises: the decision is safe in the outbox
        log.warning("nudge failed", error=type(error).__name__)
