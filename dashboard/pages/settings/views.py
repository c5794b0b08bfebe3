"""How a business is set up: the connection to its service and the rules of entry."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from dashboard import operations_pages
from dashboard.access.actor import ActorRequest
from dashboard.access.decorators import needs
from dashboard.access.models import Business
from dashboard.access.roles import Role
from dashboard.audit.models import Outcome
from dashboard.audit.record import record
from dashboard.client.connection import save_connection, test_connection
from dashboard.client.models import ServiceAccount
from dashboard.errors import Rejected
from dashboard.pages.settings.forms import ConnectionForm, SecurityForm
from dashboard.times import day_and_time
from dashboard.web.freshness import freshness_of
from dashboard.web.respond import page
from dashboard.web.signin.middleware import confirm_first


@require_GET
@needs(operations_pages.CONNECTION)
def settings(request: ActorRequest, business: str) -> HttpResponse:
    """What can be set up, and how it stands."""
    where = request.actor.business
    account = ServiceAccount.objects.filter(business=where).first()
    context = {
        "account": account,
        "fresh": freshness_of(where),
        "members": where.memberships.filter(is_active=True).count(),
        "factor_roles": [Role(role).label for role in where.second_factor_roles],
    }
    return page(request, "settings/settings.html", context)


@require_http_methods(["GET", "POST"])
@needs(operations_pages.CONNECTION)
def connection(request: ActorRequest, business: str) -> HttpResponse:
    """The service account: written, never read back."""
    account = ServiceAccount.objects.filter(business=request.actor.business).first()
    if request.method == "GET":
        names = ("base_url", "remote_business_id", "client_id")
        return _connection(
            request, account, ConnectionForm(initial={name: getattr(account, name, "") for name in names})
        )
    form = ConnectionForm(request.POST)
    if not form.is_valid():
        return _connection(request, account, form, 422)
    if asked := confirm_first(request, request.path):
        return asked
    webhook_secret = form.cleaned_data.pop("webhook_secret") or None
    try:
        save_connection(request.actor, **form.cleaned_data, webhook_secret=webhook_secret)
    except Rejected as refused:
        for wrong in refused.fields:
            form.add_error(wrong.field if wrong.field in form.fields else None, wrong.message)
        return _connection(request, account, form, 422)
    messages.success(request, "The connection is saved. Test it now.")
    return redirect("settings_connection", business)


def _connection(
    request: ActorRequest, account: ServiceAccount | None, form: ConnectionForm, status: int = 200
) -> HttpResponse:
    where = request.actor.business
    context: dict[str, Any] = {"form": form, "account": account, "findings": account.findings if account else None}
    context["tested"] = day_and_time(account.tested_at, where) if account else ""
    context["hook"] = request.build_absolute_uri(reverse("hook", args=[where.pk]))
    return page(request, "settings/connection.html", context, fragments=("findings",), status=status)


@require_POST
@needs(operations_pages.CONNECTION)
def try_connection(request: ActorRequest, business: str) -> HttpResponse:
    """Tries the connection as it is stored, and shows what was found."""
    test_connection(request.actor)
    account = ServiceAccount.objects.get(business=request.actor.business)
    names = ("base_url", "remote_business_id", "client_id")
    return _connection(request, account, ConnectionForm(initial={name: getattr(account, name) for name in names}))


@require_http_methods(["GET", "POST"])
@needs(operations_pages.MEMBERS)
def security(request: ActorRequest, business: str) -> HttpResponse:
    """Which roles must have a second factor; asked for the next time they open a page."""
    where = request.actor.business
    form = SecurityForm(request.POST or None, initial={"second_factor_roles": where.second_factor_roles})
    if request.method == "GET" or not form.is_valid():
        return page(request, "settings/security.html", {"form": form}, status=422 if request.POST else 200)
    if asked := confirm_first(request, request.path):
        return asked
    roles, before = sorted(form.cleaned_data["second_factor_roles"]), where.second_factor_roles
    Business.objects.filter(pk=where.pk).update(second_factor_roles=roles)
    record(
        request.actor,
        operations_pages.MEMBERS.name,
        None,
        Outcome.DONE,
        sentence="changed which roles need a second factor",
        before={"roles": ", ".join(before)},
        after={"roles": ", ".join(roles)},
    )
    messages.success(request, "Saved. Who has no second factor yet is asked to set one up on the next page.")
    return redirect("settings_security", business)
