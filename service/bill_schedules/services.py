"""What can be done with recurring bills: add one, pause, resume and end it, and enter the bill that is due.

Once per day: the schedule is locked while its bill is entered, and a table refuses a second one for the day. The bill, that
it was entered, and the next day are written down in one transaction: a worker that is killed has done all of it or nothing.
"""

from datetime import date

from django.db import transaction
from django.utils import timezone

from service import errors, money, periods
from service.auth import Caller, system_caller
from service.bill_schedules import dates, selectors, serializers
from service.bill_schedules.models import BillSchedule, ScheduledBill, ScheduleStatus
from service.bill_schedules.schemas import NewBillSchedule
from service.bills import amounts
from service.bills import services as bills
from service.bills.models import Bill
from service.bills.schemas import NewBill
from service.budgets.selectors import assignable
from service.businesses.models import Team
from service.categories.models import Subcategory
from service.events.audit import record_audit
from service.events.outbox import record_event
from service.respond import JsonObject
from service.vendors.models import Vendor
from service.vendors.selectors import lock_vendor


def create(caller: Caller, new: NewBillSchedule) -> BillSchedule:
    """Adds a recurring bill; 422 for a start in the past, a vendor, currency, team, budget or category that is none."""
    with transaction.atomic():
        try:
            vendor = lock_vendor(caller, new.vendor_id)
        except errors.ServiceError as refusal:
            raise errors.validation_failed("vendor_id", "There is no such active vendor.", "unknown") from refusal
        currency = new.currency or vendor.currency
        if currency not in money.CURRENCIES:
            raise errors.validation_failed("currency", "It is not an ISO 4217 currency.", "unknown")
        if new.starts_on < periods.day_of(timezone.now(), caller.business):
            raise errors.validation_failed("starts_on", "It would start in the past.", "past")
        sums = amounts.of_lines(new.line_items, currency)
        bills.check_teams(caller, sums.splits)
        usual = new.starts_on.isoweekday() if new.interval == "WEEKLY" else new.starts_on.day
        row = BillSchedule(
            business=caller.business,
            vendor=vendor,
            number_prefix=new.number_prefix,
            currency=currency,
            lines=[line.model_dump(mode="json", exclude_none=True) for line in new.line_items],
            total_minor=sums.total_minor,
            interval=new.interval,
            day=new.day or usual,
            starts_on=new.starts_on,
            ends_on=new.ends_on,
            count=new.count,
            due_in_days=new.due_in_days,
            memo=new.memo or "",
            created_by=caller.label,
            maker_ids=[caller.employee_id] if caller.employee_id else [],
        )
        if not 0 < row.total_minor <= money.LARGEST_MINOR:
            raise errors.validation_failed("line_items", "It must be more than nothing, and not too large.", "amount")
        _file_under(caller, row, new)
        _set_next(row, row.starts_on)
        if row.next_on is None:
            raise errors.validation_failed("ends_on", "No bill would be entered before it ends.", "range")
        row.save(force_insert=True)
        return _write_down(caller, row, "created", "create", {})


def _file_under(caller: Caller, row: BillSchedule, new: NewBillSchedule) -> None:
    if new.team_id and not Team.objects.filter(business_id=caller.business.id, id=new.team_id).exists():
        raise errors.validation_failed("team_id", "There is no such team.", "unknown")
    row.team_id = new.team_id
    if new.budget_id:
        row.budget = assignable(caller, new.budget_id, row.currency)
    named = {new.subcategory_id, *(line.subcategory_id for line in new.line_items)} - {None}
    if Subcategory.objects.filter(business_id=caller.business.id, id__in=named).count() < len(named):
        raise errors.validation_failed("subcategory_id", "There is no such subcategory.", "unknown")
    row.subcategory_id = new.subcategory_id or ""


def pause(caller: Caller, schedule_id: str) -> BillSchedule:
    """Enters none until it is resumed; 404, and 409 where it is not active."""
    return _change(caller, schedule_id, "pause", ScheduleStatus.PAUSED, (ScheduleStatus.ACTIVE,))


def resume(caller: Caller, schedule_id: str) -> BillSchedule:
    """Goes on with the first day from today on: what was missed meanwhile is not entered. 404, and 409 where it is not
    paused, or nothing is left of it."""
    return _change(caller, schedule_id, "resume", ScheduleStatus.ACTIVE, (ScheduleStatus.PAUSED,))


def end(caller: Caller, schedule_id: str) -> BillSchedule:
    """Ends it for good; its bills stay. 404, and 409 where it has ended."""
    return _change(caller, schedule_id, "end", ScheduleStatus.ENDED, (ScheduleStatus.ACTIVE, ScheduleStatus.PAUSED))


def _change(
    caller: Caller, schedule_id: str, verb: str, schedule_status: ScheduleStatus, starts: tuple[ScheduleStatus, ...]
) -> BillSchedule:
    with transaction.atomic():
        row = selectors.lock_schedule(caller, schedule_id)
        if row.status not in starts:
            raise errors.invalid_state(f"A recurring bill that is {row.status} takes no {verb!r}.")
        before = {"status": row.status}
        row.status, row.trouble = schedule_status, ""
        if schedule_status == ScheduleStatus.ACTIVE:
            today = periods.day_of(timezone.now(), caller.business)
            # A day whose bill was entered before the pause is not entered again.
            entered = row.occurrences.filter(on=today).exists()
            _set_next(row, max(row.starts_on, today), skip=today if entered else None)
            if row.next_on is None:
                raise errors.invalid_state("Nothing is left of it: all of its bills were entered, or its end is past.")
        else:
            row.next_on, row.due_at = None, None
        if caller.employee_id and caller.employee_id not in row.maker_ids:
            row.maker_ids = [*row.maker_ids, caller.employee_id]
        row.version += 1
        row.save()
        return _write_down(caller, row, "updated", verb, before)


def move_vendor(caller: Caller, source: Vendor, target: Vendor) -> None:
    """Gives the recurring bills of one vendor to another, each with its event; inside the caller's transaction."""
    rows = BillSchedule.objects.select_for_update(no_key=True, of=("self",)).filter(vendor=source).order_by("id")
    for row in rows.select_related("vendor", "business"):
        row.vendor, row.version = target, row.version + 1
        row.save(update_fields=["vendor", "version", "updated_at"])
        _write_down(caller, row, "updated", "move", {"vendor_id": source.id})


def enter_due(schedule_id: str) -> Bill | None:
    """Enters the bill that is due of a schedule, with the system as its maker; None where there is none any more.

    Where it is refused (the vendor is gone, the number taken) the schedule is paused, and says why.
    """
    with transaction.atomic():
        # Its vendor first, as whoever merges vendors does.
        of_schedule = BillSchedule.objects.filter(pk=schedule_id).values("vendor_id")
        list(Vendor.objects.select_for_update(no_key=True).filter(pk__in=of_schedule).values_list("pk"))
        rows = BillSchedule.objects.select_for_update(no_key=True, of=("self",)).select_related("vendor", "business")
        row = rows.get(pk=schedule_id)
        if row.next_on is None or row.due_at is None or row.due_at > timezone.now():
            return None
        caller, before = system_caller(row.business), {"status": row.status, "bills_entered": row.bills_entered}
        bill, trouble = _enter(caller, row, row.next_on)
        if bill is None:
            row.status, row.trouble, row.next_on, row.due_at = ScheduleStatus.PAUSED, trouble[:300], None, None
        else:
            row.bills_entered += 1
            _set_next(row, row.next_on, skip=row.next_on)
            row.status = ScheduleStatus.ENDED if row.next_on is None else row.status
        row.version += 1
        row.save()
        _write_down(caller, row, "updated", "enter", before)
        return bill


def _enter(caller: Caller, row: BillSchedule, on: date) -> tuple[Bill | None, str]:
    """The bill of a day, with the note that it was entered; None and why where it is refused."""
    body = NewBill.model_validate(
        {
            "bill_no": f"{row.number_prefix}-{on.isoformat()}",
            "vendor_id": row.vendor_id,
            "currency": row.currency,
            "issued_at": on,
            "due_at": date.fromordinal(on.toordinal() + row.due_in_days),
            "line_items": serializers.bill_lines(row),
            "team_id": row.team_id,
            "budget_id": row.budget_id,
            "subcategory_id": row.subcategory_id or None,
            "memo": row.memo or None,
        }
    )
    try:
        with transaction.atomic():
            bill = bills.create(caller, body)
            Bill.objects.filter(pk=bill.pk).update(maker_ids=row.maker_ids)
            ScheduledBill.objects.create(schedule=row, on=on, bill=bill)
    except errors.ServiceError as refusal:
        return None, refusal.errors[0]["message"] if refusal.errors else refusal.detail
    return bill, ""


def _set_next(row: BillSchedule, since: date, *, skip: date | None = None) -> None:
    """The first day from `since` on, `skip` not counted, and the moment at which it begins at the business."""
    row.next_on = next((on for on in dates.coming(row, since) if on != skip), None)
    row.due_at = None if row.next_on is None else periods.start_of(row.next_on, row.business)


def _write_down(caller: Caller, row: BillSchedule, event_verb: str, verb: str, before: JsonObject) -> BillSchedule:
    answer = selectors.schedule_detail(caller, row)
    record_event(caller.business, f"bill_schedule.{event_verb}", answer, previous=before, actor=caller)
    after = {"status": row.status, "bills_entered": row.bills_entered, "trouble": row.trouble}
    record_audit(caller, f"bill_schedule.{verb}", "bill_schedule", row.id, before or None, after)
    return row
