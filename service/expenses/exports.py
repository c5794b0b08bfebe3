"""The receipts export (decisions B.16): asked for once, made in the background, resumable, fetched by a signed address.

The work is cut into parts of PART expenses. A part is a file that appears whole or not at all, so a worker that takes
over from a lost one goes on after the last part.
"""

import hashlib
import json
import logging
from datetime import datetime, timedelta
from typing import TypedDict

from django.core import signing
from django.db import IntegrityError, transaction
from django.db.models import F, Q
from django.utils import timezone

from service import enqueue, errors, storage
from service.auth import Caller
from service.businesses.models import Employee, Team
from service.categories.models import Subcategory
from service.events import audit, outbox
from service.expenses import selectors
from service.expenses.models import ReceiptsExport
from service.expenses.schemas import ExportBody

log = logging.getLogger(__name__)

ReceiptsExportStatus = ReceiptsExport.Status

MOST_EXPENSES = 20_000
MOST_TRIES = 3
LOST_AFTER = timedelta(seconds=60)
KEEP_FILES = timedelta(hours=48)
LINK_SECONDS = 15 * 60
EXPORT = "service.expenses.export_receipts"
SALT = "receipts-export"


def start(caller: Caller, body: ExportBody) -> ReceiptsExport:
    """A new export of what the caller can see now, or the same one while it is still being made."""
    filters = body.model_dump(mode="json", by_alias=True)
    fingerprint = hashlib.sha256(json.dumps(filters, sort_keys=True).encode()).hexdigest()
    of_caller = ReceiptsExport.objects.filter(business_id=caller.business.id, requested_by=caller.label)
    running = of_caller.filter(
        fingerprint=fingerprint, status__in=[ReceiptsExportStatus.QUEUED, ReceiptsExportStatus.RUNNING]
    )
    export = running.first()
    if export:
        return export
    _only_ours(caller, body)
    row = ReceiptsExport(
        business=caller.business,
        requested_by=caller.label,
        employee=caller.employee,
        request_id=caller.request_id,
        filters=filters,
        fingerprint=fingerprint,
        expense_ids=_frozen(caller, body),
    )
    try:
        with transaction.atomic():
            row.save(force_insert=True)
    except IntegrityError:
        return running.get()
    enqueue.on_commit(EXPORT, row.id)
    return row


def _only_ours(caller: Caller, body: ExportBody) -> None:
    """422 for a filter by something that the business does not have: its export would be empty, and nobody knew why."""
    for field, kind, allowed in (
        ("team_ids", Team, body.team_ids),
        ("employee_ids", Employee, body.employee_ids),
        ("subcategory_ids", Subcategory, body.subcategory_ids),
    ):
        named = set(allowed or ())
        if named and kind.objects.filter(business_id=caller.business.id, id__in=named).count() < len(named):
            raise errors.validation_failed(field, "One of them does not exist.", "unknown")


def _frozen(caller: Caller, body: ExportBody) -> list[str]:
    rows = selectors.filter_expenses(caller, first=body.from_, last=body.to, org_wallet_ref=body.accountref)
    for field, allowed in (
        ("team_id", body.team_ids),
        ("employee_id", body.employee_ids),
        ("subcategory_id", body.subcategory_ids),
        ("status", body.statuses),
    ):
        if allowed is not None:
            rows = rows.filter(**{f"{field}__in": allowed})
    ids = list(rows.order_by("transaction_date", "id").values_list("id", flat=True)[: MOST_EXPENSES + 1])
    if len(ids) > MOST_EXPENSES:
        raise errors.limit_exceeded(f"An export holds at most {MOST_EXPENSES} expenses: choose a shorter range.")
    return ids


def get_export(caller: Caller, export_id: str) -> ReceiptsExport:
    """An export of the caller's own; 404 otherwise."""
    export = ReceiptsExport.objects.filter(
        business_id=caller.business.id, requested_by=caller.label, id=export_id
    ).first()
    if export is None:
        raise errors.not_found("export job")
    return export


class ExportShape(TypedDict):
    """A job that puts receipts into an archive; the address is there once it is ready."""

    jobId: str
    status: str
    progress: int
    total: int
    processed: int
    missing: int
    file_size: int
    download_url: str | None
    expires_at: datetime | None
    error: str | None


def serialize_export(export: ReceiptsExport, download_base: str) -> ExportShape:
    """The job's state; a fresh signed address each time it is ready."""
    ready = export.status == ReceiptsExportStatus.COMPLETED
    total = len(export.expense_ids)
    return {
        "jobId": export.id,
        "status": export.status,
        "progress": 100 if ready else min(99, export.processed * 100 // total if total else 0),
        "total": total,
        "processed": export.processed,
        "missing": export.missing,
        "file_size": export.file_size,
        "download_url": f"{download_base}{signing.dumps(export.id, salt=SALT)}" if ready else None,
        "expires_at": timezone.now() + timedelta(seconds=LINK_SECONDS) if ready else None,
        "error": export.error or None,
    }


def from_link(token: str) -> ReceiptsExport:
    """The export that a signed address names; 404 when it is forged, older than 15 minutes, or the file is gone."""
    try:
        export_id = signing.loads(token, salt=SALT, max_age=LINK_SECONDS)
    except signing.BadSignature:
        raise errors.not_found("download") from None
    export = ReceiptsExport.objects.filter(id=export_id, status=ReceiptsExportStatus.COMPLETED).first()
    if export is None or not storage.exists(export.path):
        raise errors.not_found("download")
    return export


def claim(export_id: str) -> ReceiptsExport | None:
    """Takes a waiting or lost export for this worker; None when another has it or it is over."""
    now = timezone.now()
    free = Q(status=ReceiptsExportStatus.QUEUED) | Q(
        status=ReceiptsExportStatus.RUNNING, heartbeat_at__lt=now - LOST_AFTER
    )
    claimed = ReceiptsExport.objects.filter(free, id=export_id, attempts__lt=MOST_TRIES).update(
        status=ReceiptsExportStatus.RUNNING, attempts=F("attempts") + 1, heartbeat_at=now
    )
    return ReceiptsExport.objects.select_related("business").get(id=export_id) if claimed else None


def beat(export: ReceiptsExport) -> bool:
    """Says how far this worker is; False when another has taken over and this one must stop."""
    return bool(
        ReceiptsExport.objects.filter(
            id=export.id, status=ReceiptsExportStatus.RUNNING, attempts=export.attempts
        ).update(processed=export.processed, missing=export.missing, heartbeat_at=timezone.now())
    )


def finish(export: ReceiptsExport, path: str) -> None:
    """Publishes the stored file of an export, once: it is COMPLETED, unless it was cancelled or taken over meanwhile."""
    export.path, export.file_size = path, storage.size(path)
    export.status, export.finished_at = ReceiptsExportStatus.COMPLETED, timezone.now()
    _end(export, "receipts_export.completed")


def cancel(caller: Caller, export_id: str) -> ReceiptsExport:
    """Ends an export of the caller's that is not made yet; a second time nothing happens. 404, 409 once it is over.

    A worker that is at it notices with its next part and stops.
    """
    get_export(caller, export_id)
    with transaction.atomic():
        export = ReceiptsExport.objects.select_for_update(no_key=True, of=("self",)).get(id=export_id)
        if export.status == ReceiptsExportStatus.CANCELLED:
            return export
        if export.status not in (ReceiptsExportStatus.QUEUED, ReceiptsExportStatus.RUNNING):
            raise errors.invalid_state(f"The export is {export.status}: there is nothing to cancel.")
        before, export.status = {"status": export.status}, ReceiptsExportStatus.CANCELLED
        export.finished_at = timezone.now()
        export.save(update_fields=["status", "finished_at"])
        audit.record_audit(
            caller, "receipts_export.cancel", "receipts_export", export.id, before, {"status": export.status}
        )
        payload = {"_id": export.id, **serialize_export(export, "")}
        outbox.record_event(caller.business, "receipts_export.cancelled", payload, previous=before, actor=caller)
    return export


def is_cancelled(export: ReceiptsExport) -> bool:
    """Whether somebody cancelled it meanwhile."""
    return ReceiptsExport.objects.filter(id=export.id, status=ReceiptsExportStatus.CANCELLED).exists()


def fail(export: ReceiptsExport, why: str) -> None:
    """Gives an export up: it is FAILED, with `why` as its error."""
    export.status, export.error, export.finished_at = ReceiptsExportStatus.FAILED, why, timezone.now()
    _end(export, "receipts_export.failed")


def _end(export: ReceiptsExport, kind: str) -> None:
    with transaction.atomic():
        changed = ReceiptsExport.objects.filter(
            id=export.id,
            attempts=export.attempts,
            status__in=[ReceiptsExportStatus.QUEUED, ReceiptsExportStatus.RUNNING],
        ).update(
            status=export.status,
            path=export.path,
            file_size=export.file_size,
            processed=export.processed,
            missing=export.missing,
            error=export.error,
            finished_at=export.finished_at,
        )
        if changed:
            payload = {
                "_id": export.id,
                **serialize_export(export, "/v2/expenses/export-receipts/download/"),
                "download_url": None,
            }
            outbox.record_event(export.business_id, kind, payload)


def lost() -> list[str]:
    """Exports that nobody works on although somebody should: to be started again, or given up after three tries."""
    old = timezone.now() - LOST_AFTER
    stale = Q(status=ReceiptsExportStatus.RUNNING, heartbeat_at__lt=old) | Q(
        status=ReceiptsExportStatus.QUEUED, created_at__lt=old
    )
    lost_ids = []
    for export in ReceiptsExport.objects.filter(stale):
        if export.attempts >= MOST_TRIES:
            fail(export, "Three attempts failed.")
        else:
            lost_ids.append(export.id)
    return lost_ids


def expire_old() -> int:
    """Deletes the files of exports older than 48 hours; how many."""
    old = ReceiptsExport.objects.filter(
        status=ReceiptsExportStatus.COMPLETED, finished_at__lt=timezone.now() - KEEP_FILES
    )
    count = 0
    for export in old:
        try:
            # First the file, and parts that were left, which can be repeated: a row that says it is gone is never looked at again.
            storage.delete_folder(f"exports/{export.id}")
            storage.delete(export.path)
        except errors.ServiceError:
            log.warning("the file of export %s is not deleted yet", export.id)
            continue
        count += ReceiptsExport.objects.filter(id=export.id).update(status=ReceiptsExportStatus.EXPIRED)
    return count


def ended_without_file() -> list[ReceiptsExport]:
    """Exports that were cancelled or failed within KEEP_FILES: of none of them anything is kept."""
    ended = ReceiptsExport.objects.filter(status__in=[ReceiptsExportStatus.CANCELLED, ReceiptsExportStatus.FAILED])
    return list(ended.filter(finished_at__gte=timezone.now() - KEEP_FILES))
