"""Categories and subcategories as the interface shows them: dictionaries in the shapes of the schemas."""

from datetime import datetime
from typing import TypedDict

from service.categories.models import Category, Subcategory


class CategoryRefShape(TypedDict):
    """The category that a subcategory is of."""

    _id: str
    name: str


class SubcategoryShape(TypedDict):
    """A subcategory as the interface shows it."""

    _id: str
    name: str
    code: str
    status: str
    category: CategoryRefShape
    version: int
    createdAt: datetime
    updatedAt: datetime


class CategoryShape(TypedDict):
    """A category as the interface shows it."""

    _id: str
    name: str
    code: str
    group: str
    type: str
    status: str
    subcategories: list[SubcategoryShape]
    version: int
    createdAt: datetime
    updatedAt: datetime


def subcategory(row: Subcategory) -> SubcategoryShape:
    """A subcategory as the interface shows it."""
    return {
        "_id": row.id,
        "name": row.name,
        "code": row.code,
        "status": row.status,
        "category": {"_id": row.category_id, "name": row.category.name},
        "version": row.version,
        "createdAt": row.created_at,
        "updatedAt": row.updated_at,
    }


def category(row: Category) -> CategoryShape:
    """A category as the interface shows it; its subcategories should be prefetched."""
    return {
        "_id": row.id,
        "name": row.name,
        "code": row.code,
        "group": row.group,
        "type": row.type,
        "status": row.status,
        "subcategories": [subcategory(child) for child in row.subcategories.all()],
        "version": row.version,
        "createdAt": row.created_at,
        "updatedAt": row.updated_at,
    }
