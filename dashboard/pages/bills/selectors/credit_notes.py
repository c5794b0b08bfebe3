"""What is read of credit notes, live: those of a bill, those of its vendor of which something remains, and all of them."""

from dataclasses import dataclass, field

from dashboard import operations_extra
from dashboard.access.actor import Actor
from dashboard.client.page import read_page, typed
from dashboard.client.reads import Ok, Read, read_live, read_together
from dashboard.errors import FinanceError, NotFound
from dashboard.mirror.models import Bill
from dashboard.schemas.credit_notes import CreditNote

LIVE_S = 1.5
LIST_S = 4.0
MOST = 200
MOST_OPEN = 20


@dataclass(frozen=True, slots=True)
class BillCredits:
    """The credit notes that refer to a bill or lower it, and those that could lower it; `known` is False where the service
    did not say."""

    notes: list[CreditNote] = field(default_factory=list)
    applicable: list[CreditNote] = field(default_factory=list)
    known: bool = True


def credits_of(actor: Actor, bill: Bill) -> BillCredits:
    """What credit notes there are for a bill."""
    could: dict[str, str | int] = {
        "vendor_id": bill.vendor_id,
        "currency": bill.currency,
        "open": "true",
        "limit": MOST_OPEN,
    }
    reads = {
        "notes": Read(operations_extra.LIST_CREDIT_NOTES, query={"bill_id": bill.remote_id}, deadline=LIVE_S),
        "applicable": Read(operations_extra.LIST_CREDIT_NOTES, query=could, deadline=LIVE_S),
    }
    try:
        results = read_together(actor, reads)
        rows = {
            name: typed(read_page(result.answer.data).rows, CreditNote)
            for name, result in results.items()
            if isinstance(result, Ok)
        }
    except FinanceError:
        return BillCredits(known=False)
    return BillCredits(rows.get("notes", []), rows.get("applicable", []), known=len(rows) == len(reads))


def credit_notes_of(actor: Actor, vendor_id: str = "") -> list[CreditNote]:
    """The newest credit notes, of one vendor where it is named, at most MOST. Raises the FinanceError tree."""
    query: dict[str, str | int] = {"limit": MOST} | ({"vendor_id": vendor_id} if vendor_id else {})
    answer = read_live(actor, operations_extra.LIST_CREDIT_NOTES, query=query, deadline=LIST_S)
    return typed(read_page(answer.data).rows, CreditNote)


def unapplied_of(actor: Actor) -> dict[str, int] | None:
    """What of credit notes no bill has taken yet, in minor units by currency; None where it is not known now."""
    sums: dict[str, int] = {}
    query: dict[str, str | int] = {"open": "true", "limit": MOST}
    try:
        answer = read_live(actor, operations_extra.LIST_CREDIT_NOTES, query=query, deadline=LIVE_S)
        for note in typed(read_page(answer.data).rows, CreditNote):
            sums[note.currency] = sums.get(note.currency, 0) + note.remaining_minor
    except FinanceError:
        return None
    return sums


def applicable_note(actor: Actor, bill: Bill, note_id: str) -> CreditNote:
    """A credit note that could lower the bill; NotFound where there is none of that id."""
    applicable = next((note for note in credits_of(actor, bill).applicable if note.id == note_id), None)
    if applicable is None:
        raise NotFound("Nothing of this credit note is left for the bill.", code="not_found")
    return applicable
