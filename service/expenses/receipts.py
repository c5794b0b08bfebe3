"""Receipts: files that are checked by what they hold, kept under MEDIA_ROOT, and found again."""

from pathlib import Path

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from service import documents, errors
from service.auth import Caller
from service.expenses import selectors
from service.expenses.models import Expense, Receipt, Status
from service.expenses.services import record_change
from service.expenses.transitions import GIVE_DETAILS, next_status
from service.ids import object_id

KINDS = frozenset({"PNG", "JPEG", "PDF"})


def store(expense: Expense, file_name: str, content: bytes) -> Receipt:
    """Writes the file and returns its row, not saved yet.

    413 over 10 MB, 415 for anything but PNG, JPEG and PDF by what the bytes are, 422 for an empty or a hostile file.
    """
    document = documents.checked_bytes(content, file_name)
    if document.kind not in KINDS:
        raise errors.unsupported_media_type("a PNG, a JPEG or a PDF")
    receipt_id = object_id()
    ending = Path(document.file_name).suffix
    path = Path("receipts") / expense.business_id / receipt_id[:6] / f"{receipt_id}{ending}"
    full = settings.MEDIA_ROOT / path
    full.parent.mkdir(parents=True, exist_ok=True)
    full.write_bytes(content)
    return Receipt(
        id=receipt_id,
        expense=expense,
        file_name=safe_name(file_name, ending),
        mime=document.mime,
        size=document.size,
        sha256=document.sha256,
        path=str(path),
    )


def attach(caller: Caller, expense_id: str, file_name: str, content: bytes) -> Receipt:
    """Adds a receipt to an expense; one that details were asked for waits for review again."""
    with transaction.atomic():
        expense = selectors.visible(caller).select_for_update(no_key=True, of=("self",)).filter(id=expense_id).first()
        if expense is None:
            raise errors.not_found("expense")
        receipt = store(expense, file_name, content)
        receipt.save(force_insert=True)
        before = {"status": expense.status}
        if expense.status == Status.DETAILS_REQUESTED:
            expense.status = next_status(expense, GIVE_DETAILS)
        expense.version += 1
        expense.updated_at = timezone.now()
        expense.save(update_fields=["status", "version", "updated_at"])
        record_change(caller, expense, "expense.updated", "expense.attach_receipt", before)
    return receipt


def get_receipt(expense: Expense, receipt_id: str | None = None) -> Receipt:
    """A receipt of the expense: the named one, else the newest; 404 when there is none."""
    rows = Receipt.objects.filter(expense=expense).order_by("-id")
    found = (rows.filter(id=receipt_id) if receipt_id else rows).first()
    if found is None or not location(found).is_file():
        raise errors.not_found("receipt")
    return found


def location(receipt: Receipt) -> Path:
    """Where the file lies."""
    return Path(settings.MEDIA_ROOT) / receipt.path


def safe_name(file_name: str, ending: str) -> str:
    """A file name that is safe in headers and archives, with the ending that its content has."""
    stem = Path(file_name.replace("\\", "/")).name.rsplit(".", 1)[0]
    cleaned = "".join(character if character.isalnum() or character in "-_ " else "_" for character in stem).strip()
    return f"{cleaned[:100] or 'receipt'}{ending}"
