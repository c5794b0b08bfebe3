"""What payments the copy expects: of bills, payouts, transactions by hand, and whatever else waits for votes."""

from collections.abc import Iterator
from datetime import date

from django.db.models import F, Q

from dashboard.decisions.items import KIND_LABELS
from dashboard.decisions.registry import ALLOWS
from dashboard.forecast.days import Expected
from dashboard.forecast.look import MOST, RESERVED, Look, joined
from dashboard.mirror.models import Approval, Request
from dashboard.mirror.scopes import visible_approvals, visible_requests

# How far a payment has come that was not sent yet, or that is being sent.
STATES = {
    "DRAFT": "not asked for yet", "PENDING": "waits for approval", "PENDING_APPROVAL": "waits for approval",
    "APPROVED": "approved", "AWAITING_CODE": "waits for its code", "ON_HOLD": "approved", "SCHEDULED": "scheduled",
    "PROCESSING": "being paid", "UNKNOWN": "being paid",
}  # fmt: skip
# From here on the wallet holds the money back, so that what is available is without it.
HELD = frozenset({"SCHEDULED", "PROCESSING", "UNKNOWN"})
# On its way to whom it is for.
SENT = frozenset({"PROCESSING", "UNKNOWN"})
# What stays with the business: it pays nobody.
OWN = frozenset({"FX_TRANSFER", "INVESTMENT", "ALLOCATION"})
WAITS_FOR = {
    "insufficient_funds": "waits for funds",
    "wallet_suspended": "its wallet is suspended",
    "payee_quarantined": "its payee waits for a second person",
    "payee_changed": "its payee's account is another now",
}
AT_ONCE = "no day set, so it counts today"
COUNTED = ("bill_payment", "payout", "hand_transaction", "card_request")
BETWEEN = "It moves between two wallets of this currency: their sum stays the same."
IN_WITHOUT_DAY = "Money that comes in without a day is counted once it has one."
DRAFT_WITHOUT_DAY = "It is a draft without a day."
POSTED = "Its value date is over: it counts as posted."
WHEN_USED = "Money moves only when the card is used."
EXCHANGED = "What it takes is reserved already; what it brings is counted once it is done."
NOT_READ = "Which way its money goes is read with its fund account."


def payments_of(look: Look) -> tuple[list[Expected], bool]:
    """What is open, each once, and whether there is more than is looked at."""
    open_states = visible_requests(look.actor).filter(kind__in=COUNTED, status__in=STATES)
    rows = list(open_states.order_by(F("due_at").asc(nulls_first=True), "pk")[:MOST])
    votes = visible_approvals(look.actor).filter(Q(status="PENDING") | Q(ref__in=_voted(rows)))
    asked = list(votes.order_by(F("due_at").asc(nulls_first=True), "pk").defer("payload")[: 2 * MOST])
    pages = {each.ref: look.page("approvals_payment", each.remote_id) for each in asked}
    # One that waits for votes is known twice: what the thing itself says goes before what its request says.
    found = [*_waiting(look, asked, pages), *(one for row in rows for one in _open(look, row, pages))]
    return found, len(rows) == MOST or len(asked) == 2 * MOST


def _voted(rows: list[Request]) -> list[str]:
    return [row.ref for row in rows if row.voted and row.status != "PENDING_APPROVAL"]


def _waiting(look: Look, asked: list[Approval], pages: dict[str, str]) -> Iterator[Expected]:
    for one in asked:
        # A fund's movement without a wallet stays within the fund account.
        inside = one.kind == "INVESTMENT" and not one.org_wallet_ref
        if one.status != "PENDING" or one.kind in ALLOWS or inside:
            continue
        due, why_not = look.on(one.due_at), {"FX_TRANSFER": EXCHANGED, "INVESTMENT": NOT_READ}.get(one.kind, "")
        yield Expected(
            key=f"payment:{one.ref}",
            currency=one.currency,
            minor=None if one.amount_minor is None else -one.amount_minor,
            day=due or look.first,
            title=_to(one.title, one.payee),
            said=joined(
                f"{KIND_LABELS.get(one.kind, 'Payment request')} {one.ref}",
                STATES["PENDING"],
                f"due {look.said(due)}" if due else "" if why_not else AT_ONCE,
            ),
            href=pages[one.ref],
            why_not=why_not,
            unsent=one.kind not in OWN,
            undated=due is None,
        )


def _open(look: Look, row: Request, pages: dict[str, str]) -> Iterator[Expected]:
    if row.kind == "hand_transaction":
        yield _by_hand(look, row)
    elif row.kind == "card_request":
        if row.status == "PENDING":
            yield _once(look, row)
    else:
        yield _payment(look, row, pages.get(row.ref, ""))


def _payment(look: Look, row: Request, href: str) -> Expected:
    bill = row.kind == "bill_payment"
    fee = row.payload.get("fee_minor" if bill else "total_fees_minor")
    fee = fee if isinstance(fee, int) else 0
    day, when = _day_of(look, row)
    draft = "" if day or row.status != "DRAFT" else DRAFT_WITHOUT_DAY
    reason = str(row.payload.get("hold_reason") or "")
    return Expected(
        key=f"payment:{row.ref}",
        currency=row.currency,
        minor=None if row.amount_minor is None else -row.amount_minor - fee,
        day=day,
        title=_to(row.title, row.payee) if bill else row.title,
        said=joined(
            f"Bill payment {row.ref}" if bill else f"Payout {row.ref}{_many(row)}",
            STATES[row.status],
            WAITS_FOR.get(reason, reason and "held back"),
            when,
            f"with a fee of {look.money(fee, row.currency)}" if fee else "",
        ),
        href=href,
        why_not=RESERVED if row.status in HELD else draft,
        unsent=row.status not in SENT,
        undated=when == AT_ONCE,
    )


def _many(row: Request) -> str:
    many = row.payload.get("item_count")
    return f" of {many} payment{'' if many == 1 else 's'}" if isinstance(many, int) else ""


def _day_of(look: Look, row: Request) -> tuple[date | None, str]:
    if scheduled := look.day_of(row.payload, "scheduled_for"):
        return scheduled, f"scheduled for {look.said(scheduled)}"
    due = look.day_of(row.payload, "due_at") or look.on(row.due_at)
    # A bill is paid when it is due, or as soon as it is approved; a payout knows no other day than its own.
    if due and row.status not in {"APPROVED", "ON_HOLD"}:
        return due, f"due {look.said(due)}"
    if due:
        return min(due, look.first), f"due {look.said(due)}, and leaves at once"
    return (None, "") if row.status == "DRAFT" else (look.first, AT_ONCE)


def _by_hand(look: Look, row: Request) -> Expected:
    incoming = row.payload.get("direction") == "IN"
    day = look.day_of(row.payload, "value_date")
    between = BETWEEN if row.payload.get("to_org_wallet_ref") else ""
    failed = str(row.payload.get("failure_code") or "")
    sign = 1 if incoming else -1
    without = "" if incoming or between else AT_ONCE
    # An approved one is posted on its day; where nothing went wrong, what is available is with it.
    over = POSTED if row.status == "APPROVED" and day and day < look.first and not failed else ""
    return Expected(
        key=f"payment:{row.ref}",
        currency=row.currency,
        minor=None if row.amount_minor is None else sign * row.amount_minor,
        day=day or (None if incoming else look.first),
        title=row.title,
        said=joined(
            f"Transaction by hand {row.ref}",
            f"with {row.payee}" if row.payee else "",
            STATES[row.status],
            f"value date {look.said(day)}" if day else without,
            WAITS_FOR.get(failed, failed and "could not be posted yet"),
        ),
        href=look.page("approvals_hand_transaction", row.remote_id),
        why_not=between or over or (IN_WITHOUT_DAY if incoming and not day else ""),
    )


def _once(look: Look, row: Request) -> Expected:
    return Expected(
        key=f"payment:{row.ref}",
        currency=row.currency,
        minor=None if row.amount_minor is None else -row.amount_minor,
        day=None,
        title=_to(row.title, row.payee, "at"),
        said=joined("Single-use card", f"for {row.holder_name}" if row.holder_name else "", STATES[row.status]),
        href="" if row.voted else look.page("approvals_card_request", row.remote_id),
        why_not=WHEN_USED,
    )


def _to(title: str, payee: str, word: str = "to") -> str:
    return f"{title} {word} {payee}" if payee else title
