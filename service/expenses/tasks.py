"""The jobs of the expenses: making receipts exports, and picking up those that a lost worker left."""

import logging

from celery import shared_task

from service import errors
from service.expenses import export_archive, exports
from service.expenses.models import ReceiptsExport

log = logging.getLogger(__name__)


@shared_task(name=exports.EXPORT)
def export_receipts(export_id: str) -> str:
    """Makes one export, unless another worker has it."""
    export = exports.claim(export_id)
    if export is None:
        return "not ours"
    try:
        exports.finish(export, export_archive.build(export))
    except export_archive.ClaimLost:
        return _stopped(export)
    except Exception:
        log.exception("export %s failed on try %s", export_id, export.attempts)
        if export.attempts >= exports.MOST_TRIES:
            exports.fail(export, "Three attempts failed.")
        # Else it is left as it is: without a heartbeat it is taken up again within a minute and a half.
        return "failed"
    return _stopped(export) if exports.is_cancelled(export) else "completed"


def _stopped(export: ReceiptsExport) -> str:
    """Why this worker stopped before the end: somebody cancelled, and the parts go, or another worker has it."""
    if not exports.is_cancelled(export):
        return "taken over"
    _discard(export)
    return "cancelled"


def _discard(export: ReceiptsExport) -> None:
    try:
        export_archive.discard(export)
    except errors.ServiceError:
        log.warning("what was made of export %s is not deleted yet", export.id)


@shared_task(name="service.expenses.requeue_lost_exports")
def requeue_lost_exports() -> int:
    """Starts exports again that nobody works on; every 30 seconds."""
    lost_ids = exports.lost()
    for export_id in lost_ids:
        export_receipts.delay(export_id)
    return len(lost_ids)


@shared_task(name="service.expenses.forget_old_exports")
def forget_old_exports() -> int:
    """Deletes files of exports after 48 hours, and what is left of cancelled and failed ones; hourly."""
    for export in exports.ended_without_file():
        _discard(export)
    return exports.expire_old()
