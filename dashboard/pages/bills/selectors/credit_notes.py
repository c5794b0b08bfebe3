"""What is read of credit notes, live: those of a bill, those of its vendor of which something remains, and all of them."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from dashboard import operations_payables
from dashboard.access.actor import Actor
from dashboard.client.page import Page, every_row, read_page, typed
from dashboard.client.reads import Ok, ReadCall, read_live, read_together
from dashboard.errors import FinanceError, NotFound
from dashboard.mirror.models import Bill
from dashboard.schemas.credit_notes import CreditNote

LIVE_S = 1.5
LIST_S = 4.0
PAGE_SIZE = 200
# Of one bill's vendor; a sum of all that is open reads so many pages at most, and says that it is not known beyond.
MOST_OPEN = 200
MOST_PAGES = 20


@dataclass(frozen=True, slots=True)
class BillCredits:
    """The credit notes that refer to a bill or lower it, and those that could lower it, of which there are
    `more_applicable` beside; `known` is False where the service did not say."""

    notes: list[CreditNote] = field(default_factory=list)
    applicable: list[CreditNote] = field(default_factory=list)
    known: bool = True
    more_applicable: int = 0


def credits_of(actor: Actor, bill: Bill) -> BillCredits:
    """What credit notes there are for a bill."""
    could: dict[str, str | int] = {
        "vendor_id": bill.vendor_id,
        "currency": bill.currency,
        "open": "true",
        "limit": MOST_OPEN,
    }
    reads = {
        "notes": ReadCall(
            operations_payables.LIST_CREDIT_NOTES,
            query={"bill_id": bill.remote_id, "limit": PAGE_SIZE},
            deadline=LIVE_S,
        ),
        "applicable": ReadCall(operations_payables.LIST_CREDIT_NOTES, query=could, deadline=LIVE_S),
    }
    try:
        results = read_together(actor, reads)
        pages = {name: read_page(result.answer.data) for name, result in results.items() if isinstance(result, Ok)}
        rows = {name: typed(read.rows, CreditNote) for name, read in pages.items()}
    except FinanceError:
        return BillCredits(known=False)
    applicable = rows.get("applicable", [])
    total = pages["applicable"].total if "applicable" in pages else None
    more = max(0, (total or 0) - len(applicable))
    return BillCredits(rows.get("notes", []), applicable, known=len(rows) == len(reads), more_applicable=more)


@dataclass(frozen=True, slots=True)
class NotesPage:
    """A page of credit notes, the newest first: its `number` from 1 of `pages`, and how many there are of all."""

    notes: list[CreditNote]
    number: int = 1
    pages: int = 1
    total: int = 0


def credit_notes_of(actor: Actor, vendor_id: str = "", number: int = 1) -> NotesPage:
    """A page of the credit notes, of one vendor where it is named. Raises the FinanceError tree."""
    query: dict[str, str | int] = {**_of(vendor_id), "page": number, "limit": PAGE_SIZE}
    read = read_page(read_live(actor, operations_payables.LIST_CREDIT_NOTES, query=query, deadline=LIST_S).data)
    notes = typed(read.rows, CreditNote)
    return NotesPage(notes, number, read.pages or 1, len(notes) if read.total is None else read.total)


def _of(vendor_id: str) -> dict[str, str]:
    return {"vendor_id": vendor_id} if vendor_id else {}


def unapplied_of(actor: Actor, vendor_id: str = "") -> dict[str, int] | None:
    """What of all credit notes, or those of one vendor, no bill has taken yet, in minor units by currency; None where it is
    not known now."""
    sums: dict[str, int] = {}
    try:
        for note in typed(_every_open(actor, _of(vendor_id)), CreditNote):
            sums[note.currency] = sums.get(note.currency, 0) + note.remaining_minor
    except FinanceError:
        return None
    return sums


def _every_open(actor: Actor, query: Mapping[str, str]) -> list[dict[str, object]]:
    def fetch(number: int, size: int) -> Page:
        sent: dict[str, str | int] = {**query, "open": "true", "page": number, "limit": size}
        return read_page(read_live(actor, operations_payables.LIST_CREDIT_NOTES, query=sent, deadline=LIVE_S).data)

    return [dict(row) for row in every_row(fetch, max_pages=MOST_PAGES, size=PAGE_SIZE)]


def applicable_note(actor: Actor, bill: Bill, note_id: str) -> CreditNote:
    """A credit note that could lower the bill; NotFound where there is none of that id."""
    applicable = next((note for note in credits_of(actor, bill).applicable if note.id == note_id), None)
    if applicable is None:
        raise NotFound("Nothing of this credit note is left for the bill.", code="not_found")
    return applicable
