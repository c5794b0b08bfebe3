"""What can be done with categories: find them, add to them."""

from django.db import IntegrityError, transaction
from django.db.models import Prefetch, QuerySet

from service import errors
from service.auth import Caller
from service.categories import schemas
from service.categories.models import Category, Subcategory
from service.categories.schemas import NewCategory, NewSubcategory
from service.events.audit import note
from service.events.outbox import record
from service.text import code_from


def categories(caller: Caller) -> QuerySet[Category]:
    """Those of the caller's business, with their subcategories."""
    children = Subcategory.objects.select_related("category").order_by("name", "id")
    return Category.objects.filter(business_id=caller.business.id).prefetch_related(
        Prefetch("subcategories", queryset=children)
    )


def category(caller: Caller, category_id: str) -> Category:
    """One category; 404 when the business has none such."""
    found = categories(caller).filter(id=category_id).first()
    if found is None:
        raise errors.not_found("category")
    return found


def subcategories(caller: Caller, category_id: str) -> QuerySet[Subcategory]:
    """Those of one category; 404 when the business has no such category."""
    if not Category.objects.filter(business_id=caller.business.id, id=category_id).exists():
        raise errors.not_found("category")
    return Subcategory.objects.select_related("category").filter(category_id=category_id)


def subcategory(caller: Caller, category_id: str, subcategory_id: str) -> Subcategory:
    """One subcategory of that category; 404 otherwise."""
    found = subcategories(caller, category_id).filter(id=subcategory_id).first()
    if found is None:
        raise errors.not_found("subcategory")
    return found


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
    shown = schemas.category(row)
    record(caller.business, "category.created", shown, actor=caller)
    note(caller, "category.create", "category", row.id, after=shown)
    return row


def create_subcategory(caller: Caller, category_id: str, new: NewSubcategory) -> Subcategory:
    """A new subcategory; 404 without its category, 409 duplicate when the code is taken in it."""
    parent = category(caller, category_id)
    row = Subcategory(business=caller.business, category=parent, name=new.name, code=new.code or code_from(new.name))
    _insert(row)
    shown = schemas.subcategory(row)
    record(caller.business, "category.updated", schemas.category(category(caller, category_id)), actor=caller)
    note(caller, "subcategory.create", "subcategory", row.id, after=shown)
    return row


def _insert(row: Category | Subcategory) -> None:
    try:
        with transaction.atomic():
            row.save(force_insert=True)
    except IntegrityError:
        raise errors.duplicate(f"The code {row.code} is taken.") from None
