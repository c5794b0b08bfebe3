"""The list of cards as cards: each drawn by a template of its own instead of the cells of a table."""

from dataclasses import replace
from typing import Any

from django.db.models import QuerySet

from dashboard.access.actor import Actor
from dashboard.mirror.models import Card
from dashboard.mirror.scopes import visible_cards
from dashboard.pages.cards.table import CARDS
from dashboard.web.card_tiles import Tile, tile
from dashboard.web.jinja2 import item_address


def gallery_row(actor: Actor, card: Card, tick: str) -> tuple[str, str, Tile]:
    """What the gallery prints of a card: where it leads on, the value of its box, and its tile."""
    return item_address("cards_item", actor.business.slug, card.remote_id), tick, tile(actor, card)


def _cards(actor: Actor) -> QuerySet[Any, Any]:
    # No whole objects: a tile needs little of a card, and what came with it from the service is long.
    return visible_cards(actor).values_list(*CARDS.fields(), named=True)


GALLERY = replace(CARDS, rows=_cards, row=gallery_row, template="cards/tiles.html")
