"""A business keeps two super admins: asked before a role, a membership or the account behind it ends."""

from dashboard.access.actor import Actor
from dashboard.access.models import Membership
from dashboard.access.roles import OWNING
from dashboard.errors import Conflict, NotAllowed


def check_owners_stay(actor: Actor, member: Membership, role: str) -> None:
    """NotAllowed for one's own membership, Conflict where fewer than two owners would be left; `role` "" ends it."""
    if member.pk == actor.membership_id:
        raise NotAllowed("Nobody can change their own role or membership: another super admin must do it.")
    owners = actor.business.memberships.filter(is_active=True, role__in=OWNING).exclude(pk=member.pk)
    if member.role in OWNING and role not in OWNING and owners.count() < 2:
        raise Conflict("A business needs two super admins: make somebody else a super admin first.")
    if member.is_break_glass and actor.business.requires_sign_on and role not in OWNING:
        raise Conflict("They are the break-glass super admin of single sign-on: choose another one there first.")
