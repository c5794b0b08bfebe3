"""Expenses: notes, category and tags of one, and exports of receipts. Approving one is a decision (dashboard/decisions/).

Raises what `run` raises. Interface: Expenses (PUT /expenses…, POST /expenses/export-receipts), decisions B.16.
"""

from collections.abc import Sequence

from django import forms
from pydantic import ValidationError

from dashboard import operations, operations_extra
from dashboard.access.actor import Actor
from dashboard.access.subject import Subject
from dashboard.commands.run import CommandResult, FormKey, Key, run
from dashboard.errors import Conflict, Unknown
from dashboard.mirror.models import Expense
from dashboard.schemas.expenses import ReceiptsExport, ReceiptsExportTerms

KIND = "expense"


def save_notes(
    actor: Actor, expense: Expense, notes: str, *, key: Key, form: forms.BaseForm | None = None
) -> CommandResult:
    """Changes the notes of an expense. Answers with the expense."""
    path = {"id": expense.remote_id}
    return run(actor, operations.NOTE_EXPENSE, expense, {"notes": notes}, key=key, path=path, kind=KIND, form=form)


def categorise(
    actor: Actor, expense: Expense, subcategory_id: str, *, key: Key, form: forms.BaseForm | None = None,
    deadline: float | None = None, seen: str | None = None,
) -> CommandResult:  # fmt: skip
    """Files an expense under another of the business's subcategories. Answers with the expense. Conflict where it is filed
    otherwise than under the one that was `seen` ("" for none)."""
    operation, body = operations.CATEGORISE_EXPENSE, {"subcategory_id": subcategory_id}
    if seen is not None:
        body["seen_subcategory_id"] = seen
    path = {"expenseId": expense.remote_id}
    return run(actor, operation, expense, body, key=key, path=path, kind=KIND, form=form, deadline=deadline)


def save_tags(actor: Actor, expense: Expense, tags: Sequence[str], new: str = "", *, key: FormKey) -> CommandResult:
    """Gives an expense these tags of the business's own, and a new one where it is named. Answers with the expense."""
    if new:
        create_tag(actor, new, key=key)
    path, body = {"id": expense.remote_id}, {"tags": [*tags, new] if new else list(tags)}
    return run(actor, operations_extra.TAG_EXPENSE, expense, body, key=key, path=path, kind=KIND)


def tags_of(expense: Expense) -> list[str]:
    """The names of the tags that an expense has, as the copy knows it."""
    return [str(name) for name in expense.payload.get("tag") or []]


def add_tag(actor: Actor, expense: Expense, tag: str, *, key: Key, deadline: float | None = None) -> CommandResult:
    """Gives an expense one more of the business's tags; it keeps those that it has. Answers with the expense."""
    tags = tags_of(expense)
    return _set_tags(actor, expense, tags if tag in tags else [*tags, tag], key=key, deadline=deadline)


def remove_tag(actor: Actor, expense: Expense, tag: str, *, key: Key, deadline: float | None = None) -> CommandResult:
    """Removes a tag from an expense, which may have it or not. Answers with the expense."""
    return _set_tags(actor, expense, [name for name in tags_of(expense) if name != tag], key=key, deadline=deadline)


def _set_tags(actor: Actor, expense: Expense, tags: list[str], *, key: Key, deadline: float | None) -> CommandResult:
    path, body = {"id": expense.remote_id}, {"tags": tags}
    return run(actor, operations_extra.TAG_EXPENSE, expense, body, key=key, path=path, kind=KIND, deadline=deadline)


def create_tag(actor: Actor, name: str, *, key: FormKey) -> None:
    """Adds a word to the business's tags; somebody may have added the same word meanwhile: then that one is meant."""
    try:
        run(actor, operations_extra.CREATE_EXPENSE_TAG, None, {"name": name}, key=key)
    except Conflict as conflict:
        if conflict.code == "key_reused":
            raise


def start_receipts_export(
    actor: Actor, body: ReceiptsExportTerms, *, key: Key, form: forms.BaseForm | None = None
) -> ReceiptsExport:
    """Has the service make an archive or a document of receipts; says how far it is."""
    subject = Subject(business_id=actor.business.pk, kind="receipts_export", id="", holder_id=actor.employee_id)
    result = run(actor, operations.START_RECEIPTS_EXPORT, subject, body, key=key, form=form)
    try:
        return ReceiptsExport.model_validate(result.data)
    except ValidationError:
        # It was accepted: nobody may say that nothing was changed.
        raise Unknown(code="unreadable", request_id=result.request_id) from None


def cancel_receipts_export(actor: Actor, job: object, job_id: str) -> None:
    """Stops an export that is on its way (`job` is its row here); one that is finished stays."""
    run(actor, operations_extra.CANCEL_RECEIPTS_EXPORT, job, key=None, path={"jobId": job_id})
