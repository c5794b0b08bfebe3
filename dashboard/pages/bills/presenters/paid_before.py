"""A payment of a bill side by side with payments of payouts that may be the same one, and what a tick beside them acknowledges."""

from collections.abc import Sequence
from hashlib import sha256

from dashboard.access.actor import Actor
from dashboard.cash.earlier_payments import EarlierPayment
from dashboard.lists.states import state_in
from dashboard.mirror.models import Bill
from dashboard.money import text
from dashboard.pages.bills.presenters.duplicates import MOST, BillColumn, BillComparison, ComparedLine
from dashboard.pages.bills.selectors.payments import channel_name
from dashboard.times import day_and_time

LABELS = ("Receiver", "Amount", "Account", "Created", "Status")
PAYOUT_STATES = {
    "DRAFT": ("Draft", ""), "PENDING_APPROVAL": ("Awaiting approval", ""), "AWAITING_CODE": ("Awaiting a one-time code", ""),
    "APPROVED": ("Approved", ""), "ON_HOLD": ("On hold", ""), "PROCESSING": ("Being paid", ""), "COMPLETED": ("Paid", ""),
    "PARTIALLY_COMPLETED": ("Paid in part", ""),
}  # fmt: skip


def comparison_of_payment(
    actor: Actor, bill: Bill, minor: int, account: str, earlier: Sequence[EarlierPayment]
) -> list[BillComparison]:
    """A payment of `minor` units to an account, as it is printed, beside the first MOST of these; none without any."""
    beside = earlier[:MOST]
    if not beside:
        return []

    def amount(of: int) -> str:
        return text(of, bill.currency, actor.business.locale)

    columns = [BillColumn("This payment", "", "")]
    columns += [BillColumn(f"{row.title}, {row.ref}, row {row.row}", row.href, "") for row in beside]
    own = [bill.vendor_name, amount(minor), account, "", ""]
    others = [
        [
            row.receiver, amount(row.amount_minor), f"{channel_name(row.channel)} ···{row.account_ends}",
            day_and_time(row.at, actor.business), state_in(PAYOUT_STATES, row.status)[0],
        ]
        for row in beside
    ]  # fmt: skip
    lines = [
        ComparedLine(label, list(values), len(set(filter(None, values))) > 1)
        for label, *values in zip(LABELS, own, *others, strict=True)
    ]
    return [BillComparison("A payout may have paid this already", columns, lines)]


def paid_before_digest(minor: int, earlier: Sequence[EarlierPayment]) -> str:
    """What names exactly this payment beside exactly these, as far as they have come."""
    rows = sorted(f"{row.ref}\x1f{row.row}\x1f{row.status}" for row in earlier)
    return sha256("\x1e".join((str(minor), *rows)).encode()).hexdigest()
