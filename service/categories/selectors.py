"""What is read of categories: within the business of the caller, and as far as they may see."""

from django.db.models import Prefetch, QuerySet

from service import errors
from service.auth import Caller
from service.categories.models import Category, CategoryStatus, Subcategory


def categories(caller: Caller) -> QuerySet[Category]:
    """Those of the caller's business, with their subcategories."""
    children = Subcategory.objects.select_related("category").order_by("name", "id")
    return Category.objects.filter(business_id=caller.business.id).prefetch_related(
        Prefetch("subcategories", queryset=children)
    )


def get_category(caller: Caller, category_id: str) -> Category:
    """One category; 404 when the business has none such."""
    category = categories(caller).filter(id=category_id).first()
    if category is None:
        raise errors.not_found("category")
    return category


def subcategories(caller: Caller, category_id: str) -> QuerySet[Subcategory]:
    """Those of one category; 404 when the business has no such category."""
    if not Category.objects.filter(business_id=caller.business.id, id=category_id).exists():
        raise errors.not_found("category")
    return Subcategory.objects.select_related("category").filter(category_id=category_id)


def get_subcategory(caller: Caller, category_id: str, subcategory_id: str) -> Subcategory:
    """One subcategory of that category; 404 otherwise."""
    subcategory = subcategories(caller, category_id).filter(id=subcategory_id).first()
    if subcategory is None:
        raise errors.not_found("subcategory")
    return subcategory


def active_subcategory(caller: Caller, subcategory_id: str) -> Subcategory:
    """A subcategory of the business to file under; 422 naming `subcategory_id` where there is no such active one."""
    rows = Subcategory.objects.select_related("category").filter(business_id=caller.business.id)
    rows = rows.filter(status=CategoryStatus.ACTIVE)
    subcategory = rows.filter(id=subcategory_id).first()
    if subcategory is None:
        raise errors.validation_failed("subcategory_id", "There is no such active subcategory.", "unknown")
    return subcategory
