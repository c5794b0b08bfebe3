"""Customers from a file: chosen, checked row by row, added by a worker while its person looks on."""

from django.contrib import messages
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from dashboard import operations
from dashboard.access.actor import ActorRequest
from dashboard.access.decorators import needs
from dashboard.lists.models import Import
from dashboard.pages.customers import services
from dashboard.pages.customers.forms import CsvFileForm, Sheet
from dashboard.pages.customers.presenters import wrong_lines_context
from dashboard.pages.customers.selectors import import_for
from dashboard.web.respond import page
from dashboard.web.signin.sessions import polls

TEMPLATE = "customers/import.html"
MAX_PREVIEW = 20


@require_http_methods(["GET", "POST"])
@needs(operations.CREATE_CUSTOMER)
def import_customers(request: ActorRequest, business: str) -> HttpResponseBase:
    """The file, then its rows with what is wrong beside each; with nothing wrong, what would be added."""
    if request.method == "GET":
        return page(request, TEMPLATE, {"form": CsvFileForm()})
    form = CsvFileForm(request.POST, request.FILES)
    if not form.is_valid():
        return page(request, TEMPLATE, {"form": form}, status=422)
    sheet: Sheet = form.cleaned_data["file"]
    if not services.check_lines(request.actor, sheet.lines):
        return page(request, TEMPLATE, {"form": CsvFileForm(), **wrong_lines_context(sheet.lines)}, status=422)
    job = services.create_import(request.actor, sheet.lines, request.FILES["file"].name)  # type: ignore[union-attr,arg-type]
    if sheet.ignored:
        messages.info(
            request, f"Columns left out, because customers have no such field: {', '.join(sheet.ignored)[:300]}."
        )
    return redirect("customers_import_job", business, job.pk)


@require_GET
@needs(operations.CREATE_CUSTOMER)
def import_job(request: ActorRequest, business: str, import_id: object) -> HttpResponse:
    """What would be added, and once begun how far it is."""
    return _render(request, import_for(request.actor, import_id))


@polls
@require_GET
@needs(operations.CREATE_CUSTOMER)
def import_progress(request: ActorRequest, business: str, import_id: object) -> HttpResponse:
    """The fragment with how far it is by now."""
    return _render(request, import_for(request.actor, import_id))


def _render(request: ActorRequest, import_job: Import) -> HttpResponse:
    context = {
        "job": import_job,
        "preview": import_job.rows[:MAX_PREVIEW],
        "more": max(0, len(import_job.rows) - MAX_PREVIEW),
    }
    return page(request, TEMPLATE, context, fragments=("progress",))


@require_POST
@needs(operations.CREATE_CUSTOMER)
def begin_import(request: ActorRequest, business: str, import_id: object) -> HttpResponse:
    """Has the rows added; an import that was begun before is only shown."""
    job = import_for(request.actor, import_id)
    if services.begin_import(request.actor, job):
        messages.success(request, "They are being added.")
    return redirect("customers_import_job", business, job.pk)
