"""Roles, permissions and mandates on the wire (decisions B.12)."""

from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from typing import Annotated

from ninja import Schema
from pydantic import ConfigDict, Field

from service import inputs
from service.approvals.models import ActionType
from service.employees.schemas import RoleName
from service.pagination import Envelope, PageQuery
from service.permissions.catalogue import NAMES
from service.text import ObjectId

Name = StrEnum("Name", {name: name for name in NAMES})  # type: ignore[misc]  # one member per permission
Names = Annotated[list[Name], Field(max_length=len(NAMES))]
Cap = Annotated[inputs.Number | None, Field(ge=0, max_digits=20)]
Place = Annotated[inputs.Whole, Field(ge=0, le=1000)]


class PermissionOut(Schema):
    """A permission, and the roles that have it in this business."""

    name: str
    title: str
    group: str
    roles: list[str]


class RoleOut(Schema):
    """A role of the business with its permissions; its id is the role itself. `custom`: not what it began with."""

    id: str = Field(alias="_id")
    role: str
    permissions: list[str]
    custom: bool
    version: int


class PermissionList(Schema):
    """All permissions, and the roles with theirs."""

    docs: list[PermissionOut]
    total: int
    groups: list[str]
    roles: list[RoleOut]


class HeldPermission(Schema):
    """A permission of an employee: held or not, and by what (ROLE, GRANT; DENIED where it was taken away)."""

    name: str
    title: str
    held: bool
    source: str | None


class PermissionGroup(Schema):
    """Permissions about one kind of thing."""

    group: str
    permissions: list[HeldPermission]


class EmployeePermissionsOut(Schema):
    """What an employee may, in groups."""

    employee_id: str
    name: str
    role: str
    permissions: list[str]
    groups: list[PermissionGroup]


class RolePermissionsBody(Schema):
    """The permissions a role is to have: all of them."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"permissions": ["EXPENSE_VIEW_OWN"]}]})

    permissions: Names


class EmployeePermissionsBody(Schema):
    """What an employee is given, and what is taken from them."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"add": ["PEOPLE_EDIT"]}]})

    add: Names = []
    remove: Names = []


class RoleBody(Schema):
    """The role an employee is to have."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"role": "REVIEWER"}]})

    role: RoleName


class MandateQuery(PageQuery):
    """Filters of the mandates: action type and currency."""

    action_type: ActionType | None = None
    currency: str | None = Field(None, pattern="^[A-Z]{3}$")


class MandateChange(Schema):
    """How many approvers of a mandate must approve from now on."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"min_approvers": 1}]})

    min_approvers: inputs.Whole = Field(ge=1, le=100)


class SeatBody(Schema):
    """What is to change about an approver; what is not given stays. `max_amount` null: any amount."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"required": True}]})

    required: bool | None = None
    max_amount: Cap = None
    order: Place | None = None
    active: bool | None = None


class NewSeat(Schema):
    """An approver to add to a mandate."""

    model_config = ConfigDict(extra="forbid")

    approver_id: ObjectId
    required: bool = False
    max_amount: Cap = None
    order: Place | None = None
    active: bool = True


class NewSeats(Schema):
    """The approvers to add to a mandate."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"approvers": [{"approver_id": "0192f0c0ffee000012345678"}]}]}
    )

    approvers: list[NewSeat] = Field(min_length=1, max_length=50)


class SeatIds(Schema):
    """The approvers to remove from a mandate, by their ids."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"approver_ids": ["0192f0c0ffee000012345678"]}]}
    )

    approver_ids: list[ObjectId] = Field(min_length=1, max_length=50)


class SeatOut(Schema):
    """The seat of an approver in a mandate."""

    approver_id: str
    name: str
    required: bool
    max_amount: Decimal | None
    max_amount_minor: int | None
    order: int
    active: bool


class MandateOut(Schema):
    """A mandate: how many of whom must approve an action between two amounts."""

    id: str = Field(alias="_id")
    action_type: int
    name: str
    currency: str
    min_amount: Decimal
    min_amount_minor: int
    max_amount: Decimal | None
    max_amount_minor: int | None
    min_approvers: int
    sequential: bool
    code_required: bool
    approvers: list[SeatOut]
    active: bool
    version: int
    createdAt: datetime  # noqa: N815  the published spelling
    updatedAt: datetime  # noqa: N815


class MandatePage(Envelope):
    """A page of the payment mandates."""

    docs: list[MandateOut]
