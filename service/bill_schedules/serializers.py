"""Recurring bills as dictionaries in the shapes of the schemas."""

from datetime import date, datetime
from decimal import Decimal
from typing import Any, TypedDict

from service import money
from service.bill_schedules import dates
from service.bill_schedules.models import BillSchedule, ScheduledBill
from service.bills import amounts
from service.bills.models import LineSplit
from service.bills.schemas import SplitLine
from service.bills.schemas_shapes import BillLineShape
from service.bills.serializers import line

LATEST = 5
NUMBERS = {"qty", "unit_price", "tax_rate", "amount", "percent"}


class ScheduledBillShape(TypedDict):
    """A bill that was entered for a day."""

    on: date
    bill_id: str
    bill_no: str


class BillScheduleShape(TypedDict):
    """A recurring bill with when its bills come; the total of each in units and minor units of its currency."""

    _id: str
    number_prefix: str
    vendor_id: str
    vendor_name: str
    currency: str
    total: Decimal
    total_minor: int
    interval: str
    day: int
    starts_on: date
    ends_on: date | None
    count: int | None
    due_in_days: int
    team_id: str | None
    budget_id: str | None
    subcategory_id: str | None
    line_items: list[BillLineShape]
    memo: str
    status: str
    trouble: str
    bills_entered: int
    next_dates: list[date]
    latest: list[ScheduledBillShape]
    created_by: str
    version: int
    createdAt: datetime
    updatedAt: datetime
    updated_at: datetime


def scheduled_bill(row: ScheduledBill) -> ScheduledBillShape:
    """A bill that was entered for a day; the bill should be joined."""
    return {"on": row.on, "bill_id": row.bill_id, "bill_no": row.bill.bill_no}


def bill_lines(row: BillSchedule) -> list[SplitLine]:
    """Its lines as the body of a bill has them."""
    return [
        SplitLine.model_validate(
            _decimals(stored) | {"splits": [_decimals(share) for share in stored.get("splits", [])]}
        )
        for stored in row.lines
    ]


def _decimals(stored: dict[str, Any]) -> dict[str, Any]:
    """JSON holds the numbers as text, so that none is ever a float."""
    return stored | {name: Decimal(stored[name]) for name in NUMBERS & stored.keys()}


def _lines(row: BillSchedule) -> list[BillLineShape]:
    sums = amounts.of_lines(bill_lines(row), row.currency)
    splits: dict[int, list[LineSplit]] = {}
    for share in sums.splits:
        splits.setdefault(share.line.position, []).append(share)
    return [line(bill_line, splits.get(bill_line.position, ()), row.currency) for bill_line in sums.lines]


def bill_schedule(row: BillSchedule, today: date) -> BillScheduleShape:
    """A recurring bill on a day of the business; its vendor should be joined."""
    latest = row.occurrences.select_related("bill").order_by("-on")[:LATEST]
    return {
        "_id": row.id,
        "number_prefix": row.number_prefix,
        "vendor_id": row.vendor_id,
        "vendor_name": row.vendor.name,
        "currency": row.currency,
        "total": money.to_number(row.total_minor, row.currency),
        "total_minor": row.total_minor,
        "interval": row.interval,
        "day": row.day,
        "starts_on": row.starts_on,
        "ends_on": row.ends_on,
        "count": row.count,
        "due_in_days": row.due_in_days,
        "team_id": row.team_id,
        "budget_id": row.budget_id,
        "subcategory_id": row.subcategory_id or None,
        "line_items": _lines(row),
        "memo": row.memo,
        "status": row.status,
        "trouble": row.trouble,
        "bills_entered": row.bills_entered,
        "next_dates": dates.next_dates(row, today),
        "latest": [scheduled_bill(occurrence) for occurrence in latest],
        "created_by": row.created_by,
        "version": row.version,
        "createdAt": row.created_at,
        "updatedAt": row.updated_at,
        "updated_at": row.updated_at,
    }
