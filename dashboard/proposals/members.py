"""Who belongs to a business, with which role: changed at once, or proposed where the role moves money and two are asked for.

Nobody makes a second admin, or somebody who lets money go, alone: that person could then confirm what the first one wants.
"""

from allauth.socialaccount.models import SocialAccount
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from dashboard.access.actor import Actor
from dashboard.access.check import can_open, check_open
from dashboard.access.models import NOT_SUSPENDED, Business, Membership
from dashboard.access.owners import check_owners_stay
from dashboard.access.roles import OWNING, Role
from dashboard.access.sessions import end_sessions
from dashboard.audit.models import Outcome
from dashboard.audit.record import record
from dashboard.errors import Conflict, NotAllowed
from dashboard.mirror.scopes import visible_employees
from dashboard.operations_pages import MEMBERS
from dashboard.proposals import models
from dashboard.proposals.four_eyes import needs_second_admin, requires_second_admin
from dashboard.proposals.invitations import carry_out_link
from dashboard.proposals.member_text import role_texts
from dashboard.proposals.models import CHANGE_MEMBER_ROLE, LINK_MEMBER, Proposal, ProposalState
from dashboard.proposals.outcomes import overtake
from dashboard.proposals.selectors import target_of
from dashboard.proposals.services import write_down
from dashboard.proposals.snapshots import snapshot_of_member
from dashboard.proposals.targets import MEMBER

# Nobody here knows who administers the provider: that person and the confirmer would be one.
GROUPS_ARE_CHOSEN = (
    "Whoever administers the identity provider chose these groups: confirm it only if that was somebody else than you."
)


def change_role(actor: Actor, member: Membership, role: Role, *, key: str) -> Proposal | None:
    """Gives a member another role and answers None; or the proposal that waits for a second admin.

    NotAllowed for one's own role, Conflict where fewer than two owners would be left.
    """
    _check_role(actor, member, role)
    if role == member.role or not needs_second_admin(actor, role):
        _set_role(actor, member, role)
        return None
    row = _role_proposal(actor, member, role, key=f"{CHANGE_MEMBER_ROLE}-{key}")
    return write_down(actor, row, target_of(row))


def give_role_of_groups(actor: Actor, member: Membership, role: Role) -> Proposal | None:
    """Gives a member the role that their groups at the identity provider give, and answers None; or the proposal that waits
    for a second admin. `actor` is the program that read the groups (`Actor.for_program`).

    NotAllowed for the role of whoever has set the program up, or where nobody has any more; Conflict where fewer than two
    owners would be left, where nobody could confirm it, or where another change of the role waits.
    """
    waiting = Proposal.objects.filter(
        business=actor.business, operation=CHANGE_MEMBER_ROLE, target_type=MEMBER, target_id=str(member.pk),
        state=ProposalState.WAITING, key__startswith=f"groups-{member.pk}-",
    ).first()  # fmt: skip
    if waiting is not None and (waiting.body or {}).get("role") == role:
        return waiting
    if waiting is not None:
        # What their groups gave before is not confirmed any more, by nobody.
        overtake(actor, waiting, "Their groups at the identity provider give another role now.")
    if member.role == role:
        return None
    check_owners_stay(actor, member, role)
    if not needs_second_admin(actor, role):
        _set_role(actor, member, role)
        return None
    # Once a day: what was declined is not proposed again at the next sign-in.
    key = f"groups-{member.pk}-{member.role}-{role}-{timezone.now():%Y-%m-%d}"
    row = _role_proposal(actor, member, role, key=key)
    row.reason = f"By their groups at the identity provider ({actor.name})."
    row.consequences.append(GROUPS_ARE_CHOSEN)
    return write_down(actor, row, target_of(row))


def _role_proposal(actor: Actor, member: Membership, role: Role, *, key: str) -> Proposal:
    now = Role(member.role).label.lower()
    return Proposal(
        business=actor.business,
        operation=CHANGE_MEMBER_ROLE,
        body={"role": role},
        employee_id=member.employee_id,
        target_type=MEMBER,
        target_id=str(member.pk),
        seen=snapshot_of_member(actor.business, str(member.pk)),
        title=str(member.user),
        sentences=[f"{member.user} becomes {role.label.lower()} here; now {now}."],
        consequences=[*role_texts(role), "They are signed out everywhere, so that it takes effect immediately."],
        key=key,
        proposed_by_id=actor.member_id,
    )


def end_membership(actor: Actor, member: Membership, *, reason: str = "") -> None:
    """Ends a membership for good and signs the member out everywhere; audited.

    NotAllowed for one's own and for whoever may not, Conflict where fewer than two owners would be left.
    """
    check_open(actor, MEMBERS)
    end_for_good(actor, member, reason=reason)


def end_for_good(actor: Actor, member: Membership, *, reason: str = "") -> None:
    """As `end_membership`, for a caller that has asked its own gate (an offboarding). Ended already, nothing is done."""
    with transaction.atomic():
        _lock_members(actor)
        check_owners_stay(actor, member, "")
        open_row = Membership.objects.filter(pk=member.pk, ended_at=None)
        if not open_row.update(is_active=False, ended_at=timezone.now()):
            return
        end_sessions(member.user_id)
        # Who comes back is linked anew: the provider may know them by another id by then.
        SocialAccount.objects.filter(user_id=member.user_id, provider=actor.business.slug).delete()
        sentence = f"ended the membership of {member.user}"
        record(actor, MEMBERS.name, None, Outcome.DONE, sentence=sentence, reason=reason)


def suspend_membership(actor: Actor, member: Membership, *, until_agreed: bool = False) -> bool:
    """Keeps a member out at once, signed out everywhere, until `resume_membership`; audited. Whom a program keeps out, a
    person keeps out from then on. Suspended already otherwise, nothing is done: False. With `until_agreed` no news of the finance service lets them in before it has suspended them as well
    (scim/suspensions.py). NotAllowed for one's own and for who may not, Conflict where fewer than two owners would be left."""
    check_open(actor, MEMBERS)
    with transaction.atomic():
        _lock_members(actor)
        check_owners_stay(actor, member, "")
        rows = Membership.objects.filter(pk=member.pk)
        if until_agreed:
            rows.filter(kept_out_since=None).update(kept_out_since=timezone.now())
        able = Q(is_active=True) if actor.program else Q(is_active=True) | ~Q(suspended_by_program="")
        suspended = {
            "suspended_by_program": actor.program, "suspended_by": actor.name, "suspended_at": timezone.now(),
            "is_suspended_here": not actor.program,
        }  # fmt: skip
        if not rows.filter(able).update(is_active=False, **suspended):
            return False
        end_sessions(member.user_id)
        record(actor, MEMBERS.name, None, Outcome.DONE, sentence=f"suspended {member.user}")
        return True


def resume_membership(actor: Actor, member: Membership) -> None:
    """Lets a suspended member in again, with the role they had; audited. NotAllowed for who may not, and for a program
    where a person has suspended them; Conflict for one whose membership has ended, and for a person where the finance
    service does not let the employee in."""
    check_open(actor, MEMBERS)
    with transaction.atomic():
        suspended = Membership.objects.filter(pk=member.pk, ended_at=None, is_active=False)
        if actor.program and suspended.exclude(suspended_by_program=actor.program).exists():
            raise NotAllowed("They were suspended by a person: only a person lets them in again.", code="suspended")
        employees = visible_employees(actor).filter(remote_id=member.employee_id).exclude(status="ACTIVE")
        if not actor.program and suspended.exists() and employees.exists():
            raise Conflict(
                "The finance service keeps them out: activate the employee under People first.", code="member"
            )
        if suspended.update(is_active=True, kept_out_since=None, **NOT_SUSPENDED):
            record(actor, MEMBERS.name, None, Outcome.DONE, sentence=f"reactivated {member.user}")
        elif Membership.objects.filter(pk=member.pk).exclude(ended_at=None).exists():
            raise Conflict("They have left: invite them again.", code="member")


def end_or_propose(actor: Actor, member: Membership, *, reason: str, key: str) -> Proposal | None:
    """Ends a membership and answers None; or the proposal that waits for a super admin, where the business asks for a
    second admin or the actor may not end it alone. Raises as `end_membership`."""
    check_owners_stay(actor, member, "")
    if can_open(actor, MEMBERS) and not requires_second_admin(actor.business):
        end_membership(actor, member, reason=reason)
        return None
    row = Proposal(
        business=actor.business,
        operation=models.END_MEMBER,
        employee_id=member.employee_id,
        target_type=MEMBER,
        target_id=str(member.pk),
        seen=snapshot_of_member(actor.business, str(member.pk)),
        title=str(member.user),
        sentences=[f"{member.user} is no longer a member here; now {Role(member.role).label.lower()}."],
        consequences=["They are signed out everywhere and can no longer open this business."],
        reason=reason,
        key=f"{models.END_MEMBER}-{key}",
        proposed_by_id=actor.member_id,
    )
    return write_down(actor, row, target_of(row))


def carry_out(actor: Actor, proposal: Proposal) -> None:
    """Does what a confirmed proposal says, as whoever confirmed it; a second time it changes nothing.

    NotAllowed where that person may not any more, Conflict where it can no longer be done.
    """
    check_open(actor, MEMBERS)
    if proposal.operation == models.END_MEMBER:
        _end_proposed(actor, proposal)
        return
    members = Membership.objects.select_related("user").filter(business=actor.business, ended_at=None)
    member = members.filter(pk=int(proposal.target_id)).first()
    if member is None:
        raise Conflict("They are no longer a member.", code="member")
    body = proposal.body or {}
    if proposal.operation == LINK_MEMBER:
        carry_out_link(actor, member, body["employee_id"])
        return
    role = Role(body["role"])
    if member.role == role:
        return
    _check_role(actor, member, role)
    _set_role(actor, member, role)


def _end_proposed(actor: Actor, proposal: Proposal) -> None:
    member = Membership.objects.select_related("user").get(business=actor.business, pk=int(proposal.target_id))
    if member.ended_at is None:
        end_membership(actor, member, reason=proposal.reason)


def check_leaver(actor: Actor, member: Membership) -> None:
    """As `end_membership` checks, for an offboarding: an admin offboards everybody but super admins.

    NotAllowed for an admin and a super admin, Conflict where fewer than two owners would be left.
    """
    if member.role in OWNING and not can_open(actor, MEMBERS):
        raise NotAllowed("Only a super admin offboards a super admin.")
    check_owners_stay(actor, member, "")


def _lock_members(actor: Actor) -> None:
    # Two who each end another owner at the same moment would both still count the other's.
    Business.objects.select_for_update(no_key=True).get(pk=actor.business.pk)


def _check_role(actor: Actor, member: Membership, role: Role) -> None:
    check_open(actor, MEMBERS)
    if not member.is_active:
        raise Conflict("They are suspended: activate them first.", code="member")
    check_owners_stay(actor, member, role)


def _set_role(actor: Actor, member: Membership, role: Role) -> None:
    before = Role(member.role)
    with transaction.atomic():
        _lock_members(actor)
        check_owners_stay(actor, member, role)
        changed = Membership.objects.filter(pk=member.pk, ended_at=None, role=before).update(role=role)
        if not changed:
            raise Conflict("Their role has changed meanwhile.", code="member")
        end_sessions(member.user_id)
        sentence = f"changed the role of {member.user}"
        was, is_now = {"role": before.label}, {"role": role.label}
        record(actor, MEMBERS.name, None, Outcome.DONE, sentence=sentence, before=was, after=is_now)
