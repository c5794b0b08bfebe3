"""How a bill is shown on its own page: its lines, its files, its payments step by step, and what the actor may do."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import TypedDict

from django.urls import reverse

from dashboard import operations, operations_extra
from dashboard.access.actor import Actor
from dashboard.access.check import Verdict, can
from dashboard.commands.discounts import early_payment_of, saved_text, terms_text
from dashboard.decisions.desk_items import Paper, RuleLink
from dashboard.documents.claims import claim_of_bill
from dashboard.documents.sources import Document
from dashboard.documents.viewers import viewers_of
from dashboard.lists.detail_page import Facts
from dashboard.lists.states import state_in
from dashboard.mirror.bill_payments import payments_of
from dashboard.mirror.mappers import moment
from dashboard.mirror.models import OPEN_BILL_STATES, Approval, ApprovalRequest, Bill
from dashboard.mirror.schedule import today
from dashboard.mirror.scopes import visible_approvals, visible_bills, visible_employees, visible_teams, visible_wallets
from dashboard.money import text, to_minor
from dashboard.pages.bills.forms.bills import BillFileForm
from dashboard.pages.bills.presenters.lines import LineRow, line_rows
from dashboard.pages.bills.selectors.bills import bill_budget_of, category_names, files_of, free_minor, is_unpaid
from dashboard.pages.bills.tables import APPROVALS, STATES, days_overdue
from dashboard.policies.rule_links import rules_of_request
from dashboard.schemas.bills import Bill as WholeBill
from dashboard.schemas.bills import BillPayment
from dashboard.times import as_of, day_and_time, day_text
from dashboard.web.submission import new_key

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
    "insufficient_funds": "On hold: the wallet does not hold enough.",
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
class PaymentRow:
    """A payment with what happened to it; the Verdicts are None where its state takes no such step. `inbox` is the page on
    which it is approved, "" where nobody is asked; `rules` are what the newest request for votes was decided by."""

    ref: str
    amount: str
    state: tuple[str, str]
    facts: Facts
    steps: list[HistoryStep]
    note: str
    inbox: str
    rules: list[RuleLink]
    is_draft: bool
    may_request: Verdict | None
    may_withdraw: Verdict | None
    may_retry: Verdict | None


@dataclass(frozen=True, slots=True)
class Documents:
    """The files of a bill, as documents/papers.html reads them."""

    papers: Sequence[Paper]
    kind: str = "bill"


class BillContext(TypedDict):
    """What bills/item.html reads; `free` is what no payment claims yet, "" where nothing can be paid."""

    bill: Bill
    state: tuple[str, str]
    approval: tuple[str, str]
    overdue: int
    facts: Facts
    sums: Facts
    lines: list[LineRow]
    documents: Documents
    files: list[Document]
    payments: list[PaymentRow]
    duplicate: Bill | None
    duplicate_reason: str
    edit: Verdict | None
    cancel: Verdict | None
    pay: Verdict | None
    free: str
    file_form: BillFileForm | None
    live: bool
    seen: str
    key: str


def bill_context(actor: Actor, bill: Bill, *, live: bool) -> BillContext:
    """A bill with all that stands on its page; `live` says whether it was just read."""
    whole = WholeBill.model_validate(bill.payload)
    payments = [(row, BillPayment.model_validate(row.payload)) for row in payments_of(actor.business, bill)]
    is_open, files = bill.status in OPEN_BILL_STATES, files_of(bill)
    free, unpaid = free_minor(actor, bill), is_unpaid(actor, bill)
    return {
        "bill": bill,
        "state": state_in(STATES, bill.status),
        "approval": state_in(APPROVALS, bill.approval_status),
        "overdue": days_overdue(bill.due_on, bill.status, today(actor.business)),
        "facts": _facts(actor, bill, whole),
        "sums": _sums(actor, whole),
        "lines": line_rows(actor, whole.line_items, whole.currency),
        "documents": Documents(viewers_of(actor, files, claim_of_bill(bill.payload, actor.business))),
        "files": files,
        "payments": [_payment_row(actor, bill, row, payment) for row, payment in reversed(payments)],
        "duplicate": visible_bills(actor).filter(remote_id=bill.duplicate_of).first() if bill.duplicate_of else None,
        "duplicate_reason": DUPLICATES.get(whole.duplicate_reason, "the same in part"),
        "edit": can(actor, operations_extra.UPDATE_BILL, bill) if is_open or bill.status == "DRAFT" else None,
        "cancel": can(actor, operations_extra.CANCEL_BILL, bill)
        if unpaid and bill.status in {"DRAFT", "OPEN"}
        else None,
        "pay": can(actor, operations.ADD_BILL_PAYMENT, bill) if is_open and free > 0 else None,
        "free": text(free, bill.currency, actor.business.locale) if is_open and free > 0 else "",
        "file_form": BillFileForm() if is_open and can(actor, operations_extra.ATTACH_BILL_FILES, bill) else None,
        "live": live,
        "seen": as_of(bill.last_seen, actor.business),
        "key": new_key(),
    }


DUPLICATES = {"SAME_FILE": "the same file", "SAME_AMOUNT": "the same amount within 30 days"}


def _facts(actor: Actor, bill: Bill, whole: WholeBill) -> Facts:
    budget, locale = bill_budget_of(actor, whole), actor.business.locale
    team = visible_teams(actor).filter(remote_id=bill.team_id or "-").values_list("name", flat=True).first()
    names = category_names(actor, {whole.subcategory_id})
    left = f"{budget.name}: {text(budget.available_minor, budget.currency, locale)} left" if budget else ""
    facts = [
        ("Vendor", bill.vendor_name),
        ("Issued", day_text(bill.issued_on)),
        ("Due", day_text(bill.due_on)),
        ("Team", team or ""),
        ("Category", names.get(whole.subcategory_id, "")),
        ("Budget", left or ("Not known now" if whole.budget_id else "")),
        ("Early-payment discount", _discount(actor, bill, whole)),
        ("Purchase order", bill.purchase_order),
        ("Memo", bill.memo),
        ("Entered by", _person(actor, bill.created_by_id)),
    ]
    return [(label, value) for label, value in facts if value]


def _discount(actor: Actor, bill: Bill, whole: WholeBill) -> str:
    """The terms, and what is saved where the discount can still be taken."""
    early = early_payment_of(bill, free_minor(actor, bill)) if bill.status in OPEN_BILL_STATES else None
    terms = terms_text(whole)
    if terms and whole.discount_from_vendor:
        terms += ", the vendor's terms"
    return f"{terms}: {saved_text(early, bill)}" if early else terms


def _sums(actor: Actor, whole: WholeBill) -> Facts:
    def amount(minor: int) -> str:
        return text(minor, whole.currency, actor.business.locale)

    withheld = [
        (f"{tax.name} withheld, {percent(tax.rate_bps)}", amount(to_minor(tax.amount, whole.currency)))
        for tax in whole.withholding
    ]
    saved = whole.discounted_minor
    credited = [("Credited", whole.amount_credited_minor - saved), ("Early-payment discount taken", saved)]
    return [
        ("Subtotal", amount(whole.subtotal_minor)),
        ("Tax", amount(whole.tax_amount_minor)),
        ("Total", amount(whole.total_minor)),
        *withheld,
        ("Paid", amount(whole.amount_paid_minor)),
        *[(label, amount(minor)) for label, minor in credited if minor],
        ("Balance", amount(whole.balance_minor)),
    ]


def percent(bps: int) -> str:
    """Basis points as they are read: 500 is "5 %"."""
    return f"{(Decimal(bps) / 100).normalize():f} %"


def _wallet_name(actor: Actor, ref: str) -> str:
    """The wallet's name where the actor sees it, else its reference."""
    name = visible_wallets(actor).filter(org_wallet_ref=ref).values_list("name", flat=True).first()
    return name or ref


def _payment_row(actor: Actor, bill: Bill, row: ApprovalRequest, payment: BillPayment) -> PaymentRow:
    def amount(minor: int) -> str:
        return text(minor, payment.currency, actor.business.locale)

    facts = [
        ("From wallet", _wallet_name(actor, payment.org_wallet_ref)),
        ("To", f"{payment.receiver_name} ···{payment.account[-4:]}"),
        ("Withheld", amount(payment.withheld_amount_minor) if payment.withheld_amount_minor else ""),
        ("Vendor gets", amount(payment.net_amount_minor)),
        ("Discount taken", amount(payment.discount_minor) if payment.discount_minor else ""),
        ("Fee", amount(payment.fee_minor) if payment.fee_minor else ""),
        ("Scheduled for", day_and_time(payment.scheduled_for, actor.business)),
    ]
    status = payment.status
    return PaymentRow(
        ref=row.ref,
        amount=amount(payment.amount_minor),
        state=state_in(PAYMENT_STATES, status),
        facts=[(label, value) for label, value in facts if value],
        steps=_steps(actor, row, payment),
        note=HOLDS.get(payment.hold_reason, f"On hold: {_words(payment.hold_reason)}." if payment.hold_reason else ""),
        inbox=_inbox(actor, row) if status == "PENDING_APPROVAL" else "",
        rules=rules_of_request(actor, row),
        is_draft=status == "DRAFT",
        may_request=can(actor, operations.REQUEST_BILL_PAYMENT_APPROVAL, row)
        if status in REQUESTABLE and bill.status in OPEN_BILL_STATES
        else None,
        may_withdraw=can(actor, operations.WITHDRAW_BILL_PAYMENT, row) if status in WITHDRAWABLE else None,
        may_retry=can(actor, operations.RETRY_BILL_PAYMENT, row) if status == "FAILED" else None,
    )


def _steps(actor: Actor, row: ApprovalRequest, payment: BillPayment) -> list[HistoryStep]:
    """What happened to a payment, round by round: the requests for votes and the votes, then the attempts."""

    def step(at: datetime | None, what: str) -> HistoryStep:
        return HistoryStep(day_and_time(at, actor.business), what)

    steps = [step(payment.createdAt, f"Added by {_person(actor, payment.created_by)}")]
    rounds = list(visible_approvals(actor).filter(ref=row.ref).order_by("requested_at", "pk"))
    for approval in rounds:
        steps.append(step(approval.requested_at, f"Approval requested by {_requester(actor, approval)}"))
        for vote in approval.payload.get("votes") or []:
            verb = "Rejected" if str(vote.get("decision") or "").upper().startswith("REJECT") else "Approved"
            who = vote.get("name") or _person(actor, str(vote.get("employee_id") or ""))
            steps.append(step(moment(vote.get("at")), f"{verb} by {who}"))
    if payment.requested_by and not rounds:
        # Nobody was asked for a vote, or the copy has not read the request yet: when it was is not known.
        steps.append(step(None, f"Approval requested by {_person(actor, payment.requested_by)}"))
    for attempt in payment.attempts:
        state = ATTEMPT_STATES.get(attempt.status, _words(attempt.status))
        why = f": {_words(attempt.failure_code)}" if attempt.failure_code else ""
        steps.append(step(attempt.settled_at or attempt.sent_at, f"Attempt {attempt.number}: {state}{why}"))
    return steps


def _requester(actor: Actor, approval: Approval) -> str:
    return approval.requested_by_name or _person(actor, approval.requested_by_id)


def _words(code: str) -> str:
    return code.replace("_", " ").lower()


def _inbox(actor: Actor, row: ApprovalRequest) -> str:
    waiting = visible_approvals(actor).filter(ref=row.ref, status="PENDING").values_list("remote_id", flat=True).first()
    return reverse("approvals_payment", args=[actor.business.slug, waiting]) if waiting else ""


def _person(actor: Actor, label: str) -> str:
    """Who did it, by the name of the employee; a client of the service is nobody of the business."""
    name = visible_employees(actor).filter(remote_id=label or "-").values_list("name", flat=True).first()
    return name or "outside this dashboard"
