"""The chart of accounts: categories and their subcategories."""

from pydantic import Field

from dashboard.schemas.base import Id, RequestSchema, ResponseSchema, Text


class Subcategory(ResponseSchema):
    """What an expense is filed under."""

    id: Id
    code: Text = ""
    name: Text = ""
    status: Text = ""


class Category(ResponseSchema):
    """A category with its subcategories."""

    id: Id
    name: Text = ""
    code: Text = ""
    group: Text = ""
    type: Text = ""
    status: Text = ""
    subcategories: list[Subcategory] = []


class CategoryBody(RequestSchema):
    """A new category, or its new fields."""

    name: str = Field(min_length=1)
    code: str | None = None
    group: str | None = None
    type: str | None = None


class SubcategoryFields(RequestSchema):
    """A new subcategory, or its new fields."""

    name: str = Field(min_length=1)
    code: str | None = None
