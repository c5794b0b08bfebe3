"""Who belongs to a business: invited, given a role, suspended and let in again, ended; and a lost second factor."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_GET, require_POST

from dashboard import operations_pages
from dashboard.access.actor import ActorRequest
from dashboard.access.decorators import needs
from dashboard.access.models import Membership
from dashboard.access.owners import check_owners_stay
from dashboard.access.roles import Role
from dashboard.errors import Conflict
from dashboard.pages.settings.forms.settings import InviteForm, MemberRoleForm, ResetForm
from dashboard.pages.settings.selectors.settings import employee_choices, member_of, members_context, reset_of
from dashboard.proposals import invitations
from dashboard.proposals import members as member_changes
from dashboard.proposals.models import Proposal
from dashboard.web.respond import page
from dashboard.web.signin.middleware import confirm_first
from dashboard.web.signin.resets import confirm_reset, open_reset
from dashboard.web.submission import posted_key


@require_GET
@needs(operations_pages.MEMBERS)
def members(request: ActorRequest, business: str) -> HttpResponse:
    """The people, their roles and their second factors; who waits for a reset."""
    return _members_page(request)


def _members_page(request: ActorRequest, status: int = 200, **refused: Any) -> HttpResponse:
    return page(request, "settings/members.html", members_context(request.actor) | refused, status=status)


def _stopped(request: ActorRequest, member: Membership, role: str) -> HttpResponse | None:
    """The page with the reason where fewer than two super admins would be left, then the way to show who one is; None
    where neither is in the way."""
    try:
        check_owners_stay(request.actor, member, role)
    except Conflict as refused:
        return _members_page(request, 409, problem=refused.detail)
    return confirm_first(request, request.path)


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
    if stopped := _stopped(request, member, role):
        return stopped
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
    if stopped := _stopped(request, member, ""):
        return stopped
    member_changes.end_membership(request.actor, member)
    messages.success(request, f"{member.user} is no longer a member.")
    return redirect("settings_members", business)


@require_POST
@needs(operations_pages.MEMBERS)
def suspend_member(request: ActorRequest, business: str, member_id: int) -> HttpResponse:
    """Keeps a member out until they are let in again; they are signed out."""
    member = member_of(request.actor, member_id)
    if stopped := _stopped(request, member, ""):
        return stopped
    if member_changes.suspend_membership(request.actor, member):
        messages.success(request, f"{member.user} is suspended and was signed out everywhere.")
    else:
        messages.info(request, f"{member.user} was suspended already. Nothing was changed.")
    return redirect("settings_members", business)


@require_POST
@needs(operations_pages.MEMBERS)
def resume_member(request: ActorRequest, business: str, member_id: int) -> HttpResponse:
    """Lets a suspended member in again, with the role that they had."""
    member = member_of(request.actor, member_id)
    if verification := confirm_first(request, request.path):
        return verification
    member_changes.resume_membership(request.actor, member)
    messages.success(request, f"{member.user} can enter again.")
    return redirect("settings_members", business)


@require_POST
@needs(operations_pages.MEMBERS)
def resend_invitation(request: ActorRequest, business: str, member_id: int) -> HttpResponse:
    """Mails somebody who has never signed in a new link."""
    member = member_of(request.actor, member_id)
    if verification := confirm_first(request, request.path):
        return verification
    if invitations.resend_invitation(request.actor, member, key=posted_key(request)):
        messages.success(request, f"A new link was sent to {member.user.email}.")
    else:
        messages.info(request, f"This form was sent before: {member.user.email} gets one link by it.")
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
