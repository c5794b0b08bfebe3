"""What a conversation is about: the item as the person sees it."""

from typing import Any

from django.http import Http404

from dashboard.access.actor import Actor
from dashboard.mirror.item_kinds import item_at, kind_from_address


def talked_about(actor: Actor, kind: str, remote_id: str) -> Any:
    """The mirrored row as the actor sees it; Http404 where it is not theirs to see, or nothing that is talked about.
    `kind` is as addresses have it."""
    row = item_at(actor, kind_from_address(kind), remote_id)
    if row is None:
        raise Http404("no such item for this person")
    return row
