"""How the form of a payment is shown."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypedDict

from django.urls import reverse

from dashboard.access.actor import Actor
from dashboard.mirror.models import ApprovalRequest, Bill
from dashboard.pages.bills.forms.payments import PaymentForm
from dashboard.pages.bills.presenters.duplicates import BillComparison
from dashboard.web.payee_changes import PayeeChangeLink


@dataclass(frozen=True, slots=True)
class ContinuedPayment:
    """A payment that is there already and goes on where it is said to be another than those beside it: the address and the label
    of its button, what was not done yet, and what follows. `is_sent_now` where no approval comes between."""

    action: str
    label: str
    nothing: str
    consequence: str
    is_sent_now: bool = False


def requested_payment(actor: Actor, bill: Bill, payment: ApprovalRequest) -> ContinuedPayment:
    """A draft whose approval is to be requested."""
    consequence = f"Payment {payment.ref} is a draft. Nothing is paid before it is approved. Where no policy asks for approval, it is paid immediately, or on its day."
    address = reverse("bills_payment_request", args=[actor.business.slug, bill.remote_id, payment.ref])
    return ContinuedPayment(address, "Request approval", "Approval was not requested.", consequence)


def retried_payment(actor: Actor, bill: Bill, payment: ApprovalRequest) -> ContinuedPayment:
    """A payment that failed and is to be sent again."""
    consequence = f"Payment {payment.ref} failed. Sent again, it is paid without another approval unless other taxes are withheld by now."
    address = reverse("bills_payment_retry", args=[actor.business.slug, bill.remote_id, payment.ref])
    return ContinuedPayment(address, "Retry payment", "It was not sent again.", consequence, is_sent_now=True)


class PayContext(TypedDict):
    """What bills/pay.html reads; `form` is None where `problem` says why the bill cannot be paid now, and where a payment is
    `continued`. Where a payout may have paid it already, `comparisons` show both, `digest` is what a tick acknowledges, and
    `partly` says that not all payouts were compared. `payee_changes` wait of the vendor's accounts."""

    bill: Bill
    free: str
    form: PaymentForm | None
    problem: str
    continued: ContinuedPayment | None
    key: str
    comparisons: Sequence[BillComparison]
    digest: str
    partly: bool
    payee_changes: list[PayeeChangeLink]
