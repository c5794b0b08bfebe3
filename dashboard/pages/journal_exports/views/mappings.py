"""What the accountant calls our accounts, categories, taxes and teams: typed in a table, or pasted."""

from hashlib import sha256

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods, require_POST

from dashboard import operations_accounting
from dashboard.access.actor import ActorRequest
from dashboard.access.decorators import needs
from dashboard.errors import Conflict
from dashboard.journal_exports.models import MappedType
from dashboard.journal_files.mappings import mappable, mappings_of
from dashboard.pages.journal_exports import services
from dashboard.pages.journal_exports.forms import MappingForm, PasteMappingForm
from dashboard.pages.journal_exports.presenters import mappings as presenters
from dashboard.pages.journal_exports.selectors.exports import exported_periods
from dashboard.web.respond import page
from dashboard.web.submission import posted_key

MAPPING, PASTE = "journal_exports/mapping.html", "journal_exports/paste.html"


@require_http_methods(["GET", "POST"])
@needs(operations_accounting.CREATE_JOURNAL_EXPORT)
def edit_mapping(request: ActorRequest, business: str, source: str) -> HttpResponse:
    """All of one kind with their codes; stored whole, or not at all."""
    titles, stored = _titles(request, source), mappings_of(request.actor)
    posted = request.POST if request.method == "POST" else None
    form = MappingForm(posted, rows=titles, source=source, stored=stored, named=presenters.is_named(source))
    if posted is not None and form.is_valid():
        return _save(request, source, form)
    return _mapping(request, source, form, PasteMappingForm(rows=titles), 200 if posted is None else 422)


def _save(request: ActorRequest, source: str, form: MappingForm) -> HttpResponse:
    """Stores what was typed; what somebody else has changed since is shown first."""
    try:
        changed = services.save_mappings(request.actor, source, form.targets(), form.data.get("seen", ""))
    except Conflict as stale:
        stored = mappings_of(request.actor)
        form.refuse(
            f"{stale} Rows that you left empty show what is mapped now, others say where that is another code: look through them, and save again.",
            stored,
        )
        return _mapping(request, source, form, PasteMappingForm(rows=form.rows), stale.status)
    messages.success(request, f"Mappings changed: {changed:,}.")
    return redirect("journal-exports_mapping", request.actor.business.slug, source)


def _titles(request: ActorRequest, source: str) -> list[tuple[str, str]]:
    if source not in MappedType.values:
        raise Http404
    periods = exported_periods(request.actor) if source == MappedType.ACCOUNT else []
    if source == MappedType.ACCOUNT and not periods:
        return []
    return mappable(request.actor, source, periods[0].period if periods else "")


def _mapping(
    request: ActorRequest, source: str, form: MappingForm, paste: PasteMappingForm, status: int = 200
) -> HttpResponse:
    stored = mappings_of(request.actor)
    context = presenters.mapping_context(source, stored, form, paste, posted_key(request))
    return page(request, MAPPING, context, status=status)


@require_POST
@needs(operations_accounting.CREATE_JOURNAL_EXPORT)
def paste_mapping(request: ActorRequest, business: str, source: str) -> HttpResponse:
    """What a pasted table would store, and then that; a table that was changed meanwhile is shown anew."""
    titles, stored = _titles(request, source), mappings_of(request.actor)
    paste = PasteMappingForm(request.POST, rows=titles)
    if not paste.is_valid():
        form = MappingForm(None, rows=titles, source=source, stored=stored, named=presenters.is_named(source))
        return _mapping(request, source, form, paste, 422)
    digest = sha256(paste.cleaned_data["table"].encode()).hexdigest()
    if request.POST.get("confirmed") != digest:
        context = presenters.paste_context(source, titles, stored, paste, digest, posted_key(request))
        return page(request, PASTE, context)
    changed = services.save_mappings(request.actor, source, paste.targets)
    messages.success(request, f"Mappings changed: {changed:,}.")
    return redirect("journal-exports_mapping", business, source)
