"""What leads a customer from one state to the next: the whole of it in one table (interface.md, states)."""

from service.customers.models import Customer

DELETE, REACTIVATE = "delete", "reactivate"
Status = Customer.Status

TRANSITIONS: dict[str, dict[str, str]] = {
    DELETE: {Status.ACTIVE: Status.DELETED},
    REACTIVATE: {Status.DELETED: Status.ACTIVE},
}

# customer.updated: an event of its own for coming back is not among the published kinds.
EVENTS = {DELETE: "customer.deleted", REACTIVATE: "customer.updated"}


def next_status(customer: Customer, move: str) -> str | None:
    """The state that `move` leads to; None where the customer is there already: both moves may be repeated."""
    return TRANSITIONS[move].get(customer.status)
