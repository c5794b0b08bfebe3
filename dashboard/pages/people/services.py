"""What the people's pages change of our own: an invitation to this dashboard for somebody who was just added."""

from dataclasses import dataclass

from django.contrib import messages

from dashboard.access.actor import Actor
from dashboard.access.roles import Role
from dashboard.errors import FinanceError
from dashboard.proposals.invitations import InvitationNotSentError, invite_member
from dashboard.schemas.employees import NewPersonBody


@dataclass(frozen=True, slots=True)
class Invited:
    """What became of an invitation: a level of django.contrib.messages, and a sentence."""

    level: int
    message: str


def invite_employee(actor: Actor, body: NewPersonBody, employee_id: str, *, key: str) -> Invited:
    """Invites an employee to this dashboard with the role that they got; where two are asked for, it is proposed.

    The employee is there already: so a refusal is told, and not raised.
    """
    email = body["organization_email"]
    try:
        proposal = invite_member(
            actor, email=email, name=body["name"], role=Role(body["role"]), employee_id=employee_id, key=key
        )
    except InvitationNotSentError as unsent:
        return Invited(messages.WARNING, unsent.explanation)
    except (ValueError, FinanceError) as refusal:
        return Invited(messages.WARNING, f"They were not invited to this dashboard: {refusal}")
    if proposal is not None:
        return Invited(messages.INFO, "The invitation to this dashboard is waiting for a second super admin.")
    return Invited(messages.SUCCESS, f"{email} is invited: the link was sent by email.")
