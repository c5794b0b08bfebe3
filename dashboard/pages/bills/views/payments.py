"""The payments of a bill: adding one, requesting approval of it, withdrawing it, and trying a failed one again."""

from collections.abc import Callable, Sequence

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST

from dashboard import operations
from dashboard.access.actor import Actor, ActorRequest
from dashboard.access.decorators import needs
from dashboard.access.operation import Operation
from dashboard.audit.record import check_or_record_denial
from dashboard.cash.paid_bills import payment_paid_before
from dashboard.commands import bills as commands
from dashboard.commands.discounts import reduced_minor_of
from dashboard.commands.run import CommandResult
from dashboard.errors import FinanceError
from dashboard.mirror.mappers import moment
from dashboard.mirror.models import ApprovalRequest, Bill
from dashboard.money import text
from dashboard.pages.bills.forms.payments import PaymentForm, payment_form
from dashboard.pages.bills.presenters.duplicates import BillComparison
from dashboard.pages.bills.presenters.paid_before import account_of, comparison_of_payment, paid_before_digest
from dashboard.pages.bills.presenters.payments import ContinuedPayment, PayContext, requested_payment, retried_payment
from dashboard.pages.bills.selectors.bills import bill_for, free_minor, payment_for, refresh_bill
from dashboard.pages.bills.views.bills import render_bill
from dashboard.times import day
from dashboard.web.payee_changes import vendor_change_links
from dashboard.web.respond import page
from dashboard.web.signin.middleware import confirm_first
from dashboard.web.submission import call_sent_before, form_key_of, posted_key, sent_before

PAY = "bills/pay.html"
PARTLY = "Payouts of the last 30 days could not be compared: one of them may have paid this bill already."
# What became of a payment whose approval was requested, by its state.
REQUESTED = {
    "PENDING_APPROVAL": "Approval of {ref} was requested.",
    "APPROVED": "{ref} needs no approval: it is paid as soon as its wallet holds enough.",
    "SCHEDULED": "{ref} needs no approval: it is paid on its day, {day}.",
}
# What became of a failed payment that was to be sent again, where it is not sent as it was approved.
RETRIED = {
    "PENDING_APPROVAL": "{ref} was not sent again: more or less is withheld by now than was approved, so its approval was "
    "requested again.",
    "APPROVED": "{ref} was not sent again yet: more or less is withheld by now than before, and it needs no approval. It is paid as "
    "soon as its wallet holds enough.",
    "SCHEDULED": "{ref} was not sent again yet: more or less is withheld by now than before, and it needs no approval. It is paid "
    "on its day, {day}.",
    "WITHDRAWN": "{ref} was not sent again but withdrawn: more or less is withheld by now than was approved, and its approval could "
    "not be requested again.",
}


@require_http_methods(["GET", "POST"])
@needs(operations.ADD_BILL_PAYMENT)
def pay(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """Adds a payment of a bill, whole or in part, and unless it is saved as a draft requests its approval."""
    actor, row = request.actor, bill_for(request.actor, remote_id)
    check_or_record_denial(actor, operations.ADD_BILL_PAYMENT, row)
    is_current, data = refresh_bill(actor, row), request.POST if request.method == "POST" else None
    earlier = call_sent_before(request, operations.ADD_BILL_PAYMENT) if data is not None else None
    form, problem = payment_form(
        actor, row, data, is_limited=is_current and earlier is None, reduced_minor=reduced_minor_of(earlier, row)
    )
    if form is None or request.method == "GET" or not form.is_valid():
        status = 200 if request.method == "GET" else 409 if form is None else 422
        return _render_pay(request, row, form, status, problem=problem)
    if (twice := _paid_before(request, row, form.pays_minor(), form.account_text(), form=form)) is not None:
        return twice
    if "draft" not in request.POST and (verification := confirm_first(request, request.path)):
        return verification
    return _add(request, row, form)


def _paid_before(
    request: ActorRequest, row: Bill, minor: int, account: str, *, net_minor: int = 0, form: PaymentForm | None = None,
    continued: ContinuedPayment | None = None,
) -> HttpResponse | None:  # fmt: skip
    """The form of a new payment, or of one that is `continued`, with the payments of payouts that may be the same one beside it,
    until it is acknowledged that it is another, or for what is sent now that it could not be compared; None where nothing is, or
    it was."""
    if sent_before(request):
        return None
    earlier, is_whole = payment_paid_before(request.actor, row, minor, net_minor)
    digest = paid_before_digest(minor, earlier, partly=not is_whole)
    needs_tick = earlier or not (is_whole or continued is None or not continued.is_sent_now)
    if needs_tick and request.POST.get("meant") != digest:
        comparisons = comparison_of_payment(request.actor, row, minor, account, earlier)
        return _render_pay(
            request, row, form, 409, comparisons=comparisons, digest=digest, partly=not is_whole, continued=continued
        )
    if not is_whole:
        messages.warning(request, PARTLY)
    return None


def _continued_before(
    request: ActorRequest, bill: Bill, payment: ApprovalRequest, continued: ContinuedPayment
) -> HttpResponse | None:
    """The same for a payment that is there already, by its own amount and what its vendor gets of it."""
    net_minor = int(payment.payload.get("net_amount_minor") or 0)
    return _paid_before(
        request, bill, payment.amount_minor or 0, account_of(payment), net_minor=net_minor, continued=continued
    )


def _add(request: ActorRequest, row: Bill, form: PaymentForm) -> HttpResponse:
    actor, key = request.actor, form_key_of(request)
    try:
        added = commands.add_payment(actor, row, form.body(actor.business), key=key, form=form)
    except commands.REFUSALS as refused:
        return _render_pay(request, row, form, refused.status, refusal=refused)
    ref = added.text("payment_ref")
    if "draft" in request.POST:
        messages.success(request, f"Payment {ref} was saved as a draft. Nothing is paid yet.")
        return redirect("bills_item", actor.business.slug, row.remote_id)
    try:
        result = commands.request_approval(actor, payment_for(actor, row, ref), key=key)
    except commands.REFUSALS as refused:
        # The draft stands: the same form would add another payment.
        approval = (
            "its approval was not requested" if refused.changed is False else "its approval may have been requested"
        )
        messages.error(request, f"Payment {ref} was added as a draft, but {approval}: {refused.on_form}")
        return redirect("bills_item", actor.business.slug, row.remote_id)
    messages.success(request, _requested(actor, result, ref))
    return redirect("bills_item", actor.business.slug, row.remote_id)


def _requested(actor: Actor, command_result: CommandResult, ref: str) -> str:
    return _outcome_text(actor, command_result, ref, REQUESTED, "{ref}: approval was requested.")


def _outcome_text(
    actor: Actor, command_result: CommandResult, ref: str, by_status: dict[str, str], otherwise: str
) -> str:
    """What became of a payment, in the words of its status: one for a later day is not being paid yet."""
    status, scheduled = command_result.text("status"), moment(command_result.text("scheduled_for"))
    if status == "APPROVED" and scheduled and scheduled > timezone.now():
        status = "SCHEDULED"
    return by_status.get(status, otherwise).format(ref=ref, day=day(scheduled, actor.business) if scheduled else "")


def _render_pay(
    request: ActorRequest, row: Bill, form: PaymentForm | None, status: int, *, problem: str = "",
    comparisons: Sequence[BillComparison] = (), digest: str = "", partly: bool = False,
    continued: ContinuedPayment | None = None, refusal: FinanceError | None = None,
) -> HttpResponse:  # fmt: skip
    free = text(max(0, free_minor(request.actor, row)), row.currency, request.actor.business.locale)
    context: PayContext = {
        "bill": row, "free": free, "form": form, "problem": problem, "key": posted_key(request),
        "comparisons": comparisons, "digest": digest, "partly": partly, "continued": continued,
        "payee_changes": vendor_change_links(request.actor, row.vendor_id, refusal),
    }  # fmt: skip
    return page(request, PAY, context, status=status)


@require_POST
@needs(operations.REQUEST_BILL_PAYMENT_APPROVAL)
def request_approval(request: ActorRequest, business: str, remote_id: str, ref: str) -> HttpResponse:
    """Requests approval of a payment, compared with payouts as a new one is; it may go out at once, so who has not just shown that it
    is them does so first."""
    return _on_payment(
        request,
        remote_id,
        ref,
        operations.REQUEST_BILL_PAYMENT_APPROVAL,
        commands.request_approval,
        REQUESTED,
        "{ref}: approval was requested.",
        continued_as=requested_payment,
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
    """Sends a failed payment once more, compared with payouts as a new one is; money leaves, so what could not be compared is
    acknowledged too, and who has not just shown that it is them does so first."""
    return _on_payment(
        request,
        remote_id,
        ref,
        operations.RETRY_BILL_PAYMENT,
        commands.retry_payment,
        RETRIED,
        "{ref} is being sent again.",
        continued_as=retried_payment,
    )


def _on_payment(
    request: ActorRequest, remote_id: str, ref: str, operation: Operation, command: Callable[..., CommandResult],
    messages_by_status: dict[str, str], otherwise: str,
    continued_as: Callable[[Actor, Bill, ApprovalRequest], ContinuedPayment] | None = None,
) -> HttpResponse:  # fmt: skip
    """What a command does to a payment that is there already. One that is `continued_as` may send money: it is compared with
    payouts first, and whoever has not just shown that it is them does so."""
    bill = bill_for(request.actor, remote_id)
    payment = payment_for(request.actor, bill, ref)
    check_or_record_denial(request.actor, operation, payment)
    if continued_as is not None:
        twice = _continued_before(request, bill, payment, continued_as(request.actor, bill, payment))
        if (first := twice or confirm_first(request, request.path)) is not None:
            return first
    try:
        result = command(request.actor, payment, key=form_key_of(request))
    except commands.REFUSALS as refused:
        return _refused(request, bill, refused)
    messages.success(request, _outcome_text(request.actor, result, ref, messages_by_status, otherwise))
    return redirect("bills_item", request.actor.business.slug, bill.remote_id)


def _refused(request: ActorRequest, bill: Bill, refused: FinanceError) -> HttpResponse:
    return render_bill(request, bill, refused.status, refusal=refused, problem=refused.on_form, key=posted_key(request))
