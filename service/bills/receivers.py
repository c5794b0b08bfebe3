"""What the hooks of vendors reach here: bills that keep their vendor from being deleted."""

from service.bills.models import Bill, BillStatus
from service.vendors.models import Vendor


def open_bills_of(vendor: Vendor) -> str:
    """That there are bills with something still to pay, as a sentence; empty where there are none."""
    still_open = Bill.objects.filter(vendor=vendor).exclude(status__in=[BillStatus.PAID, BillStatus.CANCELLED])
    return "The vendor has bills that are neither paid nor cancelled." if still_open.exists() else ""
