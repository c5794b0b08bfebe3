"""A customer as a row of the copy."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from dashboard import operations
from dashboard.access.subject import Subject
from dashboard.mirror.mappers.mapper import HOUR_S, FullList, ItemKind, Mapper, Payload, moment
from dashboard.mirror.models import Customer
from dashboard.mirror.scopes import visible_customers


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


def customer_subject(row: Customer) -> Subject:
    """What a rule and the audit must know of a customer."""
    return Subject(business_id=row.business_id, kind="customer", id=row.remote_id, title=row.name)


CUSTOMER = Mapper(
    "customer",
    Customer,
    ("kind", "name", "email", "phone", "tax_pin", "person", "status", "created_at", "sort_name"),
    customer,
    subject=customer_subject,
    item_kind=ItemKind("Customer", visible_customers, "customers_item"),
    names_ids=True,
    # The deleted among them: they are looked at and restored.
    full_list=FullList("customers", HOUR_S, operations.LIST_CUSTOMERS, {"status": "ALL"}),
    lists_deleted=True,
)
