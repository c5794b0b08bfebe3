"""What can be done with credit notes: record one, and lower what is open on bills by it.

Locks: the bill first, then the note. Under both, what is applied never exceeds what remains of the note, nor what is open
on the bill and claimed by no payment; the tables refuse it, too. What a request has recorded or applied is found again by
its key after the stored answer is forgotten: a replay lowers nothing a second time.
"""

from django.db import IntegrityError, transaction

from service import effects, errors
from service.auth import Caller
from service.bills import amounts, services
from service.bills.duplicates import number_key
from service.bills.models import Bill, BillStatus
from service.bills.payments import PAYABLE, free
from service.bills.selectors import lock_bill
from service.bills.transitions import move_bill
from service.credit_notes import serializers
from service.credit_notes.models import CreditApplication, CreditNote
from service.credit_notes.schemas import ApplyCredit, NewCreditNote
from service.credit_notes.selectors import get_credit_note, lock_credit_note
from service.events.audit import record_audit
from service.events.outbox import record_event
from service.respond import ChangedFields


def create(caller: Caller, new: NewCreditNote) -> CreditNote:
    """Records a credit note for a bill, and lowers what is open on it by what fits; the rest waits for other bills.

    422 for a bill that is not there, or a number without a letter or digit; 409 for a number that the vendor has used, a
    bill that is a draft or cancelled.
    """
    with transaction.atomic():
        bill = _bill(caller, new.bill_id)
        if (done := effects.earlier(caller, CreditNote.objects.filter(business=caller.business))) is not None:
            return get_credit_note(caller, done.id)
        if bill.status in (BillStatus.DRAFT, BillStatus.CANCELLED):
            raise errors.invalid_state(f"A bill that is {bill.status} takes no credit note.")
        row = CreditNote(
            id=effects.new_id(caller),
            business=caller.business,
            vendor=bill.vendor,
            bill=bill,
            credit_no=new.credit_no,
            credit_no_key=number_key(new.credit_no),
            currency=bill.currency,
            amount_minor=amounts.minor("amount", new.amount, bill.currency),
            issued_on=new.issued_at,
            reason=new.reason,
            created_by=caller.label,
        )
        if not row.credit_no_key:
            raise errors.validation_failed("credit_no", "It holds neither a letter nor a digit.")
        _insert(row)
        _write_down(caller, row, "created", {})
        fits = min(row.amount_minor, max(0, free(bill)))
        if fits and bill.status in PAYABLE:
            _lower(caller, row, bill, fits)
        return get_credit_note(caller, row.id)


def apply(caller: Caller, note_id: str, body: ApplyCredit) -> CreditNote:
    """Lowers what is open on a bill by a credit note of its vendor. 404; 409 for a bill that takes none; 422 above what
    remains of the note or is open, and for another vendor or currency."""
    with transaction.atomic():
        bill = _bill(caller, body.bill_id)
        row = lock_credit_note(caller, note_id)
        if effects.earlier(caller, row.applications.all(), field="effect") is not None:
            return get_credit_note(caller, row.id)
        if bill.status not in PAYABLE:
            raise errors.invalid_state(f"A bill that is {bill.status} takes no credit.")
        if bill.vendor_id != row.vendor_id or bill.currency != row.currency:
            message = "The bill is of another vendor, or in another currency."
            raise errors.validation_failed("bill_id", message, "currency")
        remaining, is_open = row.amount_minor - row.applied_minor, free(bill)
        all_that_fits = min(remaining, is_open)
        minor = all_that_fits if body.amount is None else amounts.minor("amount", body.amount, row.currency)
        if remaining <= 0:
            raise errors.limit_exceeded("Bills have taken all of the credit note.")
        if minor > remaining:
            raise errors.limit_exceeded("It is more than remains of the credit note.")
        if minor > is_open or minor <= 0:
            raise errors.limit_exceeded("It is more than is open on the bill and claimed by no payment.")
        _lower(caller, row, bill, minor)
        return get_credit_note(caller, row.id)


def _bill(caller: Caller, bill_id: str) -> Bill:
    try:
        return lock_bill(caller, bill_id)
    except errors.ServiceError as refusal:
        raise errors.validation_failed("bill_id", "There is no such bill.", "unknown") from refusal


def _insert(row: CreditNote) -> None:
    try:
        with transaction.atomic():
            row.save(force_insert=True)
    except IntegrityError as error:
        if "credit_number_once_per_vendor" not in str(error):
            raise
        raise errors.duplicate(f"The vendor has a credit note {row.credit_no} already.") from None


def _lower(caller: Caller, row: CreditNote, bill: Bill, minor: int) -> None:
    """Applies so much of a locked note to a locked bill, with the events and audit lines of both."""
    before = {"applied_minor": row.applied_minor}
    CreditApplication.objects.create(
        note=row, bill=bill, amount_minor=minor, effect=effects.named(caller), created_by=caller.label
    )
    row.applied_minor += minor
    row.version += 1
    row.save()
    _write_down(caller, row, "applied", before)
    was: ChangedFields = {"status": bill.status, "credited_minor": bill.credited_minor}
    bill.credited_minor += minor
    bill.version += 1
    settled = bill.paid_minor + bill.credited_minor == bill.total_minor
    move_bill(bill, "credit", BillStatus.PAID if settled else BillStatus(bill.status))
    services.record_change(caller, bill, "bill.paid" if settled else "bill.updated", "bill.credit", was)


def _write_down(caller: Caller, row: CreditNote, event_verb: str, before: dict[str, int]) -> None:
    answer = serializers.credit_note(get_credit_note(caller, row.id))
    record_event(caller.business, f"credit_note.{event_verb}", answer, previous=dict(before), actor=caller)
    after = {"credit_no": row.credit_no, "amount_minor": row.amount_minor, "applied_minor": row.applied_minor}
    action = {"created": "credit_note.create", "applied": "credit_note.apply"}[event_verb]
    record_audit(caller, action, "credit_note", row.id, dict(before) or None, after)
