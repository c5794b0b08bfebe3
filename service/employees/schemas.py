"""Employees on the wire (decisions A.2)."""

from datetime import datetime
from typing import Annotated, Any

from ninja import Schema
from pydantic import BeforeValidator, ConfigDict, Field

from service.businesses.models import Role
from service.employees.models import Employee
from service.pagination import Envelope
from service.text import Code, Email, Phone, Words


def _role(value: object) -> object:
    # v1 spells CARD USER with a space; both are taken.
    return value.replace(" ", "_") if isinstance(value, str) else value


RoleName = Annotated[Role, BeforeValidator(_role)]


class EmployeeTeam(Schema):
    """The team of an employee."""

    id: str = Field(alias="_id")
    name: str
    code: str


class EmployeeOut(Schema):
    """An employee."""

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
    version: int
    createdAt: datetime  # noqa: N815  the published spelling
    updatedAt: datetime  # noqa: N815


class EmployeePage(Envelope):
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


def employee(row: Employee) -> dict[str, Any]:
    """An employee as the interface shows them; the team should be joined."""
    team = row.team
    return {
        "_id": row.id,
        "employee_id": row.id,
        "name": row.name,
        "organization_email": row.email,
        "phone": row.phone,
        "role": row.role,
        "status": row.status,
        "team": {"_id": team.id, "name": team.name, "code": team.code} if team else None,
        "team_id": row.team_id,
        "team_code": team.code if team else "",
        "version": row.version,
        "createdAt": row.created_at,
        "updatedAt": row.updated_at,
    }
