"""How a document of a transaction is shown: its pages, and what was read from it beside what was booked."""

from typing import TypedDict

from dashboard.access.actor import Actor
from dashboard.documents.claims import claim_of_transaction
from dashboard.documents.opening import opened
from dashboard.documents.sources import content_of, document_named, documents_of
from dashboard.documents.viewers import Viewer, viewer_of
from dashboard.mirror.models import Transaction


class DocumentContext(TypedDict):
    """What documents/document.html reads of a document of a transaction."""

    paper: Viewer
    transaction: Transaction


def document_context(actor: Actor, row: Transaction, file_id: str) -> DocumentContext:
    """The document, opened and compared. Raises NotFound for none, else as `content_of` does."""
    beside = documents_of(row)
    stored = document_named(beside, file_id)
    claim = claim_of_transaction(row, actor.business)
    return {"paper": viewer_of(actor, stored, beside, claim, opened(content_of(actor, stored))), "transaction": row}
