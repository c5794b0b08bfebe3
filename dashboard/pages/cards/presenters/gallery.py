"""A card of the gallery, as its template prints it."""

from dashboard.access.actor import Actor
from dashboard.mirror.models import Card
from dashboard.web.card_tiles import Tile, tile
from dashboard.web.jinja2 import item_address


def gallery_row(actor: Actor, card: Card, tick: str) -> tuple[str, str, Tile]:
    """What the gallery prints of a card: where it leads on, the value of its checkbox ("" for none), and its tile."""
    return item_address("cards_item", actor.business.slug, card.remote_id), tick, tile(actor, card)
