"""How the form of a payment is shown."""

from collections.abc import Sequence
from typing import TypedDict

from dashboard.mirror.models import Bill
from dashboard.pages.bills.forms.payments import PaymentForm
from dashboard.pages.bills.presenters.duplicates import BillComparison


class PayContext(TypedDict):
    """What bills/pay.html reads; `form` is None where `problem` says why the bill cannot be paid now, and where approval of the payment
    `draft` (its reference, "" for a new one) is requested. Where a payout may have paid it already, `comparisons` show both, `digest` is what a tick acknowledges, and
    `partly` says that not all payouts were compared."""

    bill: Bill
    free: str
    form: PaymentForm | None
    problem: str
    draft: str
    key: str
    comparisons: Sequence[BillComparison]
    digest: str
    partly: bool
