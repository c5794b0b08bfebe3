"""Receipts: files that are checked by what they hold, stored, and found again."""

from pathlib import Path

from django.db import transaction
from django.utils import timezone

from service import documents, errors, storage
from service.auth import Caller
from service.documents import Document
from service.expenses import selectors, transitions
from service.expenses.models import Expense, ExpenseStatus, Receipt
from service.expenses.services import answers, record_expense_change
from service.ids import object_id
from service.respond import ChangedFields

KINDS = frozenset({"PNG", "JPEG", "PDF"})
AT_MOST = 20


def store(expense: Expense, file_name: str, content: bytes) -> Receipt:
    """Writes the file and returns its row, not saved yet.

    413 over 10 MB, 415 for anything but PNG, JPEG and PDF by what the bytes are, 422 for an empty or a hostile file.
    """
    document = documents.checked_bytes(content, file_name)
    if document.kind not in KINDS:
        raise errors.unsupported_media_type("a PNG, a JPEG or a PDF")
    row = _row(expense, document, file_name)
    row.path = f"receipts/{expense.business_id}/{row.id[:6]}/{row.id}{Path(document.file_name).suffix}"
    storage.write(row.path, document.content)
    return row


def _row(expense: Expense, document: Document, file_name: str, path: str = "") -> Receipt:
    return Receipt(
        id=object_id(),
        expense=expense,
        file_name=safe_name(file_name, Path(document.file_name).suffix),
        mime=document.mime,
        size=document.size,
        sha256=document.sha256,
        path=path,
    )


def attach(caller: Caller, expense_id: str, document: Document, *, path: str) -> tuple[Receipt, bool]:
    """Adds a checked file to an expense as a receipt; the same file again is the receipt that is there (False then).

    The spender's receipt answers a request for details: the expense waits for review again. `path` says where the bytes
    lie already: nobody waits at the expense's row for the store. 404 for the expense, 415 for what is no receipt, 422
    limit_exceeded beyond 20.
    """
    if document.kind not in KINDS:
        raise errors.unsupported_media_type("a PNG, a JPEG or a PDF")
    with transaction.atomic():
        expense = selectors.visible(caller).select_for_update(no_key=True, of=("self",)).filter(id=expense_id).first()
        if expense is None:
            raise errors.not_found("expense")
        known = Receipt.objects.filter(expense=expense, sha256=document.sha256).order_by("id").first()
        if known is not None:
            return known, False
        if Receipt.objects.filter(expense=expense).count() >= AT_MOST:
            raise errors.limit_exceeded(f"An expense has at most {AT_MOST} receipts.")
        receipt = _row(expense, document, document.file_name, path)
        receipt.save(force_insert=True)
        before = {"status": expense.status}
        if expense.status == ExpenseStatus.DETAILS_REQUESTED and answers(caller, expense):
            expense.status = transitions.next_status(expense, transitions.GIVE_DETAILS)
        _save_change(caller, expense, "expense.attach_receipt", before)
    return receipt, True


def detach(caller: Caller, expense_id: str, sha256: str) -> None:
    """Takes the receipt off that came with a document which goes; nothing where there is none. Inside a transaction.

    The bytes are the document's: whoever takes that off removes them.
    """
    expense = Expense.objects.select_for_update(no_key=True, of=("self",)).filter(id=expense_id).first()
    if expense is None:
        return
    gone, _ = Receipt.objects.filter(expense=expense, sha256=sha256).delete()
    if gone:
        _save_change(caller, expense, "expense.remove_receipt", {"status": expense.status})


def _save_change(caller: Caller, expense: Expense, action: str, before: ChangedFields) -> None:
    expense.version += 1
    expense.updated_at = timezone.now()
    expense.save(update_fields=["status", "version", "updated_at"])
    record_expense_change(caller, expense, "expense.updated", action, before)


def get_receipt(expense: Expense, receipt_id: str | None = None) -> Receipt:
    """A receipt of the expense: the named one, else the newest; 404 when there is none."""
    rows = Receipt.objects.filter(expense=expense).order_by("-id")
    receipt = (rows.filter(id=receipt_id) if receipt_id else rows).first()
    if receipt is None or not storage.exists(receipt.path):
        raise errors.not_found("receipt")
    return receipt


def safe_name(file_name: str, ending: str) -> str:
    """A file name that is safe in headers and archives, with the ending that its content has."""
    stem = Path(file_name.replace("\\", "/")).name.rsplit(".", 1)[0]
    cleaned = "".join(character if character.isalnum() or character in "-_ " else "_" for character in stem).strip()
    return f"{cleaned[:100] or 'receipt'}{ending}"
