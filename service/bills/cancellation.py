"""Cancelling a bill of which nothing is paid, with the drafts of payments that it has."""

from django.db import transaction

from service import errors
from service.auth import Caller
from service.bills import payments, selectors, services, transitions
from service.bills.models import Bill, BillPayment, BillStatus, PaymentStatus
from service.bills.transitions import move_bill


def cancel(caller: Caller, bill_id: str, reason: str, *, only_draft: bool = False) -> Bill:
    """Ends a bill for good; 404, and 409 while a payment is under way or once one was made. With `only_draft` 409 not_draft
    for one that is none any more."""
    with transaction.atomic():
        row = selectors.lock_bill(caller, bill_id)
        if only_draft and row.status != BillStatus.DRAFT:
            raise errors.not_draft()
        services.check_unpaid(row)
        before = {"status": row.status}
        move_bill(row, "cancel", BillStatus.CANCELLED)
        drafts = (
            BillPayment.objects.select_for_update(no_key=True, of=("self",)).select_related("wallet").order_by("id")
        )
        for draft in drafts.filter(bill=row, status=PaymentStatus.DRAFT):
            draft.bill = row
            event = transitions.move(draft, "drop", PaymentStatus.WITHDRAWN)
            payments.record_payment_change(caller, draft, event, "bill_payment.drop", PaymentStatus.DRAFT)
        return services.record_edit(caller, row, "bill.cancelled", "bill.cancel", before, reason)
