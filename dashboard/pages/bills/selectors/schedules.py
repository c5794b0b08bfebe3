"""What is read of recurring bills, live: all of them, and one."""

from dashboard import operations_payables
from dashboard.access.actor import Actor
from dashboard.client.page import Page, every_row, parsed, read_page, typed
from dashboard.client.reads import read_live
from dashboard.commands.bill_schedules import schedule_subject
from dashboard.schemas.bill_schedules import BillSchedule

LIVE_S = 4.0
PAGE_SIZE, MOST_PAGES = 200, 20
ORDER = ("ACTIVE", "PAUSED", "ENDED")


def schedules_of(actor: Actor) -> list[BillSchedule]:
    """All recurring bills, those that go on first and among them the next ones. Raises the FinanceError tree."""

    def fetch(number: int, size: int) -> Page:
        query: dict[str, str | int] = {"page": number, "limit": size}
        return read_page(read_live(actor, operations_payables.LIST_BILL_SCHEDULES, query=query, deadline=LIVE_S).data)

    rows = typed(every_row(fetch, max_pages=MOST_PAGES, size=PAGE_SIZE), BillSchedule)
    return sorted(
        rows, key=lambda row: (ORDER.index(row.status) if row.status in ORDER else 9, row.next_dates[:1], row.id)
    )


def schedule_of(actor: Actor, schedule_id: str) -> BillSchedule:
    """One recurring bill. Raises the FinanceError tree: NotFound where there is none of that id."""
    subject = schedule_subject(actor, schedule_id, "")
    answer = read_live(
        actor, operations_payables.READ_BILL_SCHEDULE, path={"id": schedule_id}, subject=subject, deadline=LIVE_S
    )
    return parsed(answer.data, BillSchedule)
