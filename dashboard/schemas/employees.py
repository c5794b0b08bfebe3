"""The people of a business as the service knows them, and the money they may spend."""

from decimal import Decimal
from typing import ClassVar, TypedDict

from pydantic import AliasChoices, Field

from dashboard.schemas.accounts import Balances
from dashboard.schemas.base import Currency, RequestSchema, ResponseSchema, Text


class Employee(ResponseSchema):
    """An employee. `status` is ACTIVE or SUSPENDED; the service's role, which need not be ours."""

    id: str = Field(validation_alias=AliasChoices("_id", "employee_id", "id"), min_length=1)
    name: Text = ""
    email: Text = Field("", validation_alias=AliasChoices("organization_email", "email"))
    phone: Text = Field("", validation_alias=AliasChoices("phone", "phone_number"))
    role: Text = ""
    team_code: Text = ""
    status: Text = ""
    supervisor_id: Text = ""


class EmployeeBody(RequestSchema):
    """A new employee: the five fields the interface requires."""

    name: str = Field(min_length=1)
    organization_email: str
    phone_number: str
    role: str
    team_code: str


class ProfileChange(RequestSchema):
    """What is to change of somebody's profile; what is left out stays, and a supervisor of None is none any more."""

    null_empties: ClassVar[bool] = True

    employee_id: str
    name: str | None = None
    organization_email: str | None = None
    phone_number: str | None = None
    supervisor_id: str | None = None


class TeamMove(RequestSchema):
    """The body that moves an employee into another team, both by their ids."""

    employee_id: str
    team_id: str


class ReviewerSeat(RequestSchema):
    """Who reviews which team; `read_only` sees and does not decide."""

    employee_id: str
    team_id: str
    read_only: bool = False


class Handover(RequestSchema):
    """An account that ends, and the new one that takes its place: by its name, address, phone and role.

    `existing` is SUSPEND or DELETE: what becomes of the account that ends.
    """

    employee_id: str
    name: str = Field(min_length=1)
    organization_email: str
    phone_number: str
    role: str
    existing: str


class FundsBody(RequestSchema):
    """Money between a wallet of the business and an employee's: `amount` in units of the wallet's currency."""

    employee_id: str
    amount: Decimal
    currency: str
    org_wallet_ref: str
    note: str | None = None


class FundsTerms(TypedDict):
    """The body of ALLOCATE_FUNDS and REMOVE_FUNDS but for its employee: `amount` in units of the wallet's currency."""

    amount: Decimal
    currency: str
    org_wallet_ref: str
    note: str | None


class EmployeeWallet(ResponseSchema):
    """What an employee has in one currency."""

    currency: Currency
    status: Text = ""
    balances: Balances


class EmployeeBalances(ResponseSchema):
    """What an employee has, currency by currency."""

    id: str = Field(validation_alias=AliasChoices("employee_id", "_id", "id"), min_length=1)
    wallets: list[EmployeeWallet] = []


class FundsMoved(ResponseSchema):
    """What the employee has after money was put on their wallet, or taken off it."""

    ref: Text = ""
    wallet: EmployeeWallet


class NewPersonBody(TypedDict):
    """The body of CREATE_EMPLOYEE."""

    name: str
    organization_email: str
    phone_number: str
    role: str
    team_code: str


class ProfileBody(TypedDict, total=False):
    """The body of UPDATE_PROFILE without its employee: every field that the form has, as it shall be."""

    name: str
    organization_email: str
    phone_number: str
    supervisor_id: str | None


class HandoverBody(TypedDict):
    """The body of TRANSFER_OWNERSHIP without its employee."""

    name: str
    organization_email: str
    phone_number: str
    role: str
    existing: str
