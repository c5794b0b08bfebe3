"""How a card is shown on its own page: facts, declines, and what may be done with it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import NotRequired, TypedDict

from django.utils import timezone

from dashboard import operations, operations_extra
from dashboard.access.actor import Actor
from dashboard.access.check import Verdict, can
from dashboard.access.operation import Operation
from dashboard.mirror.models import Card, CardDecline
from dashboard.mirror.scopes import visible_declines, visible_wallets
from dashboard.pages.cards.presenters.activity import Activity, example_query
from dashboard.pages.cards.presenters.controls import ControlsPresenter, ControlText, current_controls, rise_of
from dashboard.schemas.cards import ALLOCATION, BUSINESS_WALLET
from dashboard.times import day_and_time
from dashboard.web.card_text import ENDED_CARD_STATES, REASONS, blocker_of, who_unblocks, why_declined
from dashboard.web.card_tiles import Tile, tile
from dashboard.web.submission import new_key

MAX_DECLINES = 10


@dataclass(frozen=True, slots=True)
class DeclineRow:
    """A purchase that was declined: why, as what happened and what can be done; `example` is the query that simulates it
    in the editor."""

    decline: CardDecline
    why: tuple[str, str]
    when: str
    example: str
    last_four: str = ""

    @classmethod
    def of(cls, actor: Actor, decline: CardDecline, last_four: str = "") -> DeclineRow:
        """The row of a decline, with the card's last four digits where the rows are of several cards."""
        example = example_query(
            decline.amount_minor, decline.currency, decline.merchant, decline.mcc, decline.country, decline.channel
        )
        when = day_and_time(decline.at, actor.business)
        return cls(decline, why_declined(actor, decline), when, example, last_four)


class CardContext(TypedDict):
    """What cards/item.html reads; `raised` is until when limits are raised, "" where they are not. Of a blocked card also
    who did it and who may unblock it."""

    card: Card
    tile: Tile
    activity: Activity
    controls: Collection[ControlText]
    raised: str
    facts: list[tuple[str, str]]
    reason: str
    declines: list[DeclineRow]
    key: str
    blocker: NotRequired[str]
    who_unblocks: NotRequired[str]
    may: dict[str, Verdict]


def card_context(actor: Actor, card: Card, activity: Activity) -> CardContext:
    """The card's own page: what it is, what it may be used for, what was bought and declined, and what may be done."""
    controls = current_controls(card)
    context: CardContext = {
        "card": card,
        "tile": tile(actor, card),
        "activity": activity,
        "controls": ControlsPresenter(actor.business, card.currency).texts(controls).values(),
        "raised": day_and_time(rise_of(controls, timezone.now()), actor.business),
        "facts": _facts(actor, card),
        "reason": REASONS.get(card.reason, card.reason),
        "declines": _declines(actor, card),
        "key": new_key(),
        "may": verdicts_for(actor, card),
    }
    if card.status == "BLOCKED":
        context["blocker"], context["who_unblocks"] = blocker_of(actor, card), who_unblocks(card)
    return context


def _facts(actor: Actor, card: Card) -> list[tuple[str, str]]:
    month, year = card.payload.get("expiry_month"), card.payload.get("expiry_year")
    facts = [
        ("Cardholder", card.employee_name),
        ("Team", card.team_name),
        ("Funding source", _funded(actor, card)),
        ("Expires", f"{int(month):02d}/{year}" if month and year else ""),
        ("Created", day_and_time(card.created_at, actor.business)),
    ]
    return [(label, value) for label, value in facts if value]


def _funded(actor: Actor, card: Card) -> str:
    if card.funding == ALLOCATION:
        return f"{card.employee_name}'s allocation in {card.currency}"
    named = visible_wallets(actor).filter(org_wallet_ref=card.org_wallet_ref).values_list("name", flat=True).first()
    if not named:
        return "Business wallet"
    return f"Business wallet: {named}" if card.funding == BUSINESS_WALLET else named


def _declines(actor: Actor, card: Card) -> list[DeclineRow]:
    rows = visible_declines(actor).filter(card_id=card.remote_id).order_by("-at", "-id")[:MAX_DECLINES]
    return [DeclineRow.of(actor, row) for row in rows]


# What can be done to a card in which states, by the name in the template.
ACTIONS: dict[str, tuple[Operation, frozenset[str]]] = {
    "block": (operations.BLOCK_CARD, frozenset({"ACTIVE"})),
    "unblock": (operations.UNBLOCK_CARD, frozenset({"BLOCKED"})),
    "activate": (operations_extra.ACTIVATE_CARD, frozenset({"INACTIVE"})),
    "retire": (operations.RETIRE_CARD, frozenset({"ORDERED", "INACTIVE", "ACTIVE", "BLOCKED"})),
}


def verdicts_for(actor: Actor, card: Card) -> dict[str, Verdict]:
    """Whether the actor may do what comes into question in the card's state: block, unblock, activate, retire, change,
    reissue."""
    verdicts = {
        name: can(actor, operation, card) for name, (operation, states) in ACTIONS.items() if card.status in states
    }
    if card.status not in ENDED_CARD_STATES:
        verdicts["change"] = can(actor, operations.UPDATE_CARD, card)
    if card.kind == "VIRTUAL" and card.status in {"ACTIVE", "BLOCKED"}:
        verdicts["reissue"] = can_reissue(actor, card)
    return verdicts


def can_reissue(actor: Actor, card: Card) -> Verdict:
    """Whether a new card may take its place: it would not be blocked, so whoever may not unblock may not do this."""
    verdict = can(actor, operations.REISSUE_CARD, card)
    if not verdict or card.status != "BLOCKED":
        return verdict
    return can(actor, operations.UNBLOCK_CARD, card)
