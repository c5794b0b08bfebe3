"""What an identity provider changes: members and groups, by the same commands that the pages of people use."""

import secrets
from contextlib import suppress
from typing import Any

from django.db import transaction
from django.utils import timezone

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.access.models import Membership, User
from dashboard.access.roles import NOT_ABOVE, Role
from dashboard.audit.models import Outcome
from dashboard.audit.record import record, record_denial
from dashboard.commands import employees
from dashboard.errors import Conflict, NotAllowed, Rejected
from dashboard.mirror.models import Employee
from dashboard.mirror.scopes import visible_employees
from dashboard.notifications.services import notify
from dashboard.notifications.topics import ACCESS
from dashboard.offboarding import services as offboarding
from dashboard.offboarding.holdings import left_behind_by
from dashboard.operations_pages import MEMBERS
from dashboard.proposals import members as member_changes
from dashboard.proposals.invitations import (
    InvitationNotSentError,
    enter,
    link_needs_second_admin,
    propose_link,
    send_invitation,
)
from dashboard.scim import suspensions
from dashboard.scim.library import scim2_models
from dashboard.scim.models import ScimGroup, ScimUser
from dashboard.scim.selectors import member_at, settings_of
from dashboard.single_sign_on.group_roles import FIRST_CEILING
from dashboard.single_sign_on.selectors import is_domain_allowed

# What everybody has who is in no group that gives a role.
LEAST = Role.CARD_USER


def create_user(actor: Actor, resource: Any) -> Membership:
    """Invites somebody, with the least of roles until a greater one may be given.

    UniquenessException where the address or the provider's id is a member's already, InvalidValueException for an address
    outside the allowed domains, for two roles and for one above the ceiling.
    """
    email = str(resource.user_name).strip().lower()
    _check_email(actor, email)
    role = _role_given(resource) or LEAST
    check_ceiling(actor, role, None)
    if Membership.objects.filter(business=actor.business, user__email=email, ended_at=None).exists():
        raise scim2_models.UniquenessException(detail=f"{email} is a member already.")
    name = _name_of(resource)
    with transaction.atomic():
        employee = _employee_of(actor, email)
        # Whoever is linked to somebody that moves money does, too: that takes a second super admin, as everywhere. That the
        # addresses are one says little: an admin alone changes that of an employee.
        waits = link_needs_second_admin(actor, employee)
        try:
            link = enter(actor, email, name, LEAST, "" if waits else employee)
        except ValueError as refused:
            raise scim2_models.UniquenessException(detail=str(refused)) from None
        member = Membership.objects.select_related("user").get(business=actor.business, user__email=email)
        # Whoever comes back is in no group until the provider says so.
        ScimGroup.members.through.objects.filter(membership=member).delete()
        _set_external_id(actor, member, resource.external_id)
        if waits:
            _link_later(actor, member, employee)
        _raise_later(actor, member, role)
    # Once it is certain that they are a member: a mail is not taken back.
    with suppress(InvitationNotSentError):
        send_invitation(actor, email, LEAST, link)
    if resource.active is False:
        set_active(actor, member, active=False)
    return member


def replace_user(actor: Actor, member: Membership, resource: Any) -> Membership:
    """Makes a member what the resource says: name, role, the provider's id, and whether they may enter.

    MutabilityException for another address; raises as `create_user`.
    """
    if str(resource.user_name).strip().lower() != member.user.email:
        raise scim2_models.MutabilityException(
            attribute="userName", detail="The address somebody signs in with is changed by themselves."
        )
    role, name = _role_given(resource), _name_of(resource, member.user.name)
    check_ceiling(actor, role, Role(member.role))
    with transaction.atomic():
        if name and name != member.user.name:
            _rename(actor, member, name)
        _set_external_id(actor, member, resource.external_id)
        if role is not None and role != member.role:
            member_changes.give_role_of_groups(actor, member, role)
    if resource.active is not None and (resource.active != member.is_active or _is_half_suspended(actor, member)):
        set_active(actor, member, active=bool(resource.active))
    return member_at(actor.business, str(member.pk))


def set_active(actor: Actor, member: Membership, *, active: bool) -> None:
    """Lets a member in, or keeps them out at once: here, then at the finance service where they are an employee there.

    Whom a person has suspended stays out. Raises as the commands do; keeping out stands here also where the finance service does not answer, and is asked of it
    again until it agrees (suspensions.py).
    """
    employee = _linked(actor, member)
    if active:
        if not _may_resume(actor, member):
            return
        suspensions.forget(member)
        member_changes.resume_membership(actor, member)
        if employee is not None and employee.status != "ACTIVE":
            employees.activate(actor, employee, key=f"scim-{secrets.token_hex(12)}")
    elif employee is not None and employee.status == "ACTIVE":
        with transaction.atomic():
            member_changes.suspend_membership(actor, member, until_agreed=True)
            pending = suspensions.record_suspension(member)
        suspensions.carry_out(actor, pending, employee)
    else:
        member_changes.suspend_membership(actor, member)


def _may_resume(actor: Actor, member: Membership) -> bool:
    """Whether the provider itself has put them out; a denial in the audit where a person, or the finance service, did: what
    a provider sends with every change of anything is nobody's decision to let them in."""
    suspended = Membership.objects.filter(pk=member.pk, is_active=False).exclude(suspended_by_program=actor.program)
    if not suspended.exists():
        return True
    reason = "They were suspended by a person or at the finance service: only a person lets them in again."
    sentence = f"tried to let {member.user} in again"
    record_denial(actor, MEMBERS, reason=reason, rule="suspended", sentence=sentence)
    return False


def _is_half_suspended(actor: Actor, member: Membership) -> bool:
    """Whether a member is kept out here, and not at the finance service: it did not answer when they were suspended. What
    the provider says next finishes it."""
    employee = None if member.is_active else _linked(actor, member)
    return employee is not None and employee.status == "ACTIVE"


def delete_user(actor: Actor, member: Membership) -> None:
    """Keeps a member out at once and ends their membership. What an employee leaves behind needs successors, which the admins
    are told.

    Conflict where something could be decided by nobody: then a person has to choose the heirs. Unavailable where it cannot be
    read what they leave behind.
    """
    if member.is_active:
        set_active(actor, member, active=False)
    employee = _linked(actor, member)
    if employee is None:
        member_changes.end_membership(actor, member, reason="Removed at the identity provider.")
        return
    try:
        offboarding.refuse_stuck(actor, employee)
        left = left_behind_by(actor, employee)
    except Rejected as stuck:
        raise Conflict(
            f"{member.user} is kept out, but has to be offboarded by an admin, who chooses the heirs: {stuck.detail}",
            code="heirs_needed",
        ) from None
    member_changes.end_membership(actor, member, reason="Removed at the identity provider.")
    if left:
        _ask_for_successors(actor, member, employee, len(left))


def _ask_for_successors(actor: Actor, member: Membership, employee: Employee, count: int) -> None:
    roles = operations.SUSPEND_EMPLOYEE.roles
    others = Membership.objects.filter(business=actor.business, is_active=True, role__in=roles).exclude(pk=member.pk)
    items = "1 item needs" if count == 1 else f"{count} items need"
    message = f"{employee.name} was removed at the identity provider and can no longer enter. {items} an offboarding."
    notify(
        list(others.select_related("user")), ACCESS, message, key=f"scim-left:{member.pk}:{timezone.now():%Y%m%dT%H%M}"
    )


def _check_email(actor: Actor, email: str) -> None:
    provider = settings_of(actor)
    if provider is None or not is_domain_allowed(provider, email):
        raise scim2_models.InvalidValueException(
            attribute="userName", detail="userName is an email address of a domain that the business has allowed."
        )


def _role_given(resource: Any) -> Role | None:
    """The role that a resource names, None where it names none; refused where it is two, unknown, or above the ceiling."""
    words = {str(role.value or "").upper().replace(" ", "_") for role in resource.roles or []}
    if not words:
        return None
    if len(words) > 1:
        raise scim2_models.InvalidValueException(
            attribute="roles", detail=f"Somebody has one role: {', '.join(sorted(words))} are two."
        )
    word = words.pop()
    if word not in Role.values:
        raise scim2_models.InvalidValueException(
            attribute="roles", detail=f"There is no role {word}: {', '.join(Role.values)}."
        )
    return Role(word)


def check_ceiling(actor: Actor, role: Role | None, current_role: Role | None) -> None:
    """InvalidValueException for a role above the ceiling, unless somebody has it already."""
    provider = settings_of(actor)
    ceiling = Role(provider.ceiling) if provider else FIRST_CEILING
    if (
        role is not None
        and role != current_role
        and (role not in NOT_ABOVE[ceiling] or (current_role and current_role not in NOT_ABOVE[ceiling]))
    ):
        reason = (
            f"{role.label} is not given: {ceiling.label} is the highest role that the identity provider gives here."
        )
        record_denial(actor, MEMBERS, reason=reason, sentence=f"tried to give the role {role.label}")
        raise scim2_models.InvalidValueException(attribute="roles", detail=reason)


def _name_of(resource: Any, now: str = "") -> str:
    """The name that a resource gives: of its spellings the one that says something else than `now`."""
    name = resource.name
    parts = " ".join(part for part in (name.given_name, name.family_name) if part) if name else ""
    spellings = [str(text or "") for text in (name.formatted if name else "", parts, resource.display_name)]
    cleaned = [" ".join(text.split())[:150] for text in spellings]
    return next((text for text in cleaned if text and text != now), now)


def _rename(actor: Actor, member: Membership, name: str) -> None:
    # A person of several businesses is called by themselves.
    if Membership.objects.filter(user_id=member.user_id).exclude(pk=member.pk).exists():
        return
    User.objects.filter(pk=member.user_id).update(name=name)
    record(
        actor, MEMBERS.name, None, Outcome.DONE, sentence=f"renamed {member.user.email}",
        before={"name": member.user.name}, after={"name": name},
    )  # fmt: skip


def _set_external_id(actor: Actor, member: Membership, external_id: str | None) -> None:
    rows = ScimUser.objects.filter(business=actor.business)
    if not external_id:
        rows.filter(membership=member).delete()
        return
    if len(external_id) > 255 or rows.filter(external_id=external_id).exclude(membership=member).exists():
        raise scim2_models.UniquenessException(
            detail="Somebody else has this externalId, or it is longer than 255 characters."
        )
    rows.update_or_create(membership=member, defaults={"business": actor.business, "external_id": external_id})


def _employee_of(actor: Actor, email: str) -> str:
    linked = actor.business.memberships.exclude(employee_id="").values("employee_id")
    rows = visible_employees(actor).filter(email__iexact=email).exclude(remote_id__in=linked).exclude(status="DELETED")
    ids = list(rows.values_list("remote_id", flat=True)[:2])
    return ids[0] if len(ids) == 1 else ""


def _raise_later(actor: Actor, member: Membership, role: Role) -> None:
    """Gives somebody who was just invited their role, or proposes it; they stay invited where it cannot be."""
    try:
        member_changes.give_role_of_groups(actor, member, role)
    except (Conflict, NotAllowed) as refused:
        sentence = f"did not give {member.user} the role {role.label}"
        record_denial(actor, MEMBERS, reason=refused.detail, rule=refused.code, sentence=sentence)


def _link_later(actor: Actor, member: Membership, employee_id: str) -> None:
    """Proposes which employee somebody acts as who was just invited; they stay invited where it cannot be."""
    try:
        propose_link(actor, member, employee_id, key=f"scim-{member.pk}-{secrets.token_hex(8)}")
    except (Conflict, NotAllowed) as refused:
        sentence = f"did not link {member.user} to their employee"
        record_denial(actor, MEMBERS, reason=refused.detail, rule=refused.code, sentence=sentence)


def _linked(actor: Actor, member: Membership) -> Employee | None:
    if not member.employee_id:
        return None
    return visible_employees(actor).filter(remote_id=member.employee_id).first()
