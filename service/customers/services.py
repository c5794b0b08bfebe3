"""What can be done with customers: add them, change regular ones, delete and bring back."""

from collections.abc import Mapping

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from service import errors
from service.auth import Caller
from service.customers import serializers, transitions
from service.customers.models import WALK_IN_NAME, Customer, CustomerTerm
from service.customers.schemas import NewCustomer
from service.customers.search_terms import Searchable
from service.customers.selectors import customers, get_from
from service.events.audit import record_audit
from service.events.outbox import record_event
from service.respond import JsonObject


def _locked(caller: Caller, customer_id: str) -> Customer:
    return get_from(customers(caller).select_for_update(no_key=True, of=("self",)), customer_id)


def create(caller: Caller, new: NewCustomer) -> Customer:
    """A new customer; a walk-in one gets its fixed name."""
    row = Customer(business=caller.business, type=new.type, **new.row())
    if row.type == Customer.Type.WALK_IN:
        row.name = WALK_IN_NAME
    with transaction.atomic():
        row.save(force_insert=True)
        _add_terms(row)
        payload = serializers.customer(row)
        record_event(caller.business, "customer.created", payload, actor=caller)
        record_audit(caller, "customer.create", "customer", row.id, after=payload)
    return row


def update(caller: Caller, customer_id: str, changes: Mapping[str, str]) -> Customer:
    """Changes an active regular customer; 404, 409 for a walk-in one, which never changes, and for a deleted one."""
    with transaction.atomic():
        row = _locked(caller, customer_id)
        if row.type == Customer.Type.WALK_IN:
            raise errors.invalid_state("A walk-in customer cannot be changed.")
        if row.status != Customer.Status.ACTIVE:
            raise errors.invalid_state("The customer is deleted: reactivate it first.")
        before = {name: getattr(row, name) for name, value in changes.items() if getattr(row, name) != value}
        if not before:
            return row
        _remove_terms(row)
        for name in before:
            setattr(row, name, changes[name])
        _save(row, list(before))
        _add_terms(row)
        _record_change(caller, row, "customer.updated", "customer.update", before)
    return row


def delete(caller: Caller, customer_id: str) -> Customer:
    """Soft: the record stays, and is found only where deleted ones are asked for. A second time nothing happens."""
    return _move(caller, customer_id, transitions.DELETE)


def reactivate(caller: Caller, customer_id: str) -> Customer:
    """Makes a deleted customer ACTIVE again; nothing happens to an active one. 404."""
    return _move(caller, customer_id, transitions.REACTIVATE)


def _move(caller: Caller, customer_id: str, move: str) -> Customer:
    with transaction.atomic():
        row = _locked(caller, customer_id)
        target = transitions.next_status(row, move)
        if target is None:
            return row
        before, row.status = {"status": row.status}, target
        _save(row, ["status"])
        if target == Customer.Status.ACTIVE:
            _add_terms(row)
        else:
            _remove_terms(row)
        _record_change(caller, row, transitions.EVENTS[move], f"customer.{move}", before)
    return row


def searchable(row: Customer) -> Searchable:
    """What a customer is found by."""
    return Searchable(row.name, row.email, row.phone)


def _add_terms(row: Customer) -> None:
    search_line = searchable(row)
    line = search_line.line
    CustomerTerm.objects.bulk_create(
        [
            CustomerTerm(business_id=row.business_id, rank=rank, term=term, customer_id=row.id, line=line)
            for rank, term in sorted(search_line.terms())
        ],
        ignore_conflicts=True,
    )


def _remove_terms(row: Customer) -> None:
    """Takes away what `_add_terms` made of the same values: found by the primary key, without an index of customers."""
    matches = Q()
    for rank, term in searchable(row).terms():
        matches |= Q(rank=rank, term=term)
    if matches:
        CustomerTerm.objects.filter(matches, business_id=row.business_id, customer_id=row.id).delete()


def _save(row: Customer, fields: list[str]) -> None:
    row.version += 1
    row.updated_at = timezone.now()
    row.save(update_fields=[*fields, "version", "updated_at"])


def _record_change(caller: Caller, row: Customer, kind: str, action: str, before: JsonObject) -> None:
    record_event(caller.business, kind, serializers.customer(row), previous=before, actor=caller)
    record_audit(caller, action, "customer", row.id, before, {name: getattr(row, name) for name in before})
