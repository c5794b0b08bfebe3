"""Bills that somebody has to see to: what came by e-mail, and what is due while nothing of it is being paid."""

import uuid
from datetime import timedelta

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.db.models.fields.json import KeyTextTransform
from django.urls import reverse

from dashboard import operations, operations_payables
from dashboard.access.actor import Actor
from dashboard.access.check import can_open
from dashboard.access.models import Business, Membership
from dashboard.access.operation import Operation
from dashboard.mirror.models import ApprovalRequest, Bill
from dashboard.mirror.models.bills import OPEN_BILL
from dashboard.mirror.schedule import today
from dashboard.mirror.scopes import visible_bills
from dashboard.money import text
from dashboard.notifications.digest import MOST_OF_SECTION, DigestSection, WaitingItem
from dashboard.notifications.models import Notice
from dashboard.notifications.services import notify
from dashboard.notifications.topics import BILLS_DUE, BILLS_RECEIVED

# So many days before it is due a bill is spoken of once, and once more on the day.
DAYS_BEFORE = (0, 3)
# One by one up to here; of more on one day, one sentence says how many.
MOST_SINGLE = 5
UNDER_WAY = frozenset({"PENDING_APPROVAL", "APPROVED", "SCHEDULED", "PROCESSING", "UNKNOWN"})


def notify_of_received(business: Business, message_id: uuid.UUID, sender: str, count: int) -> int:
    """Tells who may enter bills that an e-mail with so many files came; inside the transaction that stores it."""
    files = f"{count} file{'s' * (count != 1)}"
    content = f"with {files}" if count else "without a file"
    sentence = f"A message {content} came to the bills' mailbox from {sender or 'an unknown sender'}."
    members = _members(business, operations_payables.CREATE_BILL)
    return notify(members, BILLS_RECEIVED, sentence, key=f"bills-received:{message_id}")


def remind() -> int:
    """Tells who may pay bills of those that are due in three days, and of those due today; each once. How many notices."""
    return sum(_remind(business) for business in Business.objects.filter(service_account__isnull=False))


def _remind(business: Business) -> int:
    count, day = 0, today(business)
    for before in DAYS_BEFORE:
        due_on = day + timedelta(days=before)
        due = _unpaid(Bill.objects.filter(business=business, due_on=due_on), business)
        rows = list(due.order_by("id")[: MOST_SINGLE + 1])
        if not rows:
            continue
        members = _members(business, operations.ADD_BILL_PAYMENT)
        together = f"bills-due:{due_on}:{before}"
        if len(rows) <= MOST_SINGLE and Notice.objects.filter(membership__in=members, key=together).exists():
            # They were spoken of together; since then some of them are being paid.
            continue
        when = "today" if before == 0 else f"in {before} days, on {due_on:%d %b %Y}"
        with transaction.atomic():
            if len(rows) > MOST_SINGLE:
                sentence = f"{due.count()} bills are due {when}, and nothing of them is being paid."
                count += notify(members, BILLS_DUE, sentence, key=together)
                continue
            for row in rows:
                money = text(row.balance_minor, row.currency, business.locale)
                sentence = f"Bill {row.bill_no} of {row.vendor_name} is due {when}: {money} is open, and nothing of it is being paid."
                key = f"bill-due:{row.remote_id}:{due_on}:{before}"
                count += notify(members, BILLS_DUE, sentence, key=key, kind="bill", remote_id=row.remote_id)
    return count


def bills_due(actor: Actor) -> DigestSection | None:
    """The bills that are due within three days, or overdue, and of which nothing is being paid, for whoever may pay them; the
    longest due first."""
    if not can_open(actor, operations.ADD_BILL_PAYMENT):
        return None
    day = today(actor.business)
    due = _unpaid(visible_bills(actor).filter(due_on__lte=day + timedelta(days=max(DAYS_BEFORE))), actor.business)
    rows = list(due.order_by("due_on", "id")[:MOST_OF_SECTION])
    items = [
        WaitingItem(
            f"Bill {row.bill_no} of {row.vendor_name}", f"{'overdue since' if row.due_on < day else 'due'} {row.due_on:%d %b %Y}",
            text(row.balance_minor, row.currency, actor.business.locale),
            reverse("bills_item", args=[actor.business.slug, row.remote_id]),
        )
        for row in rows
    ]  # fmt: skip
    return DigestSection("Bills due", items, due.count()) if items else None


def _unpaid(bills: QuerySet[Bill], business: Business) -> QuerySet[Bill]:
    """Those that are open and of which no payment is under way."""
    paying = ApprovalRequest.objects.annotate(bill_id=KeyTextTransform("bill_id", "payload")).filter(
        business=business, kind="bill_payment", bill_id=OuterRef("remote_id"), status__in=UNDER_WAY
    )
    return bills.filter(OPEN_BILL, ~Exists(paying), balance_minor__gt=0)


def _members(business: Business, operation: Operation) -> list[Membership]:
    rows = Membership.objects.filter(business=business, is_active=True, role__in=operation.roles, user__is_active=True)
    return list(rows.select_related("user"))
