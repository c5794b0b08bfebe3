"""A payout on the screen: its payments, how far it is, and what may be done to it."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypedDict

from django.core.paginator import Page, Paginator
from django.http import QueryDict
from django.urls import reverse
from django.utils import timezone

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.access.check import Verdict, can
from dashboard.cash.balances import holdings_or_copies
from dashboard.lists.detail_page import Facts
from dashboard.lists.states import state_in
from dashboard.mirror.mappers import moment
from dashboard.mirror.models import Approval, ApprovalRequest, Wallet
from dashboard.mirror.scopes import visible_employees, visible_wallets
from dashboard.money import Money, text
from dashboard.pages.payouts.forms.payouts import CodeForm, PayoutCancelForm, SendCodeForm, ask_about_files
from dashboard.pages.payouts.presenters.bank_file import bank_file_lines
from dashboard.pages.payouts.presenters.rows import (
    ITEM_STATES,
    PaymentRow,
    PaymentState,
    payment_row,
    payment_states,
    watched_rows,
)
from dashboard.pages.payouts.presenters.rows import channel_text as channel_text
from dashboard.pages.payouts.presenters.sheet import ClosingSheet
from dashboard.pages.payouts.selectors.payouts import live_copies
from dashboard.pages.payouts.selectors.progress import ROWS, WatchedRows
from dashboard.pages.payouts.services.lines import NOT_PAID
from dashboard.pages.payouts.tables import PAYOUT_STATES, kind_text
from dashboard.payout_files.services import bank_files_of, open_intent, related_payouts
from dashboard.policies.rule_links import RequestRules, rules_of_request
from dashboard.schemas.payments import PayoutItem, ProgressRow
from dashboard.times import as_of, day_and_time
from dashboard.web.submission import new_key

# While it is in one of these, it goes on by itself.
MOVING = frozenset({"APPROVED", "PROCESSING", "ON_HOLD"})
ENDED_PAYOUT_STATES = frozenset({"COMPLETED", "PARTIALLY_COMPLETED", "FAILED"})
HOLDS = {
    "insufficient_funds": "The wallet does not hold enough: it is paid once it does.",
    "wallet_suspended": "The wallet is suspended.",
    "payee_quarantined": "An account in it is awaiting confirmation by a second person: it is paid once that is confirmed on the "
    "page Payee changes.",
    "payee_changed": "A vendor's account in it was replaced by another one. Bring it back to draft and cancel it, then make a "
    "payout to the account in use.",
    "payee_rejected": "An account in it was rejected by a second person. Bring it back to draft and cancel it, then make a payout "
    "to a confirmed account.",
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


@dataclass(frozen=True, slots=True)
class CopyLine:
    """A payout that was made from this one: its name with its number, its state, and its page."""

    name: str
    state: tuple[str, str]
    address: str


class ProgressContext(TypedDict):
    """What the progress in payouts/item.html reads; `open` says whether it goes on by itself, `watched` what the page shows of its
    payments, `changed` what has become of some of them since."""

    payout: ApprovalRequest
    state: tuple[str, str]
    facts: Facts
    percent: int
    open: bool
    hold: str
    watched: WatchedRows
    changed: list[PaymentState]


class PayoutContext(ProgressContext):
    """What payouts/item.html reads; `payments` is None where the service did not answer."""

    payments: Page[PaymentRow] | None
    only: str
    counts: list[tuple[str, str, int]]
    failed: int
    copies: list[CopyLine]
    bank_files: list[str]
    after: tuple[str, str] | None
    acts: Acts
    request_address: str
    rules: RequestRules
    seen: str
    key: str
    sheet: ClosingSheet | None
    send_code: SendCodeForm
    code: CodeForm | None
    cancel: PayoutCancelForm


def progress_context(
    actor: Actor, payout: ApprovalRequest, watched: WatchedRows, changed: Sequence[ProgressRow] = ()
) -> ProgressContext:
    """What the progress of a payout needs: its state, how many per cent of its payments are over, and what has become of those
    that are `watched`."""
    count, paid, failed = _counts_of(payout)
    return {
        "payout": payout,
        "state": state_in(PAYOUT_STATES, payout.status),
        "facts": _facts(actor, payout),
        "percent": 100 * (paid + failed) // count if count else 0,
        "open": payout.status in MOVING,
        "hold": _hold_of(payout),
        "watched": watched.after(changed),
        "changed": payment_states(changed),
    }


def _counts_of(payout: ApprovalRequest) -> tuple[int, int, int]:
    """How many payments it has, how many of them are paid, and how many failed."""
    count, paid, failed = (
        int(payout.payload.get(name) or 0) for name in ("item_count", "succeeded_count", "failed_count")
    )
    return count, paid, failed


def _fees_of(payout: ApprovalRequest) -> int:
    return int(payout.payload.get("total_fees_minor") or 0)


def _hold_of(payout: ApprovalRequest) -> str:
    reason = str(payout.payload.get("hold_reason") or "")
    return HOLDS.get(reason, reason.replace("_", " ")) if payout.status == "ON_HOLD" else ""


def _facts(actor: Actor, payout: ApprovalRequest) -> Facts:
    locale, currency = actor.business.locale, payout.currency
    names = dict(visible_employees(actor).values_list("remote_id", "name"))
    count, paid, failed = _counts_of(payout)
    over = f"{paid:,} paid, {failed:,} failed of {count:,}"
    total, fees = payout.amount_minor or 0, _fees_of(payout)
    facts = [
        ("Number", payout.ref),
        ("Kind", kind_text(str(payout.payload.get("kind") or ""))),
        ("Wallet", _wallet_name(actor, payout)),
        ("Payments", over if payout.status in MOVING | ENDED_PAYOUT_STATES else f"{count:,}"),
        ("Total", payout.amount_text),
        ("Fees", text(fees, currency, locale)),
        ("Total with fees", text(total + fees, currency, locale)),
        ("Created by", names.get(payout.requested_by_id, "")),
        ("Initiated by", names.get(str(payout.payload.get("initiated_by") or ""), "")),
        ("Created", day_and_time(payout.requested_at, actor.business)),
        ("Note", str(payout.payload.get("note") or "")),
    ]
    return [(label, value) for label, value in facts if value]


def _wallet_name(actor: Actor, payout: ApprovalRequest) -> str:
    wallet = _wallet_of(actor, payout)
    return f"{wallet.name or wallet.org_wallet_ref} ({wallet.currency})" if wallet else payout.org_wallet_ref


def _wallet_of(actor: Actor, payout: ApprovalRequest) -> Wallet | None:
    rows = visible_wallets(actor).filter(org_wallet_ref=payout.org_wallet_ref, currency=payout.currency)
    wallet: Wallet | None = rows.order_by("remote_id").first()
    return wallet


def payout_context(
    actor: Actor, payout: ApprovalRequest, payments: list[PayoutItem] | None, *, approval: Approval | None, only: str = "",
    number: str | None = None, sheet: ClosingSheet | None = None,
) -> PayoutContext:  # fmt: skip
    """A payout with a page of its payments, all or those in one state, and what the actor may do to it."""
    items = payments or []
    counts = Counter(item.status for item in items)
    rows = [
        payment_row(actor, payout, item, position)
        for position, item in enumerate(items)
        if not only or item.status == only
    ]
    on_page = Paginator(rows, ROWS).get_page(number) if payments is not None else None
    return {
        **progress_context(actor, payout, watched_rows(list(on_page or ()))),
        "payments": on_page,
        "only": only,
        "counts": [(status, state_in(ITEM_STATES, status)[0], count) for status, count in sorted(counts.items())],
        "failed": sum(counts[status] for status in NOT_PAID),
        "copies": copy_lines(actor, live_copies(actor, payout)),
        "bank_files": bank_file_lines(actor, payout),
        "after": balance_after(actor, payout),
        "acts": acts_on(actor, payout),
        "request_address": _approval_address(actor, approval),
        "rules": rules_of_request(actor, payout),
        "seen": as_of(payout.last_seen, actor.business),
        "key": new_key(),
        "sheet": sheet,
        "send_code": SendCodeForm(),
        "code": _open_code(actor, payout),
        "cancel": PayoutCancelForm(),
    }


def copy_lines(actor: Actor, copies: Sequence[ApprovalRequest]) -> list[CopyLine]:
    """Payouts that were made from another one, as lines of its page."""
    return [
        CopyLine(
            f"{row.title} ({row.ref}, {day_and_time(row.requested_at, actor.business)})", state_in(PAYOUT_STATES, row.status),
            reverse("payouts_item", args=[actor.business.slug, row.remote_id]),
        )
        for row in copies
    ]  # fmt: skip


def code_form(actor: Actor, payout: ApprovalRequest, data: QueryDict | None = None, intent_id: str = "") -> CodeForm:
    """The form of a code; where a bank file of its payments was downloaded, it asks about that."""
    form = CodeForm(data, initial={"intent_id": intent_id})
    if bank_files_of(actor.business, related_payouts(actor.business, payout.remote_id)):
        ask_about_files(form)
    return form


def _open_code(actor: Actor, payout: ApprovalRequest) -> CodeForm | None:
    """The field for the code that was sent last; None where none is open."""
    intent = open_intent(actor.business, payout.remote_id) if payout.status == "AWAITING_CODE" else ""
    return code_form(actor, payout, intent_id=intent) if intent else None


def _approval_address(actor: Actor, approval: Approval | None) -> str:
    return reverse("approvals_payment", args=[actor.business.slug, approval.remote_id]) if approval else ""


def balance_after(actor: Actor, payout: ApprovalRequest) -> tuple[str, str] | None:
    """What the wallet holds, and what it would hold once all of it and its fees are paid; None where that is not known,
    or it is paid already."""
    wallet = _wallet_of(actor, payout)
    if wallet is None or payout.status not in {"DRAFT", "PENDING_APPROVAL", "AWAITING_CODE", "REJECTED"}:
        return None
    return available_after(actor, wallet, (payout.amount_minor or 0) + _fees_of(payout))


def available_after(actor: Actor, wallet: Wallet, minor: int) -> tuple[str, str] | None:
    """What is available in a wallet, and what would be once so many minor units have left it; None where that is not known."""
    (holding,), _ = holdings_or_copies(actor, [wallet])
    if not holding.visible or holding.available is None:
        return None
    return holding.amounts["available"], Money(holding.available - minor, wallet.currency).text(actor.business.locale)


def approved_text(actor: Actor, payout: ApprovalRequest) -> str:
    """When an approved payout is paid: on its day, or as soon as the wallet allows it, which nobody knows yet."""
    later = moment(payout.payload.get("scheduled_for"))
    if later is not None and later > timezone.now():
        return f"it is approved, and paid on {day_and_time(later, actor.business)}."
    return "it is approved, and paid once its funds are on hold."


def acts_on(actor: Actor, payout: ApprovalRequest) -> Acts:
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
        again=can(actor, operations.CREATE_PAYOUT)
        if status in ENDED_PAYOUT_STATES | {"CANCELLED", "REJECTED"}
        else None,
    )
