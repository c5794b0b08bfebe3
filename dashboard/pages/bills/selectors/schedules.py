"""What is read of recurring bills, live: all of them, and one."""

from dashboard import operations_extra
from dashboard.access.actor import Actor
from dashboard.client.page import parsed, read_page, typed
from dashboard.client.reads import read_live
from dashboard.commands.bill_schedules import schedule_subject
from dashboard.schemas.bill_schedules import BillSchedule

LIVE_S = 4.0
MOST = 200
ORDER = ("ACTIVE", "PAUSED", "ENDED")


def schedules_of(actor: Actor) -> list[BillSchedule]:
    """The recurring bills, those that go on first and among them the next ones. Raises the FinanceError tree."""
    answer = read_live(actor, operations_extra.LIST_BILL_SCHEDULES, query={"limit": MOST}, deadline=LIVE_S)
    rows = typed(read_page(answer.data).rows, BillSchedule)
    return sorted(
        rows, key=lambda row: (ORDER.index(row.status) if row.status in ORDER else 9, row.next_dates[:1], row.id)
    )


def schedule_of(actor: Actor, schedule_id: str) -> BillSchedule:
    """One recurring bill. Raises the FinanceError tree: NotFound where there is none of that id."""
    subject = schedule_subject(actor, schedule_id, "")
    answer = read_live(
        actor, operations_extra.READ_BILL_SCHEDULE, path={"id": schedule_id}, subject=subject, deadline=LIVE_S
    )
    return parsed(answer.data, BillSchedule)
