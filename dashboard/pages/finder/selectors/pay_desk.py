"""The pages of bills, vendors and payouts that have no entry in the sidebar, for whom each is open."""

from collections.abc import Iterator

from django.urls import reverse

from dashboard import operations, operations_payables
from dashboard.access.actor import Actor
from dashboard.access.check import can_open
from dashboard.access.operation import Operation
from dashboard.pages.finder.selectors.actions import Hit

# Each with its address and what opens it.
PAY_DESK: tuple[tuple[str, str, Operation], ...] = (
    ("New bill", "bills_new", operations_payables.CREATE_BILL),
    ("Bills received by email", "bills_received", operations_payables.CREATE_BILL),
    ("Aging of bills", "bills_aging", operations_payables.LIST_BILLS),
    ("Credit notes", "bills_credit_notes", operations_payables.LIST_CREDIT_NOTES),
    ("Recurring bills", "bills_schedules", operations_payables.LIST_BILL_SCHEDULES),
    ("New vendor", "vendors_new", operations.CREATE_VENDOR),
    ("Payee changes", "vendors_payee_changes", operations.LIST_VENDORS),
    ("Duplicate vendors", "vendors_duplicates", operations_payables.LIST_DUPLICATE_VENDORS),
    ("Recently paid", "vendors_recent", operations.LIST_RECENT_VENDORS),
    ("New payout", "payouts_new", operations.CREATE_PAYOUT),
    ("Single payment", "payouts_single", operations.CREATE_PAYMENT_INTENT),
    ("Request mobile money", "payouts_request", operations.REQUEST_MOBILE_MONEY),
)  # fmt: skip


def pay_desk_pages(actor: Actor) -> Iterator[Hit]:
    """Those that are open to the actor."""
    for title, address, opens in PAY_DESK:
        if can_open(actor, opens):
            yield Hit(title, "", reverse(address, args=[actor.business.slug]))
