"""The payments that the copy expects: of bills, payouts, transactions by hand, and whatever else waits for votes."""

from collections.abc import Iterator
from datetime import date

from django.db.models import F, Q

from dashboard.decisions.desk_items import KIND_LABELS
from dashboard.decisions.registry import ALLOWS
from dashboard.forecast.days import Expected
from dashboard.forecast.horizon import MAX_FORECAST_ROWS, RESERVED, Horizon, joined
from dashboard.mirror.models import Approval, ApprovalRequest
from dashboard.mirror.scopes import visible_approvals, visible_requests

# How far a payment has come that was not sent yet, or that is being sent.
STATES = {
    "DRAFT": "not requested yet", "PENDING": "awaiting approval", "PENDING_APPROVAL": "awaiting approval",
    "APPROVED": "approved", "AWAITING_CODE": "awaiting code", "ON_HOLD": "approved", "SCHEDULED": "scheduled",
    "PROCESSING": "being paid", "UNKNOWN": "being paid",
}  # fmt: skip
# From here on the wallet holds the money back, so that what is available is without it.
HELD = frozenset({"SCHEDULED", "PROCESSING", "UNKNOWN"})
# On its way to whom it is for.
SENT = frozenset({"PROCESSING", "UNKNOWN"})
# What stays with the business: it pays nobody.
OWN = frozenset({"FX_TRANSFER", "INVESTMENT", "ALLOCATION"})
WAITS_FOR = {
    "insufficient_funds": "waiting for funds",
    "wallet_suspended": "its wallet is suspended",
    "payee_quarantined": "its payee is awaiting confirmation",
    "payee_changed": "its payee's account has changed",
    "payee_rejected": "its payee's account was rejected",
    "withholding_changed": "more or less is withheld by now than was approved",
}
COUNTS_TODAY = "no date set, so it counts today"
COUNTED = ("bill_payment", "payout", "hand_transaction", "card_request")
BETWEEN = "It moves between two wallets of this currency: the total stays the same."
IN_WITHOUT_DAY = "Money in without a date is counted once it has one."
DRAFT_WITHOUT_DAY = "It is a draft without a date."
POSTED = "Its value date has passed: it counts as posted."
WHEN_USED = "Money moves only when the card is used."
EXCHANGED = "The amount it takes is already on hold; the amount it brings is counted once it is done."
NOT_READ = "Its direction is read with its fund account."


def expected_payments(horizon: Horizon) -> tuple[list[Expected], bool]:
    """The payments that are open, each of them once; and whether there are more than MOST of a kind, which are left out."""
    open_requests = visible_requests(horizon.actor).filter(kind__in=COUNTED, status__in=STATES)
    rows = list(open_requests.order_by(F("due_at").asc(nulls_first=True), "pk")[:MAX_FORECAST_ROWS])
    votes = visible_approvals(horizon.actor).filter(Q(status="PENDING") | Q(ref__in=_voted(rows)))
    approvals = list(votes.order_by(F("due_at").asc(nulls_first=True), "pk").defer("payload")[: 2 * MAX_FORECAST_ROWS])
    urls = {row.ref: horizon.url("approvals_payment", row.remote_id) for row in approvals}
    # A payment that waits for votes is known twice: what the payment itself says goes before what its approval says.
    expected = [*_waiting(horizon, approvals, urls), *(item for row in rows for item in _open(horizon, row, urls))]
    return expected, len(rows) == MAX_FORECAST_ROWS or len(approvals) == 2 * MAX_FORECAST_ROWS


def _voted(rows: list[ApprovalRequest]) -> list[str]:
    return [row.ref for row in rows if row.voted and row.status != "PENDING_APPROVAL"]


def _waiting(horizon: Horizon, approvals: list[Approval], urls: dict[str, str]) -> Iterator[Expected]:
    for approval in approvals:
        # A fund's movement without a wallet stays within the fund account.
        inside = approval.kind == "INVESTMENT" and not approval.org_wallet_ref
        if approval.status != "PENDING" or approval.kind in ALLOWS or inside:
            continue
        due, why_not = (
            horizon.local_day(approval.due_at),
            {"FX_TRANSFER": EXCHANGED, "INVESTMENT": NOT_READ}.get(approval.kind, ""),
        )
        yield Expected(
            key=f"payment:{approval.ref}",
            currency=approval.currency,
            minor=None if approval.amount_minor is None else -approval.amount_minor,
            day=due or horizon.first,
            title=_to(approval.title, approval.payee),
            about=joined(
                f"{KIND_LABELS.get(approval.kind, 'Payment request')} {approval.ref}",
                STATES["PENDING"],
                f"due {horizon.day_text(due)}" if due else "" if why_not else COUNTS_TODAY,
            ),
            href=urls[approval.ref],
            why_not=why_not,
            unsent=approval.kind not in OWN,
            undated=due is None,
        )


def _open(horizon: Horizon, row: ApprovalRequest, urls: dict[str, str]) -> Iterator[Expected]:
    if row.kind == "hand_transaction":
        yield _by_hand(horizon, row)
    elif row.kind == "card_request":
        if row.status == "PENDING":
            yield _single_use(horizon, row)
    else:
        yield _payment(horizon, row, urls.get(row.ref, ""))


def _payment(horizon: Horizon, row: ApprovalRequest, href: str) -> Expected:
    bill = row.kind == "bill_payment"
    fee = row.payload.get("fee_minor" if bill else "total_fees_minor")
    fee = fee if isinstance(fee, int) else 0
    day, when = _day_of(horizon, row)
    draft = "" if day or row.status != "DRAFT" else DRAFT_WITHOUT_DAY
    reason = str(row.payload.get("hold_reason") or "")
    return Expected(
        key=f"payment:{row.ref}",
        currency=row.currency,
        minor=None if row.amount_minor is None else -row.amount_minor - fee,
        day=day,
        title=_to(row.title, row.payee) if bill else row.title,
        about=joined(
            f"Bill payment {row.ref}" if bill else f"Payout {row.ref}{_item_count(row)}",
            STATES[row.status],
            WAITS_FOR.get(reason, reason and "on hold"),
            when,
            f"with a fee of {horizon.money(fee, row.currency)}" if fee else "",
        ),
        href=href,
        why_not=RESERVED if row.status in HELD else draft,
        unsent=row.status not in SENT,
        undated=when == COUNTS_TODAY,
    )


def _item_count(row: ApprovalRequest) -> str:
    count = row.payload.get("item_count")
    return f" of {count} payment{'' if count == 1 else 's'}" if isinstance(count, int) else ""


def _day_of(horizon: Horizon, row: ApprovalRequest) -> tuple[date | None, str]:
    if scheduled := horizon.day_of(row.payload.get("scheduled_for")):
        return scheduled, f"scheduled for {horizon.day_text(scheduled)}"
    due = horizon.day_of(row.payload.get("due_at")) or horizon.local_day(row.due_at)
    # A bill is paid when it is due, or as soon as it is approved; a payout knows no other day than its own.
    if due and row.status not in {"APPROVED", "ON_HOLD"}:
        return due, f"due {horizon.day_text(due)}"
    if due:
        return min(due, horizon.first), f"due {horizon.day_text(due)}, and paid immediately"
    return (None, "") if row.status == "DRAFT" else (horizon.first, COUNTS_TODAY)


def _by_hand(horizon: Horizon, row: ApprovalRequest) -> Expected:
    incoming = row.payload.get("direction") == "IN"
    day = horizon.day_of(row.payload.get("value_date"))
    between = BETWEEN if row.payload.get("to_org_wallet_ref") else ""
    failed = str(row.payload.get("failure_code") or "")
    sign = 1 if incoming else -1
    without = "" if incoming or between else COUNTS_TODAY
    # An approved one is posted on its day; where nothing went wrong, what is available is with it.
    over = POSTED if row.status == "APPROVED" and day and day < horizon.first and not failed else ""
    return Expected(
        key=f"payment:{row.ref}",
        currency=row.currency,
        minor=None if row.amount_minor is None else sign * row.amount_minor,
        day=day or (None if incoming else horizon.first),
        title=row.title,
        about=joined(
            f"Manual transaction {row.ref}",
            f"with {row.payee}" if row.payee else "",
            STATES[row.status],
            f"value date {horizon.day_text(day)}" if day else without,
            WAITS_FOR.get(failed, failed and "not posted yet"),
        ),
        href=horizon.url("approvals_hand_transaction", row.remote_id),
        why_not=between or over or (IN_WITHOUT_DAY if incoming and not day else ""),
    )


def _single_use(horizon: Horizon, row: ApprovalRequest) -> Expected:
    return Expected(
        key=f"payment:{row.ref}",
        currency=row.currency,
        minor=None if row.amount_minor is None else -row.amount_minor,
        day=None,
        title=_to(row.title, row.payee, "at"),
        about=joined("Single-use card", f"for {row.holder_name}" if row.holder_name else "", STATES[row.status]),
        href="" if row.voted else horizon.url("approvals_card_request", row.remote_id),
        why_not=WHEN_USED,
    )


def _to(title: str, payee: str, word: str = "to") -> str:
    return f"{title} {word} {payee}" if payee else title
