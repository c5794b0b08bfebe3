"""Inviting people, and linking members to employees: at once, or proposed where that gives what takes two to give.

Whoever is linked to an employee acts as them at the finance service: the role of the invitation alone says too little.
"""

import hashlib
from smtplib import SMTPException

import structlog
from django.core.cache import cache
from django.core.mail import send_mail
from django.db import IntegrityError, transaction
from django.template.loader import render_to_string

from dashboard.access.actor import Actor
from dashboard.access.check import check_open
from dashboard.access.invite import invite, link_for
from dashboard.access.models import Membership
from dashboard.access.roles import Role
from dashboard.audit.models import Outcome
from dashboard.audit.record import record
from dashboard.errors import Conflict, FinanceError
from dashboard.notifications.mail import subject_line
from dashboard.operations_pages import MEMBERS
from dashboard.proposals.employee_rights import is_address_of_employee, name_of_employee, rights_of_employee
from dashboard.proposals.four_eyes import needs_second_admin, requires_second_admin
from dashboard.proposals.member_text import linked_texts, role_texts
from dashboard.proposals.models import INVITE_MEMBER, LINK_MEMBER, Proposal
from dashboard.proposals.selectors import target_of
from dashboard.proposals.services import write_down
from dashboard.proposals.snapshots import snapshot_of_invitation, snapshot_of_member
from dashboard.proposals.targets import INVITATION, MEMBER

log = structlog.get_logger(__name__)

# As long as a form that was sent is likely to be sent again, by a second click or from a page that was left open.
FORM_LIFETIME_S = 24 * 3600


class InvitationNotSentError(FinanceError):
    """Somebody was made a member, and the mail with their link could not be sent."""

    status = 502
    happened = "The invitation could not be sent by email."
    changed = True
    advice = "They are a member. Invite them again with the same role: that sends a new link."


def link_needs_second_admin(actor: Actor, employee_id: str) -> bool:
    """Whether linking somebody to an employee waits for a second admin: it would give what takes two to give."""
    linked = employee_id and requires_second_admin(actor.business)
    return bool(linked and rights_of_employee(actor.business, employee_id))


def invite_member(actor: Actor, *, email: str, name: str, role: Role, employee_id: str, key: str) -> Proposal | None:
    """Invites somebody by mail and answers None; or the proposal that waits for a second admin, where the role or the
    employee whom they are linked to moves money.

    NotAllowed for who makes nobody a member; ValueError where somebody of this address is a member with another role;
    InvitationNotSentError where they are a member now and the mail did not go out.
    """
    check_open(actor, MEMBERS)
    if (member := _member_already(actor, email, role, employee_id)) is not None:
        resend_invitation(actor, member, key=key)
        return None
    if not needs_second_admin(actor, role) and not link_needs_second_admin(actor, employee_id):
        send_invitation(actor, email, role, enter(actor, email, name, role, employee_id))
        return None
    seen = snapshot_of_invitation(actor.business, email)
    if seen["member"]:
        raise ValueError(f"{email} is already a member: change their role instead.")
    row = Proposal(
        business=actor.business,
        operation=INVITE_MEMBER,
        body={"email": email.lower(), "name": name, "role": role, "employee_id": employee_id},
        employee_id=employee_id,
        target_type=INVITATION,
        target_id=hashlib.sha256(email.lower().encode()).hexdigest(),
        seen=seen,
        title=name or email,
        sentences=[
            f"{name} ({email}) is invited as {role.label.lower()}.", *_link_sentences(actor, employee_id, email)
        ],
        consequences=[
            *role_texts(role), *_rights_of(actor, employee_id), "The invitation is emailed once it is confirmed."
        ],
        key=f"{INVITE_MEMBER}-{key}",
        proposed_by_id=actor.member_id,
    )  # fmt: skip
    return write_down(actor, row, target_of(row))


def resend_invitation(actor: Actor, member: Membership, *, key: str) -> bool:
    """Mails a member a new link, with the role that they have, once for each key; audited. False for a key of before.

    NotAllowed for who makes nobody a member, Conflict for who cannot enter, InvitationNotSentError where the mail did not
    go out.
    """
    check_open(actor, MEMBERS)
    if not member.is_active:
        raise Conflict("They cannot enter: let them in again, or invite them anew.", code="member")
    claim = f"invitation:{member.pk}:{hashlib.sha256(key.encode()).hexdigest()}"
    if not cache.add(claim, True, FORM_LIFETIME_S):
        return False
    try:
        send_invitation(actor, member.user.email, Role(member.role), link_for(member.user, actor.business))
    except InvitationNotSentError:
        cache.delete(claim)
        raise
    record(actor, MEMBERS.name, None, Outcome.DONE, sentence=f"sent {member.user.email} a new link")
    return True


def _member_already(actor: Actor, email: str, role: Role, employee_id: str) -> Membership | None:
    """The member whom the invitation would give nothing that they do not have: they are sent a new link."""
    members = Membership.objects.select_related("user").filter(business=actor.business, is_active=True, role=role)
    member = members.filter(user__email=email.lower()).first()
    return member if member is not None and employee_id in {"", member.employee_id} else None


def propose_link(actor: Actor, member: Membership, employee_id: str, *, key: str) -> Proposal:
    """The proposal that a member without an employee acts as this one. NotAllowed and Conflict as `invite_member`."""
    check_open(actor, MEMBERS)
    row = Proposal(
        business=actor.business,
        operation=LINK_MEMBER,
        body={"employee_id": employee_id},
        employee_id=employee_id,
        target_type=MEMBER,
        target_id=str(member.pk),
        seen=snapshot_of_member(actor.business, str(member.pk)),
        title=str(member.user),
        sentences=[
            f"{member.user} ({member.user.email}) is linked to an employee.",
            *_link_sentences(actor, employee_id, member.user.email),
        ],
        consequences=_rights_of(actor, employee_id),
        key=f"{LINK_MEMBER}-{key}",
        proposed_by_id=actor.member_id,
    )
    return write_down(actor, row, target_of(row))


def carry_out_link(actor: Actor, member: Membership, employee_id: str) -> None:
    """Links a member to an employee, as whoever confirmed it; linked to them already, nothing is done.

    Conflict where the member is linked to another one, or somebody else to this one.
    """
    if member.employee_id == employee_id:
        return
    try:
        with transaction.atomic():
            rows = Membership.objects.filter(pk=member.pk, ended_at=None, employee_id="")
            if not rows.update(employee_id=employee_id):
                raise Conflict("They are linked to an employee already.", code="member")
            sentence = f"linked {member.user} to {name_of_employee(actor.business, employee_id)}"
            record(actor, MEMBERS.name, None, Outcome.DONE, sentence=sentence[:500])
    except IntegrityError:
        raise Conflict("Somebody else is already linked to this employee.", code="member") from None


def carry_out_invitation(actor: Actor, proposal: Proposal) -> str:
    """Makes somebody a member as a confirmed proposal says, and answers the link that they are to be sent.

    NotAllowed where whoever confirmed it may not any more, Conflict where it cannot be done.
    """
    check_open(actor, MEMBERS)
    body = proposal.body or {}
    try:
        return enter(actor, body["email"], body["name"], Role(body["role"]), body["employee_id"])
    except ValueError as refused:
        raise Conflict(str(refused), code="member") from None


def send_confirmed(actor: Actor, proposal: Proposal, link: str) -> str:
    """Mails whoever was invited by a confirmed proposal; answers "", or a sentence that it did not go out."""
    body = proposal.body or {}
    try:
        send_invitation(actor, body["email"], Role(body["role"]), link)
    except InvitationNotSentError as unsent:
        return f"{unsent.happened} {unsent.advice}"
    return ""


def enter(actor: Actor, email: str, name: str, role: Role, employee_id: str) -> str:
    """Makes somebody a member, audited, and answers the link that is theirs to be sent.

    ValueError where they are a member with another role, or somebody else is linked to the employee.
    """
    try:
        with transaction.atomic():
            link = invite(actor.business, email, role, employee_id=employee_id, name=name)
            after = {"role": role.label}
            if employee_id:
                after["employee"] = name_of_employee(actor.business, employee_id)
            record(actor, MEMBERS.name, None, Outcome.DONE, sentence=f"invited {email}", after=after)
    except IntegrityError:
        raise ValueError("Somebody else is already linked to this employee.") from None
    return link


def send_invitation(actor: Actor, email: str, role: Role, link: str) -> None:
    """Mails somebody their link, after what made them a member is committed. InvitationNotSentError, audited, where the
    mail could not be handed over."""
    # Not by allauth's adapter, which needs a request: a confirmed invitation goes out from a worker.
    context = {"business": actor.business, "by": actor.name, "link": link, "role": role.label}
    subject, text = (
        render_to_string(f"account/email/invitation_{part}.txt", context) for part in ("subject", "message")
    )
    try:
        send_mail(subject_line(f"Countersign: {subject}"), text, None, [email])
    except (OSError, SMTPException) as error:
        log.warning("invitation not sent", business=actor.business.pk, error=type(error).__name__)
        sentence = f"could not send {email} the invitation"
        record(actor, MEMBERS.name, None, Outcome.FAILED, sentence=sentence)
        raise InvitationNotSentError from None


def _link_sentences(actor: Actor, employee_id: str, email: str) -> list[str]:
    sentences = linked_texts(actor, employee_id)
    if employee_id and not is_address_of_employee(actor.business, employee_id, email):
        sentences.append(f"{email} is not the email address that the finance service has of this employee.")
    return sentences


def _rights_of(actor: Actor, employee_id: str) -> list[str]:
    return rights_of_employee(actor.business, employee_id) if employee_id else []
