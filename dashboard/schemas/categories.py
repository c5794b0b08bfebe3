"""The chart of accounts: categories and their subcategories."""

from datetime import datetime
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


class CategoryUse(ResponseSchema):
    """How many records of a kind name a category or subcategory."""

    kind: Text = ""
    count: int = 0


class CategoryUser(ResponseSchema):
    """A record that names a subcategory: what kind it is, and how it is called."""

    id: Id
    title: Text = ""
    created_at: datetime | None = Field(None, alias="createdAt")


class CategoryRef(ResponseSchema):
    """A category as another resource names it: its id, and its name."""

    id: Id
    name: Text = ""


class MovedSubcategory(ResponseSchema):
    """A subcategory that is to move, where it stands now; `obstacle` says why it cannot ("" where it can)."""

    id: Id
    name: Text = ""
    code: Text = ""
    category: CategoryRef
    version: int = 0
    uses: list[CategoryUse] = []
    closed_count: int = 0
    obstacle: Text = ""


class CountingRecord(CategoryUser):
    """A budget or policy of a category that gains what moves, or loses it."""

    kind: Text = ""
    gains: bool = False


class CategoryMovePlan(ResponseSchema):
    """What a move of subcategories would do: of each whether it moves, and what counts it from then on or no more."""

    category: CategoryRef
    subcategories: list[MovedSubcategory] = []
    counting: list[CountingRecord] = []


class CategoryMove(RequestSchema):
    """Which subcategories move into a category."""

    subcategory_ids: list[str] = Field(min_length=1)


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


class CategoryFields(TypedDict):
    """The body of an operation on a category or a subcategory: code, group and status where the form has them filled."""

    name: str
    code: NotRequired[str]
    group: NotRequired[str]
    status: NotRequired[str]


class CategoryWithSubcategories(TypedDict):
    """A category in the body of CREATE_CATEGORIES."""

    name: str
    code: NotRequired[str]
    subcategories: list[SubcategoryDetails]


class CategoryMoveBody(TypedDict):
    """The body of MOVE_SUBCATEGORIES."""

    subcategory_ids: list[str]
