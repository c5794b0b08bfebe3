"""Employees on the wire (decisions A.2)."""

from datetime import datetime
from typing import Annotated, Literal, Self, TypedDict

from ninja import Schema
from pydantic import BeforeValidator, ConfigDict, Field, model_validator

from service.businesses.models import Role
from service.pagination import Envelope, PageQuery
from service.text import Code, Email, ObjectId, Phone, Words


def _role(value: object) -> object:
    # v1 spells CARD USER with a space; both are taken.
    return value.replace(" ", "_") if isinstance(value, str) else value


RoleName = Annotated[Role, BeforeValidator(_role)]


class EmployeeTeam(Schema):
    """The team that an employee belongs to."""

    id: str = Field(alias="_id")
    name: str
    code: str


class EmployeeOut(Schema):
    """An employee with role, team and state."""

    id: str = Field(alias="_id")
    employee_id: str
    name: str
    organization_email: str
    phone: str
    role: str
    status: str
    team: EmployeeTeam | None
    team_id: str | None
    team_code: str
    supervisor_id: str | None
    replaces: str | None
    version: int
    createdAt: datetime  # noqa: N815  the published spelling
    updatedAt: datetime  # noqa: N815


class EmployeePage(Envelope):
    """A page of the employees that the caller sees."""

    docs: list[EmployeeOut]


class NewEmployee(Schema):
    """An employee to make: the five fields the interface requires."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [
                {
                    "name": "Carla Kamau",
                    "organization_email": "carla@example.com",
                    "phone_number": "254700000001",
                    "role": "CARD_USER",
                    "team_code": "FIELD",
                }
            ]
        },
    )

    name: Words
    organization_email: Email
    phone_number: Phone
    role: RoleName
    team_code: Code


class EmployeeQuery(PageQuery):
    """Filters of the employees: role, team and state."""

    status: Literal["ACTIVE", "SUSPENDED"] | None = None
    role: RoleName | None = None
    team_id: ObjectId | None = None


class EmployeeRef(Schema):
    """The employee that it is done to, by their id."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"employee_id": "0192f0c0ffee000012345678"}]}
    )

    employee_id: ObjectId


class MaybeEmployee(Schema):
    """Who is meant, in a query, where the body may say so as well."""

    employee_id: ObjectId | None = None


class EmployeeAndTeam(EmployeeRef):
    """Who, and which team: by its id or its code, one of the two."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"examples": [{"employee_id": "0192f0c0ffee000012345678", "team_code": "FIELD"}]},
    )

    team_id: ObjectId | None = None
    team_code: Code | None = None

    @model_validator(mode="after")
    def check_single_team(self) -> Self:
        """Refuses a body with no team, or with both a team and a code of one."""
        if (self.team_id is None) == (self.team_code is None):
            raise ValueError("Name the team by team_id or by team_code.")
        return self


class NewReviewer(EmployeeAndTeam):
    """Who reviews the expenses of which team from now on."""

    read_only: bool = False


class ProfileColumns(TypedDict, total=False):
    """The columns of an employee's row that a change of the profile names."""

    name: str
    email: str
    phone: str
    supervisor_id: str | None


class ProfileChange(Schema):
    """What is to change; what is left out stays. Without `employee_id` it is one's own profile.

    `supervisor_id` null means: none any more. E-mail address and supervisor are an admin's to change.
    """

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"name": "Carla Kamau", "phone_number": "254700000001"}]}
    )

    employee_id: ObjectId | None = None
    name: Words | None = None
    organization_email: Email | None = None
    phone_number: Phone | None = None
    supervisor_id: ObjectId | None = None

    def changes(self) -> ProfileColumns:
        """The columns of the row that are to change, with their values."""
        columns: ProfileColumns = {}
        if self.name is not None:
            columns["name"] = self.name
        if self.organization_email is not None:
            columns["email"] = self.organization_email
        if self.phone_number is not None:
            columns["phone"] = self.phone_number
        if "supervisor_id" in self.model_fields_set:
            columns["supervisor_id"] = self.supervisor_id
        return columns


class HandoverBody(Schema):
    """An account to leave and who takes it over. The heir gets the same role unless a lower one is named."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [
                {
                    "employee_id": "0192f0c0ffee000012345678",
                    "name": "Nadia Wekesa",
                    "organization_email": "nadia@example.com",
                    "phone_number": "254711000111",
                    "existing": "SUSPEND",
                }
            ]
        },
    )

    employee_id: ObjectId
    name: Words
    organization_email: Email
    phone_number: Phone
    role: RoleName | None = None
    existing: Literal["SUSPEND", "DELETE"] = Field("SUSPEND", description="What becomes of the account that is left.")


class HandoverOut(EmployeeOut):
    """The heir, and the account that was left."""

    replaced: EmployeeOut
