"""Wallet policies as the interface shows them: dictionaries in the shapes of the schemas."""

from typing import Any

from service import money
from service.wallet_policies.models import PolicyAudit, WalletPermission, WalletPolicy
from service.wallet_policies.schemas import LIMITS, PolicyAuditOut


def policy(row: WalletPolicy) -> dict[str, Any]:
    """A policy as the interface shows it, in the state that is in effect; wallet and employee should be joined."""
    return {
        "_id": row.id,
        "wallet_id": row.wallet_id,
        "org_wallet_ref": row.wallet.org_wallet_ref,
        "currency": row.wallet.currency,
        "employee_id": row.employee_id,
        "employee_name": row.employee.name,
        "permissions": row.permissions,
        "limits": limits(row),
        "valid_from": row.valid_from,
        "expires_at": row.expires_at,
        "status": row.state(),
        "granted_by": row.granted_by,
        "reason": row.reason,
        "version": row.version,
        "createdAt": row.created_at,
        "updatedAt": row.updated_at,
    }


def audit_row(row: PolicyAudit) -> dict[str, Any]:
    """A line of the audit."""
    return {name: getattr(row, name) for name in PolicyAuditOut.model_fields}


def limits(row: WalletPolicy) -> dict[str, Any]:
    """The limits in both spellings; the wallet should be joined."""
    minor = {name: getattr(row, f"{name}_minor") for name in LIMITS}
    numbers = {n: None if v is None else money.to_number(v, row.wallet.currency) for n, v in minor.items()}
    return {**numbers, **{f"{name}_minor": value for name, value in minor.items()}}


def permission(row: WalletPermission) -> dict[str, Any]:
    """A permission of the seed."""
    return {"name": row.name, "title": row.title, "group": row.group, "moves_money": row.moves_money}
