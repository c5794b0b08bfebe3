"""Categories on the wire (decisions B.20)."""

from datetime import datetime
from typing import Any

from ninja import Schema
from pydantic import ConfigDict, Field

from service.categories.models import Category, Subcategory
from service.pagination import Envelope
from service.text import Code, Words


class CategoryRefOut(Schema):
    """The parent of a subcategory."""

    id: str = Field(alias="_id")
    name: str


class SubcategoryOut(Schema):
    """A subcategory with its parent."""

    id: str = Field(alias="_id")
    name: str
    code: str
    status: str
    category: CategoryRefOut
    version: int
    createdAt: datetime  # noqa: N815  the published spelling
    updatedAt: datetime  # noqa: N815


class CategoryOut(Schema):
    """A category with its subcategories."""

    id: str = Field(alias="_id")
    name: str
    code: str
    group: str
    type: str
    status: str
    subcategories: list[SubcategoryOut]
    version: int
    createdAt: datetime  # noqa: N815
    updatedAt: datetime  # noqa: N815


class CategoryPage(Envelope):
    docs: list[CategoryOut]


class SubcategoryPage(Envelope):
    docs: list[SubcategoryOut]


class NewSubcategory(Schema):
    """A subcategory to make. The code is made from the name where it is missing."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"name": "Fuel", "code": "FUEL"}]})

    name: Words
    code: Code | None = None


class NewCategory(NewSubcategory):
    """A category to make."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"name": "Travel", "code": "TRAVEL", "group": "Operations"}]}
    )

    group: str = Field("", max_length=60)
    type: str = Field("EXPENSE", max_length=40)


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
