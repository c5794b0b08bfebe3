"""The jobs of journal exports: writing the files of a long one, and taking up again what a lost worker left."""

from celery import shared_task

from dashboard.journal_files import worker


@shared_task(name=worker.TASK, ignore_result=True)
def write_files(export_id: str) -> bool:
    """Carries one export on until its files are written."""
    return worker.run(export_id)


@shared_task(name="dashboard.journal_files.requeue_lost", ignore_result=True)
def requeue_lost() -> int:
    """Starts again what a lost worker left; each 30 seconds."""
    lost = worker.lost()
    for export_id in lost:
        write_files.delay(export_id)
    return len(lost)
