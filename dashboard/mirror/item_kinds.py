"""The kinds of rows that people talk about: for each who sees one, what a sentence calls it and the page it is on."""

from typing import Any

from django.urls import reverse

from dashboard.access.actor import Actor
from dashboard.access.models import Membership
from dashboard.access.subject import subject_of
from dashboard.errors import NotAllowed
from dashboard.mirror.mappers import MAPPERS
from dashboard.mirror.mappers.mapper import ItemKind

ITEM_KINDS: dict[str, ItemKind] = {
    noun: mapper.item_kind for noun, mapper in MAPPERS.items() if mapper.item_kind is not None
}
# The inbox calls a payment request by a word of its own, and writes the others with a dash.
ALIASES = {"payment": "approval"}


def kind_from_address(word: str) -> str:
    """The mirrored kind for a word of an address: "payment" is "approval", "card-order" is "card_order"."""
    return ALIASES.get(word, word.replace("-", "_"))


def item_at(actor: Actor, kind: str, remote_id: str) -> Any | None:
    """The row of a kind by its id; None where there is none that the actor may see."""
    item_kind = ITEM_KINDS.get(kind)
    return item_kind.visible(actor).filter(remote_id=remote_id).first() if item_kind else None


def item_title(kind: str, row: object) -> str:
    """An item as a sentence names it: "expense Taxi to the airport"."""
    return f"{ITEM_KINDS[kind].label.lower()} {subject_of(row).title}"


def item_path(slug: str, kind: str, remote_id: str) -> str:
    """The URL path of an item's page: its own, or that of its conversation where it has none."""
    item_kind = ITEM_KINDS.get(kind)
    if item_kind and item_kind.address:
        return reverse(item_kind.address, args=[slug, remote_id])
    return reverse("conversation", args=[slug, kind, remote_id])


def sees(membership: Membership, kind: str, remote_id: str) -> bool:
    """Whether a member may see the item now; False where they may not enter at all."""
    try:
        actor = Actor.for_membership(membership)
    except NotAllowed:
        return False
    return item_at(actor, kind, remote_id) is not None
