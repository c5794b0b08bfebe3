"""What is read of recurring bills, within the business of the caller; and which are due, in all businesses."""

from django.db.models import QuerySet
from django.utils import timezone

from service import errors, periods
from service.auth import Caller
from service.bill_schedules import serializers
from service.bill_schedules.models import BillSchedule
from service.bill_schedules.schemas import BillScheduleQuery

DUE_TOGETHER = 200


def filter_schedules(caller: Caller, query: BillScheduleQuery) -> QuerySet[BillSchedule]:
    """The recurring bills that the filters let through."""
    equal = {"status": query.status, "vendor_id": query.vendor_id}
    rows = BillSchedule.objects.filter(business_id=caller.business.id).select_related("vendor")
    return rows.filter(**{name: value for name, value in equal.items() if value is not None})


def get_schedule(caller: Caller, schedule_id: str) -> BillSchedule:
    """One recurring bill; 404 when the business has none such."""
    rows = BillSchedule.objects.select_related("vendor")
    row = rows.filter(business_id=caller.business.id, id=schedule_id).first()
    if row is None:
        raise errors.not_found("recurring bill")
    return row


def lock_schedule(caller: Caller, schedule_id: str) -> BillSchedule:
    """One recurring bill, locked for a change; 404 when the business has none such."""
    rows = BillSchedule.objects.select_for_update(no_key=True, of=("self",)).select_related("vendor")
    row = rows.filter(business_id=caller.business.id, id=schedule_id).first()
    if row is None:
        raise errors.not_found("recurring bill")
    return row


def schedule_detail(caller: Caller, row: BillSchedule) -> serializers.BillScheduleShape:
    """One recurring bill as it stands today."""
    return serializers.bill_schedule(row, periods.day_of(timezone.now(), caller.business))


def due() -> list[str]:
    """The recurring bills of which one is to be entered now."""
    rows = BillSchedule.objects.filter(due_at__lte=timezone.now()).order_by("due_at", "id")
    return list(rows.values_list("id", flat=True)[:DUE_TOGETHER])


def has_due() -> bool:
    """Whether a worker should look at any of them."""
    return BillSchedule.objects.filter(due_at__lte=timezone.now()).exists()
