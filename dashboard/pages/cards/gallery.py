"""The list of cards as cards: one pattern for each shape that a card has, as the rows of a table have one."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import quote

from django.db.models import QuerySet
from django.utils.safestring import SafeString

from dashboard.access.actor import Actor
from dashboard.mirror.models import Card
from dashboard.mirror.scopes import visible_cards
from dashboard.pages.cards.table import CARDS
from dashboard.web.card_tiles import tile
from dashboard.web.stencil import drawn, item_address

TEMPLATE = "cards/tile.html"


@dataclass(frozen=True)
class TileShape:
    """What a card's look depends on."""

    slug: str
    tone: str
    ended: bool
    team: bool
    source: bool
    low: bool
    limited: bool
    near: bool
    ticked: bool

    def context(self, mark: Callable[[], str]) -> dict[str, Any]:
        """A tile of marks."""
        return {
            "href": item_address("cards_item", self.slug, mark()),
            "tick": mark() if self.ticked else "",
            "tile": {
                "tone": self.tone,
                "ended": self.ended,
                "name": mark(),
                "holder": mark(),
                "team": mark() if self.team else "",
                "last_four": mark(),
                "kind": mark(),
                "state": mark(),
                "source": {"text": mark() if self.source else "", "low": self.low},
                "gauge": {
                    "near": self.near,
                    "spent": mark(),
                    "limit": mark(),
                    "percent": mark() if self.limited else None,
                },
            },
        }


def drawn_tile(actor: Actor, card: Card, tick: str) -> SafeString:
    """A card of the gallery, as markup."""
    one = tile(actor, card)
    gauge, limited = one.gauge, one.gauge.percent is not None
    shape = TileShape(
        slug=actor.business.slug, tone=one.tone, ended=one.ended, team=bool(one.team), source=bool(one.source.text),
        low=one.source.low, limited=limited, near=gauge.near, ticked=bool(tick),
    )  # fmt: skip
    texts = [quote(one.id, safe=""), *([tick] if tick else []), one.name, one.holder, *([one.team] if one.team else [])]
    texts += [one.last_four, one.kind, one.state, *([one.source.text] if one.source.text else [])]
    texts += [gauge.spent, gauge.limit, *([str(gauge.percent)] if limited else [])]
    return drawn(TEMPLATE, shape, texts)


def _cards(actor: Actor) -> QuerySet[Any, Any]:
    # No whole objects: a tile needs little of a card, and what came with it from the service is long.
    return visible_cards(actor).values_list(*CARDS.fields(), named=True)


GALLERY = replace(CARDS, rows=_cards, drawn=drawn_tile)
