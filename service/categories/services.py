"""What can be done with categories: add to them, change, archive and delete them. Many at once: bulk.py."""

from collections.abc import Iterator
from typing import Any, TypeVar

from django.apps import apps
from django.db import IntegrityError, transaction
from django.db.models import ForeignKey, ForeignObjectRel, JSONField, Model, Q, QuerySet
from django.utils import timezone

from service import errors
from service.auth import Caller
from service.categories import serializers
from service.categories.models import Category, CategoryStatus, Subcategory
from service.categories.schemas import CategoryChange, NewCategory, NewSubcategory, SubcategoryChange
from service.categories.selectors import categories, get_category, subcategories
from service.categories.uses import counted_text, uses
from service.events.audit import record_audit
from service.events.outbox import record_event
from service.respond import JsonObject
from service.text import code_from

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
    record_event(caller.business, "category.created", payload, actor=caller)
    record_audit(caller, "category.create", "category", row.id, after=payload)
    return row


def create_subcategory(caller: Caller, category_id: str, new: NewSubcategory) -> Subcategory:
    """A new subcategory; 404 without its category, 409 when that is archived, or duplicate when the code is taken."""
    parent = get_category(caller, category_id)
    if parent.status != CategoryStatus.ACTIVE:
        raise errors.invalid_state("The category is archived: nothing more is categorised under it.")
    row = Subcategory(business=caller.business, category=parent, name=new.name, code=new.code or code_from(new.name))
    _insert(row)
    payload = serializers.subcategory(row)
    record_event(
        caller.business, "category.updated", serializers.category(get_category(caller, category_id)), actor=caller
    )
    record_audit(caller, "subcategory.create", "subcategory", row.id, after=payload)
    return row


def update(caller: Caller, category_id: str, changes: CategoryChange) -> Category:
    """Changes name, code, group, type or status; archiving a category archives its subcategories too.

    404, 409 duplicate when the code is taken.
    """
    with transaction.atomic():
        row = _locked(categories(caller), category_id, "category")
        before = _change(row, changes.model_dump(exclude_none=True))
        if before.get("status") and row.status == CategoryStatus.ARCHIVED:
            for child in (
                row.subcategories.filter(status=CategoryStatus.ACTIVE).select_for_update(no_key=True).order_by("id")
            ):
                _change(child, {"status": CategoryStatus.ARCHIVED})
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
        if changes.status == CategoryStatus.ACTIVE and parent.status != CategoryStatus.ACTIVE:
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
        record_event(caller.business, "category.deleted", payload, actor=caller)
        record_audit(caller, "category.delete", "category", row.id, before=payload)
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
    """409 in_use, with how many of what, where any other area points at it, by a key or by its id alone."""
    if counts := counted_text(uses(row)):
        message = f"{row.name} is in use: {counts}. Archive it (status ARCHIVED) instead of deleting it."
        raise errors.conflict("in_use", message)
    for users in (*_keyed_to(row), *(_named_by_id(row) if isinstance(row, Subcategory) else ())):
        if users.exists():
            what = users.model._meta.verbose_name_plural
            raise errors.conflict(
                "in_use", f"{row.name} is in use by {what}: archive it (status ARCHIVED) instead of deleting it."
            )


def _keyed_to(row: Category | Subcategory) -> Iterator[QuerySet[Model]]:
    """The rows of each other area that have a key to it, whatever would become of the key."""
    for relation in row._meta.get_fields(include_hidden=True):
        if not isinstance(relation, ForeignObjectRel) or relation.related_model in (Category, Subcategory):
            continue
        users: Any = relation.related_model
        yield users._base_manager.filter(**{relation.field.name: row})


def _named_by_id(row: Subcategory) -> Iterator[QuerySet[Model]]:
    """The rows of each area that keeps its id as text: bills, their lines, schedules, payouts, exported entries."""
    for users in apps.get_models():
        fields = {field.attname: field for field in users._meta.concrete_fields}
        if "subcategory_id" not in fields or isinstance(fields["subcategory_id"], ForeignKey):
            continue
        naming = Q(subcategory_id=row.id)
        # The lines of a schedule are kept as they were sent.
        if isinstance(fields.get("lines"), JSONField):
            naming |= Q(lines__contains=[{"subcategory_id": row.id}])
        yield users._base_manager.filter(naming)


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
    record_event(caller.business, kind, payload, previous=before, actor=caller)
    record_audit(caller, action, "category", row.id, before, {name: payload[name] for name in before})


def _record_subcategory_change(
    caller: Caller, category_id: str, row: Subcategory, action: str, before: JsonObject
) -> None:
    """Records category.updated, with its subcategories as they are now."""
    record_event(
        caller.business, "category.updated", serializers.category(get_category(caller, category_id)), actor=caller
    )
    record_audit(caller, action, "subcategory", row.id, before, {name: getattr(row, name) for name in before})


def _insert(row: Category | Subcategory) -> None:
    try:
        with transaction.atomic():
            row.save(force_insert=True)
    except IntegrityError:
        raise errors.duplicate(f"The code {row.code} is taken.") from None
