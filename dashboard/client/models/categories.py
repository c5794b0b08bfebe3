"""The chart of accounts: categories and their subcategories."""

from pydantic import Field

from dashboard.client.models.base import Answered, Id, Sent, Text


class Subcategory(Answered):
    """What an expense is filed under."""

    id: Id
    code: Text = ""
    name: Text = ""
    status: Text = ""


class Category(Answered):
    """A category with its subcategories."""

    id: Id
    name: Text = ""
    code: Text = ""
    group: Text = ""
    type: Text = ""
    status: Text = ""
    subcategories: list[Subcategory] = []


class CategoryBody(Sent):
    """A new category, or its new fields."""

    name: str = Field(min_length=1)
    code: str | None = None
    group: str | None = None
    type: str | None = None


class SubcategoryFields(Sent):
    """A new subcategory, or its new fields."""

    name: str = Field(min_length=1)
    code: str | None = None
