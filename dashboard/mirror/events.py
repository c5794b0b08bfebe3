"""Listeners to the copy: higher floors register theirs at start-up; each applied event and each written row calls them."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from dashboard.access.models import Business

# Given the business, the noun and the verb of an event ("expense", "approved") and the resource as it came.
Listener = Callable[[Business, str, str, Mapping[str, Any]], object]
_listeners: list[Listener] = []


def on_event(listener: Listener) -> None:
    """Registers a function to call after each applied event, in its transaction; registered twice it is called once."""
    if listener not in _listeners:
        _listeners.append(listener)


def announce(business: Business, noun: str, verb: str, resource: Mapping[str, Any]) -> None:
    """Calls the listeners in the order in which they were registered."""
    for listener in _listeners:
        listener(business, noun, verb, resource)


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
