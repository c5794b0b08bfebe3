"""How a business is set up: the connection to its service, the rules of entry, and who belongs to it."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from dashboard import operations_pages
from dashboard.access.actor import ActorRequest
from dashboard.access.decorators import needs
from dashboard.access.owners import check_owners_stay
from dashboard.access.roles import Role
from dashboard.client.connection import test_connection
from dashboard.decisions.clean import RULE
from dashboard.decisions.samples import change_share
from dashboard.errors import Rejected
from dashboard.pages.settings.forms import (
    ConnectionForm,
    InviteForm,
    MemberRoleForm,
    OverrideRolesForm,
    ResetForm,
    SampleShareForm,
    SecurityForm,
    SingleSignOnForm,
)
from dashboard.pages.settings.selectors import (
    employee_choices,
    identity_provider,
    member_of,
    members_context,
    reset_of,
    service_account,
    settings_context,
    sign_on_context,
    sign_on_state,
    status_context,
)
from dashboard.proposals import invitations
from dashboard.proposals import members as member_changes
from dashboard.proposals.connection import change_connection
from dashboard.proposals.four_eyes import requires_second_admin
from dashboard.proposals.models import Proposal
from dashboard.proposals.override_roles import change_override_roles
from dashboard.proposals.scim_token import may_issue_token, propose_token
from dashboard.proposals.second_factor import change_second_factor_roles
from dashboard.proposals.single_sign_on import change_single_sign_on
from dashboard.scim.tokens import end_token, issue_token
from dashboard.times import day_and_time
from dashboard.web.respond import page
from dashboard.web.signin.middleware import confirm_first
from dashboard.web.signin.providers import callback_address
from dashboard.web.signin.resets import confirm_reset, open_reset
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


def _connection_page(request: ActorRequest, refused: ConnectionForm | None = None) -> HttpResponse:
    business, account = request.actor.business, service_account(request.actor)
    names = ("base_url", "remote_business_id", "client_id")
    form = refused or ConnectionForm(initial={name: getattr(account, name, "") for name in names})
    context: dict[str, Any] = {
        "form": form,
        "account": account,
        "findings": account.findings if account else None,
        "tested": day_and_time(account.tested_at, business) if account else "",
        "hook": request.build_absolute_uri(reverse("hook", args=[business.pk])),
    }
    return page(request, "settings/connection.html", context, fragments=("findings",), status=422 if refused else 200)


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
@needs(operations_pages.MEMBERS)
def single_sign_on(request: ActorRequest, business: str) -> HttpResponse:
    """The identity provider of the business: changed at once, or by a second super admin where the business asks for one."""
    row = identity_provider(request.actor)
    form = SingleSignOnForm(request.POST if request.method == "POST" else None, **sign_on_state(request.actor, row))
    if request.method == "GET" or not form.is_valid():
        return _single_sign_on_page(request, form, status=422 if form.is_bound else 200)
    if verification := confirm_first(request, request.path):
        return verification
    proposal = change_single_sign_on(request.actor, form.new_settings(), key=posted_key(request))
    messages.success(request, PROPOSED if proposal else "Saved.")
    return redirect("settings_single_sign_on", business)


def _single_sign_on_page(request: ActorRequest, form: SingleSignOnForm, **given: Any) -> HttpResponse:
    status, token = given.get("status", 200), given.get("token", "")
    context = sign_on_context(request.actor) | {
        "form": form, "key": posted_key(request), "callback": callback_address(request), "token": token,
    }  # fmt: skip
    return page(request, "settings/single_sign_on.html", context, status=status)


@require_POST
@needs(operations_pages.MEMBERS)
def issue_scim_token(request: ActorRequest, business: str) -> HttpResponse:
    """A new SCIM token in place of the one before: this answer is the only one that shows it."""
    if verification := confirm_first(request, request.path):
        return verification
    if identity_provider(request.actor) is None:
        messages.error(request, "Set the identity provider up first: its email domains say whom it may add.")
        return redirect("settings_single_sign_on", business)
    if requires_second_admin(request.actor.business) and not may_issue_token(request.actor):
        propose_token(request.actor, key=posted_key(request))
        messages.success(request, "Proposed: once a second super admin confirms it, you have a day to issue the token.")
        return redirect("settings_single_sign_on", business)
    token = issue_token(request.actor)
    form = SingleSignOnForm(**sign_on_state(request.actor, identity_provider(request.actor)))
    return _single_sign_on_page(request, form, token=token)


@require_POST
@needs(operations_pages.MEMBERS)
def end_scim_token(request: ActorRequest, business: str) -> HttpResponse:
    """Ends the SCIM token: the identity provider adds and removes nobody any more."""
    if verification := confirm_first(request, request.path):
        return verification
    end_token(request.actor)
    messages.success(request, "The SCIM token has ended.")
    return redirect("settings_single_sign_on", business)


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


@require_GET
@needs(operations_pages.MEMBERS)
def members(request: ActorRequest, business: str) -> HttpResponse:
    """The people, their roles and their second factors; who waits for a reset."""
    return _members_page(request)


def _members_page(request: ActorRequest, status: int = 200, **refused: Any) -> HttpResponse:
    return page(request, "settings/members.html", members_context(request.actor) | refused, status=status)


@require_POST
@needs(operations_pages.MEMBERS)
def invite_member(request: ActorRequest, business: str) -> HttpResponse:
    """Invites somebody: they get a link by mail and choose their own password."""
    form = InviteForm(request.POST, employees=employee_choices(request.actor))
    if not form.is_valid():
        return _members_page(request, 422, invite_form=form)
    if verification := confirm_first(request, request.path):
        return verification
    invitation = form.cleaned_data | {"role": Role(form.cleaned_data["role"])}
    try:
        proposal = invitations.invite_member(request.actor, **invitation, key=posted_key(request))
    except ValueError as refusal:
        form.add_error("email", str(refusal))
        return _members_page(request, 422, invite_form=form)
    return _after(request, proposal, f"{invitation['email']} is invited: the link was sent by email.")


@require_POST
@needs(operations_pages.MEMBERS)
def change_role(request: ActorRequest, business: str, member_id: int) -> HttpResponse:
    """Gives a member another role; they are signed out, so that the new one counts at once."""
    member, form = member_of(request.actor, member_id), MemberRoleForm(request.POST)
    if not form.is_valid():
        return _members_page(request, 422)
    role = Role(form.cleaned_data["role"])
    check_owners_stay(request.actor, member, role)
    if verification := confirm_first(request, request.path):
        return verification
    proposal = member_changes.change_role(request.actor, member, role, key=posted_key(request))
    return _after(request, proposal, f"{member.user} is {role.label.lower()} now and was signed out everywhere.")


def _after(request: ActorRequest, proposal: Proposal | None, message: str) -> HttpResponse:
    slug = request.actor.business.slug
    if proposal is None:
        messages.success(request, message)
        return redirect("settings_members", slug)
    messages.success(request, "Waiting for a second super admin. Nothing has changed yet.")
    return redirect("wallet-policies_proposal", slug, proposal.pk)


@require_POST
@needs(operations_pages.MEMBERS)
def end_membership(request: ActorRequest, business: str, member_id: int) -> HttpResponse:
    """Takes a member out of the business; they are signed out."""
    member = member_of(request.actor, member_id)
    check_owners_stay(request.actor, member, "")
    if verification := confirm_first(request, request.path):
        return verification
    member_changes.end_membership(request.actor, member)
    messages.success(request, f"{member.user} is no longer a member.")
    return redirect("settings_members", business)


@require_POST
@needs(operations_pages.MEMBERS)
def propose_factor_reset(request: ActorRequest, business: str, member_id: int) -> HttpResponse:
    """The first of two super admins: asks that a lost second factor be taken away."""
    member, form = member_of(request.actor, member_id), ResetForm(request.POST)
    if not form.is_valid():
        return _members_page(request, 422, reset_form=form, reset_of=member.pk)
    if verification := confirm_first(request, request.path):
        return verification
    open_reset(request.actor, member, form.cleaned_data["reason"])
    messages.success(request, "Waiting for another super admin, for one day.")
    return redirect("settings_members", business)


@require_POST
@needs(operations_pages.MEMBERS)
def confirm_factor_reset(request: ActorRequest, business: str, reset_id: int) -> HttpResponse:
    """The second of two: the factor is taken away, the person signed out and notified."""
    reset = reset_of(request.actor, reset_id)
    if verification := confirm_first(request, request.path):
        return verification
    confirm_reset(request.actor, reset)
    messages.success(request, f"The second factor of {reset.membership.user} was reset; they must set up a new one.")
    return redirect("settings_members", business)
