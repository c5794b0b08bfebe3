"""Early-payment discounts: the terms of a bill, what a payment that takes it pays, and what it settles once paid in time.

It moves no money and posts nothing: the ledger knows what was paid. What is saved is credited on the bill when the payment
has succeeded, and it lapses where the payment went out after the last day: then as much stays open.
"""

from datetime import datetime, timedelta

from django.utils import timezone

from service import errors, periods
from service.bills.models import Bill, BillPayment
from service.bills.schemas import ChangedBill, NewBill
from service.taxes.withholding import rounded


def set_terms(row: Bill, body: NewBill | ChangedBill) -> None:
    """The terms as they were sent (unsaved), none where the percentage is nothing; where none were sent, those of the vendor
    on a new bill, and as they are on another."""
    if body.discount_percent is not None:
        before = row.discount_bps, row.discount_until
        row.discount_bps = int(body.discount_percent * 100)
        row.discount_until = body.discount_until
        # Sent as they are, the vendor's terms stay the vendor's.
        row.discount_from_vendor = row.discount_from_vendor and before == (row.discount_bps, row.discount_until)
    elif isinstance(body, NewBill) and row.vendor.discount_bps:
        row.discount_bps = row.vendor.discount_bps
        row.discount_until = row.issued_on + timedelta(days=row.vendor.discount_days)
        row.discount_from_vendor = True


def saved_minor(bill: Bill, open_minor: int, scheduled_for: datetime | None) -> int:
    """What paying so much of a locked bill would save, in minor units.

    409 where the bill gives no discount or its last day is over; 422 for a payment scheduled after it, or where nothing
    would be saved.
    """
    if not bill.discount_bps or bill.discount_until is None:
        raise errors.invalid_state("The bill gives no early-payment discount.")
    if periods.day_of(timezone.now(), bill.business) > bill.discount_until:
        raise errors.invalid_state("The last day of the early-payment discount is over.")
    if scheduled_for is not None and periods.day_of(scheduled_for, bill.business) > bill.discount_until:
        raise errors.validation_failed("scheduled_for", "It would be paid after the last day of the discount.", "late")
    saved = rounded(open_minor, bill.discount_bps)
    if not 0 < saved < open_minor:
        raise errors.validation_failed("take_discount", "Nothing would be saved by it.", "amount")
    return saved


def lapse_if_late(row: BillPayment, sent_at: datetime | None) -> None:
    """Takes the discount off a payment (unsaved) that was sent to the rail after the last day."""
    until = row.bill.discount_until
    if row.discount_minor and (until is None or periods.day_of(sent_at or timezone.now(), row.business) > until):
        row.discount_minor = 0


def credit_discount(row: BillPayment) -> None:
    """Credits on the payment's locked bill (unsaved) what the discount settles of it."""
    row.bill.credited_minor += row.discount_minor
    row.bill.discounted_minor += row.discount_minor
