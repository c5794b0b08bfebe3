"""One's own cards on the home page, from the copy: what was spent of the limit, and what is left of what they spend."""

from dataclasses import dataclass

from django.db.models import QuerySet

from dashboard.access.actor import Actor
from dashboard.mirror.models import Card
from dashboard.mirror.scopes import visible_cards
from dashboard.money import text
from dashboard.times import as_of
from dashboard.web.card_text import ENDED, LIMITS
from dashboard.web.card_tiles import Tile, tile

MOST_CARDS = 4


@dataclass(frozen=True)
class OwnCard:
    """One of one's own cards; `left` is what is left of its limit over time, empty where it has none or is not active."""

    tile: Tile
    left: str


def holds_cards(actor: Actor) -> bool:
    """Whether one has a card that has not ended."""
    return _own(actor).exists()


def cards_of(actor: Actor) -> tuple[list[OwnCard], int, str]:
    """The newest of one's cards, how many more there are, and as of when the oldest of the copies is."""
    rows = list(_own(actor).order_by("-created_at", "-id").defer("payload")[: MOST_CARDS + 1])
    more = _own(actor).count() - MOST_CARDS if len(rows) > MOST_CARDS else 0
    seen = as_of(min((each.last_seen for each in rows), default=None), actor.business)
    return [_card(actor, each) for each in rows[:MOST_CARDS]], more, seen


def _own(actor: Actor) -> QuerySet[Card]:
    return visible_cards(actor).filter(employee_id=actor.employee_id or "-").exclude(status__in=ENDED)


def _card(actor: Actor, card: Card) -> OwnCard:
    left = ""
    if card.limit_minor is not None and card.status == "ACTIVE":
        amount = text(max(0, card.limit_minor - card.spent_minor), card.currency, actor.business.locale)
        left = f"{amount} left {LIMITS.get(card.limit_interval, '')}".strip()
    return OwnCard(tile(actor, card), left)
