"""A document on the screen: in the pane with the item's flags, or on a page of its own with all its pages."""

from typing import Any

from dashboard.access.actor import Actor
from dashboard.decisions.items import item_of
from dashboard.documents.opening import opened
from dashboard.documents.sources import content_of
from dashboard.documents.viewers import viewer_of
from dashboard.pages.documents.selectors import Shown


def viewer_context(actor: Actor, shown: Shown) -> dict[str, Any]:
    """What documents/document.html needs: paper (the opened viewer) and item (with the flags as they are by now)."""
    content = content_of(actor, shown.document)
    paper = viewer_of(actor, shown.document, shown.beside, shown.claim, opened(content))
    return {"paper": paper, "item": item_of(actor, shown.subject)}
