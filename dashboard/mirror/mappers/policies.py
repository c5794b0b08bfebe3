"""Wallet policies, the permissions they can give and what roles give by themselves, as rows of the copy."""

from __future__ import annotations

import json
from typing import Any

from dashboard.access.subject import Subject, people
from dashboard.mirror.mappers.mapper import ItemKind, Mapper, Payload, moment
from dashboard.mirror.models import WalletPermission, WalletPolicy, WalletRole
from dashboard.mirror.scopes import visible_policies


def wallet_policy(payload: Payload, locale: str) -> tuple[Any, ...]:
    """The columns of a wallet policy: whose, on what, which permissions, from when until when (B.11)."""
    return (
        str(payload.get("wallet_id") or ""),
        str(payload.get("employee_id") or ""),
        str(payload.get("employee_name") or ""),
        json.dumps([str(name) for name in payload.get("permissions") or []]),
        moment(payload.get("valid_from")),
        moment(payload.get("expires_at")),
        str(payload.get("status") or ""),
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
    ("wallet_id", "employee_id", "employee_name", "permissions", "valid_from", "expires_at", "status"),
    wallet_policy,
    subject=policy_subject,
    item_kind=ItemKind("Wallet policy", visible_policies, "wallet-policies_item"),
)


def wallet_permission(payload: Payload, locale: str) -> tuple[Any, ...]:
    """The columns of a permission: its words, whether it moves money, its place in the list."""
    place = payload.get("place")
    return (
        str(payload.get("title") or payload.get("_id") or "")[:200],
        bool(payload.get("moves_money")),
        place if isinstance(place, int) else 0,
    )


WALLET_PERMISSION = Mapper("wallet_permission", WalletPermission, ("title", "moves_money", "place"), wallet_permission)


def wallet_role(payload: Payload, locale: str) -> tuple[Any, ...]:
    """The one column of a role: the permissions it gives."""
    return (json.dumps([str(name) for name in payload.get("permissions") or []]),)


WALLET_ROLE = Mapper("wallet_role", WalletRole, ("permissions",), wallet_role)
