"""The people of a business as the service knows them."""

from pydantic import AliasChoices, Field

from dashboard.schemas.base import RequestSchema, ResponseSchema, Text


class Employee(ResponseSchema):
    """An employee. `status` is ACTIVE or SUSPENDED; the service's role, which need not be ours."""

    id: str = Field(validation_alias=AliasChoices("_id", "employee_id", "id"), min_length=1)
    name: Text = ""
    email: Text = Field("", validation_alias=AliasChoices("organization_email", "email"))
    phone: Text = Field("", validation_alias=AliasChoices("phone", "phone_number"))
    role: Text = ""
    team_code: Text = ""
    status: Text = ""


class EmployeeBody(RequestSchema):
    """A new employee: the five fields the interface requires."""

    name: str = Field(min_length=1)
    organization_email: str
    phone_number: str
    role: str
    team_code: str
