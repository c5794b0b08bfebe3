"""Customers as the interface shows them: dictionaries in the shapes of the schemas."""

from datetime import datetime
from typing import TypedDict

from service.customers.models import Customer


class CustomerShape(TypedDict):
    """A customer as the interface shows them."""

    _id: str
    type: str
    name: str
    email: str
    phone: str
    address: str
    taxPin: str
    person: str
    status: str
    version: int
    createdAt: datetime
    updatedAt: datetime


def customer(row: Customer) -> CustomerShape:
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
