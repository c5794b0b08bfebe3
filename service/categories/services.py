"""What can be done with categories: add to them, change, archive and delete them. Many at once: bulk.py."""

from typing import Any, TypeVar

from django.apps import apps
from django.db import IntegrityError, transaction
from django.db.models import ForeignObjectRel, QuerySet
from django.utils import timezone

from service import errors
from service.auth import Caller
from service.categories import serializers
from service.categories.models import Category, Status, Subcategory
from service.categories.schemas import CategoryChange, NewCategory, NewSubcategory, SubcategoryChange
from service.categories.selectors import categories, get_category, subcategories
from service.events.audit import note
from service.events.outbox import record
from service.respond import JsonObject
from service.text import code_from

# The name of a field that holds a subcategory's id without a foreign key.
BY_ID = "subcategory_id"
Row = TypeVar("Row", Category, Subcategory)


def create(caller: Caller, new: NewCategory) -> Category:
    """A new category; 409 duplicate when the code is taken."""
    row = Category(
        business=caller.business,
        name=new.name,
        code=new.code or code_from(new.name),
        group=new.group,
        type=new.type,
    )
    _insert(row)
    payload: JsonObject = serializers.category(row)
    record(caller.business, "category.created", payload, actor=caller)
    note(caller, "category.create", "category", row.id, after=payload)
    return row


def create_subcategory(caller: Caller, category_id: str, new: NewSubcategory) -> Subcategory:
    """A new subcategory; 404 without its category, 409 when that is archived, or duplicate when the code is taken."""
    parent = get_category(caller, category_id)
    if parent.status != Status.ACTIVE:
        raise errors.invalid_state("The category is archived: nothing is filed under it any more.")
    row = Subcategory(business=caller.business, category=parent, name=new.name, code=new.code or code_from(new.name))
    _insert(row)
    payload = serializers.subcategory(row)
    record(caller.business, "category.updated", serializers.category(get_category(caller, category_id)), actor=caller)
    note(caller, "subcategory.create", "subcategory", row.id, after=payload)
    return row


def update(caller: Caller, category_id: str, changes: CategoryChange) -> Category:
    """Changes name, code, group, type or status; archiving a category archives its subcategories too.

    404, 409 duplicate when the code is taken.
    """
    with transaction.atomic():
        row = _locked(categories(caller), category_id, "category")
        before = _change(row, changes.model_dump(exclude_none=True))
        if before.get("status") and row.status == Status.ARCHIVED:
            for child in row.subcategories.filter(status=Status.ACTIVE).select_for_update(no_key=True).order_by("id"):
                _change(child, {"status": Status.ARCHIVED})
        row = get_category(caller, category_id)
        if before:
            _record_change(caller, row, "category.updated", "category.update", before)
    return row


def update_subcategory(
    caller: Caller, category_id: str, subcategory_id: str, changes: SubcategoryChange
) -> Subcategory:
    """Changes name, code or status; 404, 409 duplicate when the code is taken, 409 to activate it in an archived
    category."""
    with transaction.atomic():
        parent = _locked(categories(caller), category_id, "category")
        row = _locked(subcategories(caller, category_id), subcategory_id, "subcategory")
        if changes.status == Status.ACTIVE and parent.status != Status.ACTIVE:
            raise errors.invalid_state("The category is archived: activate it first.")
        before = _change(row, changes.model_dump(exclude_none=True))
        if before:
            _record_subcategory_change(caller, category_id, row, "subcategory.update", before)
    return row


def delete(caller: Caller, category_id: str) -> Category:
    """Deletes a category with its subcategories; 404, 409 in_use where anything was filed under one: archive it then."""
    with transaction.atomic():
        row = _locked(categories(caller), category_id, "category")
        payload: JsonObject = serializers.category(row)
        _check_unused(row)
        for child in row.subcategories.all():
            _check_unused(child)
        Category.objects.filter(pk=row.pk).delete()
        record(caller.business, "category.deleted", payload, actor=caller)
        note(caller, "category.delete", "category", row.id, before=payload)
    return row


def delete_subcategory(caller: Caller, category_id: str, subcategory_id: str) -> Subcategory:
    """Deletes a subcategory; 404, 409 in_use where anything was filed under it: archive it then."""
    with transaction.atomic():
        _locked(categories(caller), category_id, "category")
        row = _locked(subcategories(caller, category_id), subcategory_id, "subcategory")
        _check_unused(row)
        Subcategory.objects.filter(pk=row.pk).delete()
        _record_subcategory_change(caller, category_id, row, "subcategory.delete", {"status": row.status})
    return row


def _check_unused(row: Category | Subcategory) -> None:
    """409 in_use where any other area points at it, whatever would become of the pointer: by a foreign key, or by its id
    alone, as what is to be paid does. A payment that is booked under what is gone could not be booked."""
    for relation in row._meta.get_fields(include_hidden=True):
        if not isinstance(relation, ForeignObjectRel) or relation.related_model in (Category, Subcategory):
            continue
        _refuse_use(row, relation.related_model, relation.field.name, row)
    if isinstance(row, Subcategory):
        for model in apps.get_models():
            if any(field.name == BY_ID for field in model._meta.concrete_fields):
                _refuse_use(row, model, BY_ID, row.pk)


def _refuse_use(row: Category | Subcategory, model: Any, field: str, value: object) -> None:
    if model._base_manager.filter(**{field: value}).exists():
        what = model._meta.verbose_name_plural
        raise errors.conflict(
            "in_use", f"{row.name} is in use by {what}: archive it (status ARCHIVED) instead of deleting it."
        )


def _locked(rows: QuerySet[Row], row_id: str, what: str) -> Row:
    row = rows.select_for_update(no_key=True, of=("self",)).filter(id=row_id).first()
    if row is None:
        raise errors.not_found(what)
    return row


def _change(row: Category | Subcategory, changes: JsonObject) -> dict[str, Any]:
    """Makes and saves the changes; what the fields were that are other now."""
    before = {name: getattr(row, name) for name, value in changes.items() if getattr(row, name) != value}
    if not before:
        return {}
    for name in before:
        setattr(row, name, changes[name])
    row.version += 1
    row.updated_at = timezone.now()
    try:
        with transaction.atomic():
            row.save(update_fields=[*before, "version", "updated_at"])
    except IntegrityError:
        raise errors.duplicate(f"The code {row.code} is taken.") from None
    return before


def _record_change(caller: Caller, row: Category, kind: str, action: str, before: JsonObject) -> None:
    payload: JsonObject = serializers.category(row)
    record(caller.business, kind, payload, previous=before, actor=caller)
    note(caller, action, "category", row.id, before, {name: payload[name] for name in before})


def _record_subcategory_change(
    caller: Caller, category_id: str, row: Subcategory, action: str, before: JsonObject
) -> None:
    """Records category.updated, with its subcategories as they are now."""
    record(caller.business, "category.updated", serializers.category(get_category(caller, category_id)), actor=caller)
    note(caller, action, "subcategory", row.id, before, {name: getattr(row, name) for name in before})


def _insert(row: Category | Subcategory) -> None:
    try:
        with transaction.atomic():
            row.save(force_insert=True)
    except IntegrityError:
        raise errors.duplicate(f"The code {row.code} is taken.") from None
