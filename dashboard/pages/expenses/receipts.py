"""Exports of receipts: asked of the service, followed while it makes them, downloaded through us."""

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect
from django.template.defaultfilters import filesizeformat
from django.utils import timezone
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from dashboard import operations, operations_extra
from dashboard.access.actor import Actor, ActorRequest
from dashboard.access.decorators import needs
from dashboard.client.reads import read_live
from dashboard.commands import expenses
from dashboard.errors import FAILED, FinanceError, NotFound
from dashboard.lists.models import ReceiptsJob
from dashboard.mirror.choices import teams_of
from dashboard.pages.expenses.forms import ReceiptsForm
from dashboard.pages.expenses.table import STATES
from dashboard.schemas.expenses import ReceiptsExport
from dashboard.times import day_and_time, local
from dashboard.web.respond import page
from dashboard.web.signin.sessions import polls
from dashboard.web.submission import form_key, key_of, new_key

TEMPLATE = "expenses/receipts.html"
SHOWN = 20
STATUS_S = 5.0
DOWNLOAD_S = 60.0
TONES = {"COMPLETED": "ok", "FAILED": "bad", "QUEUED": "info", "RUNNING": "info"}
KINDS = {b"PK": ("application/zip", "zip"), b"%P": ("application/pdf", "pdf")}


@dataclass(frozen=True)
class Line:
    """A job as the page prints it."""

    job: ReceiptsJob
    title: str
    when: str
    size: str
    tone: str


@require_http_methods(["GET", "POST"])
@needs(operations.START_RECEIPTS_EXPORT)
def receipts(request: ActorRequest, business: str) -> HttpResponseBase:
    """The form, and one's own exports of receipts, the newest first."""
    actor = request.actor
    choices: dict[str, Any] = {"teams": list(teams_of(actor)), "states": list(STATES)}
    if request.method == "GET":
        form = ReceiptsForm(initial=ReceiptsForm.usual(local(timezone.now(), actor.business).date()), **choices)
        return _show(actor, request, form)
    form = ReceiptsForm(request.POST, **choices)
    if not form.is_valid():
        return _show(actor, request, form, 422)
    try:
        _start(request, form)
    except FAILED as trouble:
        # Where nothing was changed, something else may be asked for in its place: under a key of its own.
        return _show(actor, request, form, trouble.status, form_key(request) if trouble.changed is None else "")
    return redirect("expenses_receipts", business)


def _start(request: ActorRequest, form: ReceiptsForm) -> None:
    """Asks for it, and keeps that it was asked for; what is refused stands on the form."""
    actor, body = request.actor, form.body()
    started = expenses.start_receipts_export(actor, body, key=key_of(request), form=form)
    ReceiptsJob.objects.get_or_create(
        membership_id=actor.member_id,
        remote_id=started.id,
        defaults={"business": actor.business, "asked": body, "status": started.status},
    )


def _show(actor: Actor, request: ActorRequest, form: ReceiptsForm, status: int = 200, key: str = "") -> HttpResponse:
    context = {"form": form, "key": key or new_key(), **_lines(actor)}
    return page(request, TEMPLATE, context, fragments=("rows",), status=status)


@polls
@require_GET
@needs(operations.READ_RECEIPTS_EXPORT)
def rows(request: ActorRequest, business: str) -> HttpResponse:
    """How far they are by now, asked of the service for those that are not finished."""
    for job in _jobs(request.actor):
        if job.open:
            _refresh(request.actor, job)
    return page(request, TEMPLATE, _lines(request.actor), fragments=("rows",))


def _jobs(actor: Actor) -> list[ReceiptsJob]:
    mine = ReceiptsJob.objects.filter(membership_id=actor.member_id).select_related("membership")
    return list(mine.order_by("-created_at")[:SHOWN])


def _refresh(actor: Actor, job: ReceiptsJob) -> ReceiptsExport | None:
    """Asks the service how far a job is; a job that it no longer knows is over."""
    path = {"jobId": job.remote_id}
    try:
        answer = read_live(actor, operations.READ_RECEIPTS_EXPORT, path=path, subject=job, deadline=STATUS_S)
    except NotFound:
        job.status = "EXPIRED"
        job.save(update_fields=["status"])
        return None
    except FinanceError:
        return None  # the next round asks again; what was known stays on the page
    now = ReceiptsExport.model_validate(answer.data)
    job.status, job.progress, job.total, job.missing = now.status, now.progress, now.total, now.missing
    job.size, job.trouble = now.file_size, now.error[:300]
    job.save(update_fields=["status", "progress", "total", "missing", "size", "trouble"])
    return now


def _lines(actor: Actor) -> dict[str, Any]:
    jobs = _jobs(actor)
    lines = [
        Line(
            job=job,
            title=f"{job.asked.get('from')} to {job.asked.get('to')}",
            when=day_and_time(job.created_at, actor.business),
            size=filesizeformat(job.size) if job.size else "",
            tone=TONES.get(job.status, ""),
        )
        for job in jobs
    ]
    return {"lines": lines, "open": any(job.open for job in jobs)}


def _own(actor: Actor, job_id: int) -> ReceiptsJob:
    found = ReceiptsJob.objects.filter(membership_id=actor.member_id).select_related("membership")
    job: ReceiptsJob = get_object_or_404(found, pk=job_id)
    return job


@require_POST
@needs(operations_extra.CANCEL_RECEIPTS_EXPORT)
def cancel(request: ActorRequest, business: str, job_id: int) -> HttpResponse:
    """Stops an export that is on its way; one that is finished stays."""
    job = _own(request.actor, job_id)
    expenses.cancel_receipts_export(request.actor, job, job.remote_id)
    _refresh(request.actor, job)
    return redirect("expenses_receipts", business)


@require_GET
@needs(operations.READ_RECEIPTS_EXPORT)
def file(request: ActorRequest, business: str, job_id: int) -> HttpResponseBase:
    """The finished file: the service signs its address afresh each time, so nobody can pass it on."""
    job = _own(request.actor, job_id)
    now = _refresh(request.actor, job)
    if now is None or not now.download_url:
        return redirect("expenses_receipts", business)
    path = {"token": urlsplit(now.download_url).path.rstrip("/").rpartition("/")[2]}
    answer = read_live(
        request.actor,
        operations_extra.DOWNLOAD_RECEIPTS_EXPORT,
        path=path,
        subject=job,
        as_bytes=True,
        deadline=DOWNLOAD_S,
    )
    kind, ending = KINDS.get(answer.data[:2], ("application/octet-stream", "bin"))
    response = HttpResponse(answer.data, content_type=kind)
    name = f"receipts-{job.asked.get('from')}-{job.asked.get('to')}.{ending}"
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
