"""The payments of a bill: adding one, requesting approval of it, withdrawing it, and trying a failed one again."""

from collections.abc import Callable

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from dashboard import operations
from dashboard.access.actor import ActorRequest
from dashboard.access.decorators import needs
from dashboard.access.operation import Operation
from dashboard.audit.record import check_or_record_denial
from dashboard.commands import bills as commands
from dashboard.commands.run import CommandResult
from dashboard.mirror.models import Bill
from dashboard.pages.bills.selectors import bill_for, payment_for
from dashboard.pages.bills.views.bills import render_bill
from dashboard.web.signin.middleware import confirm_first
from dashboard.web.submission import key_of, posted_key

# What became of a payment whose approval was requested, by its state.
REQUESTED = {
    "PENDING_APPROVAL": "Approval of {ref} was requested.",
    "APPROVED": "{ref} needs no approval: it is being paid.",
}


@require_POST
@needs(operations.REQUEST_BILL_PAYMENT_APPROVAL)
def request_approval(request: ActorRequest, business: str, remote_id: str, ref: str) -> HttpResponse:
    """Requests approval of a payment; it may go out at once, so who has not just shown that it is them does so first."""
    return _on_payment(
        request,
        remote_id,
        ref,
        operations.REQUEST_BILL_PAYMENT_APPROVAL,
        commands.request_approval,
        REQUESTED,
        "{ref}: approval was requested.",
    )


@require_POST
@needs(operations.WITHDRAW_BILL_PAYMENT)
def withdraw(request: ActorRequest, business: str, remote_id: str, ref: str) -> HttpResponse:
    """Withdraws a payment before anything of it was sent."""
    return _on_payment(
        request,
        remote_id,
        ref,
        operations.WITHDRAW_BILL_PAYMENT,
        commands.withdraw_payment,
        {},
        "{ref} was withdrawn. Nothing was paid.",
    )


@require_POST
@needs(operations.RETRY_BILL_PAYMENT)
def retry(request: ActorRequest, business: str, remote_id: str, ref: str) -> HttpResponse:
    """Sends a failed payment once more; money leaves, so who has not just shown that it is them does so first."""
    return _on_payment(
        request, remote_id, ref, operations.RETRY_BILL_PAYMENT, commands.retry_payment, {}, "{ref} is being sent again."
    )


def _on_payment(
    request: ActorRequest, remote_id: str, ref: str, operation: Operation, command: Callable[..., CommandResult],
    messages_by_status: dict[str, str], otherwise: str,
) -> HttpResponse:  # fmt: skip
    bill = bill_for(request.actor, remote_id)
    payment = payment_for(request.actor, bill, ref)
    check_or_record_denial(request.actor, operation, payment)
    if operation is not operations.WITHDRAW_BILL_PAYMENT and (verification := confirm_first(request, request.path)):
        return verification
    try:
        result = command(request.actor, payment, key=key_of(request))
    except commands.REFUSALS as refused:
        return _refused(request, bill, refused.on_form, refused.status)
    messages.success(request, messages_by_status.get(result.text("status"), otherwise).format(ref=ref))
    return redirect("bills_item", request.actor.business.slug, bill.remote_id)


def _refused(request: ActorRequest, bill: Bill, sentence: str, status: int) -> HttpResponse:
    return render_bill(request, bill, status, problem=sentence, key=posted_key(request))
