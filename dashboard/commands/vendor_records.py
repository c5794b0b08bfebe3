"""What is done with a vendor as a record: bringing it back, merging a duplicate into it, its documents.

Raises what `run` raises; what the service refuses, NotFound too, stands on the form. Each answers with the vendor.
"""

from collections.abc import Mapping
from typing import TypedDict

from django import forms

from dashboard import operations, operations_payables
from dashboard.access.actor import Actor
from dashboard.client.multipart import Upload
from dashboard.client.reads import read_live
from dashboard.commands.run import CommandResult, FormKey, Key, run, write_through
from dashboard.commands.vendors import KIND, REFUSALS
from dashboard.errors import FinanceError
from dashboard.mirror.models import Vendor
from dashboard.schemas.vendors import MergeBody


class DocumentFields(TypedDict):
    """What a document is: its kind, its title ("" for the name of its file), its last day (YYYY-MM-DD, "" for none)."""

    kind: str
    title: str
    ends_on: str


def restore_vendor(actor: Actor, vendor: Vendor, *, key: Key, deadline: float | None = None) -> CommandResult:
    """Brings a deleted vendor back; Conflict for one that was merged."""
    path = {"id": vendor.remote_id}
    return run(actor, operations_payables.RESTORE_VENDOR, vendor, key=key, path=path, kind=KIND, deadline=deadline)


def merge_vendor(
    actor: Actor, vendor: Vendor, duplicate: Vendor, reason: str, *, key: Key, form: forms.BaseForm | None = None
) -> CommandResult:
    """Moves what belongs to the duplicate to the vendor, and deletes it: accounts new to the vendor wait for a second person."""
    body: MergeBody = {"duplicate_id": duplicate.remote_id, "reason": reason}
    return carry_out_merge(actor, vendor, body, path={"id": vendor.remote_id}, key=key, form=form)


def carry_out_merge(
    actor: Actor, subject: object, body: MergeBody, *, path: Mapping[str, str], key: Key,
    form: forms.BaseForm | None = None,
) -> CommandResult:  # fmt: skip
    """Sends a merge as it was proposed: `subject` is what the gate judges. What became of the duplicate
    is read, and stands in the copy."""
    result = run(
        actor,
        operations_payables.MERGE_VENDOR,
        subject,
        body,
        key=key,
        path=path,
        kind=KIND,
        form=form,
        refusals=REFUSALS,
    )
    try:
        gone = read_live(actor, operations.READ_VENDOR, path={"id": body["duplicate_id"]}, tries=1)
    except FinanceError:
        return result  # its event brings it into the copy
    write_through(actor, KIND, gone.data)
    return result


def add_document(
    actor: Actor, vendor: Vendor, upload: Upload, document_fields: DocumentFields, *, key: FormKey
) -> CommandResult:
    """Puts a file on a vendor; the same file under the same form is the same call."""
    operation = operations_payables.ADD_VENDOR_DOCUMENT
    query: Mapping[str, str] = {name: str(value) for name, value in document_fields.items() if value}
    return run(
        actor, operation, vendor, upload=upload, query=query, path={"id": vendor.remote_id}, kind=KIND,
        key=f"{key.of(operation)}-{upload.sha256[:16]}", refusals=REFUSALS,
    )  # fmt: skip


def remove_document(actor: Actor, vendor: Vendor, document_id: str, *, key: Key) -> CommandResult:
    """Takes a document off a vendor; the service keeps it for the record."""
    path = {"id": vendor.remote_id, "documentId": document_id}
    return run(
        actor, operations_payables.REMOVE_VENDOR_DOCUMENT, vendor, key=key, path=path, kind=KIND, refusals=REFUSALS
    )
