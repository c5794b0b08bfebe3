"""The jobs of bulk actions: carrying them out, going on where a worker was lost, deleting what is old."""

from celery import shared_task

from dashboard.bulk import plans, worker


@shared_task(name="dashboard.bulk.carry_out", ignore_result=True)
def carry_out(batch_id: str) -> None:
    """Carries out one turn of a bulk action; what is left comes after what others wait for."""
    if worker.run(batch_id):
        carry_out.delay(batch_id)


@shared_task(name="dashboard.bulk.requeue_lost", ignore_result=True)
def requeue_lost() -> int:
    """Starts again what a lost worker left; each 30 seconds."""
    lost = worker.lost()
    for batch_id in lost:
        carry_out.delay(batch_id)
    return len(lost)


@shared_task(name="dashboard.bulk.forget_old", ignore_result=True)
def forget_old() -> int:
    """Deletes plans that nobody carried out, and old results; hourly."""
    return plans.forget_old()
