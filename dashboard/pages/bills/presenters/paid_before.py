"""A payment of a bill side by side with payments of payouts that may be the same one, and what a tick beside them acknowledges."""

from collections.abc import Sequence
from hashlib import sha256

from dashboard.access.actor import Actor
from dashboard.cash.earlier_payments import EarlierPayment
from dashboard.lists.states import state_in
from dashboard.mirror.models import ApprovalRequest, Bill
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
    """A payment of `minor` units to an account, as it is printed, beside the first MOST of these, and how many more there are; none
    without any."""
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
    # Of each amount the service names the newest few: there may be others.
    more = len(earlier) - len(beside)
    return [
        BillComparison(
            "A payout may have paid this already", columns, lines, more=f"And at least {more} more." if more else ""
        )
    ]


def account_of(payment: ApprovalRequest) -> str:
    """The account that a payment goes to, by its last characters; "" where the copy has none."""
    account = str(payment.payload.get("account") or "")
    return f"{channel_name(str(payment.payload.get('channel') or ''))} ···{account[-4:]}" if account else ""


def paid_before_digest(minor: int, earlier: Sequence[EarlierPayment], *, partly: bool = False) -> str:
    """What names exactly this payment beside exactly those of these that are shown, as far as they have come, and with `partly`
    that not all could be compared."""
    rows = sorted(f"{row.ref}\x1f{row.row}\x1f{row.status}" for row in earlier[:MOST])
    return sha256("\x1e".join((str(minor), *rows, *(["partly"] if partly else []))).encode()).hexdigest()
