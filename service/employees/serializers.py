"""Employees and their wallets as the interface shows them: dictionaries in the shapes of the schemas."""

from typing import Any

from service.accounts import serializers as accounts_serializers
from service.accounts.models import Wallet
from service.businesses.models import Employee
from service.ledger.balances import Balance


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
        "supervisor_id": row.supervisor_id,
        "replaces": row.replaces_id,
        "version": row.version,
        "createdAt": row.created_at,
        "updatedAt": row.updated_at,
    }


def wallet(row: Wallet) -> dict[str, Any]:
    """A wallet of an employee; the ledger account and its balance should be joined."""
    hot = row.ledger_account.balance
    return {
        "accno": row.accno,
        "currency": row.currency,
        "status": row.status,
        "balances": accounts_serializers.balances(Balance(hot.posted, hot.pending_in, hot.pending_out), row.currency),
    }


def wallet_balances(row: Employee, wallets: list[Wallet]) -> dict[str, Any]:
    """An employee with their wallets."""
    shown = employee(row)
    names = ("_id", "employee_id", "name", "role", "status", "team_id", "team_code")
    return {**{name: shown[name] for name in names}, "wallets": [wallet(each) for each in wallets]}
