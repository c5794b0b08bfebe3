"""The chart of accounts: making, changing, moving, archiving and deleting categories and subcategories, one or many.

Raises what `run` raises; what the service refuses stands on the form. The copy, which holds subcategories alone, follows
at once. Interface: Categories.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django import forms
from django.utils import timezone

from dashboard import operations, operations_extra
from dashboard.access.actor import Actor
from dashboard.access.operation import Operation
from dashboard.access.subject import Subject
from dashboard.commands.run import CommandResult, Key, run, write_through
from dashboard.errors import FAILED, NotFound
from dashboard.mirror.apply import tombstone
from dashboard.schemas.categories import (
    Category,
    CategoryFields,
    CategoryMoveBody,
    CategoryWithSubcategories,
    CreatedCategories,
    Subcategory,
    SubcategoryDetails,
)

KIND = "category"
REFUSALS = (*FAILED, NotFound)


def create(actor: Actor, body: CategoryFields, *, key: Key, form: forms.BaseForm | None = None) -> CommandResult:
    """Adds a category; `body` is a CategoryBody. Answers with it."""
    return run(actor, operations.CREATE_CATEGORY, None, body, key=key, form=form, refusals=REFUSALS)


def update(
    actor: Actor, category: Category, body: CategoryFields, *, key: Key, form: forms.BaseForm | None = None
) -> CommandResult:
    """Renames a category, gives it another code or group, or archives it; `body` is a CategoryChange."""
    result = _change(actor, operations.UPDATE_CATEGORY, category, body, {"id": category.id}, key, form)
    _copy(actor, [result.data])
    return result


def delete(actor: Actor, category: Category, *, key: Key) -> CommandResult:
    """Deletes a category with its subcategories; Conflict where anything was filed under one of them."""
    result = _change(actor, operations.DELETE_CATEGORY, category, None, {"id": category.id}, key)
    tombstone(KIND, actor.business, [row.id for row in category.subcategories], timezone.now(), None)
    return result


def create_subcategory(
    actor: Actor, category: Category, body: SubcategoryDetails, *, key: Key, form: forms.BaseForm | None = None
) -> CommandResult:
    """Adds a subcategory; `body` is a SubcategoryDetails. Answers with it."""
    path = {"categoryId": category.id}
    result = _change(actor, operations.CREATE_SUBCATEGORY, category, body, path, key, form)
    write_through(actor, KIND, result.data)
    return result


def update_subcategory(
    actor: Actor, category: Category, row: Subcategory, body: SubcategoryDetails, *, key: Key,
    form: forms.BaseForm | None = None,
) -> CommandResult:  # fmt: skip
    """Renames a subcategory, gives it another code, or archives it; `body` is a SubcategoryChange."""
    result = _change(actor, operations.UPDATE_SUBCATEGORY, row, body, _path(category, row), key, form)
    write_through(actor, KIND, result.data)
    return result


def delete_subcategory(actor: Actor, category: Category, row: Subcategory, *, key: Key) -> CommandResult:
    """Deletes a subcategory; Conflict where anything was filed under it."""
    result = _change(actor, operations.DELETE_SUBCATEGORY, row, None, _path(category, row), key)
    tombstone(KIND, actor.business, [row.id], timezone.now(), None)
    return result


def move(
    actor: Actor, target_category: Category, subcategory_ids: Sequence[str], title: str, *, key: Key,
    form: forms.BaseForm | None = None,
) -> CommandResult:  # fmt: skip
    """Moves subcategories into a category, all or none; `title` names them and it in the audit. Answers with the category.
    Conflict where one cannot move: the category is archived, its name or code is taken there, or something of a closed
    period is filed under it."""
    subject = Subject(business_id=actor.business.pk, kind=KIND, id=target_category.id, title=title)
    body: CategoryMoveBody = {"subcategory_ids": list(subcategory_ids)}
    return carry_out_move(actor, subject, body, path={"categoryId": target_category.id}, key=key, form=form)


def carry_out_move(
    actor: Actor, subject: object, body: CategoryMoveBody, *, path: Mapping[str, str], key: Key,
    form: forms.BaseForm | None = None,
) -> CommandResult:  # fmt: skip
    """Sends a move as it was proposed: `subject` is what the gate judges."""
    operation = operations_extra.MOVE_SUBCATEGORIES
    result = run(actor, operation, subject, body, key=key, path=path, form=form, refusals=REFUSALS)
    _copy(actor, [result.data])
    return result


def create_many(
    actor: Actor, rows: Sequence[CategoryWithSubcategories], *, key: Key, form: forms.BaseForm | None = None
) -> CreatedCategories:
    """Adds what is not there yet of many categories with their subcategories."""
    body = {"categories": list(rows)}
    result = run(actor, operations.CREATE_CATEGORIES, None, body, key=key, form=form, refusals=REFUSALS)
    _copy(actor, result.data.get("docs") or [])
    return CreatedCategories.model_validate(result.data)


def _change(
    actor: Actor, operation: Operation, row: Category | Subcategory, body: Mapping[str, Any] | None,
    path: Mapping[str, str], key: Key, form: forms.BaseForm | None = None,
) -> CommandResult:  # fmt: skip
    subject = Subject(business_id=actor.business.pk, kind=KIND, id=row.id, title=row.name)
    return run(actor, operation, subject, body, key=key, path=path, form=form, refusals=REFUSALS)


def _path(category: Category, row: Subcategory) -> dict[str, str]:
    return {"categoryId": category.id, "subcategoryId": row.id}


def _copy(actor: Actor, categories: Iterable[Mapping[str, Any]]) -> None:
    """Writes the subcategories of answers into the copy, each with its parent."""
    for parent in categories:
        for row in parent.get("subcategories") or []:
            write_through(actor, KIND, {**row, "category": {"_id": parent.get("_id"), "name": parent.get("name")}})
