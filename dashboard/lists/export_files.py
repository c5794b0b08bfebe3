"""How an export ends: its file kept under its final name, its row settled, and whoever waits for it told."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import structlog
from django.core.files import File
from django.core.files.storage import storages
from django.utils import timezone

from dashboard.errors import StoreAway
from dashboard.lists.models import Export, ExportState
from dashboard.lists.registry import find
from dashboard.lists.reports import find_report
from dashboard.notifications.services import notify
from dashboard.notifications.topics import EXPORTS
from dashboard.worker_lease import LeaseLostError, release

log = structlog.get_logger(__name__)


@contextmanager
def _answered() -> Iterator[None]:
    try:
        yield
    except FileNotFoundError:
        raise
    except OSError as error:
        log.warning("store of exports failed", error=str(error))
        raise StoreAway from error


def store_file(export: Export, path: Path, count: int) -> None:
    """Keeps the written file under its final name, and ends the export; whoever waits for it is told. StoreAway where it
    cannot be kept now."""
    # A try has a name of its own: one that lost its lease deletes its own file, and not that of the try after it.
    name = (
        f"{export.business_id}/{export.list_name}-{export.created_at:%Y%m%d-%H%M%S}-{export.pk.hex[:8]}"
        f"-{export.attempts}.{export.form}"
    )
    size = path.stat().st_size
    with path.open("rb") as finished, _answered():
        stored_name = storages["exports"].save(name, File(finished))
    try:
        end_export(export, ExportState.DONE, file=stored_name, size=size, rows_done=count, rows_total=count, trouble="")
    except LeaseLostError:
        try:
            storages["exports"].delete(stored_name)
        except OSError as error:
            log.warning("file of a lost export is not deleted", file=stored_name, error=str(error))
        raise


def open_file(export: Export) -> File[bytes] | None:
    """The stored file, to be read and closed; None where there is none. StoreAway where the store does not answer."""
    try:
        with _answered():
            return storages["exports"].open(export.file)
    except FileNotFoundError:
        return None


def delete_file(export: Export) -> bool:
    """Deletes the stored file; False where the store did not do it. It can be repeated."""
    try:
        storages["exports"].delete(export.file)
    except OSError as error:
        log.warning("file of an old export is not deleted yet", export=str(export.pk), error=str(error))
        return False
    return True


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
