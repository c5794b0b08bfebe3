"""How the form of a payment is shown."""

from typing import TypedDict

from dashboard.mirror.models import Bill
from dashboard.pages.bills.forms.payments import PaymentForm


class PayContext(TypedDict):
    """What bills/pay.html reads; `form` is None where `problem` says why the bill cannot be paid now."""

    bill: Bill
    free: str
    form: PaymentForm | None
    problem: str
    key: str
