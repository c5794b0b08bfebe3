"""Credit notes: recording one for a bill, and lowering another bill by what remains of it.

Raises what `run` raises; what the service refuses stands on the form. The copy holds no credit notes; what is open on the
bill comes with the bill. Beside the interface.
"""

from django import forms

from dashboard import operations_payables
from dashboard.access.actor import Actor
from dashboard.access.subject import Subject
from dashboard.commands.run import CommandResult, Key, run
from dashboard.errors import FAILED, NotFound
from dashboard.mirror.models import Bill
from dashboard.schemas.credit_notes import CreditNote, CreditNoteBody

REFUSALS = (*FAILED, NotFound)


def create_credit_note(
    actor: Actor, bill: Bill, body: CreditNoteBody, *, key: Key, form: forms.BaseForm | None = None
) -> CommandResult:
    """Records a credit note for a bill. Answers with the note."""
    sent = {**body, "bill_id": bill.remote_id}
    return run(actor, operations_payables.CREATE_CREDIT_NOTE, bill, sent, key=key, form=form, refusals=REFUSALS)


def apply_credit_note(actor: Actor, credit_note: CreditNote, bill: Bill, *, key: Key) -> CommandResult:
    """Lowers what is open on a bill by all that fits of a credit note of its vendor. Answers with the note."""
    subject = Subject(business_id=actor.business.pk, kind="credit_note", id=credit_note.id, title=credit_note.credit_no)
    return run(
        actor, operations_payables.APPLY_CREDIT_NOTE, subject, {"bill_id": bill.remote_id}, key=key, path={"id": credit_note.id},
        refusals=REFUSALS,
    )  # fmt: skip
