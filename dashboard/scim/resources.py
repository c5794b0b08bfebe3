"""Members and groups as SCIM shows them, and what the service says of itself (RFC 7643, 5 to 7)."""

from collections.abc import Iterable, Mapping
from typing import Any

from django.conf import settings
from scim2_models import (
    AuthenticationScheme,
    Bulk,
    ChangePassword,
    Email,
    EnterpriseUser,
    ETag,
    Filter,
    Group,
    GroupMember,
    GroupMembership,
    Meta,
    Name,
    Patch,
    Reference,
    ResourceType,
    Role,
    ScimPolicy,
    ServiceProviderConfig,
    Sort,
    User,
)

from dashboard.access.models import Membership
from dashboard.scim.models import ScimGroup

MOST_RESULTS = 200
UserResource = User[EnterpriseUser]
# What an identity provider sends besides is dropped, and Entra's spellings of a patch are read.
SCIM_POLICY = ScimPolicy(
    unknown=ScimPolicy.Unknown.ignore,
    remove_value_as_filter=ScimPolicy.RemoveValue.apply,
    unmatched_path_filter=ScimPolicy.UnmatchedPathFilter.create,
)


def location_of(kind: str, resource_id: object = "") -> str:
    """The address of a resource, or of all of its kind: "Users", "Groups"."""
    base = f"{settings.DASHBOARD_ADDRESS}/-/scim/v2/{kind}"
    return f"{base}/{resource_id}" if resource_id else base


def user_resource(member: Membership, external_id: str, groups: Iterable[ScimGroup]) -> Any:
    """A member as a User: `id` is the membership's, `userName` the address they sign in with, `roles` their only role."""
    user = member.user
    return UserResource(
        id=str(member.pk),
        external_id=external_id or None,
        user_name=user.email,
        name=Name(formatted=user.name) if user.name else None,
        display_name=user.name or None,
        emails=[Email(value=user.email, primary=True)],
        active=member.is_active and user.is_active,
        roles=[Role(value=member.role, primary=True)],
        groups=[GroupMembership(value=str(group.pk), display=group.display_name, ref=None, type=None) for group in groups] or None,
        meta=Meta(
            resource_type="User", created=member.created_at, last_modified=member.created_at,
            location=Reference(location_of("Users", member.pk)),
        ),
    )  # fmt: skip


def group_resource(group: ScimGroup, members: Iterable[Membership]) -> Any:
    """A group as a Group, with its members."""
    return Group(
        id=str(group.pk),
        external_id=group.external_id or None,
        display_name=group.display_name,
        members=[GroupMember(value=str(member.pk), display=member.user.name or None, ref=None, type=None) for member in members] or None,
        meta=Meta(
            resource_type="Group", created=group.changed_at, last_modified=group.changed_at,
            location=Reference(location_of("Groups", group.pk)),
        ),
    )  # fmt: skip


def provider_config() -> Any:
    """What this service can do: patches and filters; no bulk, no sorting, no passwords, no ETags."""
    return ServiceProviderConfig(
        patch=Patch(supported=True),
        bulk=Bulk(supported=False, max_operations=0, max_payload_size=0),
        filter=Filter(supported=True, max_results=MOST_RESULTS),
        change_password=ChangePassword(supported=False),
        sort=Sort(supported=False),
        etag=ETag(supported=False),
        authentication_schemes=[
            AuthenticationScheme(
                type=AuthenticationScheme.Type.oauthbearertoken,
                name="Bearer token",
                description="The token of the business.",
            )
        ],
        meta=Meta(resource_type="ServiceProviderConfig", location=Reference(location_of("ServiceProviderConfig"))),
    )


def resource_types() -> Mapping[str, Any]:
    """The types of resources, by name."""
    return {"User": ResourceType.from_resource(UserResource), "Group": ResourceType.from_resource(Group)}


def schemas() -> Mapping[str, Any]:
    """The schemas of these resources, by their URN."""
    every = [model.to_schema() for model in (User, EnterpriseUser, Group)]
    return {str(schema.id): schema for schema in every}
