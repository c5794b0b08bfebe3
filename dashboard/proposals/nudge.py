"""Telling a worker that a proposal was confirmed: a help, never needed. The sweep each minute finds it anyway."""

import structlog
from celery import current_app

from dashboard.decisions.nudge import HURRY

log = structlog.get_logger(__name__)
APPLY = "dashboard.proposals.apply"


def nudge(proposal_id: int) -> None:
    """Asks a worker to apply it now; a queue that cannot be reached is logged and waited for by the sweep."""
    try:
        options = {**(current_app.conf.broker_transport_options or {}), **HURRY}
        with current_app.connection_for_write(transport_options=options) as connection:
            current_app.send_task(APPLY, args=[proposal_id], connection=connection, retry=False, expires=60)
    except Exception as error:  # whatever the broker's client raises: it is confirmed, and that is kept
        log.warning("nudge failed", error=type(error).__name__)
