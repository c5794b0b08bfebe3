"""Subcategories moved to another category: what that would change, what stands in its way, and the move.

What is filed under a subcategory stays filed under it, and so does what names it: rules, policies, mappings, exports. Other
is only which category it is counted in. So it is refused for one that transactions of a closed period are filed under: what
was reported of that period by category would not be what it was.
"""

from collections.abc import Iterable, Sequence
from typing import TypedDict

from django.db import IntegrityError, transaction
from django.utils import timezone

from service import errors
from service.auth import Caller
from service.businesses.models import Business
from service.categories import serializers
from service.categories.hooks import closed_counts, registered_users
from service.categories.models import Category, CategoryStatus, Subcategory
from service.categories.selectors import get_category
from service.categories.serializers import CategoryRefShape
from service.categories.uses import UserShape, UseShape, user, uses_by_subcategory
from service.events.audit import record_audit
from service.events.outbox import record_event


class MovedSubcategoryShape(TypedDict):
    """A subcategory that is to move: where it stands now, what names it, and why it cannot move ("" where it can)."""

    _id: str
    name: str
    code: str
    category: CategoryRefShape
    version: int
    uses: list[UseShape]
    closed_count: int
    obstacle: str


class CountingShape(UserShape):
    """A budget or policy of a category that counts what is filed there: it gains what moves, or loses it."""

    kind: str
    gains: bool


class MovePlanShape(TypedDict):
    """What a move of subcategories would do, before it is done."""

    category: CategoryRefShape
    subcategories: list[MovedSubcategoryShape]
    counting: list[CountingShape]


def move_plan(caller: Caller, category_id: str, subcategory_ids: Sequence[str]) -> MovePlanShape:
    """What moving subcategories into a category would do; 404 without the category, 422 for a subcategory of nobody's."""
    target = get_category(caller, category_id)
    rows = _subcategories(caller, subcategory_ids)
    closed, obstacles = _obstacles(caller, target, rows)
    named = uses_by_subcategory(rows)
    return {
        "category": {"_id": target.id, "name": target.name},
        "subcategories": [
            {
                "_id": row.id, "name": row.name, "code": row.code, "version": row.version, "uses": named[row.id],
                "category": {"_id": row.category_id, "name": row.category.name},
                "closed_count": closed.get(row.id, 0), "obstacle": obstacles.get(row.id, ""),
            }
            for row in rows
        ],
        "counting": _counting(target, rows),
    }  # fmt: skip


def move(caller: Caller, category_id: str, subcategory_ids: Sequence[str]) -> Category:
    """Moves subcategories into a category, all or none; those that stand there stay as they are.

    404 without the category, 422 for a subcategory of nobody's; 409 invalid_state where the category is archived or
    transactions of a closed period are filed under one, 409 duplicate where its name or code is taken there, each at its
    field.
    """
    with transaction.atomic():
        # One move at a time, none while many categories are added, and none while a period is being closed.
        Business.objects.select_for_update(of=("self",), no_key=True).get(pk=caller.business.id)
        target, rows = _locked(caller, category_id, subcategory_ids)
        closed, obstacles = _obstacles(caller, target, rows)
        if obstacles:
            code = "invalid_state" if closed or target.status != CategoryStatus.ACTIVE else "duplicate"
            raise errors.conflict(
                code,
                next(iter(obstacles.values())),
                [
                    {"field": f"subcategory_ids.{place}", "code": code, "message": obstacles[row.id]}
                    for place, row in enumerate(rows)
                    if row.id in obstacles
                ],
            )
        moving = [row for row in rows if row.category_id != target.id]
        left = {row.category_id for row in moving}
        for row in moving:
            _move(caller, row, target)
        for changed in (get_category(caller, changed_id) for changed_id in sorted(left | {target.id})):
            if moving:
                record_event(caller.business, "category.updated", serializers.category(changed), actor=caller)
        return get_category(caller, category_id)


def _locked(caller: Caller, category_id: str, subcategory_ids: Sequence[str]) -> tuple[Category, list[Subcategory]]:
    """The category and the subcategories as they stay until this is done: whoever changes, archives or deletes one waits. In
    the order of services.py, categories before subcategories."""
    target = get_category(caller, category_id)
    rows = _subcategories(caller, subcategory_ids)
    parents = {target.id, *(row.category_id for row in rows)}
    for model, ids in ((Category, parents), (Subcategory, {row.id for row in rows})):
        list(model.objects.select_for_update(no_key=True, of=("self",)).filter(id__in=ids).order_by("id"))
    # What somebody changed or deleted before they were locked is read anew.
    return get_category(caller, category_id), _subcategories(caller, subcategory_ids)


def _move(caller: Caller, row: Subcategory, target_category: Category) -> None:
    before = {"category": {"_id": row.category_id, "name": row.category.name}}
    row.category, row.version, row.updated_at = target_category, row.version + 1, timezone.now()
    try:
        with transaction.atomic():
            row.save(update_fields=["category", "version", "updated_at"])
    except IntegrityError:
        # Somebody has just added one there with this code: adding one locks nothing.
        raise errors.duplicate(f"The code {row.code} is taken in {target_category.name}.") from None
    after = {"category": {"_id": target_category.id, "name": target_category.name}}
    record_audit(caller, "subcategory.move", "subcategory", row.id, before, after)


def _subcategories(caller: Caller, ids: Sequence[str]) -> list[Subcategory]:
    """Those of the business, in the order given, each once."""
    distinct = list(dict.fromkeys(ids))
    known = Subcategory.objects.select_related("category").filter(business_id=caller.business.id).in_bulk(distinct)
    for place, subcategory_id in enumerate(ids):
        if subcategory_id not in known:
            raise errors.validation_failed(f"subcategory_ids.{place}", "There is no such subcategory.", "unknown")
    return [known[subcategory_id] for subcategory_id in distinct]


def _obstacles(
    caller: Caller, target_category: Category, rows: Sequence[Subcategory]
) -> tuple[dict[str, int], dict[str, str]]:
    """How many transactions of closed periods are filed under each of those that would move; and, for each that cannot move,
    why."""
    moving = [row for row in rows if row.category_id != target_category.id]
    closed = closed_counts(caller, [row.id for row in moving]) if moving else {}
    names, codes = _names_and_codes(target_category)
    obstacles: dict[str, str] = {}
    for row in moving:
        if target_category.status != CategoryStatus.ACTIVE:
            obstacles[row.id] = f"The category {target_category.name} is archived: activate it first."
        elif count := closed.get(row.id):
            obstacles[row.id] = (
                f"{row.name} has {count} {'transaction' if count == 1 else 'transactions'} in closed periods, which stay as "
                f"they are: add a subcategory to {target_category.name} for what comes, and archive this one."
            )
        elif row.name.casefold() in names:
            obstacles[row.id] = f"{target_category.name} has a subcategory {row.name}: rename one of them first."
        elif row.code in codes:
            obstacles[row.id] = (
                f"The code {row.code} is taken in {target_category.name} by {codes[row.code]}: change one first."
            )
        names.add(row.name.casefold())
        codes.setdefault(row.code, row.name)
    return closed, obstacles


def _names_and_codes(target_category: Category) -> tuple[set[str], dict[str, str]]:
    children = list(target_category.subcategories.all())
    return {child.name.casefold() for child in children}, {child.code: child.name for child in children}


def _counting(target_category: Category, rows: Iterable[Subcategory]) -> list[CountingShape]:
    """Budgets and policies of the categories that something moves out of or into; nothing moves from a category to itself."""
    left = {row.category_id for row in rows} - {target_category.id}
    listed: list[CountingShape] = []
    for users in registered_users():
        for gains, ids in ((True, [target_category.id] if left else []), (False, sorted(left))):
            counting = users.counting(ids) if ids else None
            if counting is not None:
                by_age = counting.order_by("created_at", "id")
                listed += [{**user(users, row), "kind": users.kind, "gains": gains} for row in by_age]
    return listed
