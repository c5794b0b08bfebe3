"""Transactions: one that a person enters, filing one under another category, splitting it, and its documents, which are sent on as they
come (adr/0011).

Raises what `run` raises; what the service refuses, NotFound too, stands on the form. Approving and rejecting one are
decisions (dashboard/decisions/). Interface: Transactions.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import replace

from django import forms

from dashboard import operations, operations_extra
from dashboard.access.actor import Actor
from dashboard.access.subject import Subject
from dashboard.client.multipart import Upload
from dashboard.commands import expenses
from dashboard.commands.run import CommandResult, FormKey, Key, run, write_through
from dashboard.errors import FAILED, NotFound
from dashboard.mirror.models import Expense, Transaction
from dashboard.mirror.scopes import visible_expenses
from dashboard.schemas.transactions import NewPart, TransactionBody

KIND, WAITING, EXPENSE = "transaction", "hand_transaction", "expense"
NAMES = {"org_wallet_ref": "wallet", "to_org_wallet_ref": "to_wallet", "subcategory_id": "category"}
REFUSALS = (*FAILED, NotFound)


def create_transaction(
    actor: Actor, body: TransactionBody, *, key: Key, form: forms.BaseForm | None = None
) -> CommandResult:
    """Enters a transaction, which moves nothing before a second person approves it; `body` is a `NewTransaction`.

    Answers with the transaction, which waits in the inbox from then on.
    """
    title = str(body.get("counterparty") or body.get("ref") or "")
    subject = Subject(business_id=actor.business.pk, kind=KIND, id="", title=title)
    result = run(
        actor, operations.CREATE_TRANSACTION, subject, body, key=key, kind=KIND, form=form, names=NAMES,
        refusals=REFUSALS,
    )  # fmt: skip
    write_through(actor, WAITING, result.data)
    return result


def recategorise_transaction(
    actor: Actor, transaction: Transaction, subcategory_id: str, *, key: Key, form: forms.BaseForm | None = None,
    deadline: float | None = None, seen: str | None = None,
) -> CommandResult:  # fmt: skip
    """Files it, and its expense with it, under one of the business's subcategories. Answers with the transaction. Conflict
    where it is filed otherwise than under the one that was `seen` ("" for none)."""
    path, body = {"id": transaction.remote_id}, {"subcategory_id": subcategory_id}
    if seen is not None:
        body["seen_subcategory_id"] = seen
    operation = operations.TAG_TRANSACTION
    return run(
        actor, operation, transaction, body, key=key, path=path, kind=KIND, form=form, refusals=REFUSALS, deadline=deadline
    )  # fmt: skip


def split(
    actor: Actor, transaction: Transaction, version: int, parts: Sequence[NewPart], *, key: Key,
    form: forms.BaseForm | None = None,
) -> CommandResult:  # fmt: skip
    """Divides a transaction of that version, and its expense with it, into parts with categories of their own; without any
    it is whole again, under the category that it had before. Answers with the transaction."""
    path = {"id": transaction.remote_id}
    body = {"version": version, "parts": [part.model_dump(mode="json") for part in parts]}
    return run(
        actor, operations_extra.SPLIT_TRANSACTION, transaction, body, key=key, path=path, kind=KIND, form=form,
        refusals=REFUSALS,
    )  # fmt: skip


def add_transaction_tag(
    actor: Actor, transaction: Transaction, tag: str, *, key: Key, deadline: float | None = None
) -> CommandResult:
    """Gives the expense behind a transaction one more tag. NotFound where there is none that the actor may see."""
    return expenses.add_tag(actor, expense_of(actor, transaction), tag, key=key, deadline=deadline)


def remove_transaction_tag(
    actor: Actor, transaction: Transaction, tag: str, *, key: Key, deadline: float | None = None
) -> CommandResult:
    """Removes a tag from the expense behind a transaction. NotFound as `add_transaction_tag`."""
    return expenses.remove_tag(actor, expense_of(actor, transaction), tag, key=key, deadline=deadline)


def expense_of(actor: Actor, transaction: Transaction) -> Expense:
    """The expense behind a transaction; NotFound where there is none that the actor may see."""
    expense = visible_expenses(actor).filter(remote_id=transaction.expense_id or "-").first()
    if expense is None:
        raise NotFound("There is no expense behind this transaction.")
    return expense


def add_document(actor: Actor, transaction: Transaction, upload: Upload, *, key: FormKey) -> CommandResult:
    """Sends a file as a document of a transaction; the same file under the same form is the same call.

    Answers with the document, and with the `expense` that it proves, where it does.
    """
    operation, path = operations.UPLOAD_TRANSACTION_DOCUMENT, {"id": transaction.remote_id}
    result = run(actor, operation, transaction, path=path, upload=upload, key=f"{key.of(operation)}-{_name_of(upload)}")
    return _with_expense(actor, result)


def add_named_document(actor: Actor, transaction: Transaction, upload: Upload, *, key: FormKey) -> CommandResult:
    """As `add_document`, where the form itself names the transaction that the file belongs to."""
    operation = operations.UPLOAD_SUPPORTING_DOCUMENT
    named = replace(upload, fields={"transaction_id": transaction.remote_id})
    result = run(actor, operation, transaction, upload=named, key=f"{key.of(operation)}-{_name_of(upload)}")
    return _with_expense(actor, result)


def remove_document(actor: Actor, transaction: Transaction, document_id: str, *, key: Key) -> CommandResult:
    """Removes a document from an expense or a top-up; of any other type Conflict. Answers with the transaction."""
    path, body = {"id": transaction.remote_id}, {"document_id": document_id}
    operation = operations.REMOVE_TRANSACTION_DOCUMENT
    return run(actor, operation, transaction, body, key=key, path=path, kind=KIND, refusals=REFUSALS)


def _with_expense(actor: Actor, command_result: CommandResult) -> CommandResult:
    proven = command_result.data.get("expense") if isinstance(command_result.data, Mapping) else None
    if isinstance(proven, Mapping):
        write_through(actor, EXPENSE, proven)
    return command_result


def _name_of(upload: Upload) -> str:
    """What tells the files of a form apart: their names and what they hold."""
    return hashlib.sha256(f"{upload.file_name}\0{upload.sha256}".encode()).hexdigest()[:16]
