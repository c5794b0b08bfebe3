"""How credit notes are shown: those of a bill with what could still be applied to it, and the list of all."""

from dataclasses import dataclass
from typing import TypedDict
from urllib.parse import urlencode

from dashboard import operations_payables
from dashboard.access.actor import Actor
from dashboard.access.check import can
from dashboard.lists.detail_page import Facts
from dashboard.mirror.models import OPEN_BILL_STATES, Bill
from dashboard.money import text
from dashboard.pages.bills.selectors.credit_notes import PAGE_SIZE, BillCredits, NotesPage
from dashboard.schemas.credit_notes import CreditNote
from dashboard.times import day_text


@dataclass(frozen=True, slots=True)
class CreditRow:
    """A credit note as it is printed; `here` is what of it lowers the bill that is shown, "" for nothing, and `remaining`
    what is left of it, "" where that is nothing."""

    credit_note: CreditNote
    issued: str
    amount: str
    here: str
    remaining: str


class CreditsContext(TypedDict):
    """What bills/credits.html reads; `applicable` are the notes that could lower the bill where the actor may apply them
    and `more_applicable` how many there are beside, `may_credit` whether they may record another."""

    credits: list[CreditRow]
    credits_known: bool
    applicable: list[CreditRow]
    more_applicable: int
    may_credit: bool


class NotesContext(TypedDict):
    """What bills/credit_notes.html reads; `left` is what no bill has taken yet of all of them, by currency; `counted` says how
    many there are where this page holds a part, `query` is what stands before the page's number in an address."""

    rows: list[CreditRow]
    left: Facts
    left_known: bool
    counted: str
    previous: int
    next: int
    query: str
    problem: str


def credits_context(actor: Actor, bill: Bill, held: BillCredits, free_minor: int) -> CreditsContext:
    """The credit notes of a bill, of which `free_minor` is open and claimed by no payment."""
    is_open = bill.status in OPEN_BILL_STATES and free_minor > 0
    may = bool(can(actor, operations_payables.APPLY_CREDIT_NOTE, bill))
    return {
        "credits": [_row(actor, credit_note, bill) for credit_note in held.notes],
        "credits_known": held.known,
        "applicable": [_row(actor, credit_note, bill) for credit_note in held.applicable] if may and is_open else [],
        "more_applicable": held.more_applicable if may and is_open else 0,
        "may_credit": bill.status not in {"DRAFT", "CANCELLED"}
        and bool(can(actor, operations_payables.CREATE_CREDIT_NOTE, bill)),
    }


def notes_context(
    actor: Actor, notes_page: NotesPage, unapplied: dict[str, int] | None, vendor_id: str
) -> NotesContext:
    """A page of the credit notes, the newest first; `unapplied` is None where what is left of all is not known."""
    first = (notes_page.number - 1) * PAGE_SIZE + 1
    last = first + len(notes_page.notes) - 1
    return {
        "rows": [_row(actor, credit_note, None) for credit_note in notes_page.notes],
        "left": unapplied_facts(actor, unapplied or {}),
        "left_known": unapplied is not None,
        "counted": f"{first:,} to {last:,} of {notes_page.total:,} credit notes" if notes_page.pages > 1 else "",
        "previous": notes_page.number - 1,
        "next": notes_page.number + 1 if notes_page.number < notes_page.pages else 0,
        "query": urlencode({"vendor": vendor_id}) + "&" if vendor_id else "",
        "problem": "",
    }


def unapplied_facts(actor: Actor, sums: dict[str, int]) -> Facts:
    """What no bill has taken yet, by currency; nothing for those in which that is nothing."""
    return [
        (currency, text(minor, currency, actor.business.locale)) for currency, minor in sorted(sums.items()) if minor
    ]


def _row(actor: Actor, credit_note: CreditNote, bill: Bill | None) -> CreditRow:
    def amount(minor: int) -> str:
        return text(minor, credit_note.currency, actor.business.locale) if minor else ""

    here = sum(
        part.amount_minor for part in credit_note.applications if bill is not None and part.bill_id == bill.remote_id
    )
    issued = day_text(credit_note.issued_at) if credit_note.issued_at else ""
    return CreditRow(
        credit_note, issued, amount(credit_note.amount_minor), amount(here), amount(credit_note.remaining_minor)
    )
