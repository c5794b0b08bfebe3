"""People, teams, categories and wallets as rows of the copy."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from dashboard.access.subject import Subject
from dashboard.mirror.mappers.mapper import ItemKind, Mapper, Payload, nested
from dashboard.mirror.models import Category, Employee, Team, Wallet
from dashboard.mirror.scopes import visible_employees, visible_teams, visible_wallets
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


def employee_subject(row: Employee) -> Subject:
    """What a rule and the audit must know of a person."""
    return Subject(
        business_id=row.business_id,
        kind="employee",
        id=row.remote_id,
        title=row.name,
        holder_id=row.remote_id,
        team_id=row.team_id,
        makers=frozenset({row.remote_id}),
        about=frozenset({row.remote_id}),
    )


EMPLOYEE = Mapper(
    "employee",
    Employee,
    ("name", "email", "role", "team_id", "status"),
    employee,
    subject=employee_subject,
    item_kind=ItemKind("Employee", visible_employees, "people_item"),
    names_ids=True,
)


def team(payload: Payload, locale: str) -> tuple[Any, ...]:
    """The columns of a team: of its reviewers, who and whether they may only read."""
    reviewers = [
        {"employee_id": str(reviewer.get("employee_id") or ""), "read_only": bool(reviewer.get("read_only"))}
        for reviewer in payload.get("reviewers") or []
        if isinstance(reviewer, Mapping)
    ]
    return (
        str(payload.get("name") or ""),
        str(payload.get("code") or ""),
        str(payload.get("status") or ""),
        json.dumps(reviewers),
    )


def team_subject(row: Team) -> Subject:
    """What a rule and the audit must know of a team."""
    return Subject(business_id=row.business_id, kind="team", id=row.remote_id, title=row.name, team_id=row.remote_id)


TEAM = Mapper(
    "team",
    Team,
    ("name", "code", "status", "reviewers"),
    team,
    subject=team_subject,
    item_kind=ItemKind("Team", visible_teams, "teams_item"),
    names_ids=True,
)


def category(payload: Payload, locale: str) -> tuple[Any, ...]:
    """The columns of a subcategory; its parent stands in `category`."""
    return (
        str(payload.get("name") or ""),
        str(payload.get("code") or ""),
        nested(payload, "category", "_id", "id"),
        nested(payload, "category", "name"),
        str(payload.get("status") or ""),
    )


def category_subject(row: Category) -> Subject:
    """What a rule and the audit must know of a category."""
    return Subject(business_id=row.business_id, kind="category", id=row.remote_id, title=row.name)


CATEGORY = Mapper(
    "category",
    Category,
    ("name", "code", "category_id", "category_name", "status"),
    category,
    subject=category_subject,
    names_ids=True,
)


def wallet(payload: Payload, locale: str) -> tuple[Any, ...]:
    """The columns of a wallet, with the balance as it was when it was read (B.10)."""
    currency = str(payload.get("currency") or "")
    balances_payload = payload.get("balances")
    balances: Payload = balances_payload if isinstance(balances_payload, Mapping) else {}

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


def wallet_subject(row: Wallet) -> Subject:
    """What a rule and the audit must know of a wallet."""
    title = row.name or row.org_wallet_ref
    return Subject(business_id=row.business_id, kind="wallet", id=row.remote_id, title=title)


WALLET = Mapper(
    "wallet",
    Wallet,
    ("org_wallet_ref", "name", "currency", "wallet_type", "status", "available_minor", "posted_minor"),
    wallet,
    subject=wallet_subject,
    item_kind=ItemKind("Wallet", visible_wallets, "treasury_wallet"),
    names_ids=True,
)
