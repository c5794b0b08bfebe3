"""What is read for a document: its subject as the actor may see it, the files beside it, and what the subject says."""

from dataclasses import dataclass
from typing import Any

from django.shortcuts import get_object_or_404

from dashboard.access.actor import Actor
from dashboard.decisions.bills import bill_of
from dashboard.decisions.described_requests import described_request
from dashboard.documents.claims import claim_of_bill, claim_of_expense
from dashboard.documents.comparison import Expectation
from dashboard.documents.sources import Document, bill_files_of, document_named, receipts_of
from dashboard.errors import NotFound
from dashboard.mirror.scopes import visible_approvals, visible_expenses


@dataclass(frozen=True, slots=True)
class VisibleDocument:
    """A document that the actor may see: its subject's row, the file, all files of the subject, and what it claims."""

    subject: Any
    document: Document
    beside: list[Document]
    claim: Expectation


def visible_receipt(actor: Actor, expense_id: str, receipt_id: str) -> VisibleDocument:
    """A receipt of an expense; Http404 and NotFound outside what the actor may see."""
    expense = get_object_or_404(visible_expenses(actor), remote_id=expense_id)
    receipts = receipts_of(expense)
    return VisibleDocument(
        expense, document_named(receipts, receipt_id), receipts, claim_of_expense(expense, actor.business)
    )


def visible_bill_file(actor: Actor, approval_id: str, file_id: str) -> VisibleDocument:
    """A file of the bill behind a payment; Http404 and NotFound outside what the actor may see, or where the bill cannot
    be read."""
    approval = get_object_or_404(visible_approvals(actor), remote_id=approval_id)
    paid = described_request(approval)
    bill = bill_of(actor, paid) if paid is not None and paid.kind == "bill_payment" else None
    if bill is None:
        raise NotFound("There is no such file of this bill.", code="hidden")
    files = bill_files_of(approval, bill)
    return VisibleDocument(approval, document_named(files, file_id), files, claim_of_bill(bill, actor.business))
