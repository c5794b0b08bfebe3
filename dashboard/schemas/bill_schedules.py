"""Recurring bills as the service tells them, and the body that adds one."""

from datetime import date
from typing import Required, TypedDict

from dashboard.schemas.base import Currency, Id, RequestSchema, ResponseSchema, Text
from dashboard.schemas.bills import BillLine, LineBody, NewLine


class ScheduledBill(ResponseSchema):
    """A bill that was entered for a day."""

    on: date | None = None
    bill_id: Text = ""
    bill_no: Text = ""


class BillSchedule(ResponseSchema):
    """A recurring bill; `next_dates` are the next days on which one is entered, `trouble` why it was paused by itself."""

    id: Id
    number_prefix: Text = ""
    vendor_id: Text = ""
    vendor_name: Text = ""
    currency: Currency
    total_minor: int = 0
    interval: Text = ""
    day: int = 1
    starts_on: date | None = None
    ends_on: date | None = None
    count: int | None = None
    due_in_days: int = 0
    team_id: Text = ""
    subcategory_id: Text = ""
    line_items: list[BillLine] = []
    memo: Text = ""
    status: Text = ""
    trouble: Text = ""
    # The employee who added it, or the client.
    created_by: Text = ""
    bills_entered: int = 0
    next_dates: list[date] = []
    latest: list[ScheduledBill] = []


class NewBillSchedule(RequestSchema):
    """A recurring bill to add: the lines of each bill, and when they come; days as "2026-11-25"."""

    number_prefix: str
    vendor_id: str
    currency: str | None = None
    line_items: list[NewLine]
    interval: str
    day: int | None = None
    starts_on: str
    ends_on: str | None = None
    count: int | None = None
    due_in_days: int = 30
    team_id: str | None = None
    budget_id: str | None = None
    subcategory_id: str | None = None
    memo: str | None = None


class BillScheduleBody(TypedDict, total=False):
    """A recurring bill as it is sent (NewBillSchedule); days as 2026-11-25."""

    number_prefix: Required[str]
    vendor_id: Required[str]
    line_items: Required[list[LineBody]]
    interval: Required[str]
    starts_on: Required[str]
    currency: str
    day: int
    ends_on: str
    count: int
    due_in_days: int
    team_id: str
    budget_id: str
    subcategory_id: str
    memo: str
