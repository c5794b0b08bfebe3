"""What a membership lets somebody do, in the sentences that a second admin weighs."""

from dashboard.access.actor import Actor
from dashboard.access.roles import APPROVING, CONFIGURING, OWNING, Role
from dashboard.mirror.models import Employee


def role_texts(role: Role) -> list[str]:
    """What somebody of a role that moves money can do, as a second admin weighs it."""
    sentences = []
    if role in APPROVING:
        sentences.append("They can approve payments and move money out of the business's wallets.")
    if role in CONFIGURING:
        sentences.append("They can change who has access, and confirm such changes.")
    if role in OWNING:
        sentences.append("They can invite people, change roles and set up the connection to the finance service.")
    return sentences


def linked_texts(actor: Actor, employee_id: str) -> list[str]:
    """Whom of the finance service somebody becomes; nothing where nobody, or the copy has nobody like that."""
    employee = Employee.objects.filter(business=actor.business, remote_id=employee_id).first() if employee_id else None
    if employee is None:
        return []
    who = f"{employee.name} ({employee.email or 'without an address'})"
    return [f"At the finance service they act as {who}, with what {employee.name} can do there."]
