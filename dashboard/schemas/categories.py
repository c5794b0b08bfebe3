"""The chart of accounts: categories and their subcategories."""

from typing import NotRequired, TypedDict

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


class SubcategoryChange(SubcategoryFields):
    """The new fields of a subcategory; nothing more can be filed under what is ARCHIVED."""

    status: str | None = None


class CategoryChange(CategoryBody):
    """The new fields of a category."""

    status: str | None = None


class ManyCategory(RequestSchema):
    """One of many categories, with the subcategories to add to it."""

    name: str = Field(min_length=1)
    code: str | None = None
    subcategories: list[SubcategoryFields] = []


class CategoriesBody(RequestSchema):
    """Many categories at once; names that are there already are left as they are."""

    categories: list[ManyCategory]


class Counted(ResponseSchema):
    """How many of each were made."""

    categories: int = 0
    subcategories: int = 0


class CreatedCategories(ResponseSchema):
    """The categories that were named, with all their subcategories, and how many were made."""

    docs: list[Category] = []
    created: Counted = Counted()


class SubcategoryDetails(TypedDict):
    """A subcategory in the body of CREATE_CATEGORIES."""

    name: str
    code: NotRequired[str]
