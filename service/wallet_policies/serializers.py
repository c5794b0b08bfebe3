"""Wallet policies as the interface shows them: dictionaries in the shapes of the schemas."""

from datetime import datetime
from decimal import Decimal
from typing import TypedDict

from service import money
from service.respond import JsonObject
from service.wallet_policies.models import PolicyAudit, WalletPermission, WalletPolicy


class LimitsShape(TypedDict):
    """The limits in both spellings."""

    per_transaction: Decimal | None
    daily: Decimal | None
    monthly: Decimal | None
    per_transaction_minor: int | None
    daily_minor: int | None
    monthly_minor: int | None


class PolicyShape(TypedDict):
    """A policy as the interface shows it, in the state that is in effect."""

    _id: str
    wallet_id: str
    org_wallet_ref: str
    currency: str
    employee_id: str
    employee_name: str
    permissions: list[str]
    limits: LimitsShape
    valid_from: datetime
    expires_at: datetime | None
    status: str
    granted_by: str
    reason: str
    version: int
    createdAt: datetime
    updatedAt: datetime


class PermissionShape(TypedDict):
    """A permission on wallets that a policy can name; `moves_money` where money leaves by it."""

    name: str
    title: str
    group: str
    moves_money: bool


class PolicyAuditShape(TypedDict):
    """A line of the audit: what a policy was before and after a change; `hash` covers the row and `prev_hash`."""

    id: str
    seq: int
    at: datetime
    actor: str
    acting_employee: str | None
    policy_id: str
    wallet_id: str
    employee_id: str
    action: str
    before: JsonObject | None
    after: JsonObject | None
    request_id: str
    ip: str
    prev_hash: str
    hash: str


def policy(row: WalletPolicy) -> PolicyShape:
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


def audit_row(row: PolicyAudit) -> PolicyAuditShape:
    """A line of the audit of a wallet policy, as the interface lists it."""
    return {
        "id": row.id,
        "seq": row.seq,
        "at": row.at,
        "actor": row.actor,
        "acting_employee": row.acting_employee,
        "policy_id": row.policy_id,
        "wallet_id": row.wallet_id,
        "employee_id": row.employee_id,
        "action": row.action,
        "before": row.before,
        "after": row.after,
        "request_id": row.request_id,
        "ip": row.ip,
        "prev_hash": row.prev_hash,
        "hash": row.hash,
    }


def limits(row: WalletPolicy) -> LimitsShape:
    """The limits in both spellings; the wallet should be joined."""
    currency = row.wallet.currency

    def number(minor: int | None) -> Decimal | None:
        return None if minor is None else money.to_number(minor, currency)

    return {
        "per_transaction": number(row.per_transaction_minor),
        "daily": number(row.daily_minor),
        "monthly": number(row.monthly_minor),
        "per_transaction_minor": row.per_transaction_minor,
        "daily_minor": row.daily_minor,
        "monthly_minor": row.monthly_minor,
    }


def permission(row: WalletPermission) -> PermissionShape:
    """A permission of the seed, with its group."""
    return {"name": row.name, "title": row.title, "group": row.group, "moves_money": row.moves_money}
