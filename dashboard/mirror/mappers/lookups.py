"""People, teams, categories and wallets as rows of the copy."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from dashboard.mirror.mappers.mapper import Mapper, Payload, nested
from dashboard.mirror.models import Category, Employee, Team, Wallet
from dashboard.money import to_minor


def employee(payload: Payload, locale: str) -> tuple[Any, ...]:
    """The columns of a person (A.2): v1 spells the role with a space."""
    return (
        str(payload.get("name") or ""),
        str(payload.get("organization_email") or payload.get("email") or ""),
        str(payload.get("role") or "").replace(" ", "_"),
        str(payload.get("team_id") or "") or nested(payload, "team", "_id", "id"),
        str(payload.get("status") or ""),
    )


EMPLOYEE = Mapper(Employee, ("name", "email", "role", "team_id", "status"), employee)


def team(payload: Payload, locale: str) -> tuple[Any, ...]:
    """The columns of a team: of its reviewers, who and whether they may only read."""
    reviewers = [
        {"employee_id": str(one.get("employee_id") or ""), "read_only": bool(one.get("read_only"))}
        for one in payload.get("reviewers") or []
        if isinstance(one, Mapping)
    ]
    return (
        str(payload.get("name") or ""),
        str(payload.get("code") or ""),
        str(payload.get("status") or ""),
        json.dumps(reviewers),
    )


TEAM = Mapper(Team, ("name", "code", "status", "reviewers"), team)


def category(payload: Payload, locale: str) -> tuple[Any, ...]:
    """The columns of a subcategory; its parent stands in `category`."""
    return (
        str(payload.get("name") or ""),
        str(payload.get("code") or ""),
        nested(payload, "category", "_id", "id"),
        nested(payload, "category", "name"),
        str(payload.get("status") or ""),
    )


CATEGORY = Mapper(Category, ("name", "code", "category_id", "category_name", "status"), category)


def wallet(payload: Payload, locale: str) -> tuple[Any, ...]:
    """The columns of a wallet, with the balance as it was when it was read (B.10)."""
    currency = str(payload.get("currency") or "")
    found = payload.get("balances")
    balances: Payload = found if isinstance(found, Mapping) else {}

    def minor(name: str) -> int | None:
        exact = balances.get(f"{name}_minor")
        if isinstance(exact, int):
            return exact
        return None if balances.get(name) is None else to_minor(balances[name], currency)

    return (
        str(payload.get("org_wallet_ref") or ""),
        str(payload.get("name") or ""),
        currency,
        str(payload.get("walletType") or ""),
        str(payload.get("status") or ""),
        minor("available"),
        minor("posted"),
    )


WALLET = Mapper(
    Wallet,
    ("org_wallet_ref", "name", "currency", "wallet_type", "status", "available_minor", "posted_minor"),
    wallet,
)
