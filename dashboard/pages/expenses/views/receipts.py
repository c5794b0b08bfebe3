"""Exports of receipts: started, followed while the service makes them, downloaded through us."""

from typing import Any

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from dashboard import operations, operations_extra
from dashboard.access.actor import ActorRequest
from dashboard.access.decorators import needs
from dashboard.commands import expenses
from dashboard.errors import FAILED
from dashboard.mirror.choices import teams_of
from dashboard.pages.expenses import tables
from dashboard.pages.expenses.forms import ReceiptsForm
from dashboard.pages.expenses.presenters import export_file_name, receipts_context
from dashboard.pages.expenses.selectors import export_content, receipts_job, receipts_jobs
from dashboard.pages.expenses.services import refresh_receipts_job, start_receipts_job
from dashboard.times import local
from dashboard.web.files import save_as
from dashboard.web.respond import page
from dashboard.web.signin.sessions import polls
from dashboard.web.submission import form_key_of, new_key, posted_key

TEMPLATE = "expenses/receipts.html"
TYPES = {b"PK": ("application/zip", "zip"), b"%P": ("application/pdf", "pdf")}


@require_http_methods(["GET", "POST"])
@needs(operations.START_RECEIPTS_EXPORT)
def receipts(request: ActorRequest, business: str) -> HttpResponseBase:
    """The form with one's own exports of receipts, the newest first; from POST, one more is started."""
    actor = request.actor
    choices: dict[str, Any] = {"teams": list(teams_of(actor)), "states": list(tables.STATES)}
    if request.method == "GET":
        today = local(timezone.now(), actor.business).date()
        return _render(request, ReceiptsForm(initial=ReceiptsForm.defaults(today), **choices))
    form = ReceiptsForm(request.POST, **choices)
    if not form.is_valid():
        return _render(request, form, 422)
    try:
        start_receipts_job(actor, form, key=form_key_of(request))
    except FAILED as trouble:
        # Where nothing was changed, something else may be asked for in its place: under a key of its own.
        return _render(request, form, trouble.status, posted_key(request) if trouble.changed is None else "")
    return redirect("expenses_receipts", business)


def _render(request: ActorRequest, form: ReceiptsForm, status: int = 200, key: str = "") -> HttpResponse:
    actor = request.actor
    context = {"form": form, "key": key or new_key(), **receipts_context(receipts_jobs(actor), actor.business)}
    return page(request, TEMPLATE, context, fragments=("rows",), status=status)


@polls
@require_GET
@needs(operations.READ_RECEIPTS_EXPORT)
def rows(request: ActorRequest, business: str) -> HttpResponse:
    """The fragment with one's own exports; those that are not finished are read from the service first."""
    for job in receipts_jobs(request.actor):
        if job.open:
            refresh_receipts_job(request.actor, job)
    context = receipts_context(receipts_jobs(request.actor), request.actor.business)
    return page(request, TEMPLATE, context, fragments=("rows",))


@require_POST
@needs(operations_extra.CANCEL_RECEIPTS_EXPORT)
def cancel(request: ActorRequest, business: str, job_id: int) -> HttpResponse:
    """Stops an export that is on its way; one that is finished stays."""
    job = receipts_job(request.actor, job_id)
    expenses.cancel_receipts_export(request.actor, job, job.remote_id)
    refresh_receipts_job(request.actor, job)
    return redirect("expenses_receipts", business)


@require_GET
@needs(operations.READ_RECEIPTS_EXPORT)
def file(request: ActorRequest, business: str, job_id: int) -> HttpResponseBase:
    """The finished file: the service signs its address afresh each time, so nobody can pass it on."""
    job = receipts_job(request.actor, job_id)
    export = refresh_receipts_job(request.actor, job)
    if export is None or not export.download_url:
        return redirect("expenses_receipts", business)
    content = export_content(request.actor, job, export.download_url)
    content_type, ending = TYPES.get(content[:2], ("application/octet-stream", "bin"))
    response = HttpResponse(content, content_type=content_type)
    save_as(response, export_file_name(job, ending))
    return response
