"""How an export ends: its file kept under its final name, its row settled, and whoever waits for it told."""

import uuid
from pathlib import Path

from django.core.files import File
from django.core.files.storage import storages
from django.utils import timezone

from dashboard.lists.models import Export, ExportState
from dashboard.lists.registry import find
from dashboard.lists.reports import find_report
from dashboard.notifications.services import notify
from dashboard.notifications.topics import EXPORTS
from dashboard.worker_lease import LeaseLostError, release


def store_file(export: Export, path: Path, count: int) -> None:
    """Keeps the written file under its final name, and ends the export; whoever waits for it is told."""
    name = (
        f"{export.business_id}/{export.list_name}-{export.created_at:%Y%m%d-%H%M%S}-{export.pk.hex[:8]}.{export.form}"
    )
    size = path.stat().st_size
    with path.open("rb") as finished:
        stored_name = storages["exports"].save(name, File(finished))
    try:
        end_export(export, ExportState.DONE, file=stored_name, size=size, rows_done=count, rows_total=count, trouble="")
    except LeaseLostError:
        storages["exports"].delete(stored_name)
        raise


def end_export(export: Export, state: ExportState, **more: object) -> None:
    """Ends an export, and gives its lease back; LeaseLostError where that is another worker's."""
    release(export, state=state, finished_at=timezone.now(), **more)


def announce_export(export_id: uuid.UUID | str) -> None:
    """Tells whoever asked for it that an export which a worker wrote is ready, or that it failed; once."""
    export = Export.objects.select_related("membership__user").get(pk=export_id)
    report, listed = find_report(export.list_name), find(export.list_name)
    title = report.title if report else listed.title if listed else export.list_name
    what = f"{title} as {export.get_form_display()}" + (f", {export.asked}" if report else "")
    if export.state == ExportState.DONE:
        sentence = f"Your export is ready: {what}, {export.rows_done:,} rows. It is kept for 48 hours, under Exports."
    elif export.state == ExportState.FAILED:
        sentence = f"Your export failed: {what}. {export.trouble}"
    else:
        return
    notify([export.membership], EXPORTS, sentence, key=f"export:{export.pk}")
