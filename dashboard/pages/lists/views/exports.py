"""Exports: begun from a list, followed while they are written, downloaded, cancelled, begun again."""

from django.http import FileResponse, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.views.decorators.http import require_GET, require_POST

from dashboard import operations_pages
from dashboard.access.actor import ActorRequest
from dashboard.access.decorators import needs
from dashboard.enqueue import enqueue_on_commit
from dashboard.lists import export_files, exports
from dashboard.lists.models import Export, ExportState
from dashboard.lists.reports import ReportKind
from dashboard.lists.tasks import WORKER_WAITS_S
from dashboard.lists.totals import totals_of
from dashboard.pages.lists.presenters import export_name, exports_context
from dashboard.pages.lists.selectors import own_export, permitted_export, permitted_list, permitted_report
from dashboard.web.respond import page
from dashboard.web.signin.sessions import polls

TEMPLATE = "lists/exports.html"
# So many rows, or bytes of the service's answer, are written while the person waits; more go to the worker.
AT_ONCE = 2_000
BYTES_AT_ONCE = 512 * 1024
TYPES = {
    "csv": "text/csv; charset=utf-8", "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "xml": "application/octet-stream",
}  # fmt: skip


@require_POST
@needs(operations_pages.LISTS)
def export_list(request: ActorRequest, business: str, list_name: str) -> HttpResponseBase:
    """The rows of exactly this query as a file: at once where they are few, else by the worker, with progress."""
    listed = permitted_list(request.actor, list_name)
    query = listed.parse(request.POST.get("list", ""))
    export = exports.create_export(request.actor, list_name, query, request.POST.get("format", ""))
    totals = totals_of(request.actor, query, listed.noun)
    if not totals.more and totals.count <= AT_ONCE and exports.run(export.pk):
        export.refresh_from_db()
        if export.state == ExportState.DONE:
            return _file_response(export)
    enqueue_on_commit("dashboard.lists.export", str(export.pk), expires_s=WORKER_WAITS_S)
    return redirect("exports", business)


@require_POST
@needs(operations_pages.LISTS)
def export_report(request: ActorRequest, business: str, report_name: str) -> HttpResponseBase:
    """The report of a period as a file: at once where it is short, else by the worker, with progress."""
    report = permitted_report(request.actor, report_name)
    export = exports.create_report(
        request.actor, report, request.POST.get("period", ""), request.POST.get("format", "")
    )
    if exports.run(export.pk, at_once=BYTES_AT_ONCE):
        export.refresh_from_db()
        if export.state == ExportState.DONE:
            return _file_response(export)
    enqueue_on_commit("dashboard.lists.export", str(export.pk), expires_s=WORKER_WAITS_S)
    return redirect("exports", business)


@require_GET
@needs(operations_pages.LISTS)
def export_history(request: ActorRequest, business: str) -> HttpResponse:
    """One's own exports, the newest first."""
    return page(request, TEMPLATE, exports_context(request.actor), fragments=("rows",))


@polls
@require_GET
@needs(operations_pages.LISTS)
def export_rows(request: ActorRequest, business: str) -> HttpResponse:
    """The rows of the exports again, with how far each is by now."""
    return page(request, TEMPLATE, exports_context(request.actor), fragments=("rows",))


@require_GET
@needs(operations_pages.LISTS)
def export_file(request: ActorRequest, business: str, export_id: object) -> HttpResponseBase:
    """The finished file, to the person who began it and may still open its list."""
    export = own_export(request.actor, export_id)
    permitted_export(request.actor, export)
    return _file_response(export)


def _file_response(export: Export) -> HttpResponseBase:
    name = f"{export_name(export)}.{export.form}"
    file = export_files.open_file(export) if export.state == ExportState.DONE else None
    if file is None:
        return redirect("exports", export.business.slug)
    return FileResponse(file, as_attachment=True, filename=name, content_type=TYPES[export.form])


@require_POST
@needs(operations_pages.LISTS)
def cancel_export(request: ActorRequest, business: str, export_id: object) -> HttpResponse:
    """Stops an export that is on its way."""
    exports.cancel(request.actor, own_export(request.actor, export_id))
    return redirect("exports", business)


@require_POST
@needs(operations_pages.LISTS)
def export_again(request: ActorRequest, business: str, export_id: object) -> HttpResponse:
    """Begins an export of the same query once more, as it is answered now."""
    before = own_export(request.actor, export_id)
    of = permitted_export(request.actor, before)
    if isinstance(of, ReportKind):
        export = exports.create_report(request.actor, of, before.query, before.form)
    else:
        export = exports.create_export(request.actor, before.list_name, of.parse(before.query), before.form)
    enqueue_on_commit("dashboard.lists.export", str(export.pk), expires_s=WORKER_WAITS_S)
    return redirect("exports", business)
