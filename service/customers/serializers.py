"""Customers as the interface shows them: dictionaries in the shapes of the schemas."""

from typing import Any

from service.customers.models import Customer


def customer(row: Customer) -> dict[str, Any]:
    """A customer as the interface shows them."""
    return {
        "_id": row.id,
        "type": row.type,
        "name": row.name,
        "email": row.email,
        "phone": row.phone,
        "address": row.address,
        "taxPin": row.tax_pin,
        "person": row.person,
        "status": row.status,
        "version": row.version,
        "createdAt": row.created_at,
        "updatedAt": row.updated_at,
    }
