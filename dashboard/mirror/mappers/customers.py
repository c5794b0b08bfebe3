"""A customer as a row of the copy."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import NamedTuple

from dashboard import operations
from dashboard.access.subject import Subject
from dashboard.mirror.mappers.mapper import HOUR_S, FullList, ItemKind, Mapper, Payload, moment
from dashboard.mirror.models import Customer
from dashboard.mirror.scopes import visible_customers


class CustomerColumns(NamedTuple):
    """The columns of the table of Customer that its answers fill, beside what every copy has."""

    kind: str
    name: str
    email: str
    phone: str
    tax_pin: str
    person: str
    status: str
    created_at: datetime
    sort_name: str


def customer(payload: Payload, locale: str) -> CustomerColumns:
    """The columns of a customer (interface.md, customer)."""
    name = str(payload.get("name") or "")
    return CustomerColumns(
        kind=str(payload.get("type") or "regular"),
        name=name,
        email=str(payload.get("email") or ""),
        phone=str(payload.get("phone") or ""),
        tax_pin=str(payload.get("taxPin") or ""),
        person=str(payload.get("person") or ""),
        status=str(payload.get("status") or "ACTIVE"),
        created_at=moment(payload.get("createdAt")) or datetime.now(UTC),
        sort_name=name.casefold(),
    )


def customer_subject(row: Customer) -> Subject:
    """What a rule and the audit must know of a customer."""
    return Subject(business_id=row.business_id, kind="customer", id=row.remote_id, title=row.name)


CUSTOMER = Mapper(
    "customer",
    Customer,
    CustomerColumns,
    customer,
    subject=customer_subject,
    item_kind=ItemKind("Customer", visible_customers, "customers_item"),
    names_ids=True,
    # The deleted among them: they are looked at and restored.
    full_list=FullList("customers", HOUR_S, operations.LIST_CUSTOMERS, {"status": "ALL"}),
    lists_deleted=True,
)
