"""The groups of an identity provider: stored with those of their members who are ours, who get the role of their groups."""

from collections.abc import Iterable
from typing import Any

from django.db import transaction

from dashboard.access.actor import Actor
from dashboard.access.models import Membership
from dashboard.access.roles import NOT_ABOVE, Role
from dashboard.audit.models import Outcome
from dashboard.audit.record import record, record_denial
from dashboard.errors import Conflict
from dashboard.operations_pages import MEMBERS
from dashboard.proposals import members as member_changes
from dashboard.scim.library import scim2_models
from dashboard.scim.models import ScimGroup
from dashboard.scim.selectors import member_at, settings_of
from dashboard.scim.services import LEAST
from dashboard.single_sign_on.group_roles import GroupsRefused, role_of_groups


def save_group(actor: Actor, group: ScimGroup | None, resource: Any) -> ScimGroup:
    """Creates a group, or makes it what the resource says, and gives its members, old and new, the role of their groups.

    All or nothing: UniquenessException for a name that is taken, InvalidValueException for a member who is none of ours,
    and where somebody would be in groups that give different roles.
    """
    name = str(resource.display_name or "").strip()
    if not name or len(name) > 255:
        raise scim2_models.InvalidValueException(
            attribute="displayName", detail="A group has a name of at most 255 characters."
        )
    values = [str(member.value) for member in resource.members or []]
    members = [_member_of_group(actor, value) for value in dict.fromkeys(values)]
    external_id = str(resource.external_id or "")[:255]
    others = ScimGroup.objects.filter(business=actor.business)
    if group is not None:
        others = others.exclude(pk=group.pk)
    if others.filter(display_name=name).exists() or (external_id and others.filter(external_id=external_id).exists()):
        raise scim2_models.UniquenessException(detail=f"There is a group {name} already, or one with this externalId.")
    with transaction.atomic():
        row = group or ScimGroup(business=actor.business)
        before = set(row.members.filter(ended_at=None)) if row.pk else set()
        row.display_name, row.external_id = name, external_id
        row.save()
        row.members.set(members)
        after = {"group": name, "members": ", ".join(sorted(str(member.user) for member in members)) or "nobody"}
        record(actor, MEMBERS.name, None, Outcome.DONE, sentence=f"saved the group {name}", after=after)
        _give_roles(actor, before | set(members))
    return row


def delete_group(actor: Actor, group: ScimGroup) -> None:
    """Removes a group, and gives its members the role of the groups that are left."""
    with transaction.atomic():
        members = list(group.members.filter(ended_at=None))
        name = group.display_name
        group.delete()
        record(actor, MEMBERS.name, None, Outcome.DONE, sentence=f"removed the group {name}")
        _give_roles(actor, members)


def _member_of_group(actor: Actor, value: str) -> Membership:
    """The member of this id; InvalidValueException where there is none."""
    try:
        return member_at(actor.business, value)
    except scim2_models.NotFoundException:
        raise scim2_models.InvalidValueException(attribute="members", detail=f"There is no user {value}.") from None


def _give_roles(actor: Actor, members: Iterable[Membership]) -> None:
    provider = settings_of(actor)
    if provider is None or not provider.group_roles:
        return
    for member in members:
        names = list(ScimGroup.objects.filter(members=member).values_list("display_name", flat=True))
        if not set(names) & set(provider.group_roles):
            names_role: Role | None = LEAST if member.role in NOT_ABOVE[Role(provider.ceiling)] else None
        else:
            try:
                names_role = role_of_groups(
                    names, provider.group_roles, role=Role(member.role), ceiling=Role(provider.ceiling)
                )
            except GroupsRefused as refused:
                raise scim2_models.InvalidValueException(
                    attribute="members", detail=f"{member.user}: {refused}"
                ) from None
        if names_role is not None:
            _give_role(actor, member, names_role)


def _give_role(actor: Actor, member: Membership, role: Role) -> None:
    """The role of the groups; where a change of it waits already, the member's groups are stored all the same."""
    try:
        member_changes.give_role_of_groups(actor, member, role)
    except Conflict as waits:
        if waits.code != "already_proposed":
            raise
        sentence = f"did not give {member.user} the role {role.label}"
        record_denial(actor, MEMBERS, reason=waits.detail, rule=waits.code, sentence=sentence)
