"""Receipts: several files added to an expense one by one, each with what became of it; and what is kept here of exports
of receipts: a row per export, and how far the service last said that it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.client.multipart import Upload
from dashboard.client.page import parsed
from dashboard.client.reads import read_live
from dashboard.commands import expenses
from dashboard.commands.receipts import add_receipt
from dashboard.commands.run import FormKey
from dashboard.errors import FAILED, FinanceError, NotFound, TooMany, Unavailable, Unknown
from dashboard.lists.models import ReceiptsJob
from dashboard.mirror.models import Expense
from dashboard.pages.expenses.forms import ReceiptsForm, receipt_type
from dashboard.schemas.expenses import ReceiptsExport

STATUS_S = 5.0
LONGEST_NAME = 120
# What became of a file. UNKNOWN: it was sent, and no answer came.
ADDED, REFUSED, UNKNOWN, NOT_SENT = "added", "refused", "unknown", "not_sent"
IN_DOUBT = "No answer came: it is not known yet whether it was added. Send the same file again: it is kept once."
AFTER_OUTAGE = "Not sent, because the one before it was not answered. Send it again."


@dataclass(frozen=True, slots=True)
class AddedFile:
    """What became of one file of a form: its name, its state (ADDED and so on), and a sentence where it was not added.

    `status` is the HTTP status that says so.
    """

    name: str
    state: str
    sentence: str = ""
    status: int = 200


def add_receipts(
    actor: Actor, expense: Expense, files: Sequence[UploadedFile[Any]], *, key: FormKey
) -> list[AddedFile]:
    """Sends the files one by one; each ends by itself, but none is sent after one that was not answered.

    Raises NotAllowed and NotFound, before anything is sent.
    """
    results: list[AddedFile] = []
    for file in files:
        if results and results[-1].state in {UNKNOWN, NOT_SENT}:
            results.append(AddedFile(_name_of(file), NOT_SENT, AFTER_OUTAGE, 503))
        else:
            results.append(_add_receipt(actor, expense, file, key))
    return results


def _name_of(file: UploadedFile[Any]) -> str:
    return (file.name or "receipt")[-LONGEST_NAME:]


def _add_receipt(actor: Actor, expense: Expense, file: UploadedFile[Any], key: FormKey) -> AddedFile:
    name = _name_of(file)
    try:
        upload = Upload(name, receipt_type(file), file.read())
    except forms.ValidationError as refused:
        return AddedFile(name, REFUSED, f"{refused.message} It was not sent.", 422)
    try:
        add_receipt(actor, expense, upload, key=key)
    except Unknown as doubt:
        return AddedFile(name, UNKNOWN, IN_DOUBT, doubt.status)
    except FAILED as trouble:
        if trouble.changed:
            return AddedFile(name, ADDED)
        outage = isinstance(trouble, Unavailable | TooMany)
        return AddedFile(name, NOT_SENT if outage else REFUSED, trouble.user_message, trouble.status)
    return AddedFile(name, ADDED)


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


def refresh_receipts_job(actor: Actor, job: ReceiptsJob) -> ReceiptsExport | None:
    """The export as the service has it now, written to its row; None where the service does not answer or knows it no
    more, which ends the row as EXPIRED."""
    path = {"jobId": job.remote_id}
    try:
        answer = read_live(actor, operations.READ_RECEIPTS_EXPORT, path=path, subject=job, deadline=STATUS_S)
        export = parsed(answer.data, ReceiptsExport)
    except NotFound:
        job.status = "EXPIRED"
        job.save(update_fields=["status"])
        return None
    except FinanceError:
        return None  # the next round asks again; what was known stays on the page
    job.status, job.progress, job.total, job.missing = export.status, export.progress, export.total, export.missing
    job.size, job.trouble = export.file_size, export.error[:300]
    job.save(update_fields=["status", "progress", "total", "missing", "size", "trouble"])
    return export
