"""The jobs of lists: writing exports, sending imports, taking lost ones up again, deleting old files."""

from celery import shared_task

from dashboard.lists import exports, imports


@shared_task(name="dashboard.lists.export", ignore_result=True)
def write_export(export_id: str) -> bool:
    """Writes one export."""
    return exports.run(export_id)


@shared_task(name="dashboard.lists.requeue_lost", ignore_result=True)
def requeue_lost() -> int:
    """Starts again what a lost worker left; each 30 seconds."""
    again, left = exports.lost(), imports.lost()
    for export_id in again:
        write_export.delay(export_id)
    for import_id in left:
        work_on_import.delay(import_id)
    return len(again) + len(left)


@shared_task(name="dashboard.lists.forget_old", ignore_result=True)
def forget_old_exports() -> int:
    """Deletes files after 48 hours; hourly."""
    return exports.forget_old()


@shared_task(name="dashboard.lists.import", ignore_result=True)
def work_on_import(import_id: str) -> bool:
    """Sends the rows of one import."""
    return imports.run(import_id)
