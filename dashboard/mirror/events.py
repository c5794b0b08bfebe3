"""Who else wants to know of an event, once the copy has it: higher floors say so at start-up."""

from collections.abc import Callable, Mapping
from typing import Any

from dashboard.access.models import Business

# Given the business, the noun and the verb of an event ("expense", "approved") and the resource as it came.
Listener = Callable[[Business, str, str, Mapping[str, Any]], object]
_listeners: list[Listener] = []


def on_event(listener: Listener) -> None:
    """From here on this is called after each applied event, in the same transaction; a listener twice is called once."""
    if listener not in _listeners:
        _listeners.append(listener)


def announce(business: Business, noun: str, verb: str, resource: Mapping[str, Any]) -> None:
    """Calls all who want to know, in the order they said so."""
    for listener in _listeners:
        listener(business, noun, verb, resource)
