"""Listeners to the copy: higher floors register theirs at start-up; each applied event and each written row calls them."""

from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from typing import TypedDict

from dashboard.access.models import Business

# A person in a resource: an id, or an object with it.
Reference = str | Mapping[str, object] | None


class EventResource(TypedDict, total=False):
    """Of the resource of an event, whatever its kind, the fields that are read here; it has others of its kind beside.

    The interface, "Events"; nothing of it is certain to be there, and ids of one kind have several names.
    """

    _id: str
    version: int
    updated_at: str
    updatedAt: str
    status: str
    name: str
    title: str
    ref: str
    receiver: str
    merchant: str
    person: str
    person_or_merchant: str
    description: str
    fund_name: str
    transaction_ref: str
    transaction_date: str
    amount: Decimal
    amount_minor: int
    currency: str
    employee_id: Reference
    requested_by: Reference
    created_by: Reference
    initiated_by: Reference
    reviewed_by: Reference
    decided_by: Reference
    reviewed_at: str
    review_reason: str
    reason: str
    hold_reason: str
    approval_id: str
    # Of a payment of a bill, and of a payout.
    bill_id: str
    bill_no: str
    payment_ref: str
    receiver_name: str
    attempts: list[Mapping[str, object]]
    batch_no: str
    item_count: int
    failed_count: int
    # Of a budget: minor units, percents, and the first day of its period.
    committed_minor: int
    spent_minor: int
    alert_percents: list[int]
    period_start: str
    team_id: str


class EventData(TypedDict, total=False):
    """What an event carries: the whole resource as the interface would show it."""

    object: EventResource


class ServiceEvent(TypedDict, total=False):
    """An event as it is delivered or read from the feed (decisions B.6): `type` is "expense.approved"."""

    type: str
    sequence: int
    timestamp: str
    data: EventData


# Given the business, the noun and the verb of an event ("expense", "approved") and the resource as it came.
Listener = Callable[[Business, str, str, EventResource], object]
_listeners: list[Listener] = []


def on_event(listener: Listener) -> None:
    """Registers a function to call after each applied event, in its transaction; registered twice it is called once."""
    if listener not in _listeners:
        _listeners.append(listener)


def announce(business: Business, noun: str, event_verb: str, resource: EventResource) -> None:
    """Calls the listeners in the order in which they were registered."""
    for listener in _listeners:
        listener(business, noun, event_verb, resource)


# Given the business, the kind ("expense") and the remote ids of rows that have just been written into the copy.
WriteListener = Callable[[Business, str, Sequence[str]], object]
_write_listeners: list[WriteListener] = []


def on_written(listener: WriteListener) -> None:
    """Registers a function to call after rows were written into the copy, by whatever way they came in, in the transaction
    of the write; registered twice it is called once."""
    if listener not in _write_listeners:
        _write_listeners.append(listener)


def announce_written(business: Business, kind: str, ids: Sequence[str]) -> None:
    """Calls the listeners in the order in which they were registered."""
    for listener in _write_listeners:
        listener(business, kind, ids)
