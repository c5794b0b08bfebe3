"""Evidence packs: asking for one, how far it is, and its files."""

from collections.abc import Callable
from functools import partial
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_GET, require_http_methods

from dashboard import operations_pages
from dashboard.access.actor import ActorRequest
from dashboard.access.decorators import needs
from dashboard.errors import NotFound, Rejected
from dashboard.evidence import services
from dashboard.evidence.models import EvidencePack
from dashboard.evidence.selectors import visible_packs
from dashboard.mirror.models import Employee
from dashboard.mirror.scopes import visible_employees
from dashboard.pages.audit.forms import PackPeriodForm
from dashboard.pages.audit.presenters import new_pack_context, pack_context, packs_context, recent_days
from dashboard.signing.signature import signing_key_of
from dashboard.web.files import saved_file
from dashboard.web.respond import page
from dashboard.web.signin.sessions import polls
from dashboard.web.submission import posted_key

LIST, ITEM, NEW = "audit/packs.html", "audit/pack.html", "audit/new_pack.html"
PERSON = "audit/new_person_pack.html"


@require_http_methods(["GET", "POST"])
@needs(operations_pages.AUDIT_LOG)
def packs(request: ActorRequest, business: str) -> HttpResponse:
    """The packs of the business; posted, one of a period is asked for."""
    form = PackPeriodForm(request.POST if request.method == "POST" else None)
    new = _requested(form, partial(services.request_period_pack, request.actor), posted_key(request))
    if new is not None:
        return redirect("audit_pack", business, new.pk)
    context = packs_context(request.actor, form, request.GET.get("page"))
    return page(request, LIST, {**context, "key": posted_key(request)}, status=422 if form.is_bound else 200)


def _requested(form: PackPeriodForm, request_pack: Callable[..., EvidencePack], key: str) -> EvidencePack | None:
    """The pack that is asked for of the days of a form; None where it was not sent, or is refused: the form says why."""
    if not form.is_valid():
        return None
    try:
        return request_pack(*form.days_of_pack(), key=key)
    except Rejected as refused:
        form.add_error(None, refused.user_message)
        return None


@require_http_methods(["GET", "POST"])
@needs(operations_pages.AUDIT_LOG)
def new_item_pack(request: ActorRequest, business: str, kind: str, remote_id: str) -> HttpResponse:
    """What a pack of one item would be of; posted, it is asked for."""
    title = services.title_of_item(request.actor, kind, remote_id)
    if request.method == "GET":
        context = new_pack_context(request.actor, title, kind, remote_id)
        return page(request, NEW, {**context, "key": posted_key(request)})
    pack = services.request_item_pack(request.actor, kind, remote_id, key=posted_key(request))
    return redirect("audit_pack", business, pack.pk)


@require_http_methods(["GET", "POST"])
@needs(operations_pages.AUDIT_LOG)
def new_person_pack(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """The days of a pack of one person; posted, it is asked for."""
    person: Employee = get_object_or_404(visible_employees(request.actor), remote_id=remote_id)
    form = PackPeriodForm(request.POST if request.method == "POST" else None, initial={**recent_days(request.actor)})
    new = _requested(form, partial(services.request_person_pack, request.actor, person), posted_key(request))
    if new is not None:
        return redirect("audit_pack", business, new.pk)
    context = {"person": person, "form": form, "key": posted_key(request)}
    return page(request, PERSON, context, status=422 if form.is_bound else 200)


def _pack(request: ActorRequest, pack_id: UUID) -> EvidencePack:
    pack: EvidencePack = get_object_or_404(visible_packs(request.actor), pk=pack_id)
    return pack


@require_GET
@needs(operations_pages.AUDIT_LOG)
def pack(request: ActorRequest, business: str, pack_id: UUID) -> HttpResponse:
    """One pack: how far it is, its files, and how to verify it."""
    return page(request, ITEM, {**pack_context(request.actor, _pack(request, pack_id))})


@polls
@require_GET
@needs(operations_pages.AUDIT_LOG)
def pack_progress(request: ActorRequest, business: str, pack_id: UUID) -> HttpResponse:
    """The fragment with how far it is by now."""
    return page(request, ITEM, {**pack_context(request.actor, _pack(request, pack_id))}, fragments=("progress",))


@require_GET
@needs(operations_pages.AUDIT_LOG)
def pack_archive(request: ActorRequest, business: str, pack_id: UUID) -> HttpResponse:
    """The ZIP file of a pack to download."""
    row = _pack(request, pack_id)
    return _file(request, row, "zip")


@require_GET
@needs(operations_pages.AUDIT_LOG)
def pack_document(request: ActorRequest, business: str, pack_id: UUID) -> HttpResponse:
    """The report of a pack as a PDF to download."""
    row = _pack(request, pack_id)
    return _file(request, row, "pdf")


def _file(request: ActorRequest, row: EvidencePack, ending: str) -> HttpResponse:
    read = services.archive_of if ending == "zip" else services.document_of
    try:
        content = read(request.actor, row)
    except NotFound:
        messages.info(request, "This pack has no file (any more).")
        return redirect("audit_pack", request.actor.business.slug, row.pk)
    return saved_file(content, f"evidence-{request.actor.business.slug}-{row.pk.hex[:8]}.{ending}")


@require_GET
@needs(operations_pages.AUDIT_LOG)
def signing_key(request: ActorRequest, business: str) -> HttpResponse:
    """The public key with which the business signs: to be given to whoever verifies a pack."""
    content = signing_key_of(request.actor.business).public_key.encode()
    return saved_file(content, f"countersign-{request.actor.business.slug}.pem")
