"""What filters and forms offer to choose from, as an actor sees it: teams, vendors, and subcategories to file under."""

import time
from functools import lru_cache

from django.db.models import Q

from dashboard.access.actor import Actor
from dashboard.access.models import Business
from dashboard.access.roles import Role
from dashboard.inputs import Choices
from dashboard.mirror.scopes import visible_categories, visible_teams, visible_vendors
from dashboard.search import matching

MAX_TEAMS = 200
MAX_CATEGORIES = 500
# Beyond so many a list is no longer chosen from but searched.
MAX_VENDORS = 200
MAX_NAMED = 500


def categories_of(actor: Actor) -> list[tuple[str, str]]:
    """The subcategories to file under, by category and name: nothing more is filed under what is archived."""
    rows = visible_categories(actor).exclude(status="ARCHIVED").order_by("category_name", "name")
    return [
        (category.remote_id, f"{category.category_name} · {category.name}" if category.category_name else category.name)
        for category in rows
    ]


def category_groups_of(actor: Actor) -> Choices:
    """The categories to filter by, as (id, name) by name, of which an expense has a subcategory; at most a minute old, like
    the teams."""
    return _category_groups(actor.business.pk, actor.role, int(time.monotonic()) // 60)


@lru_cache(maxsize=2048)
def _category_groups(business_id: int, role: Role, minute: int) -> Choices:
    actor = Actor(user=None, business=Business(pk=business_id), role=role)
    rows = visible_categories(actor).exclude(category_id="").order_by("category_name", "category_id")
    return tuple(dict.fromkeys(rows.values_list("category_id", "category_name")))[:MAX_CATEGORIES]


def teams_of(actor: Actor) -> Choices:
    """The teams to choose from, by name; at most a minute old, because every list with such a filter asks for them."""
    return _teams(actor.business.pk, actor.role, actor.teams, int(time.monotonic()) // 60)


@lru_cache(maxsize=2048)
def _teams(business_id: int, role: Role, teams: frozenset[str], minute: int) -> Choices:
    actor = Actor(user=None, business=Business(pk=business_id), role=role, teams=teams)
    return tuple(visible_teams(actor).order_by("name").values_list("remote_id", "name")[:MAX_TEAMS])


def vendors_of(actor: Actor) -> Choices:
    """The active vendors to choose from, by name; none where they are too many to be listed. At most a minute old, like
    the teams."""
    return _vendors(actor.business.pk, actor.role, int(time.monotonic()) // 60)


@lru_cache(maxsize=2048)
def _vendors(business_id: int, role: Role, minute: int) -> Choices:
    actor = Actor(user=None, business=Business(pk=business_id), role=role)
    rows = visible_vendors(actor).filter(status="ACTIVE").order_by("sort_name", "pk")
    listed = tuple(rows.values_list("remote_id", "name")[: MAX_VENDORS + 1])
    return listed if len(listed) <= MAX_VENDORS else ()


def vendors_named(actor: Actor, text: str) -> Choices:
    """The vendors that an id or words of their name mean, as (id, name) by name, MAX_NAMED at most."""
    rows = visible_vendors(actor).order_by("sort_name", "pk").values_list("remote_id", "name")
    by_id, words = Q(remote_id=text), matching(text, "search")
    return tuple(rows.filter(by_id | words if words is not None else by_id)[:MAX_NAMED])
