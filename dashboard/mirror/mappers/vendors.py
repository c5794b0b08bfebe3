"""A vendor and a subscription as rows of the copy."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from dashboard import operations
from dashboard.access.subject import Subject
from dashboard.mirror.mappers.mapper import HOUR_S, FullList, ItemKind, Mapper, Payload, amount_in, moment
from dashboard.mirror.models import Subscription, Vendor
from dashboard.mirror.scopes import visible_subscriptions, visible_vendors
from dashboard.money import text

LAST = 4
NEVER = datetime(9999, 1, 1, tzinfo=UTC)


def vendor(payload: Payload, locale: str) -> tuple[Any, ...]:
    """The columns of a vendor (B.20)."""
    accounts = [
        instruction for instruction in payload.get("payment_instructions") or [] if isinstance(instruction, Mapping)
    ]
    return (
        str(payload.get("name") or ""),
        str(payload.get("email") or ""),
        str(payload.get("phone") or ""),
        str(payload.get("taxPin") or ""),
        str(payload.get("type") or ""),
        str(payload.get("country") or ""),
        str(payload.get("currency") or ""),
        json.dumps([_account(instruction) for instruction in accounts]),
        any(instruction.get("status") == "QUARANTINED" for instruction in accounts),
        json.dumps([_document(row) for row in payload.get("documents") or [] if isinstance(row, Mapping)]),
        json.dumps([_contact(row) for row in payload.get("contacts") or [] if isinstance(row, Mapping)]),
        json.dumps([str(name) for name in payload.get("also_known_as") or []]),
        str(payload.get("merged_into") or ""),
        str(payload.get("status") or "ACTIVE"),
        moment(payload.get("createdAt")) or datetime.now(UTC),
    )


def _account(instruction: Mapping[str, Any]) -> dict[str, Any]:
    # Never the whole account: its page and the list of payee changes need to tell accounts apart, no more.
    return {
        "id": str(instruction.get("_id") or ""),
        "channel": str(instruction.get("channel") or ""),
        "last": str(instruction.get("account") or "")[-LAST:],
        "name": str(instruction.get("account_name") or ""),
        "bank": str(instruction.get("bank_code") or ""),
        "status": str(instruction.get("status") or ""),
        "default": bool(instruction.get("is_default")),
        "verified": bool(instruction.get("verified")),
        "replaces": str(instruction.get("replaces") or ""),
        "by": str(instruction.get("changed_by") or ""),
        "at": str(instruction.get("changed_at") or ""),
        "why": str(instruction.get("proposal_reason") or ""),
    }


def _contact(contact: Mapping[str, Any]) -> dict[str, str]:
    named = {name: str(contact.get(name) or "") for name in ("name", "role", "email", "phone")}
    return {"id": str(contact.get("_id") or ""), **named}


def _document(document: Mapping[str, Any]) -> dict[str, str]:
    return {
        "id": str(document.get("_id") or ""),
        "kind": str(document.get("kind") or ""),
        "title": str(document.get("title") or ""),
        "file_name": str(document.get("file_name") or ""),
        "ends_on": str(document.get("ends_on") or "")[:10],
    }


def vendor_subject(row: Vendor) -> Subject:
    """What a rule and the audit must know of a vendor."""
    return Subject(business_id=row.business_id, kind="vendor", id=row.remote_id, title=row.name)


VENDOR = Mapper(
    "vendor",
    Vendor,
    (
        "name", "email", "phone", "tax_pin", "type", "country", "currency", "instructions", "quarantined",
        "documents", "contacts", "also_known_as", "merged_into", "status", "created_at",
    ),
    vendor,
    subject=vendor_subject,
    item_kind=ItemKind("Vendor", visible_vendors, "vendors_item"),
    names_ids=True,
    full_list=FullList("vendors", HOUR_S, operations.LIST_VENDORS, {"status": "ALL"}),
    lists_deleted=True,
)  # fmt: skip


def subscription(payload: Payload, locale: str) -> tuple[Any, ...]:
    """The columns of a subscription (B.20)."""
    minor, currency = amount_in(payload)
    limit = payload.get("limit_minor")
    return (
        str(payload.get("name") or ""),
        str(payload.get("vendor") or ""),
        str(payload.get("employee_id") or ""),
        str(payload.get("team_id") or ""),
        str(payload.get("card_id") or ""),
        currency,
        minor or 0,
        text(minor or 0, currency, locale),
        text(limit, currency, locale) if isinstance(limit, int) else "",
        limit if isinstance(limit, int) else None,
        str(payload.get("billing_frequency") or ""),
        moment(payload.get("next_charge_at")) or NEVER,
        moment(payload.get("last_charge_at")),
        str(payload.get("subcategory_id") or ""),
        str(payload.get("status") or ""),
    )


def subscription_subject(row: Subscription) -> Subject:
    """What a rule and the audit must know of a subscription."""
    return Subject(
        business_id=row.business_id,
        kind="subscription",
        id=row.remote_id,
        title=row.name,
        holder_id=row.employee_id,
        team_id=row.team_id,
    )


SUBSCRIPTION = Mapper(
    "subscription",
    Subscription,
    (
        "name", "vendor", "employee_id", "team_id", "card_id", "currency", "amount_minor", "amount_text", "limit_text",
        "limit_minor",
        "billing_frequency", "next_charge_at", "last_charge_at", "subcategory_id", "status",
    ),
    subscription,
    subject=subscription_subject,
    item_kind=ItemKind("Subscription", visible_subscriptions, "subscriptions_item"),
    full_list=FullList("subscriptions", HOUR_S, operations.LIST_SUBSCRIPTIONS),
)  # fmt: skip
