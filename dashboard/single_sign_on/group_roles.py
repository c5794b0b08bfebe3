"""Which role somebody's groups at the identity provider give: one role at most, and none above the ceiling."""

from collections.abc import Iterable, Mapping

from dashboard.access.roles import NOT_ABOVE, OWNING, Role

# The highest roles that groups may be let give: no group makes a super admin. The first is the one until another is chosen.
CEILINGS = tuple(role for role in Role if role not in OWNING)
FIRST_CEILING = Role.REVIEWER


class GroupsRefused(ValueError):
    """The groups give no role; the text is a sentence that says why."""


def role_of_groups(
    groups: Iterable[object], group_roles: Mapping[str, str], *, role: Role | None, ceiling: Role
) -> Role | None:
    """The role that the groups give, or None where they change nothing: without a mapping, and for a `role` above the ceiling.

    GroupsRefused where no group of theirs gives a role, where two give different ones, and where one gives a role above
    the ceiling.
    """
    if not group_roles or (role is not None and role not in NOT_ABOVE[ceiling]):
        return None
    given = {group: Role(group_roles[group]) for group in map(str, groups) if group in group_roles}
    roles = sorted(set(given.values()))
    if not roles:
        raise GroupsRefused("None of your groups at the identity provider gives a role here.")
    if len(roles) > 1:
        named = " and ".join(f"{role.label} ({group})" for group, role in sorted(given.items()))
        raise GroupsRefused(f"Your groups at the identity provider give different roles: {named}. One must go.")
    if roles[0] not in NOT_ABOVE[ceiling]:
        raise GroupsRefused(f"A group of yours gives {roles[0].label}, which is above the most that a group can give.")
    return roles[0]


def groups_in(claim: object) -> list[str]:
    """The groups of a claim: a list of names, or one name. What is neither gives none."""
    if isinstance(claim, str):
        return [claim]
    return [group for group in claim if isinstance(group, str)] if isinstance(claim, list) else []
