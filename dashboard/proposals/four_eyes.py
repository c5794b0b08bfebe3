"""Whether a business requires a second admin: switched on by one, switched off by two."""

from django.db import transaction
from django.utils import timezone

from dashboard.access.actor import Actor
from dashboard.access.check import check_open
from dashboard.access.models import Business, Membership
from dashboard.access.roles import MOVING_MONEY, Role
from dashboard.audit.models import Outcome
from dashboard.audit.record import record
from dashboard.errors import Conflict
from dashboard.operations_pages import ACCESS_CHANGES, MEMBERS
from dashboard.proposals.models import OF_MEMBERS, FourEyes
from dashboard.proposals.targets import PROPOSABLE

NAME = "second_admin"
# Said where one of these roles would be given by one person alone.
ROLES_NEED_TWO = (
    "Roles that move money need a second admin: add them with another role, then change it under Roles and mandates."
)


def requires_second_admin(business: Business) -> bool:
    """Whether changes of access in the business need a second admin."""
    return FourEyes.objects.filter(business=business, is_on=True).exists()


def others_who_could(actor: Actor, about: str = "", operation: str = "", target_id: str = "") -> list[Membership]:
    """The members who could confirm what the actor proposes about an employee: linked to another employee themselves.

    What is about members here alone (`target_id`: the membership) needs no employee: another owner who is not it.
    """
    if operation in OF_MEMBERS:
        owners = Membership.objects.filter(business=actor.business, is_active=True, role__in=MEMBERS.roles)
        others = owners.filter(user__is_active=True).exclude(pk=actor.member_id).select_related("user")
        return [owner for owner in others if str(owner.pk) != target_id]
    named_operation = PROPOSABLE.get(operation)
    roles = ACCESS_CHANGES.roles & named_operation.roles if named_operation else ACCESS_CHANGES.roles
    members = Membership.objects.filter(business=actor.business, is_active=True, role__in=roles, user__is_active=True)
    members = members.exclude(pk=actor.member_id).exclude(employee_id="")
    return list(members.exclude(employee_id=about).select_related("user"))


def needs_second_admin(actor: Actor, role: Role) -> bool:
    """Whether raising somebody to a role waits for a second admin: one person alone would else make the second one."""
    return role in MOVING_MONEY and requires_second_admin(actor.business)


def switch_four_eyes_on(actor: Actor) -> None:
    """From now on a second admin confirms. Conflict where there is nobody who could."""
    check_open(actor, ACCESS_CHANGES)
    if len(others_who_could(actor)) < 2:
        # One to confirm, and one more for what is about that one.
        raise Conflict(
            "Changes could not be confirmed: at least three admins or super admins linked to an employee are required, "
            "so that one remains who neither proposes the change nor is concerned by it.",
            code="too_few_admins",
        )
    _set(actor, on=True)


def switch_four_eyes_off(actor: Actor) -> None:
    """Does what a proposal to do so, confirmed by the actor, asked for."""
    _set(actor, on=False)


def _set(actor: Actor, *, on: bool) -> None:
    with transaction.atomic():
        row, _ = FourEyes.objects.select_for_update(no_key=True).get_or_create(business=actor.business)
        if row.is_on == on:
            return
        row.is_on, row.changed_at = on, timezone.now()
        row.save()
        sentence = "switched on second-admin confirmation" if on else "switched off second-admin confirmation"
        record(
            actor, NAME, None, Outcome.DONE, sentence=f"{sentence} for access, policies and workflows",
            before={"second admin": "no" if on else "yes"}, after={"second admin": "yes" if on else "no"},
        )  # fmt: skip
