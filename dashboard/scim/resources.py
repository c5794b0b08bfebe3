"""Members and groups as SCIM shows them, and what the service says of itself (RFC 7643, 5 to 7)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from django.conf import settings

from dashboard.access.models import Membership
from dashboard.scim.library import scim2_models
from dashboard.scim.models import ScimGroup

MOST_RESULTS = 200


@cache
def user_model() -> type[scim2_models.User[scim2_models.EnterpriseUser]]:
    """The type of a User with what an enterprise's has besides."""
    return scim2_models.User[scim2_models.EnterpriseUser]


@cache
def scim_policy() -> scim2_models.ScimPolicy:
    """What an identity provider sends besides is dropped, and Entra's spellings of a patch are read."""
    policy = scim2_models.ScimPolicy
    return policy(
        unknown=policy.Unknown.ignore,
        remove_value_as_filter=policy.RemoveValue.apply,
        unmatched_path_filter=policy.UnmatchedPathFilter.create,
    )


def location_of(kind: str, resource_id: object = "") -> str:
    """The address of a resource, or of all of its kind: "Users", "Groups"."""
    base = f"{settings.DASHBOARD_ADDRESS}/-/scim/v2/{kind}"
    return f"{base}/{resource_id}" if resource_id else base


def user_resource(member: Membership, external_id: str, groups: Iterable[ScimGroup]) -> Any:
    """A member as a User: `id` is the membership's, `userName` the address they sign in with, `roles` their only role."""
    user = member.user
    return user_model()(
        id=str(member.pk),
        external_id=external_id or None,
        user_name=user.email,
        name=scim2_models.Name(formatted=user.name) if user.name else None,
        display_name=user.name or None,
        emails=[scim2_models.Email(value=user.email, primary=True)],
        active=member.is_active and user.is_active,
        roles=[scim2_models.Role(value=member.role, primary=True)],
        groups=[scim2_models.GroupMembership(value=str(group.pk), display=group.display_name, ref=None, type=None) for group in groups] or None,
        meta=scim2_models.Meta(
            resource_type="User", created=member.created_at, last_modified=member.created_at,
            location=scim2_models.Reference(location_of("Users", member.pk)),
        ),
    )  # fmt: skip


def group_resource(group: ScimGroup, members: Iterable[Membership]) -> Any:
    """A group as a Group, with its members."""
    return scim2_models.Group(
        id=str(group.pk),
        external_id=group.external_id or None,
        display_name=group.display_name,
        members=[scim2_models.GroupMember(value=str(member.pk), display=member.user.name or None, ref=None, type=None) for member in members] or None,
        meta=scim2_models.Meta(
            resource_type="Group", created=group.changed_at, last_modified=group.changed_at,
            location=scim2_models.Reference(location_of("Groups", group.pk)),
        ),
    )  # fmt: skip


def provider_config() -> Any:
    """What this service can do: patches and filters; no bulk, no sorting, no passwords, no ETags."""
    return scim2_models.ServiceProviderConfig(
        patch=scim2_models.Patch(supported=True),
        bulk=scim2_models.Bulk(supported=False, max_operations=0, max_payload_size=0),
        filter=scim2_models.Filter(supported=True, max_results=MOST_RESULTS),
        change_password=scim2_models.ChangePassword(supported=False),
        sort=scim2_models.Sort(supported=False),
        etag=scim2_models.ETag(supported=False),
        authentication_schemes=[
            scim2_models.AuthenticationScheme(
                type=scim2_models.AuthenticationScheme.Type.oauthbearertoken,
                name="Bearer token",
                description="The token of the business.",
            )
        ],
        meta=scim2_models.Meta(
            resource_type="ServiceProviderConfig", location=scim2_models.Reference(location_of("ServiceProviderConfig"))
        ),
    )


def resource_types() -> Mapping[str, Any]:
    """The types of resources, by name."""
    return {
        "User": scim2_models.ResourceType.from_resource(user_model()),
        "Group": scim2_models.ResourceType.from_resource(scim2_models.Group),
    }


def schemas() -> Mapping[str, Any]:
    """The schemas of these resources, by their URN."""
    every = [model.to_schema() for model in (scim2_models.User, scim2_models.EnterpriseUser, scim2_models.Group)]
    return {str(schema.id): schema for schema in every}
