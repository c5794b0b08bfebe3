"""The documents of an item and where they differ from it: receipts of an expense, files of a bill."""

from collections.abc import Sequence
from typing import Any

from dashboard.access.actor import Actor
from dashboard.access.models import Business
from dashboard.decisions.desk_items import ItemFlag, Paper
from dashboard.documents.claims import claim_of_bill, claim_of_expense
from dashboard.documents.reasons import flags_of_documents, notes_for_lines
from dashboard.documents.sources import bill_files_of, receipts_of
from dashboard.documents.viewers import viewers_of
from dashboard.mirror.models import Approval, Expense
from dashboard.schemas.bills import BillPayload


def receipt_papers(actor: Actor, expense: Expense) -> list[Paper]:
    """The receipts as papers of the item, each in its place until it has been opened."""
    return viewers_of(actor, receipts_of(expense), claim_of_expense(expense, actor.business))


def flags_of_receipts(actor: Actor, expense: Expense) -> list[ItemFlag]:
    """Where the receipts that have been read differ from the expense."""
    return flags_of_documents(actor.business, receipts_of(expense), claim_of_expense(expense, actor.business))


def bill_file_papers(actor: Actor, approval: Approval, bill_payload: BillPayload) -> list[Paper]:
    """The files of the bill behind a payment as papers of the item."""
    return viewers_of(actor, bill_files_of(approval, bill_payload), claim_of_bill(bill_payload, actor.business))


def flags_of_bill(actor: Actor, approval: Approval, bill_payload: BillPayload) -> list[ItemFlag]:
    """Where the files of the bill that have been read differ from it."""
    return flags_of_documents(
        actor.business, bill_files_of(approval, bill_payload), claim_of_bill(bill_payload, actor.business)
    )


def with_notes(business: Business, rows: Sequence[Any]) -> list[Any]:
    """The inbox's rows, those whose documents differ from them saying so: one look into the cache for all of them."""
    notes = notes_for_lines(business, [row.key for row in rows])
    return [row._replace(about=f"{row.about} · {notes[row.key]}") if row.key in notes else row for row in rows]
