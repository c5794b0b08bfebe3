"""The words of the operation table's rule column, each a predicate that answers with the sentence why not, or nothing.

What is not known does not hold: every rule denies where its facts are missing.
"""

from collections.abc import Callable

from dashboard.access.actor import Actor
from dashboard.access.roles import CONFIGURING, FINANCE, NOT_ABOVE, Role, givable_by
from dashboard.access.subject import Subject

HOLDS = ""
AccessRule = Callable[[Actor, Subject], str]


def not_own(actor: Actor, subject: Subject) -> str:
    """Not the maker, submitter, holder or last editor of the thing."""
    if not actor.employee_id:
        return "You are not linked to an employee, so it cannot be ruled out that this is your own."
    if subject.makers is None:
        return "It is not known who made this, so it cannot be ruled out that it is your own."
    return "This is your own item: somebody else must decide on it." if actor.employee_id in subject.makers else HOLDS


def not_self(actor: Actor, subject: Subject) -> str:
    """Not about oneself; a program is nobody."""
    if actor.program:
        return HOLDS
    if not actor.employee_id:
        return "You are not linked to an employee, so it cannot be ruled out that this is about you."
    if subject.about is None:
        return "It is not known whom this is about."
    return "This is about yourself: somebody else must do it." if actor.employee_id in subject.about else HOLDS


def mandate(actor: Actor, subject: Subject) -> str:
    """The mandate lets them approve, once, within their cap."""
    if not subject.seats:
        return "It is not known whom the mandate lets approve this."
    if actor.employee_id in subject.voters:
        return "You have already decided on this."
    seat = next((seat for seat in subject.seats if actor.employee_id and seat.employee_id == actor.employee_id), None)
    if seat is None:
        return "The mandate does not name you as an approver of this."
    if seat.max_amount_minor is not None and (
        subject.amount_minor is None or subject.amount_minor > seat.max_amount_minor
    ):
        return "This is above the amount that the mandate lets you approve."
    if subject.at_turn and actor.employee_id not in subject.at_turn:
        return "Others decide on this before you: approvals are given in order."
    return HOLDS


def not_read_only(actor: Actor, subject: Subject) -> str:
    """A read-only reviewer sees but does not act."""
    if actor.role is Role.REVIEWER and (not subject.team_id or subject.team_id in actor.read_only_teams):
        return "You review this team read-only: you see its items but do not decide on them."
    return HOLDS


def role_ceiling(actor: Actor, subject: Subject) -> str:
    """Gives no role above reviewer unless a super admin; an heir's role is never above the one left."""
    if subject.gives_role is None:
        return "It is not known which role this gives."
    if subject.gives_role not in givable_by(actor.role):
        return "Only a super admin can grant a role above reviewer."
    if subject.leaves_role is not None and subject.gives_role not in NOT_ABOVE[subject.leaves_role]:
        return "The successor's role cannot be above the role that ends."
    return HOLDS


def requester_or_admin(actor: Actor, subject: Subject) -> str:
    """Whoever asked for it, or an admin."""
    if actor.role in CONFIGURING or (actor.employee_id and actor.employee_id == subject.requester_id):
        return HOLDS
    return "Only the requester or an admin can withdraw this."


def blocker_lifts(actor: Actor, subject: Subject) -> str:
    """Blocked by its holder: the holder or above. By anyone else: finance, or the reviewer who did it."""
    if not subject.blocked_by_id or not subject.holder_id:
        return "It is not known who blocked this card."
    if actor.role in FINANCE:
        return HOLDS
    if subject.blocked_by_id == subject.holder_id:
        may_lift = actor.employee_id == subject.holder_id or (
            actor.role is Role.REVIEWER and subject.team_id in actor.teams - actor.read_only_teams
        )
        return (
            HOLDS
            if may_lift
            else "The cardholder blocked this card: the cardholder, or somebody with a higher role, can unblock it."
        )
    if actor.role is Role.REVIEWER and actor.employee_id == subject.blocked_by_id:
        return HOLDS
    return "Somebody else blocked this card: they, an approver or an admin can unblock it."


def holder_virtual_only(actor: Actor, subject: Subject) -> str:
    """A card user: own virtual cards only."""
    if actor.role is not Role.CARD_USER:
        return HOLDS
    if actor.employee_id and actor.employee_id == subject.holder_id and subject.is_virtual is True:
        return HOLDS
    return "You can only do this with your own virtual cards."


def quarantine(actor: Actor, subject: Subject) -> str:
    """The change waits for a second person: here before it is sent, or at the service, which holds it."""
    if subject.held_until_confirmed:
        return HOLDS
    if subject.confirmed_by_id and actor.employee_id and subject.confirmed_by_id != actor.employee_id:
        return HOLDS
    return "A change of payee details waits until a second person has confirmed it."


RULES: dict[str, AccessRule] = {
    rule.__name__: rule
    for rule in (
        not_own,
        not_self,
        mandate,
        not_read_only,
        role_ceiling,
        requester_or_admin,
        blocker_lifts,
        holder_virtual_only,
        quarantine,
    )
}
