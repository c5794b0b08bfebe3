"""Recurring bills on the wire."""

from datetime import date, datetime
from decimal import Decimal
from typing import Annotated

from ninja import Schema
from pydantic import ConfigDict, Field, model_validator

from service import inputs
from service.bill_schedules.models import Interval, ScheduleStatus
from service.bills.schemas import LARGEST_BILL, BillDay, LineOut, SplitLine
from service.pagination import Envelope, PageQuery
from service.text import ObjectId, Words

# Its bills are due within a year, and no bill is due after 2100.
Start = Annotated[inputs.Day, Field(ge=date(1990, 1, 1), le=date(2098, 1, 1), examples=["2027-01-01"])]
Prefix = Annotated[Words, Field(max_length=40, examples=["RENT"])]


class ScheduledBillOut(Schema):
    """A bill that was entered for a day."""

    on: date
    bill_id: str
    bill_no: str


class BillScheduleOut(Schema):
    """A recurring bill; `next_dates` are the next three days on which one is entered, `line_items` the lines of each bill."""

    id: str = Field(alias="_id")
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
    line_items: list[LineOut]
    memo: str
    status: str
    trouble: str
    bills_entered: int
    next_dates: list[date]
    latest: list[ScheduledBillOut]
    created_by: str
    version: int
    createdAt: datetime  # noqa: N815  the published spelling
    updatedAt: datetime  # noqa: N815


class BillSchedulePage(Envelope):
    """A page of the recurring bills."""

    docs: list[BillScheduleOut]


class BillScheduleQuery(PageQuery):
    """Filters of the recurring bills: state and vendor."""

    status: ScheduleStatus | None = None
    vendor_id: ObjectId | None = None


class NewBillSchedule(Schema):
    """A recurring bill to enter. Each bill is numbered by the prefix and its day, such as RENT-2026-01-31."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [
                {
                    "number_prefix": "RENT",
                    "vendor_id": "0192f0c0ffee000012345678",
                    "line_items": [{"description": "Rent", "unit_price": 85000}],
                    "interval": "MONTHLY",
                    "day": 31,
                    "starts_on": "2027-01-01",
                }
            ]
        },
    )

    number_prefix: Prefix
    vendor_id: ObjectId
    currency: str | None = Field(None, pattern="^[A-Z]{3}$")
    line_items: list[SplitLine] = Field(min_length=1, max_length=LARGEST_BILL)
    interval: Interval
    day: inputs.Whole | None = Field(
        None, ge=1, le=31, description="Of the month, or from Monday as 1; that of `starts_on` without one."
    )
    starts_on: Start
    ends_on: BillDay | None = None
    count: inputs.Whole | None = Field(None, ge=1, le=1000, description="How many bills there are in all.")
    due_in_days: inputs.Whole = Field(30, ge=0, le=365)
    team_id: ObjectId | None = None
    budget_id: ObjectId | None = None
    subcategory_id: ObjectId | None = None
    memo: inputs.Lines | None = Field(None, max_length=1000)

    @model_validator(mode="after")
    def check_days(self) -> "NewBillSchedule":
        """A week has seven days, and an end lies after the beginning; one end is enough."""
        if self.interval == Interval.WEEKLY and self.day is not None and self.day > 7:
            raise ValueError("A week has seven days.")
        if self.ends_on is not None and self.ends_on < self.starts_on:
            raise ValueError("It would end before it starts.")
        if self.ends_on is not None and self.count is not None:
            raise ValueError("Give either ends_on or count.")
        return self
