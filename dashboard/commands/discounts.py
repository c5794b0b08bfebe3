"""What is saved by paying a bill early: its terms, as the service reckons them, on a day of the business."""

from dataclasses import dataclass
from datetime import date, timedelta
from decimal import ROUND_HALF_UP, Decimal

from dashboard.client.models import OutboundOperation
from dashboard.mirror.models import Bill, Vendor
from dashboard.mirror.schedule import today
from dashboard.money import text, to_minor
from dashboard.schemas.bills import Bill as WholeBill
from dashboard.schemas.vendors import Vendor as WholeVendor


@dataclass(frozen=True, slots=True)
class EarlyPayment:
    """An early-payment discount that can still be taken: its terms, what it saves and what is paid then, in minor units."""

    percent: Decimal
    until: date
    saved_minor: int
    pays_minor: int


def terms_text(whole: WholeBill) -> str:
    """ "2 % until 20 Nov 2026"; "" where the bill has no discount."""
    if not whole.discount_percent or whole.discount_until is None:
        return ""
    return f"{whole.discount_percent.normalize():f} % until {_day(whole.discount_until)}"


def vendor_terms_text(vendor: Vendor) -> str:
    """ "2 % within 10 days of the issue"; "" where the vendor gives none by itself."""
    terms = WholeVendor.model_validate(vendor.payload)
    if not terms.discount_percent:
        return ""
    return discount_text(terms.discount_percent, terms.discount_days)


def discount_text(percent: Decimal, days: int) -> str:
    """ "2 % within 10 days of the issue"."""
    return f"{percent.normalize():f} % within {days} day{'' if days == 1 else 's'} of the issue"


def new_bill_terms_text(vendor: Vendor | None, issued_on: date | None) -> str:
    """What a new bill of a vendor starts with, where its form says nothing else."""
    terms = vendor_terms_text(vendor) if vendor is not None else ""
    if vendor is None or not terms:
        return "Empty: the terms of the vendor, if it has any."
    days = WholeVendor.model_validate(vendor.payload).discount_days
    until = f", until {_day(issued_on + timedelta(days=days))}" if issued_on else ""
    return f"Empty: the terms of {vendor.name}, {terms}{until}. Enter 0 for none."


def early_payment_of(bill: Bill, open_minor: int) -> EarlyPayment | None:
    """The discount that paying so much of a bill today would take, rounded half up as the service does; None for none, and
    after its last day."""
    whole = WholeBill.model_validate(bill.payload)
    until = whole.discount_until
    if not whole.discount_percent or until is None or today(bill.business) > until:
        return None
    saved = int((open_minor * whole.discount_percent / 100).quantize(Decimal(1), ROUND_HALF_UP))
    return EarlyPayment(whole.discount_percent, until, saved, open_minor - saved) if 0 < saved < open_minor else None


def reduced_minor_of(outbound: OutboundOperation | None, bill: Bill) -> int | None:
    """What a call that added a payment of the bill pays with the early-payment discount, in minor units; None where it takes none."""
    body = outbound.body if outbound else None
    if not body or not body.get("take_discount"):
        return None
    return to_minor(Decimal(body["amount"]), bill.currency)


def saved_text(early: EarlyPayment, bill: Bill) -> str:
    """ "KES 23.20 is saved if it is paid by 20 Nov 2026"."""
    return (
        f"{text(early.saved_minor, bill.currency, bill.business.locale)} is saved if it is paid by {_day(early.until)}"
    )


def _day(value: date) -> str:
    return f"{value.day} {value:%b %Y}"
