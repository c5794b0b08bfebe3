"""What areas above say of categories: what of theirs names one, what of theirs counts what is filed under one, and what of it
stands in a closed period."""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet

from service.auth import Caller
from service.categories.models import Subcategory

# The ids of subcategories and those of categories.
Ids = Collection[str]


def businesses_of(subcategory_ids: Ids) -> QuerySet[Any]:
    """The businesses of these subcategories, by id: what names one is looked for among theirs alone."""
    return Subcategory.objects.filter(id__in=subcategory_ids).values("business_id")


def _counts_nothing(category_ids: Ids) -> QuerySet[Any] | None:
    """None: what is filed under a category makes no difference to it."""


@dataclass(frozen=True, slots=True)
class Users:
    """The records of an area that name subcategories or categories, under the name of their `kind`.

    `rows` are those of them that name one of these subcategories or categories, each once; a record has `created_at`.
    `counting` are those that count or limit what is filed under one of these categories now; None where none of the kind
    does.
    """

    kind: str
    rows: Callable[[Ids, Ids], QuerySet[Any]]
    title: Callable[[Any], str] = str
    counting: Callable[[Ids], QuerySet[Any] | None] = _counts_nothing


_USERS: list[Users] = []


def register_users(users: Users) -> None:
    """Called by an area when it is loaded."""
    _USERS.append(users)


def registered_users() -> list[Users]:
    """What of all areas names categories, by its kind."""
    return sorted(_USERS, key=lambda users: users.kind)


# How many transactions of closed periods are filed under each of these subcategories; those with none are left out.
ClosedCounts = Callable[[Caller, Collection[str]], dict[str, int]]
_CLOSED: list[ClosedCounts] = []


def register_closed(lookup: ClosedCounts) -> None:
    """Called by the area that knows which periods are closed, when it is loaded."""
    _CLOSED.append(lookup)


def closed_counts(caller: Caller, subcategory_ids: Collection[str]) -> dict[str, int]:
    """How many transactions of closed periods are filed under each of these subcategories."""
    [lookup] = _CLOSED
    return lookup(caller, subcategory_ids)
