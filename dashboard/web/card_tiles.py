"""A card at a glance, as the gallery, the pages of one card and the home page show it."""

from dataclasses import dataclass

from dashboard.access.actor import Actor
from dashboard.mirror.models import Card
from dashboard.money import text
from dashboard.schemas.cards import ALLOCATION
from dashboard.web import card_text
from dashboard.web.card_text import CARD_KINDS, ENDED_CARD_STATES, FUNDINGS

NEARLY = 80
# Limits of other windows: the service does not tell what was spent in them, beside the card's own figures.
OTHERWISE = {"PER_WEEK": "Weekly limit", "PER_YEAR": "Yearly limit"}


@dataclass(frozen=True)
class Gauge:
    """What was spent of a limit: in words, and as a hundredth part of it; `near` where it is nearly used up."""

    spent: str
    limit: str
    percent: int | None

    @property
    def near(self) -> bool:
        """Whether at least 80 % of the limit is spent."""
        return self.percent is not None and self.percent >= NEARLY


@dataclass(frozen=True)
class FundingText:
    """What a card spends and what is left of it, as a phrase; `low` where nothing is left."""

    text: str = ""
    low: bool = False


@dataclass(frozen=True)
class Tile:
    """A card as the gallery shows it."""

    id: str
    name: str
    holder: str
    team: str
    last_four: str
    kind: str
    state: str
    tone: str
    ended: bool
    source: FundingText
    gauge: Gauge


def gauge_of(
    interval: str, limit_minor: int | None, spent_minor: int, currency: str, locale: str, funding: str = ""
) -> Gauge:
    """The spend beside the limit that it is compared with; without one only what is allocated bounds an allocation."""
    spent, window = text(spent_minor, currency, locale), card_text.LIMITS.get(interval, card_text.LIMITS[""])
    if limit_minor is None:
        bound = OTHERWISE.get(interval, "" if funding == ALLOCATION else "No spending limit")
        return Gauge(f"{spent} {window}", bound, None)
    return Gauge(spent, limit_text(interval, limit_minor, currency, locale), percent_of(limit_minor, spent_minor))


def percent_of(limit_minor: int, spent_minor: int) -> int:
    """The hundredth part of a limit that is spent, 0 to 100; of a limit of nothing all is."""
    return max(0, min(100, spent_minor * 100 // limit_minor)) if limit_minor else 100


def limit_text(interval: str, limit_minor: int, currency: str, locale: str) -> str:
    """ "of KES 1,000.00 this month": a limit beside what is spent of it."""
    return f"of {text(limit_minor, currency, locale)} {card_text.LIMITS.get(interval, card_text.LIMITS[''])}"


def gauge(actor: Actor, card: Card) -> Gauge:
    """The spend of a card beside the limit of it that a reader compares the spend with."""
    locale = actor.business.locale
    return gauge_of(card.limit_interval, card.limit_minor, card.spent_minor, card.currency, locale, card.funding)


def source(actor: Actor, card: Card) -> FundingText:
    """What a card that has not ended spends, as far as the copy knows."""
    if card.status in ENDED_CARD_STATES or card.funding not in FUNDINGS:
        return FundingText()
    if card.funding != ALLOCATION or card.allocation_minor is None:
        return FundingText(FUNDINGS[card.funding])
    left = text(max(0, card.allocation_minor), card.currency, actor.business.locale)
    return FundingText(f"{left} left of allocation", card.allocation_minor <= 0)


def tile(actor: Actor, card: Card) -> Tile:
    """A card as the gallery and the pages of one card show it."""
    state, tone = card_text.CARD_STATES.get(card.status, (card.status.capitalize(), ""))
    return Tile(
        id=card.remote_id,
        name=card.name or "Card",
        holder=card.employee_name,
        team=card.team_name,
        last_four=card.last_four,
        kind=CARD_KINDS.get(card.kind, card.kind.capitalize()),
        state=state,
        tone=tone,
        ended=card.status in ENDED_CARD_STATES,
        source=source(actor, card),
        gauge=gauge(actor, card),
    )
