"""How a file of a bill is shown: its pages, and what was read from it beside what the bill says."""

from typing import TypedDict

from dashboard.access.actor import Actor
from dashboard.documents.claims import claim_of_bill
from dashboard.documents.opening import opened
from dashboard.documents.sources import Document, content_of
from dashboard.documents.viewers import Viewer, viewer_of
from dashboard.mirror.models import Bill
from dashboard.mirror.scopes import visible_bills
from dashboard.pages.bills.selectors import files_of


class FileContext(TypedDict):
    """What bills/file.html reads; `bill` is None for a file that is not attached yet."""

    paper: Viewer
    bill: Bill | None


def file_context(actor: Actor, document: Document) -> FileContext:
    """The file, opened, and compared with the bill that it is attached to. Raises as `content_of` does."""
    bill = visible_bills(actor).filter(remote_id=document.remote_id).first()
    beside = files_of(bill) if bill else [document]
    claim = claim_of_bill(bill.payload if bill else {}, actor.business)
    return {"paper": viewer_of(actor, document, beside, claim, opened(content_of(actor, document))), "bill": bill}
