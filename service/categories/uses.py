"""What uses a category or a subcategory: counted by kind, and row by row. It keeps one from being deleted."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, TypedDict

from django.db.models import Count, QuerySet, Value

from service import errors
from service.auth import Caller
from service.categories.hooks import Users, registered_users
from service.categories.models import Category, Subcategory
from service.categories.selectors import get_category, get_subcategory


class UseShape(TypedDict):
    """How many records of a kind name it."""

    kind: str
    count: int


class UserShape(TypedDict):
    """A record that names a subcategory, with its kind and title."""

    _id: str
    title: str
    createdAt: datetime


def uses(row: Category | Subcategory) -> list[UseShape]:
    """How many records of each kind name a subcategory, or a category or one of its subcategories; kinds without any are
    left out."""
    subcategory_ids, category_ids = _ids(row)
    counts = ((users.kind, users.rows(subcategory_ids, category_ids).count()) for users in registered_users())
    return [{"kind": kind, "count": count} for kind, count in counts if count]


def uses_by_subcategory(rows: Sequence[Subcategory]) -> dict[str, list[UseShape]]:
    """The same of many subcategories, by their ids: in one statement per kind."""
    listed: dict[str, list[UseShape]] = {row.id: [] for row in rows}
    for users in registered_users() if rows else ():
        first, *others = (
            users.rows([row.id], []).order_by().annotate(of=Value(row.id)).values("of").annotate(count=Count("pk"))
            for row in rows
        )
        for counted in first.union(*others, all=True):
            if counted["count"]:
                listed[counted["of"]].append({"kind": users.kind, "count": counted["count"]})
    return listed


def using(row: Category | Subcategory, kind: str) -> tuple[QuerySet[Any], Users]:
    """The records of a kind that name it, and how they are told; 404 for a kind that there is not."""
    users = next((users for users in registered_users() if users.kind == kind), None)
    if users is None:
        raise errors.not_found("kind")
    return users.rows(*_ids(row)), users


def user(users: Users, row: Any) -> UserShape:
    """A record as the interface shows it."""
    return {"_id": str(row.pk), "title": users.title(row), "createdAt": row.created_at}


def used(caller: Caller, category_id: str, subcategory_id: str | None) -> Category | Subcategory:
    """The category, or the subcategory of it that is named; 404 where the business has none such."""
    if subcategory_id:
        return get_subcategory(caller, category_id, subcategory_id)
    return get_category(caller, category_id)


def counted_text(counts: Iterable[UseShape]) -> str:
    """Counts in words: "3 expenses, 1 spend policy"."""
    return ", ".join(f"{use['count']} {_noun(use['kind'], use['count'])}" for use in counts)


def _noun(kind: str, count: int) -> str:
    noun = kind.replace("_", " ")
    if count == 1:
        return noun
    return f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"


def _ids(row: Category | Subcategory) -> tuple[list[str], list[str]]:
    if isinstance(row, Subcategory):
        return [row.id], []
    return [child.id for child in row.subcategories.all()], [row.id]
