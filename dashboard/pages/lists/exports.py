"""Exports: asked for from a list, followed while they are written, downloaded, cancelled, asked for again."""

from dataclasses import dataclass
from typing import Any

from django.core.files.storage import storages
from django.http import FileResponse, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect
from django.template.defaultfilters import filesizeformat
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from dashboard import operations_pages
from dashboard.access.actor import Actor, ActorRequest
from dashboard.access.decorators import needs
from dashboard.lists import exports
from dashboard.lists.models import UNFINISHED, Export, State
from dashboard.lists.registry import REGISTRY
from dashboard.lists.tasks import write_export
from dashboard.lists.totals import totals_of
from dashboard.pages.lists.opened import opened
from dashboard.times import day_and_time
from dashboard.web.respond import page
from dashboard.web.signin.sessions import polls

TEMPLATE = "lists/exports.html"
SHOWN = 50
# So many rows are written while the request waits; more go to the worker.
AT_ONCE = 2_000
TONES = {State.DONE: "ok", State.FAILED: "bad", State.RUNNING: "info", State.QUEUED: "info"}
TYPES = {"csv": "text/csv; charset=utf-8", "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"}


@dataclass(frozen=True)
class Line:
    """An export as the page prints it."""

    export: Export
    title: str
    asked: str
    address: str
    when: str
    size: str
    tone: str


@require_POST
@needs(operations_pages.LISTS)
def export_list(request: ActorRequest, business: str, list_name: str) -> HttpResponseBase:
    """The rows of exactly this query as a file: at once where they are few, else by the worker, with progress."""
    of = opened(request.actor, list_name)
    asked = of.parse(request.POST.get("list", ""))
    export = exports.ask(request.actor, list_name, asked, request.POST.get("format", ""))
    totals = totals_of(request.actor, asked, of.noun)
    if not totals.more and totals.count <= AT_ONCE and exports.run(export.pk):
        export.refresh_from_db()
        if export.state == State.DONE:
            return _file(export)
    write_export.delay(str(export.pk))
    return redirect("exports", business)


@require_GET
@needs(operations_pages.LISTS)
def history(request: ActorRequest, business: str) -> HttpResponse:
    """One's own exports, the newest first."""
    return page(request, TEMPLATE, _lines(request.actor), fragments=("rows",))


@polls
@require_GET
@needs(operations_pages.LISTS)
def rows(request: ActorRequest, business: str) -> HttpResponse:
    """How far they are, by now."""
    return page(request, TEMPLATE, _lines(request.actor), fragments=("rows",))


def _lines(actor: Actor) -> dict[str, Any]:
    mine = Export.objects.filter(membership_id=actor.member_id).order_by("-created_at")[:SHOWN]
    lines = []
    for one in mine:
        of = REGISTRY[one.list_name]
        lines.append(
            Line(
                export=one,
                title=of.title,
                asked=one.asked or one.query,
                address=f"{reverse(of.address, args=[actor.business.slug])}?{one.query or 'view=all'}",
                when=day_and_time(one.created_at, actor.business),
                size=filesizeformat(one.size) if one.size else "",
                tone=TONES.get(State(one.state), ""),
            )
        )
    return {"lines": lines, "open": any(line.export.state in UNFINISHED for line in lines)}


def _own(request: ActorRequest, export_id: object) -> Export:
    found: Export = get_object_or_404(Export, pk=export_id, membership_id=request.actor.member_id)
    return found


@require_GET
@needs(operations_pages.LISTS)
def file(request: ActorRequest, business: str, export_id: object) -> HttpResponseBase:
    """The finished file, to whoever asked for it and may still open its list."""
    export = _own(request, export_id)
    opened(request.actor, export.list_name)
    if export.state != State.DONE or not storages["exports"].exists(export.file):
        return redirect("exports", business)
    return _file(export)


def _file(export: Export) -> HttpResponseBase:
    name = f"{export.list_name}-{export.created_at:%Y%m%d-%H%M}.{export.form}"
    kept = storages["exports"].open(export.file)
    return FileResponse(kept, as_attachment=True, filename=name, content_type=TYPES[export.form])


@require_POST
@needs(operations_pages.LISTS)
def cancel_export(request: ActorRequest, business: str, export_id: object) -> HttpResponse:
    """Stops an export that is on its way."""
    exports.cancel(request.actor, _own(request, export_id))
    return redirect("exports", business)


@require_POST
@needs(operations_pages.LISTS)
def export_again(request: ActorRequest, business: str, export_id: object) -> HttpResponse:
    """Asks for the same query once more, as it is answered now."""
    old = _own(request, export_id)
    of = opened(request.actor, old.list_name)
    export = exports.ask(request.actor, old.list_name, of.parse(old.query), old.form)
    write_export.delay(str(export.pk))
    return redirect("exports", business)
