"""Customers as the service tells them (interface.md, customer), and the bodies that make and change one."""

from typing import Literal, NotRequired, TypedDict

from dashboard.schemas.base import Id, RequestSchema, ResponseSchema, Text


class Customer(ResponseSchema):
    """A customer: `type` regular or walkIn, `status` ACTIVE or DELETED."""

    id: Id
    type: Text = "regular"
    name: Text = ""
    email: Text = ""
    phone: Text = ""
    address: Text = ""
    taxPin: Text = ""  # noqa: N815  the published spelling
    person: Text = ""
    status: Text = "ACTIVE"


class NewCustomer(RequestSchema):
    """A regular customer by name, or a walk-in one without any details."""

    type: str | None = None
    name: str | None = None
    email: str | None = None
    phone: str | None = None
    address: str | None = None
    taxPin: str | None = None  # noqa: N815
    person: str | None = None


class CustomerChange(RequestSchema):
    """Every field of a regular customer as it shall be; null empties."""

    null_empties = True

    name: str
    email: str | None = None
    phone: str | None = None
    address: str | None = None
    taxPin: str | None = None  # noqa: N815
    person: str | None = None


class CreateCustomerBody(TypedDict):
    """The body of CREATE_CUSTOMER for a regular customer; what is not known is left out."""

    name: str
    phone: NotRequired[str]
    email: NotRequired[str]
    person: NotRequired[str]
    address: NotRequired[str]
    taxPin: NotRequired[str]


class WalkInBody(TypedDict):
    """The body of CREATE_CUSTOMER for somebody of whom nothing is known."""

    type: Literal["walkIn"]


class UpdateCustomerBody(TypedDict):
    """The body of UPDATE_CUSTOMER: every field as it shall be, None for an empty one."""

    name: str
    phone: str | None
    email: str | None
    person: str | None
    address: str | None
    taxPin: str | None
