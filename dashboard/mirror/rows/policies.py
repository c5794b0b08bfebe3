"""A wallet policy as a row of the copy."""

from __future__ import annotations

import json
from typing import Any

from dashboard.mirror.models import WalletPolicy
from dashboard.mirror.rows.kind import Kind, Payload, moment


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


WALLET_POLICY = Kind(
    WalletPolicy,
    ("wallet_id", "employee_id", "employee_name", "permissions", "valid_from", "expires_at", "status"),
    wallet_policy,
)
