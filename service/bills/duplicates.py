"""Bills that look like another one: flagged, not refused. A number used twice for one vendor is refused by the table."""

import re
from datetime import timedelta

from django.db.models import Q, QuerySet

from service.bills.models import Bill, BillFile, BillStatus

WINDOW = timedelta(days=30)
AMOUNT, FILE = "SAME_AMOUNT", "SAME_FILE"


def number_key(bill_no: str) -> str:
    """A bill number without case, spaces and punctuation: INV-001 and inv 001 are one."""
    return re.sub(r"[\W_]", "", bill_no.upper())


def flag(bill: Bill) -> None:
    """Sets what a bill looks like a duplicate of (unsaved): the same file, else the same amount within 30 days."""
    for reason, rows in ((FILE, _same_file(bill)), (AMOUNT, _same_amount(bill))):
        earlier = rows.exclude(pk=bill.pk).exclude(status=BillStatus.CANCELLED).order_by("created_at", "id").first()
        if earlier is not None and earlier.duplicate_of_id != bill.pk:
            bill.duplicate_of, bill.duplicate_reason = earlier, reason
            return
    bill.duplicate_of, bill.duplicate_reason = None, ""


def _same_file(bill: Bill) -> QuerySet[Bill]:
    hashes = BillFile.objects.filter(bill_id=bill.pk).values("sha256")
    files = BillFile.objects.filter(business_id=bill.business_id, sha256__in=hashes)
    return Bill.objects.filter(business_id=bill.business_id, id__in=files.values("bill_id"))


def _same_amount(bill: Bill) -> QuerySet[Bill]:
    within_window = Q(issued_on__gte=bill.issued_on - WINDOW, issued_on__lte=bill.issued_on + WINDOW)
    return Bill.objects.filter(
        within_window, vendor_id=bill.vendor_id, total_minor=bill.total_minor, currency=bill.currency
    )
