"""How a bill is shown on its own page: its lines, its files, its payments step by step, and what the actor may do."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import TypedDict

from dashboard import operations, operations_payables
from dashboard.access.actor import Actor
from dashboard.access.check import Verdict, can
from dashboard.commands.discounts import early_payment_of, saved_text, terms_text
from dashboard.decisions.desk_items import Paper
from dashboard.documents.claims import claim_of_bill
from dashboard.documents.sources import Document
from dashboard.documents.viewers import viewers_of
from dashboard.lists.detail_page import Facts
from dashboard.lists.states import state_in
from dashboard.mirror.bill_payments import payments_of
from dashboard.mirror.models import OPEN_BILL_STATES, Bill
from dashboard.mirror.schedule import today
from dashboard.mirror.scopes import visible_bills, visible_teams
from dashboard.money import text, to_minor
from dashboard.pages.bills.forms.bills import BillFileForm
from dashboard.pages.bills.presenters.bill_payments import BillPaymentRow, payment_rows, person_name
from dashboard.pages.bills.presenters.duplicates import BillComparison, comparison_of_bill
from dashboard.pages.bills.presenters.lines import LineRow, line_rows
from dashboard.pages.bills.selectors.attached import bill_of_like_picture
from dashboard.pages.bills.selectors.bills import (
    accepts_files,
    bill_budget_of,
    category_names,
    files_of,
    free_minor,
    is_unpaid,
)
from dashboard.pages.bills.tables.bills import APPROVALS, BILL_STATES, days_overdue
from dashboard.schemas.bills import Bill as WholeBill
from dashboard.schemas.bills import BillPayment
from dashboard.times import as_of, day_text
from dashboard.web.submission import new_key


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
    payments: list[BillPaymentRow]
    duplicate: Bill | None
    comparisons: list[BillComparison]
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
    duplicate, duplicate_reason = _duplicate_of(actor, bill, whole)
    free, unpaid = free_minor(actor, bill), is_unpaid(actor, bill)
    return {
        "bill": bill,
        "state": state_in(BILL_STATES, bill.status),
        "approval": state_in(APPROVALS, bill.approval_status),
        "overdue": days_overdue(bill.due_on, bill.status, today(actor.business)),
        "facts": _facts(actor, bill, whole),
        "sums": _sums(actor, whole, [payment for _, payment in payments]),
        "lines": line_rows(actor, whole.line_items, whole.currency),
        "documents": Documents(viewers_of(actor, files, claim_of_bill(bill.payload, actor.business))),
        "files": files,
        "payments": payment_rows(actor, bill, payments),
        "duplicate": duplicate,
        "comparisons": comparison_of_bill(actor, bill, [duplicate] if duplicate else []),
        "duplicate_reason": duplicate_reason,
        "edit": can(actor, operations_payables.UPDATE_BILL, bill) if is_open or bill.status == "DRAFT" else None,
        "cancel": can(actor, operations_payables.CANCEL_BILL, bill)
        if unpaid and bill.status in {"DRAFT", "OPEN"}
        else None,
        "pay": can(actor, operations.ADD_BILL_PAYMENT, bill) if is_open and free > 0 else None,
        "free": text(free, bill.currency, actor.business.locale) if is_open and free > 0 else "",
        "file_form": BillFileForm()
        if accepts_files(bill) and can(actor, operations_payables.ATTACH_BILL_FILES, bill)
        else None,
        "live": live,
        "seen": as_of(bill.last_seen, actor.business),
        "key": new_key(),
    }


DUPLICATES = {"SAME_FILE": "the same file", "SAME_AMOUNT": "the same amount within 30 days"}
LIKE_PICTURE = "a picture that looks nearly the same"


def _duplicate_of(actor: Actor, bill: Bill, whole: WholeBill) -> tuple[Bill | None, str]:
    """The bill that this one may be, and what is the same: as the service has found it, else by how a picture looks."""
    known = visible_bills(actor).filter(remote_id=bill.duplicate_of).first() if bill.duplicate_of else None
    if known is not None or bill.status == "CANCELLED":
        return known, DUPLICATES.get(whole.duplicate_reason, "the same in part")
    return bill_of_like_picture(actor, bill), LIKE_PICTURE


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
        ("Entered by", person_name(actor, bill.created_by_id)),
    ]
    return [(label, value) for label, value in facts if value]


def _discount(actor: Actor, bill: Bill, whole: WholeBill) -> str:
    """The terms, and what is saved where the discount can still be taken."""
    early = early_payment_of(bill, free_minor(actor, bill)) if bill.status in OPEN_BILL_STATES else None
    terms = terms_text(whole)
    if terms and whole.discount_from_vendor:
        terms += ", the vendor's terms"
    return f"{terms}: {saved_text(early, bill)}" if early else terms


def _sums(actor: Actor, whole: WholeBill, payments: Sequence[BillPayment]) -> Facts:
    """The amounts of a bill: what was withheld of what was paid, and beside it what would be of the rest, were it paid today."""

    def amount(minor: int) -> str:
        return text(minor, whole.currency, actor.business.locale)

    withheld = sum(payment.withheld_amount_minor for payment in payments if payment.status == "SUCCEEDED")
    to_withhold = [
        (f"{tax.name}, {percent(tax.rate_bps)}, to be withheld if the balance is paid today", tax.amount)
        for tax in (whole.withholding if whole.status in OPEN_BILL_STATES else ())
    ]
    saved = whole.discounted_minor
    credited = [("Credited", whole.amount_credited_minor - saved), ("Early-payment discount taken", saved)]
    return [
        ("Subtotal", amount(whole.subtotal_minor)),
        ("Tax", amount(whole.tax_amount_minor)),
        ("Total", amount(whole.total_minor)),
        ("Paid", amount(whole.amount_paid_minor)),
        *([("Withheld of what was paid", amount(withheld))] if withheld else []),
        *[(label, amount(minor)) for label, minor in credited if minor],
        ("Balance", amount(whole.balance_minor)),
        *[(label, amount(to_minor(tax, whole.currency))) for label, tax in to_withhold],
    ]


def percent(bps: int) -> str:
    """Basis points as they are read: 500 is "5 %"."""
    return f"{(Decimal(bps) / 100).normalize():f} %"
