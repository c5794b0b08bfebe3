"""Categories on the wire (decisions B.20)."""

from datetime import datetime
from typing import Annotated, Literal

from ninja import Schema
from pydantic import BeforeValidator, ConfigDict, Field

from service import inputs
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

    group: inputs.Line = Field("", max_length=60)
    type: inputs.Line = Field("EXPENSE", max_length=40)


class SubcategoryChange(Schema):
    """What is to change; what is left out stays. Nothing more can be filed under what is ARCHIVED."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"name": "Travel", "code": "TRAVEL", "status": "ARCHIVED"}]}
    )

    name: Words | None = None
    code: Code | None = None
    status: Literal["ACTIVE", "ARCHIVED"] | None = None


class CategoryChange(SubcategoryChange):
    """The same of a category."""

    group: inputs.Line | None = Field(None, max_length=60)
    type: inputs.Line | None = Field(None, max_length=40)


def _named(value: object) -> object:
    return {"name": value} if isinstance(value, str) else value


NamedSubcategory = Annotated[NewSubcategory, BeforeValidator(_named, json_schema_input_type=Words | NewSubcategory)]


class ManyCategory(NewCategory):
    """One of many categories, with subcategories of its own: each a name, or a name with a code."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"name": "Travel", "subcategories": ["Fuel", "Taxi"]}]}
    )

    subcategories: list[NamedSubcategory] = Field([], max_length=500)


class ManySubcategory(NewSubcategory):
    """One of many subcategories, naming its parent: one of the same call, or one that exists."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"name": "Hotel", "category": "Travel"}]})

    category: Words


class NewCategories(Schema):
    """Many of both. Names that exist already are left as they are."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [
                {
                    "categories": [{"name": "Travel", "subcategories": ["Fuel", "Taxi"]}],
                    "subcategories": [{"name": "Hotel", "category": "Travel"}],
                }
            ]
        },
    )

    categories: list[ManyCategory] = Field([], max_length=500)
    subcategories: list[ManySubcategory] = Field([], max_length=1000)


class Counted(Schema):
    """How many of each."""

    categories: int
    subcategories: int


class CategoriesOut(Schema):
    """The categories that were named, with all their subcategories, and how many were made."""

    docs: list[CategoryOut]
    total: int
    created: Counted
