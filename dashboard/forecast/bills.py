"""The bills that are to be paid and that no payment claims yet, or only in part: nobody has asked for the rest of them."""

from collections import Counter

from dashboard.forecast.days import Expected
from dashboard.forecast.horizon import MAX_FORECAST_ROWS, Horizon, joined
from dashboard.mirror import bill_payments
from dashboard.mirror.bill_payments import CLAIMS, claimed_minor
from dashboard.mirror.models import OPEN_BILL_STATES
from dashboard.mirror.scopes import visible_bills, visible_requests


def expected_bills(horizon: Horizon) -> tuple[list[Expected], bool]:
    """What is open of bills without a payment, on the day it is due; and whether there are more than MOST, which are left out."""
    open_bills = visible_bills(horizon.actor).filter(status__in=OPEN_BILL_STATES, due_on__lte=horizon.last)
    fields = ("remote_id", "bill_no", "vendor_name", "currency", "balance_minor", "due_on")
    bills = list(open_bills.order_by("due_on", "pk").only(*fields)[:MAX_FORECAST_ROWS])
    claimed: Counter[str] = Counter()
    # What a payment claims is expected as the payment; the discount that it takes is paid by nobody.
    payments = visible_requests(horizon.actor).filter(kind=bill_payments.PAYMENT_KIND, status__in=CLAIMS)
    of_payments = payments.values_list("payload__bill_id", "amount_minor", "payload__discount_minor")
    for bill_id, minor, discount in of_payments if bills else ():
        claimed[bill_id] += claimed_minor(minor, discount)
    free = [(bill, bill.balance_minor - claimed[bill.remote_id]) for bill in bills]
    expected = [
        Expected(
            key=f"bill:{bill.remote_id}",
            currency=bill.currency,
            minor=-minor,
            day=bill.due_on,
            title=joined(f"Bill {bill.bill_no}", bill.vendor_name),
            about=joined("no payment yet", f"due {horizon.day_text(bill.due_on)}"),
            href=horizon.url("bills_item", bill.remote_id),
        )
        for bill, minor in free
        if minor > 0
    ]
    return expected, len(bills) == MAX_FORECAST_ROWS
