"""Bills: entering, changing and cancelling one, its files, and its payments up to the request for approval.

Raises what `run` raises; what the service refuses, NotFound too, stands on the form. Approving and rejecting a payment are
decisions (dashboard/decisions/). Interface: Bills; what is beside it as decisions B.9 has it.
"""

import hashlib
from collections.abc import Mapping
from typing import Any

from django import forms

from dashboard import operations, operations_payables
from dashboard.access.actor import Actor
from dashboard.access.operation import Operation
from dashboard.access.subject import Subject
from dashboard.client.multipart import Upload
from dashboard.commands.run import CommandResult, FormKey, Key, run
from dashboard.errors import FAILED, NotFound
from dashboard.mirror.bill_payments import follow_bill_payment
from dashboard.mirror.models import ApprovalRequest, Bill
from dashboard.schemas.bills import BillBody, BillPaymentBody

BILL_KIND, BILL_PAYMENT_KIND = "bill", "bill_payment"
NAMES = {"subcategory_id": "subcategory", "withholding_tax_ids": "withholding", "payment_instruction_id": "account"}
REFUSALS = (*FAILED, NotFound)
# What is ended only as long as it is a draft: the service looks, not the copy.
ONLY_DRAFT = {"only_draft": "true"}


def create_bill(actor: Actor, body: BillBody, *, key: Key, form: forms.BaseForm | None = None) -> CommandResult:
    """Enters a bill; `body` has what a `NewBill` needs. Answers with the bill."""
    subject = Subject(business_id=actor.business.pk, kind=BILL_KIND, id="", title=str(body.get("bill_no") or ""))
    return run(
        actor, operations_payables.CREATE_BILL, subject, body, key=key, kind=BILL_KIND, form=form, names=NAMES,
        refusals=REFUSALS,
    )  # fmt: skip


def update_bill(
    actor: Actor, bill: Bill, body: BillBody, *, key: Key, form: forms.BaseForm | None = None
) -> CommandResult:
    """Changes what `body` names; Conflict while a payment stands in the way. Answers with the bill."""
    return _on_bill(actor, operations_payables.UPDATE_BILL, bill, body, key, form)


def cancel_bill(
    actor: Actor, bill: Bill, reason: str, *, key: Key, form: forms.BaseForm | None = None, only_draft: bool = False
) -> CommandResult:
    """Cancels a bill for good; Conflict while a payment is under way or once one was made, and of `only_draft` for one that
    the service has as none any more (code not_draft). Answers with the bill."""
    query = ONLY_DRAFT if only_draft else None
    return _on_bill(actor, operations_payables.CANCEL_BILL, bill, {"reason": reason}, key, form, query)


def upload_file(actor: Actor, upload: Upload, *, key: FormKey) -> CommandResult:
    """Uploads a file that is to be attached to a bill. Answers with the file: _id, file_name, mime, size, sha256."""
    operation = operations_payables.UPLOAD_BILL_FILE
    # What tells the files of a form apart: their names and what they hold.
    digest = hashlib.sha256(f"{upload.file_name}\0{upload.sha256}".encode()).hexdigest()[:16]
    return run(actor, operation, upload=upload, key=f"{key.of(operation)}-{digest}", refusals=REFUSALS)


def attach_file(actor: Actor, bill: Bill, file_id: str, *, key: Key) -> CommandResult:
    """Attaches an uploaded file to a bill. Answers with the bill."""
    return _on_bill(actor, operations_payables.ATTACH_BILL_FILES, bill, {"file_ids": [file_id]}, key, None)


def detach_file(actor: Actor, bill: Bill, file_id: str, *, key: Key) -> CommandResult:
    """Takes a file off a bill. Answers with the bill."""
    return _on_bill(actor, operations_payables.DETACH_BILL_FILES, bill, {"file_ids": [file_id]}, key, None)


def _on_bill(
    actor: Actor,
    operation: Operation,
    bill: Bill,
    body: Mapping[str, Any],
    key: Key,
    form: forms.BaseForm | None,
    query: Mapping[str, str] | None = None,
) -> CommandResult:
    return run(
        actor, operation, bill, body, key=key, path={"id": bill.remote_id}, kind=BILL_KIND, form=form, names=NAMES,
        refusals=REFUSALS, query=query,
    )  # fmt: skip


def add_payment(
    actor: Actor, bill: Bill, body: BillPaymentBody, *, key: Key, form: forms.BaseForm | None = None,
    deadline: float | None = None,
) -> CommandResult:  # fmt: skip
    """Adds a payment of a bill, a draft that moves nothing yet: of what is left of the balance where `body` has no
    `amount`, to the vendor's default account where it has none. Answers with the payment."""
    return _on_payment(
        actor, operations.ADD_BILL_PAYMENT, bill, body, {"billId": bill.remote_id}, key, form, deadline=deadline
    )


def request_approval(
    actor: Actor, payment: ApprovalRequest, *, key: Key, deadline: float | None = None
) -> CommandResult:
    """Requests approval of a payment. It goes out at once where no workflow, mandate or policy asks for votes.

    Answers with the payment.
    """
    path = {"billId": str(payment.payload.get("bill_id") or ""), "paymentRef": payment.ref}
    return _on_payment(
        actor, operations.REQUEST_BILL_PAYMENT_APPROVAL, payment, None, path, key, None, deadline=deadline
    )


def withdraw_payment(actor: Actor, payment: ApprovalRequest, *, key: Key, only_draft: bool = False) -> CommandResult:
    """Withdraws a payment before anything was sent: its requester, or an admin. `only_draft` as `cancel_bill` has it.
    Answers with the payment."""
    path = {"billId": str(payment.payload.get("bill_id") or ""), "paymentRef": payment.ref}
    query = ONLY_DRAFT if only_draft else None
    return _on_payment(actor, operations.WITHDRAW_BILL_PAYMENT, payment, None, path, key, None, query=query)


def retry_payment(actor: Actor, payment: ApprovalRequest, *, key: Key) -> CommandResult:
    """Sends a failed payment once more, as another attempt of the same payment. Answers with the payment."""
    return _on_payment(actor, operations.RETRY_BILL_PAYMENT, payment, None, {"paymentRef": payment.ref}, key, None)


def _on_payment(
    actor: Actor, operation: Operation, subject: object, body: Mapping[str, Any] | None, path: Mapping[str, str],
    key: Key, form: forms.BaseForm | None, *, deadline: float | None = None, query: Mapping[str, str] | None = None,
) -> CommandResult:  # fmt: skip
    result = run(
        actor, operation, subject, body, key=key, path=path, kind=BILL_PAYMENT_KIND, form=form, names=NAMES, refusals=REFUSALS,
        deadline=deadline, query=query,
    )  # fmt: skip
    follow_bill_payment(actor.business, result.data)
    return result
