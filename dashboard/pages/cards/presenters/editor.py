"""How the editor of a card's controls is shown: what would change, and what somebody else changed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypedDict

from django.core import signing

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.access.check import Verdict, can
from dashboard.audit.models import AuditEntry, Outcome
from dashboard.mirror.models import Card
from dashboard.pages.cards.presenters.controls import (
    ControlChange,
    ControlsPresenter,
    current_controls,
    funding_change,
)
from dashboard.schemas.cards import CardControls
from dashboard.web.card_tiles import Tile, tile


@dataclass(frozen=True, slots=True)
class EditBase:
    """What an edit is based on: a version of the card, its controls and its funding."""

    version: int | None
    controls: CardControls
    funding: str

    @classmethod
    def of(cls, card: Card) -> EditBase:
        """The card as the copy has it."""
        return cls(card.remote_version, current_controls(card), card.funding)


@dataclass(frozen=True, slots=True)
class ConcurrentChange:
    """Somebody else changed the card while it was edited: who, and what."""

    who: str
    changes: list[ControlChange]


class EditBaseFields(TypedDict):
    """The hidden fields that say what an edit is based on; `controls` signed, for this card alone."""

    version: int | None
    controls: str
    funding: str


class EditorContext(TypedDict):
    """What cards/controls.html reads beside its forms and its key; `live` says whether the card was just read."""

    card: Card
    tile: Tile
    edit_base: EditBaseFields
    live: bool
    may: Verdict


def editor_context(actor: Actor, card: Card, base: EditBase) -> EditorContext:
    """The card that is edited, and what the edit is based on."""
    return {
        "card": card,
        "tile": tile(actor, card),
        "edit_base": {
            "version": base.version,
            "controls": base_controls_text(base.controls, card),
            "funding": base.funding,
        },
        "live": True,
        "may": can(actor, operations.UPDATE_CARD, card),
    }


def base_controls_text(controls: CardControls, card: Card) -> str:
    """The controls that an edit is based on, for the hidden field of its page. They are drawn again as sentences, so they are
    signed: what a page of ours did not write is no set of controls."""
    return signing.dumps(dict(controls), salt=_salt(card), compress=True)


def read_base_controls(text: str, card: Card) -> CardControls | None:
    """The controls that a page of this card's editor carried; None for any other text."""
    try:
        controls: CardControls = signing.loads(text, salt=_salt(card))
    except signing.BadSignature:
        return None
    return controls


def _salt(card: Card) -> str:
    return f"cards.edit_base.{card.remote_id}"


def concurrent_change(actor: Actor, card: Card, base: EditBase) -> ConcurrentChange:
    """What differs between the card as it is now and what the edit is based on, and who changed it last."""
    now = current_controls(card)
    changes = ControlsPresenter(actor.business, card.currency).changes(base.controls, now)
    if base.funding != card.funding:
        changes.insert(0, funding_change(base.funding, card.funding))
    return ConcurrentChange(_who_changed(actor, card), changes)


def _who_changed(actor: Actor, card: Card) -> str:
    lines = AuditEntry.objects.filter(
        chain=actor.business.pk, object_type="card", object_id=card.remote_id, outcome=Outcome.DONE
    )
    last = lines.order_by("-id").values_list("actor_name", flat=True).first()
    return last or "Somebody outside this dashboard"


def edit_changes(
    actor: Actor, card: Card, base: EditBase, *, controls: CardControls, name: str, funding: str
) -> list[ControlChange]:
    """What an edit changes of the card: its name, its funding ("" leaves it), its controls; empty where nothing."""
    changes = ControlsPresenter(actor.business, card.currency).changes(base.controls, controls)
    if funding and funding != base.funding:
        changes.insert(0, funding_change(base.funding, funding))
    if name != card.name:
        changes.insert(0, ControlChange("Name", card.name, name))
    return changes
