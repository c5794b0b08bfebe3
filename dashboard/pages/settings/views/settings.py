"""How a business is set up: the connection to its service, the rules of entry, and who belongs to it."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from dashboard import operations_pages
from dashboard.access.actor import ActorRequest
from dashboard.access.decorators import needs
from dashboard.client.connection import test_connection
from dashboard.decisions.clean import RULE
from dashboard.decisions.samples import change_share
from dashboard.errors import Rejected
from dashboard.pages.settings.forms.settings import (
    ConnectionForm,
    OverrideRolesForm,
    SampleShareForm,
    SecurityForm,
)
from dashboard.pages.settings.selectors.settings import connection_context, settings_context, status_context
from dashboard.proposals.connection import change_connection
from dashboard.proposals.override_roles import change_override_roles
from dashboard.proposals.second_factor import change_second_factor_roles
from dashboard.web.respond import page
from dashboard.web.signin.middleware import confirm_first
from dashboard.web.submission import posted_key

PROPOSED = "Proposed: it takes effect once a second super admin confirms it."


@require_GET
@needs(operations_pages.CONNECTION)
def settings(request: ActorRequest, business: str) -> HttpResponse:
    """What can be set up, and how it stands."""
    return page(request, "settings/settings.html", settings_context(request.actor))


@require_GET
@needs(operations_pages.STATUS)
def status(request: ActorRequest, business: str) -> HttpResponse:
    """How fresh each part of the copy is, what differs, and what waits: as it stands now."""
    return page(request, "settings/status.html", status_context(request.actor))


@require_http_methods(["GET", "POST"])
@needs(operations_pages.CONNECTION)
def connection(request: ActorRequest, business: str) -> HttpResponse:
    """The service account: written, never read back."""
    if request.method == "GET":
        return _connection_page(request)
    form = ConnectionForm(request.POST)
    if not form.is_valid():
        return _connection_page(request, form)
    if verification := confirm_first(request, request.path):
        return verification
    try:
        proposal = change_connection(request.actor, **form.account(), key=posted_key(request))
    except Rejected as refusal:
        form.add_refusal(refusal)
        return _connection_page(request, form)
    messages.success(request, PROPOSED if proposal else "Connection saved. Test it now.")
    return redirect("settings_connection", business)


def _connection_page(request: ActorRequest, connection_form: ConnectionForm | None = None) -> HttpResponse:
    hook = request.build_absolute_uri(reverse("hook", args=[request.actor.business.pk]))
    context, status = connection_context(request.actor, hook, connection_form), 422 if connection_form else 200
    return page(request, "settings/connection.html", context, fragments=("findings",), status=status)


@require_POST
@needs(operations_pages.CONNECTION)
def try_connection(request: ActorRequest, business: str) -> HttpResponse:
    """Tries the connection as it is stored, and shows what came of it."""
    test_connection(request.actor)
    return _connection_page(request)


@require_http_methods(["GET", "POST"])
@needs(operations_pages.MEMBERS)
def security(request: ActorRequest, business: str) -> HttpResponse:
    """Which roles must have a second factor; asked for the next time they open a page."""
    form = SecurityForm(
        request.POST or None, initial={"second_factor_roles": request.actor.business.second_factor_roles}
    )
    if request.method == "GET" or not form.is_valid():
        return page(request, "settings/security.html", {"form": form}, status=422 if request.POST else 200)
    if verification := confirm_first(request, request.path):
        return verification
    roles = form.cleaned_data["second_factor_roles"]
    proposal = change_second_factor_roles(request.actor, roles, key=posted_key(request))
    saved = "Saved. Members without a second factor are asked to set one up on their next page."
    messages.success(request, PROPOSED if proposal else saved)
    return redirect("settings_security", business)


@require_http_methods(["GET", "POST"])
@needs(operations_pages.MEMBERS)
def override_roles(request: ActorRequest, business: str) -> HttpResponse:
    """Which roles may approve what a policy blocks: changed at once, or by a second admin where the business asks for one."""
    form = OverrideRolesForm(request.POST or None, initial={"override_roles": request.actor.business.override_roles})
    if request.method == "GET" or not form.is_valid():
        context = {"form": form, "key": posted_key(request)}
        return page(request, "settings/override_roles.html", context, status=422 if form.is_bound else 200)
    if verification := confirm_first(request, request.path):
        return verification
    proposal = change_override_roles(request.actor, form.cleaned_data["override_roles"], key=posted_key(request))
    waiting = "Proposed: it takes effect once a second admin confirms it."
    messages.success(request, waiting if proposal else "Saved.")
    return redirect("settings_override_roles", business)


@require_http_methods(["GET", "POST"])
@needs(operations_pages.SAMPLE_SHARE)
def audit_sample(request: ActorRequest, business: str) -> HttpResponse:
    """Which share of the approvals of what looked clean is drawn for a second look from now on."""
    sent = request.POST if request.method == "POST" else None
    form = SampleShareForm(sent, initial={"percent": request.actor.business.sample_percent})
    if request.method == "GET" or not form.is_valid():
        context = {"form": form, "clean_rule": RULE}
        return page(request, "settings/audit_sample.html", context, status=422 if form.is_bound else 200)
    if verification := confirm_first(request, request.path):
        return verification
    change_share(request.actor, form.cleaned_data["percent"])
    messages.success(request, "Saved.")
    return redirect("settings_audit_sample", business)
