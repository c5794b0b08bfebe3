"""Receipts: several files added to an expense one by one, each with what became of it; and what is kept here of exports
of receipts: a row per export, and how far the service last said that it is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.core.files.uploadedfile import UploadedFile

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.client.page import parsed
from dashboard.client.reads import read_live
from dashboard.commands import expenses
from dashboard.commands.receipts import add_receipt
from dashboard.commands.run import FormKey
from dashboard.errors import FinanceError, NotFound
from dashboard.lists.models import ReceiptsJob
from dashboard.mirror.models import Expense
from dashboard.pages.expenses.forms import ReceiptsForm
from dashboard.schemas.expenses import ReceiptsExport
from dashboard.web.upload_fields import receipt_type
from dashboard.web.uploads import AddedFile, send_files

STATUS_S = 5.0


def add_receipts(
    actor: Actor, expense: Expense, files: Sequence[UploadedFile[Any]], *, key: FormKey
) -> list[AddedFile]:
    """Sends the files one by one as receipts of an expense, as `send_files` does."""
    return send_files(files, receipt_type, lambda upload: add_receipt(actor, expense, upload, key=key))


def start_receipts_job(actor: Actor, form: ReceiptsForm, *, key: FormKey) -> None:
    """Has the service export the receipts of a valid form, and keeps a row of it; raises FinanceError, and what is
    refused stands on the form too."""
    body = form.body()
    started = expenses.start_receipts_export(actor, body, key=key, form=form)
    ReceiptsJob.objects.get_or_create(
        membership_id=actor.member_id,
        remote_id=started.id,
        defaults={"business": actor.business, "asked": body, "status": started.status},
    )


def refresh_receipts_job(actor: Actor, receipts_job: ReceiptsJob) -> ReceiptsExport | None:
    """The export as the service has it now, written to its row; None where the service does not answer or knows it no
    more, which ends the row as EXPIRED."""
    path = {"jobId": receipts_job.remote_id}
    try:
        answer = read_live(actor, operations.READ_RECEIPTS_EXPORT, path=path, subject=receipts_job, deadline=STATUS_S)
        export = parsed(answer.data, ReceiptsExport)
    except NotFound:
        receipts_job.status = "EXPIRED"
        receipts_job.save(update_fields=["status"])
        return None
    except FinanceError:
        return None  # the next round asks again; what was known stays on the page
    receipts_job.status, receipts_job.progress, receipts_job.total, receipts_job.missing = (
        export.status,
        export.progress,
        export.total,
        export.missing,
    )
    receipts_job.size, receipts_job.trouble = export.file_size, export.error[:300]
    receipts_job.save(update_fields=["status", "progress", "total", "missing", "size", "trouble"])
    return export
