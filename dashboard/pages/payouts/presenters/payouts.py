"""Payouts on the screen: one with its payments, and the table of a new one with what is wrong in it."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NotRequired, TypedDict

from django.core.paginator import Page, Paginator
from django.urls import reverse

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.access.check import Verdict, can
from dashboard.cash.balances import holdings_or_copies
from dashboard.lists.detail_page import Facts
from dashboard.lists.states import state_in
from dashboard.mirror.models import Approval, Request, Wallet
from dashboard.mirror.scopes import visible_employees, visible_wallets
from dashboard.money import Money, text
from dashboard.pages.payouts.forms.payouts import CancelForm, CodeForm, SendCodeForm
from dashboard.pages.payouts.presenters.rows import ITEM_STATES, PaymentRow, payment_row
from dashboard.pages.payouts.presenters.rows import channel_text as channel_text
from dashboard.pages.payouts.presenters.sheet import ClosingSheet
from dashboard.pages.payouts.selectors.payouts import Destinations, EarlierPayment
from dashboard.pages.payouts.services import FIELDS, NOT_PAID, PaymentLine, payee_of, repeated_lines
from dashboard.pages.payouts.tables import STATES, kind_text
from dashboard.schemas.payments import PayoutItem
from dashboard.times import as_of, day_and_time
from dashboard.web.submission import new_key

ROWS = 100
MAX_CELLS = 100
MAX_REPEATED = 20
# While it is in one of these, it goes on by itself.
MOVING = frozenset({"APPROVED", "PROCESSING", "ON_HOLD"})
ENDED = frozenset({"COMPLETED", "PARTIALLY_COMPLETED", "FAILED"})
HOLDS = {
    "insufficient_funds": "The wallet does not hold enough: it is paid once it does.",
    "wallet_suspended": "The wallet is suspended.",
}


@dataclass(frozen=True, slots=True)
class Acts:
    """What the actor may do to a payout in the state that it is in; None for what is not done in that state."""

    initiate: Verdict | None = None
    draft: Verdict | None = None
    cancel: Verdict | None = None
    code: Verdict | None = None
    confirm: Verdict | None = None
    again: Verdict | None = None


class ProgressContext(TypedDict):
    """What payouts/progress.html reads; `open` says whether it goes on by itself."""

    payout: Request
    state: tuple[str, str]
    facts: Facts
    percent: int
    open: bool
    hold: str


class PayoutContext(ProgressContext):
    """What payouts/item.html reads; `payments` is None where the service did not answer."""

    payments: Page[PaymentRow] | None
    only: str
    counts: list[tuple[str, str, int]]
    failed: int
    after: tuple[str, str] | None
    acts: Acts
    request_address: str
    seen: str
    key: str
    sheet: ClosingSheet | None
    send_code: SendCodeForm
    code: CodeForm | None
    cancel: CancelForm


def progress_context(actor: Actor, payout: Request) -> ProgressContext:
    """How far a payout is."""
    count, paid, failed = _counts_of(payout)
    return {
        "payout": payout,
        "state": state_in(STATES, payout.status),
        "facts": _facts(actor, payout),
        "percent": 100 * (paid + failed) // count if count else 0,
        "open": payout.status in MOVING,
        "hold": _hold_of(payout),
    }


def _counts_of(payout: Request) -> tuple[int, int, int]:
    """How many payments it has, how many of them are paid, and how many failed."""
    count, paid, failed = (
        int(payout.payload.get(name) or 0) for name in ("item_count", "succeeded_count", "failed_count")
    )
    return count, paid, failed


def _fees_of(payout: Request) -> int:
    return int(payout.payload.get("total_fees_minor") or 0)


def _hold_of(payout: Request) -> str:
    reason = str(payout.payload.get("hold_reason") or "")
    return HOLDS.get(reason, reason.replace("_", " ")) if payout.status == "ON_HOLD" else ""


def _facts(actor: Actor, payout: Request) -> Facts:
    locale, currency = actor.business.locale, payout.currency
    names = dict(visible_employees(actor).values_list("remote_id", "name"))
    count, paid, failed = _counts_of(payout)
    over = f"{paid:,} paid, {failed:,} failed of {count:,}"
    total, fees = payout.amount_minor or 0, _fees_of(payout)
    facts = [
        ("Number", payout.ref),
        ("Kind", kind_text(str(payout.payload.get("kind") or ""))),
        ("Wallet", _wallet_name(actor, payout)),
        ("Payments", over if payout.status in MOVING | ENDED else f"{count:,}"),
        ("Total", payout.amount_text),
        ("Fees", text(fees, currency, locale)),
        ("Total with fees", text(total + fees, currency, locale)),
        ("Created by", names.get(payout.requested_by_id, "")),
        ("Initiated by", names.get(str(payout.payload.get("initiated_by") or ""), "")),
        ("Created", day_and_time(payout.requested_at, actor.business)),
        ("Note", str(payout.payload.get("note") or "")),
    ]
    return [(label, value) for label, value in facts if value]


def _wallet_name(actor: Actor, payout: Request) -> str:
    wallet = _wallet_of(actor, payout)
    return f"{wallet.name or wallet.org_wallet_ref} ({wallet.currency})" if wallet else payout.org_wallet_ref


def _wallet_of(actor: Actor, payout: Request) -> Wallet | None:
    rows = visible_wallets(actor).filter(org_wallet_ref=payout.org_wallet_ref, currency=payout.currency)
    wallet: Wallet | None = rows.order_by("remote_id").first()
    return wallet


def payout_context(
    actor: Actor, payout: Request, payments: list[PayoutItem] | None, *, approval: Approval | None, only: str = "",
    number: str | None = None, sheet: ClosingSheet | None = None,
) -> PayoutContext:  # fmt: skip
    """A payout with a page of its payments, all or those in one state, and what the actor may do to it."""
    items = payments or []
    counts = Counter(item.status for item in items)
    rows = [payment_row(actor, payout, item) for item in items if not only or item.status == only]
    return {
        **progress_context(actor, payout),
        "payments": Paginator(rows, ROWS).get_page(number) if payments is not None else None,
        "only": only,
        "counts": [(status, state_in(ITEM_STATES, status)[0], count) for status, count in sorted(counts.items())],
        "failed": sum(counts[status] for status in NOT_PAID),
        "after": balance_after(actor, payout),
        "acts": acts_on(actor, payout),
        "request_address": _approval_address(actor, approval),
        "seen": as_of(payout.last_seen, actor.business),
        "key": new_key(),
        "sheet": sheet,
        "send_code": SendCodeForm(),
        "code": None,
        "cancel": CancelForm(),
    }


def _approval_address(actor: Actor, approval: Approval | None) -> str:
    return reverse("approvals_payment", args=[actor.business.slug, approval.remote_id]) if approval else ""


def balance_after(actor: Actor, payout: Request) -> tuple[str, str] | None:
    """What the wallet holds, and what it would hold once all of it and its fees are paid; None where that is not known,
    or it is paid already."""
    wallet = _wallet_of(actor, payout)
    if wallet is None or payout.status not in {"DRAFT", "PENDING_APPROVAL", "AWAITING_CODE", "REJECTED"}:
        return None
    (holding,), _ = holdings_or_copies(actor, [wallet])
    if not holding.visible or holding.available is None:
        return None
    after = Money(holding.available - (payout.amount_minor or 0) - _fees_of(payout), payout.currency)
    return holding.amounts["available"], after.text(actor.business.locale)


def acts_on(actor: Actor, payout: Request) -> Acts:
    """What may be done in the state that it is in (B.8)."""
    status = payout.status
    return Acts(
        initiate=can(actor, operations.INITIATE_PAYOUT, payout) if status == "DRAFT" else None,
        draft=can(actor, operations.RETURN_PAYOUT_TO_DRAFT, payout)
        if status in {"PENDING_APPROVAL", "AWAITING_CODE", "REJECTED", "ON_HOLD"}
        else None,
        cancel=can(actor, operations.CANCEL_PAYOUT, payout) if status in {"DRAFT", "PENDING_APPROVAL"} else None,
        code=can(actor, operations.CREATE_PAYMENT_INTENT, payout) if status == "AWAITING_CODE" else None,
        confirm=can(actor, operations.CONFIRM_PAYMENT, payout) if status == "AWAITING_CODE" else None,
        again=can(actor, operations.CREATE_PAYOUT) if status in ENDED | {"CANCELLED", "REJECTED"} else None,
    )


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a row with an error: its column, what was typed, what is wrong with it."""

    column: str
    label: str
    value: str
    problem: str


@dataclass(frozen=True, slots=True)
class WrongRow:
    """A row that cannot be paid as it is, with all its cells."""

    number: int
    cells: list[Cell]


@dataclass(frozen=True, slots=True)
class Repeated:
    """A payment that may be one twice: its row, its receiver and amount, and what it repeats."""

    number: int
    receiver: str
    amount: str
    of: str


class WrongContext(TypedDict):
    """What payouts/new.html reads of a table with errors; `right` is how many rows have none."""

    wrong: list[WrongRow]
    wrong_count: int
    more: int
    right: int


class RepeatedContext(TypedDict):
    """What payouts/new.html reads of payments that may be there twice: `droppable` is how many rows they are, `partly` where
    not all earlier payouts were looked at."""

    repeated: list[Repeated]
    repeated_count: int
    droppable: int
    partly: NotRequired[bool]


def wrong_context(wrong: Sequence[PaymentLine], count: int) -> WrongContext:
    """The rows with errors, each cell to be corrected in place; the first MAX_CELLS of them."""
    rows = [
        WrongRow(
            line.number,
            [Cell(name, name.capitalize(), line.values.get(name, ""), line.problems.get(name, "")) for name in FIELDS],
        )
        for line in wrong[:MAX_CELLS]
    ]
    return {
        "wrong": rows,
        "wrong_count": len(wrong),
        "more": max(0, len(wrong) - MAX_CELLS),
        "right": count - len(wrong),
    }


def repeats_of(
    actor: Actor, lines: Sequence[PaymentLine], earlier: Sequence[EarlierPayment]
) -> list[tuple[PaymentLine, str]]:
    """The lines that are twice in the table, or were in a payout of the last 30 days, each with what it is the same as."""
    paid = {payee_of(row.channel, row.account, row.amount_minor): row.payout for row in earlier}
    repeats = [(line, f"the same as row {number}") for line, number in repeated_lines(lines)]
    for line in lines:
        if (payout := paid.get(line.payee)) is not None:
            when = day_and_time(payout.requested_at, actor.business)
            repeats.append((line, f"the same as in {payout.title} ({payout.ref}, {when})"))
    return repeats


def repeated_context(
    actor: Actor, currency: str, repeats: Sequence[tuple[PaymentLine, str]], *, whole: bool
) -> RepeatedContext:
    """The payments that may be there twice, the first MAX_REPEATED of them."""
    rows = [
        Repeated(
            line.number, line.values["receiver"], text(line.amount_minor, currency, actor.business.locale), sentence
        )
        for line, sentence in repeats[:MAX_REPEATED]
    ]
    droppable = len({line.number for line, _ in repeats})
    return {"repeated": rows, "repeated_count": len(repeats), "droppable": droppable, "partly": not whole}


def channel_choices(destinations: Destinations) -> list[tuple[str, str]]:
    """The channels as the choices of a field."""
    return [(row.code, row.name or row.code) for row in destinations.channels.values()]


def bank_choices(destinations: Destinations) -> list[tuple[str, str]]:
    """The banks as the choices of a field."""
    return [(row.code, row.name or row.code) for row in destinations.banks]


def wallet_choices(wallets: Sequence[Wallet]) -> list[tuple[str, str]]:
    """The wallets as the choices of a field: reference and name with currency."""
    return [(row.org_wallet_ref, f"{row.name or row.org_wallet_ref} · {row.currency}") for row in wallets]
