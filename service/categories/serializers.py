"""Categories and subcategories as the interface shows them: dictionaries in the shapes of the schemas."""

from typing import Any

from service.categories.models import Category, Subcategory


def subcategory(row: Subcategory) -> dict[str, Any]:
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


def category(row: Category) -> dict[str, Any]:
    """A category as the interface shows it; its subcategories should be prefetched."""
    return {
        "_id": row.id,
        "name": row.name,
        "code": row.code,
        "group": row.group,
        "type": row.type,
        "status": row.status,
        "subcategories": [subcategory(each) for each in row.subcategories.all()],
        "version": row.version,
        "createdAt": row.created_at,
        "updatedAt": row.updated_at,
    }
