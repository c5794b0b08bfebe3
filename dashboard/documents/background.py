"""Receipts are read before anybody opens them: what they say stands in the line of the inbox, and blocks, from the start.

Only those of expenses that wait for a decision, one after the other, the most urgent first. What came of it stands on the
expense with the hash of what it was read for: a receipt is read once, and again only when the expense has changed.
"""

import time
from collections.abc import Mapping, Sequence

import structlog
from django.db.models import QuerySet

from dashboard.access.actor import Actor
from dashboard.access.models import Business
from dashboard.documents.claims import claim_of_expense
from dashboard.documents.comparison import ComparedField, FieldLabel
from dashboard.documents.opening import PASSING, opened
from dashboard.documents.reasons import flags_of_documents, lines_by_document, remember_reading
from dashboard.documents.sources import Document, content_of, receipts_of
from dashboard.errors import FinanceError
from dashboard.mirror.models import UNREAD_EXPENSE, WAITING_EXPENSE, Expense, ReceiptCheck

log = structlog.get_logger(__name__)

# A turn of the job: it ends after so many receipts or seconds, and the next one goes on.
AT_A_TURN = 40
TURN_S = 15.0
# What has to be the same for a receipt to match.
MATCHING = {FieldLabel.TOTAL, FieldLabel.MERCHANT}


def unread_expenses() -> QuerySet[Expense]:
    """The expenses whose receipts are to be read, of every business: those to be decided on first come first."""
    return Expense.objects.filter(UNREAD_EXPENSE).order_by("decide_by", "id")


def read_turn(most: int = AT_A_TURN, seconds: float = TURN_S) -> int:
    """Reads the receipts of the first few, one after the other; of how many expenses."""
    ends, count = time.monotonic() + seconds, 0
    for expense in unread_expenses().select_related("business")[:most]:
        if time.monotonic() >= ends:
            break
        read_receipts(expense)
        count += 1
    return count


def read_receipts(expense: Expense) -> ReceiptCheck:
    """Reads all receipts of an expense and writes down what came of it, for the expense as it was read: where it has
    changed meanwhile it will be read again."""
    try:
        outcome = _compared(expense.business, expense)
    except FinanceError as error:
        log.info("receipt not read", expense=expense.remote_id, error=type(error).__name__)
        outcome = ReceiptCheck.LATER
    except Exception:  # one expense must not end the turn of those behind it
        log.exception("receipt not compared", expense=expense.remote_id)
        outcome = ReceiptCheck.LATER
    Expense.objects.filter(pk=expense.pk, payload_hash=expense.payload_hash).update(
        receipt_reading=outcome, read_hash=expense.payload_hash
    )
    return outcome


def _compared(business: Business, expense: Expense) -> ReceiptCheck:
    reader, documents = Actor.reader_for(business), receipts_of(expense)
    for document in documents:
        document_read = opened(content_of(reader, document))
        if document_read.problem in PASSING:
            return ReceiptCheck.LATER
        remember_reading(business, document, document_read)
    claim = claim_of_expense(expense, business)
    # For the line of the inbox and the gate, in the words that the pane will show.
    flags_of_documents(business, documents, claim)
    return outcome_of(documents, lines_by_document(business, documents, claim))


def outcome_of(documents: Sequence[Document], lines_of: Mapping[str, Sequence[ComparedField]]) -> ReceiptCheck:
    """What the compared lines of all receipts come to: they match where total and merchant were read and nothing differs."""
    lines = [line for compared_lines in lines_of.values() for line in compared_lines]
    if any(line.state == "differs" for line in lines):
        return ReceiptCheck.DIFFERS
    same = {line.label for line in lines if line.state == "same"}
    is_whole = len(lines_of) == len(documents)
    return ReceiptCheck.SAME if is_whole and same >= MATCHING else ReceiptCheck.NOTHING


def ask_again() -> int:
    """What could not be had is asked for again with the next turn; of how many expenses."""
    return Expense.objects.filter(WAITING_EXPENSE, receipt_reading=ReceiptCheck.LATER).update(
        receipt_reading="", read_hash=""
    )
