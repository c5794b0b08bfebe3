"""A vendor and a subscription as rows of the copy."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, NamedTuple

from dashboard import operations
from dashboard.access.subject import Subject
from dashboard.mirror.mappers.mapper import HOUR_S, FullList, ItemKind, Mapper, Payload, amount_in, moment
from dashboard.mirror.models import Subscription, Vendor
from dashboard.mirror.scopes import visible_subscriptions, visible_vendors
from dashboard.money import text

LAST = 4
NEVER = datetime(9999, 1, 1, tzinfo=UTC)


class VendorColumns(NamedTuple):
    """The columns of the table of Vendor that its answers fill, beside what every copy has."""

    name: str
    email: str
    phone: str
    tax_pin: str
    type: str
    country: str
    currency: str
    instructions: str
    quarantined: bool
    documents: str
    contacts: str
    also_known_as: str
    merged_into: str
    status: str
    created_at: datetime


def vendor(payload: Payload, locale: str) -> VendorColumns:
    """The columns of a vendor (B.20)."""
    accounts = [
        instruction for instruction in payload.get("payment_instructions") or [] if isinstance(instruction, Mapping)
    ]
    return VendorColumns(
        name=str(payload.get("name") or ""),
        email=str(payload.get("email") or ""),
        phone=str(payload.get("phone") or ""),
        tax_pin=str(payload.get("taxPin") or ""),
        type=str(payload.get("type") or ""),
        country=str(payload.get("country") or ""),
        currency=str(payload.get("currency") or ""),
        instructions=json.dumps([_account(instruction) for instruction in accounts]),
        quarantined=any(instruction.get("status") == "QUARANTINED" for instruction in accounts),
        documents=json.dumps([_document(row) for row in payload.get("documents") or [] if isinstance(row, Mapping)]),
        contacts=json.dumps([_contact(row) for row in payload.get("contacts") or [] if isinstance(row, Mapping)]),
        also_known_as=json.dumps([str(name) for name in payload.get("also_known_as") or []]),
        merged_into=str(payload.get("merged_into") or ""),
        status=str(payload.get("status") or "ACTIVE"),
        created_at=moment(payload.get("createdAt")) or datetime.now(UTC),
    )


def _account(instruction: Mapping[str, Any]) -> dict[str, Any]:
    # Never the whole account: its page and the list of payee changes need to tell accounts apart, no more.
    return {
        "id": str(instruction.get("_id") or ""),
        "channel": str(instruction.get("channel") or ""),
        "last": str(instruction.get("account") or "")[-LAST:],
        "reference": _reference(instruction),
        "name": str(instruction.get("account_name") or ""),
        "bank": str(instruction.get("bank_code") or ""),
        "status": str(instruction.get("status") or ""),
        "default": bool(instruction.get("is_default")),
        "verified": bool(instruction.get("verified")),
        "replaces": str(instruction.get("replaces") or ""),
        "by": str(instruction.get("changed_by") or ""),
        "at": str(instruction.get("changed_at") or ""),
        "why": str(instruction.get("proposal_reason") or ""),
        "cool_off_ends": str(instruction.get("cool_off_ends_at") or ""),
    }


def _reference(instruction: Mapping[str, Any]) -> str:
    """The end of the account at a paybill, which tells apart whom a shared one pays; "" of any other account."""
    if instruction.get("channel") != "MPESA_PAYBILL":
        return ""
    return "".join(filter(str.isalnum, str(instruction.get("account_reference") or "")))[-LAST:].upper()


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
    VendorColumns,
    vendor,
    subject=vendor_subject,
    item_kind=ItemKind("Vendor", visible_vendors, "vendors_item"),
    names_ids=True,
    full_list=FullList("vendors", HOUR_S, operations.LIST_VENDORS, {"status": "ALL"}),
    lists_deleted=True,
)  # fmt: skip


class SubscriptionColumns(NamedTuple):
    """The columns of the table of Subscription that its answers fill, beside what every copy has."""

    name: str
    vendor: str
    employee_id: str
    team_id: str
    card_id: str
    currency: str
    amount_minor: int
    amount_text: str
    limit_text: str
    limit_minor: int | None
    billing_frequency: str
    next_charge_at: datetime
    last_charge_at: datetime | None
    subcategory_id: str
    status: str


def subscription(payload: Payload, locale: str) -> SubscriptionColumns:
    """The columns of a subscription (B.20)."""
    minor, currency = amount_in(payload)
    limit = payload.get("limit_minor")
    return SubscriptionColumns(
        name=str(payload.get("name") or ""),
        vendor=str(payload.get("vendor") or ""),
        employee_id=str(payload.get("employee_id") or ""),
        team_id=str(payload.get("team_id") or ""),
        card_id=str(payload.get("card_id") or ""),
        currency=currency,
        amount_minor=minor or 0,
        amount_text=text(minor or 0, currency, locale),
        limit_text=text(limit, currency, locale) if isinstance(limit, int) else "",
        limit_minor=limit if isinstance(limit, int) else None,
        billing_frequency=str(payload.get("billing_frequency") or ""),
        next_charge_at=moment(payload.get("next_charge_at")) or NEVER,
        last_charge_at=moment(payload.get("last_charge_at")),
        subcategory_id=str(payload.get("subcategory_id") or ""),
        status=str(payload.get("status") or ""),
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
    SubscriptionColumns,
    subscription,
    subject=subscription_subject,
    item_kind=ItemKind("Subscription", visible_subscriptions, "subscriptions_item"),
    full_list=FullList("subscriptions", HOUR_S, operations.LIST_SUBSCRIPTIONS),
)  # fmt: skip
