"""The job of recurring top-ups: each minute, whatever is due or was left by a worker that was lost."""

from celery import shared_task

from dashboard.top_ups import worker


@shared_task(name="dashboard.top_ups.run_due", ignore_result=True)
def run_due() -> int:
    """Runs what is due; how many top-ups were looked at."""
    waiting = worker.due()
    for top_up_id in waiting:
        worker.run(top_up_id)
    return len(waiting)
