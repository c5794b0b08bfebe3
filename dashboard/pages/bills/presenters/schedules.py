"""How recurring bills are shown: the list, and one with its next dates and its bills."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypedDict

from dashboard import operations_payables
from dashboard.access.actor import Actor
from dashboard.access.check import can_open
from dashboard.lists.detail_page import Facts
from dashboard.lists.states import state_in
from dashboard.mirror.scopes import visible_teams
from dashboard.money import text
from dashboard.pages.bills.forms.schedules import SCHEDULE_INTERVALS
from dashboard.pages.bills.presenters.lines import LineRow, line_rows
from dashboard.pages.bills.selectors.bills import category_names
from dashboard.schemas.bill_schedules import BillSchedule
from dashboard.times import day_text

STATES = {"ACTIVE": ("Active", "ok"), "PAUSED": ("Paused", "warn"), "ENDED": ("Ended", "")}
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


@dataclass(frozen=True, slots=True)
class ScheduleRow:
    """A recurring bill as it is printed; `next_dates` are the days on which the next bills are entered."""

    schedule: BillSchedule
    amount: str
    repeats: str
    state: tuple[str, str]
    next_dates: list[str]


class SchedulesContext(TypedDict):
    """What bills/schedules.html reads."""

    rows: list[ScheduleRow]
    may_add: bool
    problem: str


class ScheduleContext(TypedDict):
    """What bills/schedule.html reads: the buttons that may be pressed, and the bills entered last as (number, id, day)."""

    row: ScheduleRow
    facts: Facts
    lines: list[LineRow]
    sums: Facts
    bills: list[tuple[str, str, str]]
    may_pause: bool
    may_resume: bool
    may_end: bool


def schedules_context(actor: Actor, rows: Sequence[BillSchedule], problem: str) -> SchedulesContext:
    """What the list of recurring bills reads; `problem` says why they could not be read, "" where they could."""
    may_add = bool(can_open(actor, operations_payables.CREATE_BILL_SCHEDULE))
    return {"rows": [_row(actor, row) for row in rows], "may_add": may_add, "problem": problem}


def schedule_context(actor: Actor, schedule: BillSchedule) -> ScheduleContext:
    """What the page of a recurring bill reads: its facts, its lines, the newest bills, and what the actor may do with
    it."""
    is_over = schedule.status == "ENDED"
    return {
        "row": _row(actor, schedule),
        "facts": _facts(actor, schedule),
        "lines": line_rows(actor, schedule.line_items, schedule.currency),
        "sums": [("Total of each bill", text(schedule.total_minor, schedule.currency, actor.business.locale))],
        "bills": [(bill.bill_no, bill.bill_id, day_text(bill.on) if bill.on else "") for bill in schedule.latest],
        "may_pause": schedule.status == "ACTIVE" and bool(can_open(actor, operations_payables.PAUSE_BILL_SCHEDULE)),
        "may_resume": schedule.status == "PAUSED" and bool(can_open(actor, operations_payables.RESUME_BILL_SCHEDULE)),
        "may_end": not is_over and bool(can_open(actor, operations_payables.END_BILL_SCHEDULE)),
    }


def _row(actor: Actor, schedule: BillSchedule) -> ScheduleRow:
    return ScheduleRow(
        schedule,
        text(schedule.total_minor, schedule.currency, actor.business.locale),
        _repeats(schedule),
        state_in(STATES, schedule.status),
        [day_text(day) for day in schedule.next_dates],
    )


def _repeats(schedule: BillSchedule) -> str:
    """ "Every month on the last day" for the 31st, "Every week on Monday"."""
    often = SCHEDULE_INTERVALS.get(schedule.interval, schedule.interval.lower())
    if schedule.interval == "WEEKLY":
        return f"{often} on {WEEKDAYS[(schedule.day - 1) % 7]}"
    return f"{often} on the last day" if schedule.day == 31 else f"{often} on day {schedule.day}"


def _facts(actor: Actor, schedule: BillSchedule) -> Facts:
    team = visible_teams(actor).filter(remote_id=schedule.team_id or "-").values_list("name", flat=True).first()
    entered = f"{schedule.bills_entered} of {schedule.count}" if schedule.count else str(schedule.bills_entered)
    facts = [
        ("Vendor", schedule.vendor_name),
        ("Repeats", _repeats(schedule)),
        ("Start date", day_text(schedule.starts_on) if schedule.starts_on else ""),
        ("End date", day_text(schedule.ends_on) if schedule.ends_on else ""),
        ("Bills entered", entered),
        ("Due", f"{schedule.due_in_days} days after its day" if schedule.due_in_days else "on its day"),
        ("Team", team or ""),
        ("Category", category_names(actor, {schedule.subcategory_id}).get(schedule.subcategory_id, "")),
        ("Memo", schedule.memo),
    ]
    return [(label, value) for label, value in facts if value]
