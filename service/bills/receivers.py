"""What the hooks of vendors and categories reach here: bills that keep their vendor from being deleted, those that follow a
merge, and those that are to be booked under a subcategory."""

from django.db.models import Exists, OuterRef, Q, QuerySet

from service import errors
from service.auth import Caller
from service.bills.models import Bill, BillLine, BillPayment, BillStatus
from service.bills.selectors import bill_details, bills
from service.categories.hooks import Ids, Users, businesses_of
from service.events.outbox import record_event
from service.vendors.hooks import Follower
from service.vendors.models import Vendor

# Each is told by an event of its own, in the transaction of the merge.
MOST_MOVED = 5000


def open_bills_of(vendor: Vendor) -> str:
    """That there are bills with something still to pay, as a sentence; empty where there are none."""
    still_open = Bill.objects.filter(vendor=vendor).exclude(status__in=[BillStatus.PAID, BillStatus.CANCELLED])
    return "The vendor has bills that are neither paid nor cancelled." if still_open.exists() else ""


def bills_of(vendor: Vendor) -> int:
    """How many bills a vendor has, cancelled ones too."""
    return Bill.objects.filter(vendor=vendor).count()


def payments_of(vendor: Vendor) -> int:
    """How many payments of bills a vendor has, in any state."""
    return BillPayment.objects.filter(vendor=vendor).count()


def same_numbers(source: Vendor, target: Vendor) -> str:
    """That both vendors have a bill of one number, as a sentence: it may be the same bill, entered twice."""
    numbers = Bill.objects.filter(vendor=target).exclude(status=BillStatus.CANCELLED).values("bill_no_key")
    both = Bill.objects.filter(vendor=source, bill_no_key__in=numbers).exclude(status=BillStatus.CANCELLED)
    named = ", ".join(both.order_by("bill_no_key").values_list("bill_no", flat=True)[:5])
    return f"Both have a bill with the number {named}: cancel one of the two first." if named else ""


def move_bills(caller: Caller, source: Vendor, target: Vendor) -> None:
    """Gives the bills of one vendor to another, each with its event; their payments keep the account they were approved for."""
    ids = list(Bill.objects.filter(vendor=source).order_by("id").values_list("id", flat=True)[: MOST_MOVED + 1])
    if len(ids) > MOST_MOVED:
        raise errors.limit_exceeded(f"A vendor with more than {MOST_MOVED} bills is not merged.")
    for row in Bill.objects.select_for_update(no_key=True, of=("self",)).filter(id__in=ids).order_by("id"):
        row.vendor, row.version = target, row.version + 1
        row.save(update_fields=["vendor", "version", "updated_at"])
    for detail in bill_details(caller, list(bills(caller).filter(id__in=ids))):
        record_event(caller.business, "bill.updated", detail, previous={"vendor_id": source.id}, actor=caller)


def move_payments(caller: Caller, source: Vendor, target: Vendor) -> None:
    """Gives the payments of one vendor's bills to another."""
    BillPayment.objects.filter(vendor=source).update(vendor=target)


FOLLOWERS = (
    Follower("bill", bills_of, move_bills, same_numbers),
    Follower("bill payment", payments_of, move_payments),
)


def _bills_under(subcategory_ids: Ids, _: Ids) -> QuerySet[Bill]:
    lines = BillLine.objects.filter(bill_id=OuterRef("id"), subcategory_id__in=subcategory_ids)
    owned = Bill.objects.filter(business_id__in=businesses_of(subcategory_ids))
    return owned.filter(Q(subcategory_id__in=subcategory_ids) | Exists(lines))


FILED = Users("bill", _bills_under, lambda row: row.bill_no)
