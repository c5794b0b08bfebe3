"""How a resource of the interface becomes a row of the copy: one function per kind, tolerant of what it does not know."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import orjson

from dashboard.client.money import text, to_minor
from dashboard.mirror.models import (
    Approval,
    Category,
    Customer,
    Employee,
    Expense,
    Mirrored,
    Team,
    Wallet,
    WalletPolicy,
)

Payload = Mapping[str, Any]


@dataclass(frozen=True)
class Kind:
    """One mirrored kind: its table, the columns its rows fill, and the function that fills them.

    `columns` are those beside what every kind carries; `row(payload, locale)` returns their values in that order.
    """

    model: type[Mirrored]
    columns: tuple[str, ...]
    row: Callable[[Payload, str], tuple[Any, ...]]
    # Columns that an answer without `marker` knows nothing of, and so must not empty.
    kept_without: tuple[str, tuple[str, ...]] | None = None
    # A deleted one is a state that people look at, not a row that is gone.
    shows_deleted: bool = False


def canonical(payload: Payload) -> tuple[str, str]:
    """The payload as JSON, and a hash that is the same whenever its content is."""
    try:
        body = orjson.dumps(payload, default=_plain, option=orjson.OPT_SORT_KEYS | orjson.OPT_PASSTHROUGH_DATETIME)
    except orjson.JSONEncodeError:
        # An integer of more than 64 bits, say: three times as slow, and as good.
        body = json.dumps(payload, sort_keys=True, separators=(",", ":"), default=_plain).encode()
    return body.decode(), hashlib.blake2b(body, digest_size=16).hexdigest()


def _plain(value: object) -> str:
    # Decimals stay exact as strings: a JSON number would be read back as a float.
    if isinstance(value, Decimal | datetime):
        return str(value)
    raise TypeError(f"{type(value).__name__} does not belong into a payload")


def remote_id(payload: Payload) -> str:
    """The resource's identifier; a payload without one cannot be kept."""
    identifier = payload.get("_id") or payload.get("id") or payload.get("employee_id")
    if not identifier:
        raise ValueError("a resource without _id")
    return str(identifier)


def moment(value: object) -> datetime | None:
    """An ISO 8601 time, taken as UTC where it names no zone."""
    if not isinstance(value, str) or not value:
        return None
    try:
        parsed = datetime.fromisoformat(value)
    except ValueError:
        return None
    return parsed if parsed.tzinfo else parsed.replace(tzinfo=UTC)


def version(payload: Payload) -> int | None:
    """The resource's version, where the service counts them."""
    found = payload.get("version", payload.get("__v"))
    return found if isinstance(found, int) else None


def updated_at(payload: Payload) -> datetime | None:
    """When the service says that it was last changed."""
    return moment(payload.get("updated_at") or payload.get("updatedAt"))


def _nested(payload: Payload, name: str, *keys: str) -> str:
    found = payload.get(name)
    if isinstance(found, Mapping):
        for key in keys:
            if found.get(key):
                return str(found[key])
    return ""


def _amount(payload: Payload) -> tuple[int | None, str]:
    currency = str(payload.get("currency") or "")
    minor = payload.get("amount_minor")
    if not isinstance(minor, int):
        amount = payload.get("amount")
        minor = None if amount is None or not currency else to_minor(amount, currency)
    return minor, currency


def expense(payload: Payload, locale: str) -> tuple[Any, ...]:
    """The columns of an expense (A.2 and B.15)."""
    minor, currency = _amount(payload)
    subcategory = payload.get("subcategory")
    category = ""
    if isinstance(subcategory, Mapping):
        parent = _nested(subcategory, "category", "name")
        category = f"{parent} · {subcategory.get('name', '')}" if parent else str(subcategory.get("name") or "")
    when = moment(payload.get("transaction_date")) or moment(payload.get("createdAt")) or datetime.now(UTC)
    return (
        str(payload.get("employee_id") or ""),
        str(payload.get("person") or ""),
        _nested(payload, "team", "_id", "id"),
        _nested(payload, "team", "name"),
        str(payload.get("org_wallet_ref") or ""),
        str(payload.get("status") or ""),
        when,
        minor or 0,
        currency,
        text(minor or 0, currency, locale),
        str(payload.get("receiver") or payload.get("merchant") or payload.get("description") or ""),
        str(payload.get("notes") or ""),
        category,
        _nested(payload, "subcategory", "_id", "id"),
        str(payload.get("transaction_ref") or ""),
        bool(payload.get("receipts")),
        int(payload.get("risk") or 0),
    )


EXPENSE = Kind(
    Expense,
    (
        "employee_id", "employee_name", "team_id", "team_name", "org_wallet_ref", "status", "transaction_date",
        "amount_minor", "currency", "amount_text", "merchant", "notes", "category_name", "subcategory_id",
        "transaction_ref", "has_receipt", "risk",
    ),
    expense,
)  # fmt: skip


def approval(payload: Payload, locale: str) -> tuple[Any, ...]:
    """The columns of a payment request, from its list or from the digest, which adds payee, due and risk (B.13)."""
    minor, currency = _amount(payload)
    requester = payload.get("requested_by")
    requester_id = _nested(payload, "requested_by", "employee_id", "_id", "id") or (
        str(requester) if isinstance(requester, str) else ""
    )
    found = payload.get("risk")
    risk: Payload = found if isinstance(found, Mapping) else {}
    votes = payload.get("votes") or []
    return (
        str(payload.get("kind") or ""),
        payload.get("action_type"),
        str(payload.get("ref") or ""),
        str(payload.get("title") or payload.get("headline") or payload.get("ref") or ""),
        str(payload.get("payee") or ""),
        minor,
        currency,
        text(minor, currency, locale) if minor is not None and currency else "",
        str(payload.get("org_wallet_ref") or ""),
        requester_id,
        _nested(payload, "requested_by", "name") or str(payload.get("requested_by_name") or ""),
        moment(payload.get("requested_at")) or datetime.now(UTC),
        moment(payload.get("due")) or moment(payload.get("due_at")),
        moment(payload.get("expires_at")),
        str(payload.get("status") or ""),
        int(payload.get("approvals_required") or 1),
        int(payload.get("approvals_given") or 0),
        json.dumps([str(vote.get("employee_id") or "") for vote in votes if isinstance(vote, Mapping)]),
        json.dumps(payload.get("eligible") or [], default=_plain),
        int(risk.get("score") or 0),
        str(risk.get("level") or ""),
        json.dumps(risk.get("signals") or [], default=_plain),
    )


APPROVAL = Kind(
    Approval,
    (
        "kind", "action_type", "ref", "title", "payee", "amount_minor", "currency", "amount_text", "org_wallet_ref",
        "requested_by_id", "requested_by_name", "requested_at", "due_at", "expires_at", "status", "approvals_required",
        "approvals_given", "voters", "eligible", "risk", "risk_level", "signals",
    ),
    approval,
    kept_without=("risk_level", ("risk", "risk_level", "signals", "payee", "due_at")),
)  # fmt: skip


def employee(payload: Payload, locale: str) -> tuple[Any, ...]:
    """The columns of a person (A.2): v1 spells the role with a space."""
    return (
        str(payload.get("name") or ""),
        str(payload.get("organization_email") or payload.get("email") or ""),
        str(payload.get("role") or "").replace(" ", "_"),
        str(payload.get("team_id") or "") or _nested(payload, "team", "_id", "id"),
        str(payload.get("status") or ""),
    )


EMPLOYEE = Kind(Employee, ("name", "email", "role", "team_id", "status"), employee)


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


TEAM = Kind(Team, ("name", "code", "status", "reviewers"), team)


def category(payload: Payload, locale: str) -> tuple[Any, ...]:
    """The columns of a subcategory; its parent stands in `category`."""
    return (
        str(payload.get("name") or ""),
        str(payload.get("code") or ""),
        _nested(payload, "category", "_id", "id"),
        _nested(payload, "category", "name"),
        str(payload.get("status") or ""),
    )


CATEGORY = Kind(Category, ("name", "code", "category_id", "category_name", "status"), category)


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


WALLET = Kind(
    Wallet,
    ("org_wallet_ref", "name", "currency", "wallet_type", "status", "available_minor", "posted_minor"),
    wallet,
)


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


def customer(payload: Payload, locale: str) -> tuple[Any, ...]:
    """The columns of a customer (interface.md, customer)."""
    name = str(payload.get("name") or "")
    return (
        str(payload.get("type") or "regular"),
        name,
        str(payload.get("email") or ""),
        str(payload.get("phone") or ""),
        str(payload.get("taxPin") or ""),
        str(payload.get("person") or ""),
        str(payload.get("status") or "ACTIVE"),
        moment(payload.get("createdAt")) or datetime.now(UTC),
        name.casefold(),
    )


CUSTOMER = Kind(
    Customer,
    ("kind", "name", "email", "phone", "tax_pin", "person", "status", "created_at", "sort_name"),
    customer,
    shows_deleted=True,
)

KINDS: dict[str, Kind] = {
    "expense": EXPENSE,
    "approval": APPROVAL,
    "employee": EMPLOYEE,
    "team": TEAM,
    "category": CATEGORY,
    "wallet": WALLET,
    "wallet_policy": WALLET_POLICY,
    "customer": CUSTOMER,
}
