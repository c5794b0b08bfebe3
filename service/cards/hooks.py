"""Who wants to hear when a card ends: areas that build on cards say so when they are loaded."""

from collections.abc import Callable

from service.auth import Caller
from service.cards.models import Card

# Runs in the transaction in which the locked card ended, with the card in its place where there is one.
Listener = Callable[[Caller, Card, Card | None], None]
_ENDED: list[Listener] = []


def on_ended(listener: Listener) -> None:
    """Called by the area that wants to hear, when it is loaded."""
    _ENDED.append(listener)


def notify_ended(caller: Caller, card: Card, successor: Card | None) -> None:
    """Tells all of them of a card that was just retired, reissued or expired."""
    for listener in _ENDED:
        listener(caller, card, successor)
