"""The job of recurring top-ups: each minute, whatever is due or was left by a worker that was lost."""

import structlog
from celery import shared_task
from celery.exceptions import SoftTimeLimitExceeded

from dashboard.top_ups import worker

log = structlog.get_logger(__name__)


@shared_task(name="dashboard.top_ups.run_due", ignore_result=True)
def run_due() -> int:
    """Runs what is due, none stopped by another that fails; how many top-ups were looked at."""
    waiting = worker.due()
    for top_up_id in waiting:
        try:
            worker.run(top_up_id)
        except SoftTimeLimitExceeded:
            raise
        except Exception:
            # It waits longer each time (worker), and says why here: the trace holds names of places, and no values.
            log.exception("top-up failed", top_up=top_up_id)
    return len(waiting)
