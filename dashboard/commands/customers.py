"""Customers: adding, changing, deleting and restoring one.

Raises what `run` raises; what the service refuses, NotFound too, stands on the form. Each answers with the customer.
Interface: Customers (POST, PUT and DELETE /customers…).
"""

from django import forms

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.commands.run import CommandResult, Key, run
from dashboard.errors import FAILED, NotFound
from dashboard.mirror.models import Customer
from dashboard.schemas.customers import CreateCustomerBody, UpdateCustomerBody, WalkInBody

KIND = "customer"
NAMES = {"taxPin": "tax_pin"}
REFUSALS = (*FAILED, NotFound)


def create_customer(
    actor: Actor,
    body: CreateCustomerBody | WalkInBody,
    *,
    key: Key,
    form: forms.BaseForm | None = None,
    deadline: float | None = None,
) -> CommandResult:
    """Adds a customer: a regular one, or somebody of whom nothing is known."""
    return run(
        actor, operations.CREATE_CUSTOMER, None, body, key=key, kind=KIND, form=form, names=NAMES, refusals=REFUSALS,
        deadline=deadline,
    )  # fmt: skip


def update_customer(
    actor: Actor, customer: Customer, body: UpdateCustomerBody, *, key: Key, form: forms.BaseForm | None = None
) -> CommandResult:
    """Changes a regular, active customer: every field of `body` as it shall be, None where it is empty."""
    return run(
        actor, operations.UPDATE_CUSTOMER, customer, body, key=key, path=_path(customer), kind=KIND, form=form,
        names=NAMES, refusals=REFUSALS,
    )  # fmt: skip


def delete_customer(actor: Actor, customer: Customer, *, key: Key, deadline: float | None = None) -> CommandResult:
    """Deletes a customer: the record stays, and can be restored."""
    operation, path = operations.DELETE_CUSTOMER, _path(customer)
    return run(actor, operation, customer, key=key, path=path, kind=KIND, deadline=deadline)


def restore_customer(actor: Actor, customer: Customer, *, key: Key, deadline: float | None = None) -> CommandResult:
    """Makes a deleted customer active again."""
    operation, path = operations.REACTIVATE_CUSTOMER, _path(customer)
    return run(actor, operation, customer, key=key, path=path, kind=KIND, deadline=deadline)


def _path(customer: Customer) -> dict[str, str]:
    return {"id": customer.remote_id}
