"""The payments of a bill as they stand on its page: what happened to each, by what it is decided, and what may be done."""

from dataclasses import dataclass
from datetime import datetime

from django.urls import reverse

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.access.check import Verdict, can
from dashboard.lists.detail_page import Facts
from dashboard.lists.states import state_in
from dashboard.mirror.mappers import moment
from dashboard.mirror.models import OPEN_BILL_STATES, Approval, ApprovalRequest, Bill
from dashboard.mirror.scopes import visible_employees, visible_wallets
from dashboard.money import text
from dashboard.pages.bills.selectors.payments import channel_name
from dashboard.policies.rule_links import RequestRules, rounds_of, rules_of_requests
from dashboard.schemas.bills import BillPayment
from dashboard.times import day_and_time

PAYMENT_STATES = {
    "DRAFT": ("Draft", ""),
    "PENDING_APPROVAL": ("Awaiting approval", "info"),
    "APPROVED": ("Approved", "ok"),
    "SCHEDULED": ("Scheduled", "info"),
    "PROCESSING": ("On its way", "info"),
    "UNKNOWN": ("Not confirmed", "warn"),
    "SUCCEEDED": ("Paid", "ok"),
    "FAILED": ("Failed", "bad"),
    "REJECTED": ("Rejected", "bad"),
    "WITHDRAWN": ("Withdrawn", ""),
}
ATTEMPT_STATES = {
    "QUEUED": "waiting to be sent",
    "SENT": "sent to the payment provider",
    "SUCCEEDED": "paid",
    "FAILED": "failed",
    "CANCELLED": "not sent",
}
HOLDS = {
    "payee_quarantined": "On hold: the vendor's account is awaiting confirmation.",
    "payee_changed": "On hold: the vendor's account was replaced by another one. Withdraw the payment and request approval again: it "
    "then pays to the account in use.",
    "insufficient_funds": "On hold: the wallet does not hold enough.",
    "wallet_suspended": "On hold: the wallet is suspended.",
    "withholding_changed": "More or less is withheld by now than when it was approved, so its approvals are void.",
}
# What approval can be requested of, and what can be withdrawn before anything is sent.
REQUESTABLE = frozenset({"DRAFT", "WITHDRAWN", "REJECTED"})
WITHDRAWABLE = frozenset({"DRAFT", "PENDING_APPROVAL", "APPROVED", "SCHEDULED"})


@dataclass(frozen=True, slots=True)
class HistoryStep:
    """Something that happened to a payment, and when."""

    when: str
    what: str


@dataclass(frozen=True, slots=True)
class BillPaymentRow:
    """A payment with what happened to it; the Verdicts are None where its state takes no such step. `inbox` is the page on
    which it is approved, "" where nobody is asked; `rules` are what the newest request for votes goes by."""

    ref: str
    amount: str
    state: tuple[str, str]
    facts: Facts
    steps: list[HistoryStep]
    note: str
    inbox: str
    rules: RequestRules
    is_draft: bool
    may_request: Verdict | None
    may_withdraw: Verdict | None
    may_retry: Verdict | None


def payment_rows(actor: Actor, bill: Bill, payments: list[tuple[ApprovalRequest, BillPayment]]) -> list[BillPaymentRow]:
    """The payments of a bill with what happened to each, the newest first."""
    subjects = [row for row, _ in payments]
    rounds = rounds_of(actor, subjects)
    rules = rules_of_requests(actor, subjects, rounds)
    return [
        _payment_row(actor, bill, row, payment, rounds[row.ref], rules[row.ref]) for row, payment in reversed(payments)
    ]


def person_name(actor: Actor, label: str) -> str:
    """Who did it, by the name of the employee; a client of the service is nobody of the business."""
    name = visible_employees(actor).filter(remote_id=label or "-").values_list("name", flat=True).first()
    return name or "outside this dashboard"


def _wallet_name(actor: Actor, ref: str) -> str:
    """The wallet's name where the actor sees it, else its reference."""
    name = visible_wallets(actor).filter(org_wallet_ref=ref).values_list("name", flat=True).first()
    return name or ref


def _payment_row(
    actor: Actor,
    bill: Bill,
    row: ApprovalRequest,
    bill_payment: BillPayment,
    rounds: list[Approval],
    request_rules: RequestRules,
) -> BillPaymentRow:
    def amount(minor: int) -> str:
        return text(minor, bill_payment.currency, actor.business.locale)

    facts = [
        ("From wallet", _wallet_name(actor, bill_payment.org_wallet_ref)),
        ("To", f"{bill_payment.receiver_name} ···{bill_payment.account[-4:]}"),
        ("Withheld", amount(bill_payment.withheld_amount_minor) if bill_payment.withheld_amount_minor else ""),
        ("Vendor gets", amount(bill_payment.net_amount_minor)),
        ("Discount taken", amount(bill_payment.discount_minor) if bill_payment.discount_minor else ""),
        ("Fee", amount(bill_payment.fee_minor) if bill_payment.fee_minor else ""),
        ("Scheduled for", day_and_time(bill_payment.scheduled_for, actor.business)),
    ]
    status = bill_payment.status
    return BillPaymentRow(
        ref=row.ref,
        amount=amount(bill_payment.amount_minor),
        state=state_in(PAYMENT_STATES, status),
        facts=[(label, value) for label, value in facts if value],
        steps=_steps(actor, rounds, bill_payment),
        note=HOLDS.get(
            bill_payment.hold_reason,
            f"On hold: {_words(bill_payment.hold_reason)}." if bill_payment.hold_reason else "",
        ),
        inbox=_inbox(actor, rounds) if status == "PENDING_APPROVAL" else "",
        rules=request_rules,
        is_draft=status == "DRAFT",
        may_request=can(actor, operations.REQUEST_BILL_PAYMENT_APPROVAL, row)
        if status in REQUESTABLE and bill.status in OPEN_BILL_STATES
        else None,
        may_withdraw=can(actor, operations.WITHDRAW_BILL_PAYMENT, row) if status in WITHDRAWABLE else None,
        may_retry=can(actor, operations.RETRY_BILL_PAYMENT, row) if status == "FAILED" else None,
    )


def _steps(actor: Actor, rounds: list[Approval], bill_payment: BillPayment) -> list[HistoryStep]:
    """What happened to a payment, round by round: the requests for votes and the votes, then the attempts."""

    def step(at: datetime | None, what: str) -> HistoryStep:
        return HistoryStep(day_and_time(at, actor.business), what)

    steps = [step(bill_payment.createdAt, f"Added by {person_name(actor, bill_payment.created_by)}")]
    for approval in rounds:
        steps.append(step(approval.requested_at, f"Approval requested by {_requester(actor, approval)}"))
        for vote in approval.payload.get("votes") or []:
            verb = "Rejected" if str(vote.get("decision") or "").upper().startswith("REJECT") else "Approved"
            who = vote.get("name") or person_name(actor, str(vote.get("employee_id") or ""))
            steps.append(step(moment(vote.get("at")), f"{verb} by {who}"))
    if bill_payment.requested_by and not rounds:
        # Nobody was asked for a vote, or the copy has not read the request yet: when it was is not known.
        steps.append(step(None, f"Approval requested by {person_name(actor, bill_payment.requested_by)}"))
    for attempt in bill_payment.attempts:
        state = ATTEMPT_STATES.get(attempt.status, _words(attempt.status))
        why = f": {_words(attempt.failure_code)}" if attempt.failure_code else ""
        to = f" to {channel_name(attempt.channel)} ···{attempt.account_ends}" if attempt.account_ends else ""
        if attempt.sent_at and attempt.settled_at:
            steps.append(step(attempt.sent_at, f"Attempt {attempt.number}{to}: {ATTEMPT_STATES['SENT']}"))
        steps.append(step(attempt.settled_at or attempt.sent_at, f"Attempt {attempt.number}{to}: {state}{why}"))
    return steps


def _requester(actor: Actor, approval: Approval) -> str:
    return approval.requested_by_name or person_name(actor, approval.requested_by_id)


def _words(code: str) -> str:
    return code.replace("_", " ").lower()


def _inbox(actor: Actor, rounds: list[Approval]) -> str:
    waiting = next((approval.remote_id for approval in rounds if approval.status == "PENDING"), "")
    return reverse("approvals_payment", args=[actor.business.slug, waiting]) if waiting else ""
