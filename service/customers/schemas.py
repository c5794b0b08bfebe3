"""Customers on the wire (interface.md, customer)."""

from datetime import datetime
from typing import Annotated, Literal, Self

from ninja import Schema
from pydantic import ConfigDict, Field, StringConstraints, model_validator

from service import inputs
from service.customers.models import WALK_IN_NAME
from service.pagination import Envelope, PageQuery
from service.text import Email, Phone, Words

Address = Annotated[inputs.Lines, Field(max_length=300)]
TaxPin = Annotated[inputs.Line, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9 .\-/]{0,39}$")]
Sought = Annotated[inputs.Line, Field(min_length=1, max_length=100)]

FIELDS = {
    "name": "name",
    "email": "email",
    "phone": "phone",
    "address": "address",
    "taxPin": "tax_pin",
    "person": "person",
}


class CustomerOut(Schema):
    """A customer of the business, with how to reach them."""

    id: str = Field(alias="_id")
    type: str
    name: str
    email: str
    phone: str
    address: str
    taxPin: str  # noqa: N815  the published spelling
    person: str
    status: str
    version: int
    createdAt: datetime  # noqa: N815
    updatedAt: datetime  # noqa: N815


class CustomerPage(Envelope):
    """A page of the customers of the business."""

    docs: list[CustomerOut]


class CustomerHits(Schema):
    """What a search found, best hits first."""

    docs: list[CustomerOut]
    total: int


class CustomerQuery(PageQuery):
    """Without `status` only active customers are listed."""

    status: Literal["DELETED", "ALL"] | None = None


class SearchQuery(Schema):
    """What is searched for: one letter or more of each word."""

    q: Sought = Field(description="Words that name, phone or email address begin with; all must match.")


class CustomerFields(Schema):
    """What can be said of a regular customer."""

    email: Email | None = None
    phone: Phone | None = None
    address: Address | None = None
    taxPin: TaxPin | None = None  # noqa: N815
    person: Words | None = None

    def row(self) -> dict[str, str]:
        """What was said, by the names of the columns; null empties a field."""
        return {FIELDS[name]: getattr(self, name) or "" for name in self.model_fields_set if name in FIELDS}


class NewCustomer(CustomerFields):
    """A regular customer, with a name; or a walk-in one, of whom nothing more is said."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [
                {"name": "Mary Otieno", "email": "mary@example.com", "phone": "254700000001"},
                {"type": "walkIn"},
            ]
        },
    )

    type: Literal["regular", "walkIn"] = "regular"
    name: Words | None = None

    @model_validator(mode="after")
    def of_its_type(self) -> Self:
        """Refuses a regular customer without a name, and a walk-in one of whom something is said."""
        if self.type == "regular" and self.name is None:
            raise ValueError("A regular customer has a name.")
        if self.type == "walkIn" and self.model_fields_set - {"type"}:
            raise ValueError(f"A walk-in customer is called {WALK_IN_NAME}: send its type alone.")
        return self


class CustomerChange(CustomerFields):
    """What is to change; what is left out stays, null empties."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"name": "Mary Otieno", "phone": "254700000001"}]}
    )

    name: Words | None = None

    @model_validator(mode="after")
    def name_stays_set(self) -> Self:
        """Refuses to take the name away."""
        if "name" in self.model_fields_set and self.name is None:
            raise ValueError("A regular customer has a name.")
        return self
