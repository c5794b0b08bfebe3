"""A document on the screen: in the pane with the item's flags, or on a page of its own with all its pages."""

from typing import TypedDict

from dashboard.access.actor import Actor
from dashboard.decisions.desk_items import DeskItem, desk_item_of
from dashboard.documents.opening import opened
from dashboard.documents.sources import content_of
from dashboard.documents.viewers import Viewer, viewer_of
from dashboard.pages.documents.selectors import VisibleDocument


class ViewerContext(TypedDict):
    """What documents/document.html reads: the opened viewer, and the item with its flags as they are by now."""

    paper: Viewer
    item: DeskItem


def viewer_context(actor: Actor, visible: VisibleDocument) -> ViewerContext:
    """The document, opened and compared."""
    content = content_of(actor, visible.document)
    paper = viewer_of(actor, visible.document, visible.beside, visible.claim, opened(content))
    return {"paper": paper, "item": desk_item_of(actor, visible.subject)}
