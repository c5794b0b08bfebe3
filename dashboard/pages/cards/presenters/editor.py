"""How the editor of a card's controls is shown: what would change, what would happen, what somebody else changed."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.access.check import can
from dashboard.audit.models import AuditEntry, Outcome
from dashboard.mirror.models import Card
from dashboard.pages.cards.forms.editor import Editor
from dashboard.pages.cards.forms.purchase import PurchaseForm
from dashboard.pages.cards.presenters.controls import Change, ControlsPresenter, funding_change, standing
from dashboard.pages.cards.selectors.simulation import Draft, Simulation, simulate_purchase
from dashboard.web.card_tiles import tile


@dataclass(frozen=True, slots=True)
class EditBase:
    """What an edit is based on: a version of the card, its controls and its funding."""

    version: int | None
    controls: dict[str, Any]
    funding: str

    @classmethod
    def of(cls, card: Card) -> EditBase:
        """The card as the copy has it."""
        return cls(card.remote_version, standing(card.payload.get("controls") or {}), card.funding)


@dataclass(frozen=True, slots=True)
class ConcurrentChange:
    """Somebody else changed the card while it was edited: who, and what."""

    who: str
    changes: list[Change]


def editor_context(actor: Actor, card: Card, base: EditBase) -> dict[str, Any]:
    """What cards/controls.html needs beside its forms and its key: card, tile, edit_base (version, controls, funding), live,
    may."""
    return {
        "card": card,
        "tile": tile(actor, card),
        "edit_base": {"version": base.version, "controls": json.dumps(base.controls), "funding": base.funding},
        "live": True,
        "may": can(actor, operations.UPDATE_CARD, card),
    }


def concurrent_change(actor: Actor, card: Card, base: EditBase) -> ConcurrentChange:
    """What differs between the card as it is now and what the edit is based on, and who changed it last."""
    now = standing(card.payload.get("controls") or {})
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


def preview_context(actor: Actor, card: Card, editor: Editor, example: PurchaseForm, base: EditBase) -> dict[str, Any]:
    """What cards/preview.html needs: problems of an editor that is not valid; else changes, nothing_changed, and
    simulation where an example purchase was typed."""
    if not editor.is_valid():
        return {"problems": editor.problems}
    changes = ControlsPresenter(actor.business, card.currency).changes(base.controls, editor.controls())
    name, funding = editor.amounts.cleaned_data["name"], editor.funding.chosen()
    if funding and funding != base.funding:
        changes.insert(0, funding_change(base.funding, funding))
    if name != card.name:
        changes.insert(0, Change("Name", card.name, name))
    draft = Draft(editor.controls(), funding if funding != base.funding else "") if changes else None
    return {"changes": changes, "nothing_changed": not changes, **_simulation(actor, card, example, draft, base)}


def _simulation(
    actor: Actor, card: Card, example: PurchaseForm, draft: Draft | None, base: EditBase
) -> dict[str, Simulation]:
    if not example.is_valid():
        return {"simulation": Simulation(failed="The example is not complete.")}
    purchase = example.purchase(card, actor.business.time_zone)
    if purchase is None:
        return {}
    return {"simulation": simulate_purchase(actor, card, purchase, draft, base.controls)}
