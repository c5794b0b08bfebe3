"""The jobs of evidence packs: making one, taking up again what a lost worker left, deleting old files."""

from celery import shared_task

from dashboard.evidence import worker


@shared_task(name="dashboard.evidence.make", ignore_result=True)
def make_pack(pack_id: str) -> bool:
    """Makes one pack; False where another worker has it or it is over."""
    return worker.run(pack_id)


@shared_task(name="dashboard.evidence.requeue_lost", ignore_result=True)
def requeue_lost() -> int:
    """Starts again what a lost worker left; each 30 seconds."""
    left = worker.lost()
    for pack_id in left:
        make_pack.delay(pack_id)
    return len(left)


@shared_task(name="dashboard.evidence.forget_old", ignore_result=True)
def forget_old() -> int:
    """Deletes the files of packs after 30 days; hourly."""
    return worker.forget_old()
