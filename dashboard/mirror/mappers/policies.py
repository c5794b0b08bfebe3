"""Wallet policies, the permissions they can give and what roles give by themselves, as rows of the copy."""

from __future__ import annotations

import json
from datetime import datetime
from typing import NamedTuple

from dashboard.access.subject import Subject, people
from dashboard.mirror.mappers.mapper import ItemKind, Mapper, Payload, moment
from dashboard.mirror.models import WalletPermission, WalletPolicy, WalletRole
from dashboard.mirror.scopes import visible_policies


class WalletPolicyColumns(NamedTuple):
    """The columns of the table of WalletPolicy that its answers fill, beside what every copy has."""

    wallet_id: str
    employee_id: str
    employee_name: str
    permissions: str
    valid_from: datetime | None
    expires_at: datetime | None
    status: str


def wallet_policy(payload: Payload, locale: str) -> WalletPolicyColumns:
    """The columns of a wallet policy: whose, on what, which permissions, from when until when (B.11)."""
    return WalletPolicyColumns(
        wallet_id=str(payload.get("wallet_id") or ""),
        employee_id=str(payload.get("employee_id") or ""),
        employee_name=str(payload.get("employee_name") or ""),
        permissions=json.dumps([str(name) for name in payload.get("permissions") or []]),
        valid_from=moment(payload.get("valid_from")),
        expires_at=moment(payload.get("expires_at")),
        status=str(payload.get("status") or ""),
    )


def policy_subject(policy: WalletPolicy) -> Subject:
    """What a rule and the audit must know of a wallet policy."""
    return Subject(
        business_id=policy.business_id,
        kind="wallet_policy",
        id=policy.remote_id,
        title=policy.employee_name or policy.employee_id,
        holder_id=policy.employee_id,
        about=people(policy.employee_id) or None,
    )


WALLET_POLICY = Mapper(
    "wallet_policy",
    WalletPolicy,
    WalletPolicyColumns,
    wallet_policy,
    subject=policy_subject,
    item_kind=ItemKind("Wallet policy", visible_policies, "wallet-policies_item"),
)


class WalletPermissionColumns(NamedTuple):
    """The columns of the table of WalletPermission that its answers fill, beside what every copy has."""

    title: str
    moves_money: bool
    place: int


def wallet_permission(payload: Payload, locale: str) -> WalletPermissionColumns:
    """The columns of a permission: its words, whether it moves money, its place in the list."""
    place = payload.get("place")
    return WalletPermissionColumns(
        title=str(payload.get("title") or payload.get("_id") or "")[:200],
        moves_money=bool(payload.get("moves_money")),
        place=place if isinstance(place, int) else 0,
    )


WALLET_PERMISSION = Mapper("wallet_permission", WalletPermission, WalletPermissionColumns, wallet_permission)


class WalletRoleColumns(NamedTuple):
    """The columns of the table of WalletRole that its answers fill, beside what every copy has."""

    permissions: str


def wallet_role(payload: Payload, locale: str) -> WalletRoleColumns:
    """The one column of a role: the permissions it gives."""
    return WalletRoleColumns(
        permissions=json.dumps([str(name) for name in payload.get("permissions") or []]),
    )


WALLET_ROLE = Mapper("wallet_role", WalletRole, WalletRoleColumns, wallet_role)
