"""Categories on the wire (decisions B.20)."""

from datetime import datetime
from typing import Annotated, Literal

from ninja import Schema
from pydantic import BeforeValidator, ConfigDict, Field

from service import inputs
from service.pagination import Envelope, PageQuery
from service.text import Code, ObjectId, Words


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
    """A page of the categories, each with its subcategories."""

    docs: list[CategoryOut]


class SubcategoryPage(Envelope):
    """A page of the subcategories, each with its category."""

    docs: list[SubcategoryOut]


class NewSubcategory(Schema):
    """A subcategory to make. The code is made from the name where it is missing."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"name": "Fuel", "code": "FUEL"}]})

    name: Words
    code: Code | None = None


class NewCategory(NewSubcategory):
    """A category to make: its code, name, group and type."""

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
    """What is changed of a category; what is left out stays."""

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
    """How many records of each kind name a subcategory."""

    categories: int
    subcategories: int


class UsesQuery(Schema):
    """Of one subcategory alone, or of the category with all of its subcategories."""

    subcategory_id: ObjectId | None = Field(None, description="One of the category's subcategories, alone.")


class UsersQuery(PageQuery):
    """A page of the records of a kind."""

    subcategory_id: ObjectId | None = Field(None, description="One of the category's subcategories, alone.")


class UseOut(Schema):
    """How many records of a kind name it."""

    kind: str
    count: int


class UsesOut(Schema):
    """What names a category or subcategory, by kind."""

    docs: list[UseOut]


class UserOut(Schema):
    """A record that names a subcategory, with its kind and title."""

    id: str = Field(alias="_id")
    title: str
    createdAt: datetime  # noqa: N815


class UserPage(Envelope):
    """A page of the records that name a subcategory."""

    docs: list[UserOut]


class MoveQuery(Schema):
    """Which subcategories are to move."""

    subcategory_ids: str = Field(
        max_length=2499,
        pattern="^[0-9a-f]{24}(,[0-9a-f]{24})*$",
        description="At most 100 ids, with commas between them.",
    )

    @property
    def ids(self) -> list[str]:
        """The ids of a list that commas part, one by one."""
        return self.subcategory_ids.split(",")


class Move(Schema):
    """Which subcategories move into the category."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"subcategory_ids": ["0192f0c0ffee000012345678"]}]}
    )

    subcategory_ids: list[ObjectId] = Field(min_length=1, max_length=100)


class MovedSubcategoryOut(Schema):
    """A subcategory that is to move, as it stands now."""

    id: str = Field(alias="_id")
    name: str
    code: str
    category: CategoryRefOut
    version: int
    uses: list[UseOut]
    closed_count: int
    obstacle: str


class CountingOut(UserOut):
    """A budget or policy of a category that counts what is filed there."""

    kind: str
    gains: bool


class MovePlanOut(Schema):
    """What a move would do, and what stands in its way."""

    category: CategoryRefOut
    subcategories: list[MovedSubcategoryOut]
    counting: list[CountingOut]


class CategoriesOut(Schema):
    """The categories that were named, with all their subcategories, and how many were made."""

    docs: list[CategoryOut]
    total: int
    created: Counted
