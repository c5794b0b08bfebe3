"""How a file of a bill is shown: its pages, and what was read from it beside what the bill says."""

from typing import TypedDict

from dashboard.access.actor import Actor
from dashboard.documents.claims import claim_of_bill
from dashboard.documents.opening import opened
from dashboard.documents.sources import Document, content_of
from dashboard.documents.viewers import Viewer, viewer_of
from dashboard.mirror.models import Bill
from dashboard.mirror.scopes import visible_bills
from dashboard.pages.bills.presenters.entry import paper_of
from dashboard.pages.bills.selectors.bills import files_of
from dashboard.pages.bills.selectors.entry import Dropped


class FileContext(TypedDict):
    """What bills/file.html reads; `bill` is None for a file that is not attached yet."""

    paper: Viewer | None
    bill: Bill | None


def file_context(actor: Actor, document: Document) -> FileContext:
    """The file, opened, and compared with the bill that it is attached to. Raises as `content_of` does."""
    bill = visible_bills(actor).filter(remote_id=document.remote_id).first()
    content = content_of(actor, document)
    if bill is None:
        return {"paper": paper_of(actor, Dropped(document, opened(content), "")), "bill": None}
    claim = claim_of_bill(bill.payload, actor.business)
    return {"paper": viewer_of(actor, document, files_of(bill), claim, opened(content)), "bill": bill}
