"""Members and groups of a business as SCIM lists, filters and pages them."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from django.db.models import Prefetch, QuerySet

from dashboard.access.actor import Actor
from dashboard.access.models import Business, Membership
from dashboard.inputs import whole_number
from dashboard.scim.library import scim2_models
from dashboard.scim.models import ScimGroup, ScimUser
from dashboard.scim.resources import MOST_RESULTS, group_resource, user_resource
from dashboard.single_sign_on.models import IdentityProvider


def scim_members(business: Business) -> QuerySet[Membership]:
    """Those who have not left, by id: whoever has left is no resource any more."""
    return Membership.objects.filter(business=business, ended_at=None).select_related("user", "business").order_by("pk")


def member_at(business: Business, resource_id: str) -> Membership:
    """The member of this id; NotFoundException for none, and for one of another business."""
    member = scim_members(business).filter(pk=row_id(resource_id)).first()
    if member is None:
        raise scim2_models.NotFoundException(detail="There is no such user.")
    return member


def group_at(business: Business, resource_id: str) -> ScimGroup:
    """The group of this id; NotFoundException for none, and for one of another business."""
    group = ScimGroup.objects.filter(business=business, pk=row_id(resource_id)).first()
    if group is None:
        raise scim2_models.NotFoundException(detail="There is no such group.")
    return group


def row_id(text: str) -> int:
    """The number of a row that an id of ours names; 0, which no row has, for what is none."""
    return whole_number(text, 10**18 - 1) or 0


def user_resources(business: Business, members: QuerySet[Membership]) -> list[Any]:
    """Members as resources, with their groups: three queries, however many they are."""
    external = dict(ScimUser.objects.filter(business=business).values_list("membership_id", "external_id"))
    groups: dict[int, list[ScimGroup]] = defaultdict(list)
    by_id = ScimGroup.objects.filter(business=business).in_bulk()
    for group_id, member_id in ScimGroup.members.through.objects.filter(scimgroup__business=business).values_list(
        "scimgroup_id", "membership_id"
    ):
        groups[member_id].append(by_id[group_id])
    return [user_resource(member, external.get(member.pk, ""), groups[member.pk]) for member in members]


def group_resources(groups: QuerySet[ScimGroup]) -> list[Any]:
    """Groups as resources, with their members: three queries, however many they are."""
    here = Prefetch("members", Membership.objects.filter(ended_at=None).select_related("user"))
    rows = groups.order_by("pk").prefetch_related(here)
    return [group_resource(group, group.members.all()) for group in rows]


def scim_page(model: Any, resources: list[Any], search: scim2_models.SearchRequest[Any]) -> Any:
    """Those that the filter of the request lets through, the page that it asks for (RFC 7644, 3.4.2.4)."""
    matches = [row for row in resources if search.filter is None or search.filter.match(row)]
    start = max(search.start_index or 1, 1)
    count = MOST_RESULTS if search.count is None else max(0, min(search.count, MOST_RESULTS))
    rows = matches[start - 1 : start - 1 + count]
    return scim2_models.ListResponse[model](
        total_results=len(matches), start_index=start, items_per_page=len(rows), resources=rows or None
    )


def settings_of(actor: Actor) -> IdentityProvider | None:
    """The identity provider that is set up for the actor's business; None without one."""
    return IdentityProvider.objects.filter(business=actor.business).first()
