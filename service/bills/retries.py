"""What can be done about a payment that did not go through: ask the rail, and try again once no money was taken."""

from django.db import transaction

from service import errors
from service.auth import Caller
from service.bills import approvals, execution, payments, policies, queue, transitions
from service.bills.models import BillPayment, PaymentStatus
from service.bills.schemas_shapes import PaymentShape
from service.bills.transitions import check_move


def retry(caller: Caller, ref: str) -> BillPayment:
    """Queues another attempt of a FAILED payment; the worker sends it only once the rail confirms that the last one
    took no money. Back to approval where more or less is withheld by now than was approved.

    404; 403 policy_blocked; 409 while it is UNKNOWN whether money left (ask for the status first), in any other state, and where the
    payee waits or was replaced; 422 where the balance is taken or the funds do not suffice.
    """
    with transaction.atomic():
        row = approvals.lock_to_ask(caller, ref)
        if row.status == PaymentStatus.UNKNOWN:
            raise errors.invalid_state("It is not known whether money left: ask for the status first.")
        check_move(row, "retry")
        payments.recheck_balance(row)
        if obstacle := execution.payee_obstacle(row):
            raise errors.conflict(obstacle, "The vendor's account waits for a second person, or was replaced.")
        policies.recheck_policies(caller, row)
        payments.check_limits(caller, row)
        if execution.has_other_withholding(caller, row):
            approvals.ask_again(caller, row)
            return row
        previous = row.status
        event = transitions.move(row, "retry", PaymentStatus.PROCESSING)
        row.failure_code = ""
        execution.place_hold(row)
        execution.queue_attempt(row)
        payments.record_payment_change(caller, row, event, "bill_payment.retry", previous)
        queue.execute_soon(row)
    return row


def reconcile(caller: Caller, ref: str) -> PaymentShape:
    """The payment as it is after its rail was asked, where it is on its way. Outside of any transaction: a rail is called."""
    row = payments.get_payment(caller, ref)
    if row.status in transitions.ON_ITS_WAY:
        execution.execute(row.id)
        row = payments.get_payment(caller, ref)
    return payments.payment_detail(row)
