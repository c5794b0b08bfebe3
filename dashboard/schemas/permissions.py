"""Roles and their permissions as the service tells them (decisions B.12), and the bodies that change them and the mandates."""

from decimal import Decimal
from typing import NotRequired, TypedDict, final

from pydantic import Field

from dashboard.schemas.base import Amount, Id, RequestSchema, ResponseSchema, Text


class Permission(ResponseSchema):
    """A permission, in its group."""

    name: Text
    title: Text = ""
    group: Text = ""


class RoleRights(ResponseSchema):
    """A role with what it may; `custom` where that is not what it began with."""

    id: Id
    role: Text
    permissions: list[str] = []
    custom: bool = False
    version: int | None = None


class Overview(ResponseSchema):
    """All permissions, and the roles with theirs."""

    docs: list[Permission]
    roles: list[RoleRights]

    def role(self, role_id: str) -> RoleRights | None:
        """The role of this id with its permissions; None where there is none."""
        return next((role for role in self.roles if role.id == role_id), None)


class HeldPermission(ResponseSchema):
    """A permission of somebody: held or not, by ROLE or GRANT, or DENIED although the role has it."""

    name: Text
    title: Text = ""
    held: bool = False
    source: Text = ""


class PermissionGroup(ResponseSchema):
    """The permissions of one group."""

    group: Text
    permissions: list[HeldPermission] = []


class EmployeeRights(ResponseSchema):
    """The permissions of an employee, in groups."""

    employee_id: Text
    name: Text = ""
    role: Text
    permissions: list[str] = []
    groups: list[PermissionGroup] = []

    def by(self, source: str) -> frozenset[str]:
        """The permissions that are there, or not there, because of this: ROLE, GRANT, DENIED."""
        return frozenset(
            permission.name for group in self.groups for permission in group.permissions if permission.source == source
        )


class RoleBody(RequestSchema):
    """The role that somebody is to have."""

    role: str


class EmployeePermissionsBody(RequestSchema):
    """What somebody is given beyond the role, and what is taken from them."""

    add: list[str] = []
    remove: list[str] = []


class RolePermissionsBody(RequestSchema):
    """What a role is to have: all of it."""

    permissions: list[str]


class MandateChange(RequestSchema):
    """The body that changes a mandate: how many of its approvers must approve."""

    min_approvers: int = Field(ge=1, le=100)


class SeatBody(RequestSchema):
    """What is to change of an approver: what is not given stays, an amount of null is any amount."""

    null_empties = True

    required: bool | None = None
    max_amount: Amount | None = None
    order: int | None = None
    active: bool | None = None


class NewSeat(RequestSchema):
    """An approver to add to a mandate, and up to how much they may approve; None for any amount."""

    approver_id: str
    required: bool = False
    max_amount: Amount | None = None


class NewSeats(RequestSchema):
    """The body that adds approvers to a mandate."""

    approvers: list[NewSeat]


class SeatIds(RequestSchema):
    """The body that removes approvers from a mandate, by their ids."""

    approver_ids: list[str]


@final
class MinimumBody(TypedDict):
    """The body of UPDATE_MANDATE: how many must approve."""

    min_approvers: int


@final
class SeatIdsBody(TypedDict):
    """The body of REMOVE_MANDATE_APPROVERS: the ids of the approvers who go."""

    approver_ids: list[str]


class RoleChangeBody(TypedDict):
    """The body of CHANGE_ROLE: the role that somebody is to have."""

    role: str


class PermissionChangesBody(TypedDict):
    """The body of UPDATE_EMPLOYEE_PERMISSIONS: the names of what somebody is given beyond the role, and of what is taken."""

    add: list[str]
    remove: list[str]


class RolePermissionNames(TypedDict):
    """The body of UPDATE_ROLE_PERMISSIONS: the names of all that the role gives then."""

    permissions: list[str]


@final
class SeatChanges(TypedDict, total=False):
    """The body of UPDATE_MANDATE_APPROVER: what is left out stays, an amount of None is any amount. What is
    stored has it as text."""

    required: bool
    max_amount: Decimal | str | None
    active: bool
    order: int | None


class NewSeatBody(TypedDict):
    """An approver to add; without an amount, or with None, they may approve any. What is stored has it as text."""

    approver_id: str
    required: bool
    max_amount: NotRequired[Decimal | str | None]


@final
class NewSeatsBody(TypedDict):
    """The body of ADD_MANDATE_APPROVERS."""

    approvers: list[NewSeatBody]


# What changes a mandate, and what changes a person's rights or those of a role.
MandateBody = MinimumBody | SeatChanges | NewSeatsBody | SeatIdsBody
RightsBody = RoleChangeBody | PermissionChangesBody | RolePermissionNames
