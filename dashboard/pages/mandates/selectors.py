"""What is read of roles before anything is asked of them: who has which."""

from collections.abc import Sequence

from dashboard.access.actor import Actor
from dashboard.access.models import Membership
from dashboard.access.subject import Subject
from dashboard.impact import role_changes
from dashboard.mirror.scopes import visible_employees
from dashboard.proposals.targets import ROLE
from dashboard.schemas.permissions import RoleRights


def subjects_of_roles(actor: Actor, roles: Sequence[RoleRights]) -> list[Subject]:
    """What the gate must know of several: each is about everybody who has it, and so could change it here."""
    members = Membership.objects.filter(business=actor.business, is_active=True).exclude(employee_id="")
    people = (
        visible_employees(actor).filter(remote_id__in=members.values("employee_id")).values_list("role", "remote_id")
    )
    having: dict[str, set[str]] = {}
    for role, person in people:
        having.setdefault(role, set()).add(person)
    return [
        Subject(
            business_id=actor.business.pk,
            kind=ROLE,
            id=one.id,
            title=role_changes.role_words(one.id),
            about=frozenset(having.get(one.id, ())),
        )
        for one in roles
    ]
