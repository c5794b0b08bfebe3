"""What is read of customers: within the business of the caller, and as far as they may see."""

from django.db.models import QuerySet

from service import errors
from service.auth import Caller
from service.customers.models import Customer


def customers(caller: Caller) -> QuerySet[Customer]:
    """Those of the caller's business, deleted ones too."""
    return Customer.objects.filter(business_id=caller.business.id)


def get_customer(caller: Caller, customer_id: str) -> Customer:
    """One customer, deleted or not; 404 when the business has none such."""
    return get_from(customers(caller), customer_id)


def get_from(rows: QuerySet[Customer], customer_id: str) -> Customer:
    """The customer of this id among the rows; 404 where there is none."""
    customer = rows.filter(id=customer_id).first()
    if customer is None:
        raise errors.not_found("customer")
    return customer
