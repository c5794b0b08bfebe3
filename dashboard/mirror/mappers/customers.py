"""A customer as a row of the copy."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from dashboard.mirror.mappers.mapper import Mapper, Payload, moment
from dashboard.mirror.models import Customer


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


CUSTOMER = Mapper(
    Customer,
    ("kind", "name", "email", "phone", "tax_pin", "person", "status", "created_at", "sort_name"),
    customer,
    shows_deleted=True,
)
