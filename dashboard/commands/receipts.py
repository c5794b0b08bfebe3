"""Receipts: files that prove a purchase, sent on as they come; nothing of their bytes is kept here (adr/0011).

Raises what `run` raises. Interface: POST /transactions/{id}/supporting-document.
"""

import hashlib
from collections.abc import Mapping

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.client.multipart import Upload
from dashboard.commands import expenses
from dashboard.commands.run import CommandResult, FormKey, run, write_through
from dashboard.mirror.models import Expense
from dashboard.mirror.scopes import visible_transactions


def add_receipt(actor: Actor, expense: Expense, upload: Upload, *, key: FormKey) -> CommandResult:
    """Sends a file as a receipt of an expense; the same file under the same form is the same call.

    The answer is the document: _id, file_name, kind, mime, size, sha256, and `expense` where the service says what it
    proves, which is written through to the copy.
    """
    operation = operations.UPLOAD_TRANSACTION_DOCUMENT
    path = {"id": _transaction_id(actor, expense)}
    result = run(actor, operation, expense, path=path, upload=upload, key=f"{key.of(operation)}-{_name_of(upload)}")
    proven = result.data.get("expense") if isinstance(result.data, Mapping) else None
    if isinstance(proven, Mapping):
        write_through(actor, expenses.KIND, proven)
    return result


def _name_of(upload: Upload) -> str:
    """What tells the files of a form apart: their names and what they hold."""
    return hashlib.sha256(f"{upload.file_name}\0{upload.sha256}".encode()).hexdigest()[:16]


def _transaction_id(actor: Actor, expense: Expense) -> str:
    """The id of the purchase among the transactions; the expense's own as long as the copy knows of none: on hold there
    is none yet, and the service takes the expense's id for it."""
    purchases = visible_transactions(actor).filter(
        expense_id=expense.remote_id, type="EXPENSE", employee_id=expense.employee_id
    )
    return purchases.values_list("remote_id", flat=True).first() or expense.remote_id
