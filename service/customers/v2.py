"""Customers in v2: translates between the wire and service/customers/services.py."""

from django.http import HttpResponse
from ninja import Query, Router

from service.auth import TEAM_AND_OFFICE, ApiRequest, requires
from service.businesses.models import Role
from service.customers import schemas, selectors, serializers, services
from service.customers.models import Customer
from service.customers.schemas import (
    CustomerChange,
    CustomerHits,
    CustomerOut,
    CustomerPage,
    CustomerQuery,
    NewCustomer,
)
from service.customers.search import search
from service.idempotency import idempotent
from service.pagination import page_of
from service.respond import answer

router = Router(tags=["Customers"])

WRITERS = frozenset({Role.APPROVER, Role.ADMIN})


@router.get("", response=CustomerPage, summary="List customers")
@requires(scope="customers:read", roles=TEAM_AND_OFFICE, seat=False)
def list_customers(request: ApiRequest, query: Query[CustomerQuery]) -> HttpResponse:
    """The customers of the business, deleted ones where they are asked for."""
    rows = selectors.customers(request.caller)
    if query.status != "ALL":
        rows = rows.filter(status=query.status or Customer.Status.ACTIVE)
    return page_of(rows, request, query, serializers.customer)


@router.post("", response={201: CustomerOut}, summary="Create a customer, regular or walk-in")
@requires(scope="customers:write", roles=WRITERS)
@idempotent()
def create_customer(request: ApiRequest, body: NewCustomer) -> HttpResponse:
    """A new customer; a walk-in one gets its fixed name."""
    return answer(serializers.customer(services.create(request.caller, body)), 201)


@router.get("/search", response=CustomerHits, summary="Search active customers by name, phone and email")
@requires(scope="customers:read", roles=TEAM_AND_OFFICE, seat=False)
def search_customers(request: ApiRequest, query: Query[schemas.SearchQuery]) -> HttpResponse:
    """At most ten, best hits first: an exact phone, names that begin so, the rest."""
    hits = [serializers.customer(row) for row in search(request.caller, query.q)]
    return answer({"docs": hits, "total": len(hits)})


@router.get("/{id}", response=CustomerOut, summary="Read a customer, deleted or not")
@requires(scope="customers:read", roles=TEAM_AND_OFFICE, seat=False)
def read_customer(request: ApiRequest, id: str) -> HttpResponse:  # noqa: A002  the published name
    """One customer, deleted or not; 404 when the business has none such."""
    return answer(serializers.customer(selectors.get_customer(request.caller, id)))


@router.put("/{id}", response=CustomerOut, summary="Update an active regular customer")
@requires(scope="customers:write", roles=WRITERS)
@idempotent()
def update_customer(request: ApiRequest, id: str, body: CustomerChange) -> HttpResponse:  # noqa: A002
    """Changes an active regular customer; 404, 409 for a walk-in one, which never changes, and for a deleted one."""
    return answer(serializers.customer(services.update(request.caller, id, body.row())))


@router.delete("/{id}", response=CustomerOut, summary="Delete a customer; the record is kept")
@requires(scope="customers:write", roles=WRITERS)
@idempotent()
def delete_customer(request: ApiRequest, id: str) -> HttpResponse:  # noqa: A002
    """Soft: the record stays, and is found only where deleted ones are asked for. A second time nothing happens."""
    return answer(serializers.customer(services.delete(request.caller, id)))


@router.patch("/{id}/reactivate", response=CustomerOut, summary="Bring a deleted customer back")
@requires(scope="customers:write", roles=WRITERS)
@idempotent()
def reactivate_customer(request: ApiRequest, id: str) -> HttpResponse:  # noqa: A002
    """Makes a deleted customer ACTIVE again; nothing happens to an active one. 404."""
    return answer(serializers.customer(services.reactivate(request.caller, id)))
