"""The jobs of lists: exports and imports, taking lost ones up again, deleting what is old."""

from celery import shared_task

from dashboard.lists import exports, imports
from dashboard.lists.export_files import announce_export

# So long a job may wait for a worker; then `requeue_lost` asks again.
WORKER_WAITS_S = 600


@shared_task(name="dashboard.lists.export", ignore_result=True)
def write_export(export_id: str) -> bool:
    """Writes the file of one export, and tells whoever waits for it; False where another worker has it or it is over."""
    is_run = exports.run(export_id)
    if is_run:
        announce_export(export_id)
    return is_run


def has_unfinished() -> bool:
    """Whether any export or import is unfinished: one of which a worker may have been lost."""
    return exports.has_unfinished() or imports.has_unfinished()


@shared_task(name="dashboard.lists.requeue_lost", ignore_result=True)
def requeue_lost() -> int:
    """Starts again what a lost worker left; each 30 seconds."""
    exports_left, imports_left = exports.lost(), imports.lost()
    for export_id in exports_left:
        write_export.delay(export_id)
    for import_id in imports_left:
        work_on_import.delay(import_id)
    return len(exports_left) + len(imports_left)


@shared_task(name="dashboard.lists.forget_old", ignore_result=True)
def forget_old_exports() -> int:
    """Deletes files after 48 hours; hourly."""
    return exports.forget_old()


@shared_task(name="dashboard.lists.import", ignore_result=True)
def work_on_import(import_id: str) -> bool:
    """Sends the rows of one import."""
    return imports.run(import_id)
