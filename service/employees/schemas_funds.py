"""Money of employees on the wire: numbers in the currency's units, and the same in minor units."""

from decimal import Decimal
from typing import Annotated

from ninja import Schema
from pydantic import ConfigDict, Field, StringConstraints

from service import inputs
from service.accounts import schemas as accounts
from service.pagination import Envelope
from service.text import CurrencyCode, ObjectId, Words

FundsWalletRef = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_\-]{1,40}$"), Field(examples=["1"])]


class EmployeeWallet(Schema):
    """The wallet of an employee in one currency."""

    accno: str
    currency: str
    status: str
    balances: accounts.Balances


class EmployeeBalances(Schema):
    """An employee with all their wallets."""

    id: str = Field(alias="_id")
    employee_id: str
    name: str
    role: str
    status: str
    team_id: str | None
    team_code: str
    wallets: list[EmployeeWallet]


class BalancesPage(Envelope):
    """A page of the employees, each with all their wallets."""

    docs: list[EmployeeBalances]


class Funds(Schema):
    """Money to put on an employee's wallet, or to take off it; the wallet of the business is on the other side."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"examples": [{"employee_id": "0192f0c0ffee000012345678", "amount": 1500.5}]},
    )

    employee_id: ObjectId
    amount: inputs.Number = Field(gt=0, examples=[1500.5])
    currency: CurrencyCode | None = Field(None, description="Checked against the wallet's where it is given.")
    org_wallet_ref: FundsWalletRef = "1"
    note: Words | None = None


class FundsOut(Schema):
    """What was moved, and what the employee's wallet has after it."""

    ref: str
    employee_id: str
    org_wallet_ref: str
    amount: Decimal
    amount_minor: int
    currency: str
    note: str
    wallet: EmployeeWallet
    ledger_transaction_id: int
