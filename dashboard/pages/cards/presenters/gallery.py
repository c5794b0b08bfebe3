"""A card of the gallery as markup: one pattern for each shape that a card has, as the rows of a table have parts."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from django.utils.safestring import SafeString

from dashboard.access.actor import Actor
from dashboard.mirror.models import Card
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
        """What cards/tile.html needs, with a mark in the place of each text: href, tick, tile."""
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


def render_tile(actor: Actor, card: Card, tick: str) -> SafeString:
    """The markup of a card in the gallery; `tick` is the value of its checkbox, "" for none."""
    parts = tile(actor, card)
    gauge, limited = parts.gauge, parts.gauge.percent is not None
    shape = TileShape(
        slug=actor.business.slug, tone=parts.tone, ended=parts.ended, team=bool(parts.team), source=bool(parts.source.text),
        low=parts.source.low, limited=limited, near=gauge.near, ticked=bool(tick),
    )  # fmt: skip
    texts = [
        quote(parts.id, safe=""),
        *([tick] if tick else []),
        parts.name,
        parts.holder,
        *([parts.team] if parts.team else []),
    ]
    texts += [parts.last_four, parts.kind, parts.state, *([parts.source.text] if parts.source.text else [])]
    texts += [gauge.spent, gauge.limit, *([str(gauge.percent)] if limited else [])]
    return drawn(TEMPLATE, shape, texts)
