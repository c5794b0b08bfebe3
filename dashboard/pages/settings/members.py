"""Who belongs to a business: invitations, roles, the end of a membership, a lost second factor."""

from typing import Any

from allauth.mfa.models import Authenticator
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_GET, require_POST

from dashboard import operations_pages
from dashboard.access.actor import ActorRequest
from dashboard.access.decorators import needs
from dashboard.access.models import Membership
from dashboard.access.roles import Role
from dashboard.access.sessions import end_sessions
from dashboard.audit.models import Outcome
from dashboard.audit.record import record
from dashboard.mirror.drift import roles_that_differ
from dashboard.mirror.scopes import visible_employees
from dashboard.pages.settings.forms import InviteForm, ResetForm, RoleForm
from dashboard.proposals import members as services
from dashboard.proposals.four_eyes import asks_for_second
from dashboard.proposals.models import OF_MEMBERS, OPEN, Proposal
from dashboard.proposals.selectors import visible_proposals
from dashboard.times import day_and_time
from dashboard.web.models import FactorReset
from dashboard.web.respond import page
from dashboard.web.signin.middleware import confirm_first
from dashboard.web.signin.resets import ask_reset, confirm_reset
from dashboard.web.submission import form_key


@require_GET
@needs(operations_pages.MEMBERS)
def members(request: ActorRequest, business: str) -> HttpResponse:
    """The people, their roles and their second factors; who waits for a reset."""
    return _show(request)


def _show(request: ActorRequest, status: int = 200, **forms: Any) -> HttpResponse:
    where = request.actor.business
    rows = list(where.memberships.filter(is_active=True).select_related("user").order_by("user__name", "pk"))
    kinds = [Authenticator.Type.TOTP, Authenticator.Type.WEBAUTHN]
    users = [row.user_id for row in rows]
    secured = set(Authenticator.objects.filter(user_id__in=users, type__in=kinds).values_list("user_id", flat=True))
    differing = roles_that_differ(where)
    resets = FactorReset.objects.filter(membership__business=where, settled_at=None).select_related(
        "membership__user", "asked_by__user"
    )
    context: dict[str, Any] = {
        "rows": [
            (row, row.user_id in secured, row.pk == request.actor.membership_id, differing.get(row.pk)) for row in rows
        ],
        "roles": Role.choices,
        "second": asks_for_second(where),
        "waiting": visible_proposals(request.actor).filter(operation__in=OF_MEMBERS, state__in=OPEN).order_by("pk"),
        "resets": [(one, day_and_time(one.asked_at, where)) for one in resets],
        "invite_form": InviteForm(employees=_free_employees(request)),
    }
    return page(request, "settings/members.html", context | forms, status=status)


def _free_employees(request: ActorRequest) -> list[tuple[str, str]]:
    taken = request.actor.business.memberships.exclude(employee_id="").values("employee_id")
    rows = visible_employees(request.actor).exclude(remote_id__in=taken).order_by("name")[:500]
    return [(one.remote_id, one.name) for one in rows]


def _member(request: ActorRequest, member_id: int) -> Membership:
    found: Membership = get_object_or_404(
        request.actor.business.memberships.filter(is_active=True).select_related("user"), pk=member_id
    )
    return found


@require_POST
@needs(operations_pages.MEMBERS)
def invite_member(request: ActorRequest, business: str) -> HttpResponse:
    """Invites somebody: they get a link by mail and choose their own password."""
    form = InviteForm(request.POST, employees=_free_employees(request))
    if not form.is_valid():
        return _show(request, 422, invite_form=form)
    if asked := confirm_first(request, request.path):
        return asked
    given = form.cleaned_data | {"role": Role(form.cleaned_data["role"])}
    try:
        proposal = services.invite_member(request.actor, **given, key=form_key(request))
    except ValueError as refused:
        form.add_error("email", str(refused))
        return _show(request, 422, invite_form=form)
    return _after(request, proposal, f"{given['email']} is invited: the link is in the mail.")


@require_POST
@needs(operations_pages.MEMBERS)
def change_role(request: ActorRequest, business: str, member_id: int) -> HttpResponse:
    """Gives a member another role; they are signed out, so that the new one counts at once."""
    member, form = _member(request, member_id), RoleForm(request.POST)
    if not form.is_valid():
        return _show(request, 422)
    role = Role(form.cleaned_data["role"])
    services.check_owners_stay(request.actor, member, role)
    if asked := confirm_first(request, request.path):
        return asked
    proposal = services.change_role(request.actor, member, role, key=form_key(request))
    return _after(request, proposal, f"{member.user} is {role.label.lower()} now and was signed out everywhere.")


def _after(request: ActorRequest, proposal: Proposal | None, done: str) -> HttpResponse:
    slug = request.actor.business.slug
    if proposal is None:
        messages.success(request, done)
        return redirect("settings_members", slug)
    messages.success(request, "It waits for a second super admin. Nothing has changed yet.")
    return redirect("wallet-policies_proposal", slug, proposal.pk)


@require_POST
@needs(operations_pages.MEMBERS)
def end_membership(request: ActorRequest, business: str, member_id: int) -> HttpResponse:
    """Takes a member out of the business; they are signed out."""
    member = _member(request, member_id)
    services.check_owners_stay(request.actor, member, "")
    if asked := confirm_first(request, request.path):
        return asked
    Membership.objects.filter(pk=member.pk).update(is_active=False)
    end_sessions(member.user_id)
    sentence = f"ended the membership of {member.user}"
    record(request.actor, operations_pages.MEMBERS.name, None, Outcome.DONE, sentence=sentence)
    messages.success(request, f"{member.user} is no member any more.")
    return redirect("settings_members", business)


@require_POST
@needs(operations_pages.MEMBERS)
def ask_factor_reset(request: ActorRequest, business: str, member_id: int) -> HttpResponse:
    """The first of two super admins: asks that a lost second factor be taken away."""
    member, form = _member(request, member_id), ResetForm(request.POST)
    if not form.is_valid():
        return _show(request, 422, reset_form=form, reset_of=member.pk)
    if asked := confirm_first(request, request.path):
        return asked
    ask_reset(request.actor, member, form.cleaned_data["reason"])
    messages.success(request, "It waits for another super admin, for a day.")
    return redirect("settings_members", business)


@require_POST
@needs(operations_pages.MEMBERS)
def confirm_factor_reset(request: ActorRequest, business: str, reset_id: int) -> HttpResponse:
    """The second of two: the factor is taken away, the person signed out and told."""
    asked_for = get_object_or_404(FactorReset, pk=reset_id, membership__business=request.actor.business)
    if asked := confirm_first(request, request.path):
        return asked
    confirm_reset(request.actor, asked_for)
    messages.success(request, f"The second factor of {asked_for.membership.user} is gone; they set up a new one.")
    return redirect("settings_members", business)
