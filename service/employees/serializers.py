"""Employees and their wallets as the interface shows them: dictionaries in the shapes of the schemas."""

from datetime import datetime
from typing import TypedDict

from service.accounts import serializers as accounts_serializers
from service.accounts.models import Wallet
from service.businesses.models import Employee
from service.ledger.balances import Balance


class TeamRefShape(TypedDict):
    """The team that somebody is in."""

    _id: str
    name: str
    code: str


class EmployeeShape(TypedDict):
    """An employee as the interface shows them."""

    _id: str
    employee_id: str
    name: str
    organization_email: str
    phone: str
    role: str
    status: str
    team: TeamRefShape | None
    team_id: str | None
    team_code: str
    supervisor_id: str | None
    replaces: str | None
    version: int
    createdAt: datetime
    updatedAt: datetime


class EmployeeWalletShape(TypedDict):
    """An employee's wallet in one currency, and what is in it."""

    accno: str
    currency: str
    status: str
    balances: accounts_serializers.BalancesShape


class WalletBalancesShape(TypedDict):
    """An employee with their wallets."""

    _id: str
    employee_id: str
    name: str
    role: str
    status: str
    team_id: str | None
    team_code: str
    wallets: list[EmployeeWalletShape]


def employee(row: Employee) -> EmployeeShape:
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
        "supervisor_id": row.supervisor_id,
        "replaces": row.replaces_id,
        "version": row.version,
        "createdAt": row.created_at,
        "updatedAt": row.updated_at,
    }


def wallet(row: Wallet) -> EmployeeWalletShape:
    """A wallet of an employee; the ledger account and its balance should be joined."""
    hot = row.ledger_account.balance
    return {
        "accno": row.accno,
        "currency": row.currency,
        "status": row.status,
        "balances": accounts_serializers.balances(Balance(hot.posted, hot.pending_in, hot.pending_out), row.currency),
    }


def wallet_balances(row: Employee, wallets: list[Wallet]) -> WalletBalancesShape:
    """An employee with their wallets."""
    shape = employee(row)
    return {
        "_id": shape["_id"],
        "employee_id": shape["employee_id"],
        "name": shape["name"],
        "role": shape["role"],
        "status": shape["status"],
        "team_id": shape["team_id"],
        "team_code": shape["team_code"],
        "wallets": [wallet(employee_wallet) for employee_wallet in wallets],
    }
