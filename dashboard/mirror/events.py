"""Listeners to the events of the service: higher floors register theirs at start-up; each applied event calls them."""

from collections.abc import Callable, Mapping
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
