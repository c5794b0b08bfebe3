"""Where the payments of a new payout come from beside a table that somebody brings: vendors, bills, people, the last payout.

Each source answers candidates to choose from, by what the copy knows; and of those chosen the rows of the same table that is
pasted, with the accounts as the service has them now. Whom nothing can be paid to now is held, with the reason.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.client.reads import Ok, ReadCall, read_together
from dashboard.commands.payment_runs import ON_HOLD, PlannedPayment, UnpaidReason, plan_payments
from dashboard.commands.vendors import IN_USE, QUARANTINED, accounts_of
from dashboard.errors import FinanceError
from dashboard.mirror.models import OPEN_BILL_STATES, ApprovalRequest, Bill, Vendor
from dashboard.mirror.scopes import visible_bills, visible_payouts, visible_vendors
from dashboard.money import number, to_minor
from dashboard.pages.payouts.selectors.candidates import (
    ENDED,
    MAX_SOURCE_ROWS,
    SOURCE_READ_S,
    Candidate,
    ChosenPayees,
    Drawn,
    MatchedCandidates,
    find_candidates,
)
from dashboard.pages.payouts.selectors.payouts import read_payments
from dashboard.pages.payouts.selectors.reimbursements import employee_candidates, employee_rows
from dashboard.payee_accounts import PayeeKey, payee_key
from dashboard.schemas.payments import PayoutItem
from dashboard.schemas.vendors import PaymentInstruction
from dashboard.schemas.vendors import Vendor as WholeVendor

LAST = 4
WAITS = "The only account of {name} is awaiting confirmation by a second person."
CHANGING = "a new account is awaiting confirmation"
NO_ACCOUNT = "{name} has no payment details in use."
UNREAD = "{name}: the finance service did not answer, so the account is not known."


def vendor_candidates(actor: Actor, term: str, ids: Collection[str]) -> MatchedCandidates:
    """The active vendors that match a search, and those with these ids, each with the account that it would be paid on."""
    rows = visible_vendors(actor).filter(status="ACTIVE").order_by("sort_name", "id")
    return find_candidates(rows, term, ids, lambda vendors: [_vendor_candidate(vendor) for vendor in vendors])


def _vendor_candidate(vendor: Vendor) -> Candidate:
    accounts = accounts_of(vendor)
    used = sorted((row for row in accounts if row.status in (IN_USE, "")), key=lambda row: not row.default)
    is_changing, held = any(row.is_waiting for row in accounts), ""
    if not used:
        held = (WAITS if is_changing else NO_ACCOUNT).format(name=vendor.name)
    channel, last = (used[0].channel, used[0].last) if used else ("", "")
    detail = f"{vendor.currency} · {CHANGING}" if used and is_changing else vendor.currency
    waits_for = vendor.remote_id if is_changing else ""
    return Candidate(vendor.remote_id, vendor.name, detail, channel, last, held=held, vendor_id=waits_for)


def vendor_rows(actor: Actor, chosen: ChosenPayees) -> Drawn:
    """A row per chosen vendor, to its account in use."""
    vendors = list(
        visible_vendors(actor).filter(remote_id__in=list(chosen), status="ACTIVE").order_by("sort_name", "id")
    )
    read = _read_vendors(actor, vendors)
    drawn = Drawn([], [])
    paid: list[tuple[PaymentInstruction, str]] = []
    for vendor in vendors:
        account = _account_in_use(vendor, read.get(vendor.remote_id))
        if isinstance(account, str):
            drawn.left_out.append(account)
            if account == WAITS.format(name=vendor.name):
                drawn.held_vendors.append(vendor.remote_id)
        else:
            drawn.rows.append(_row(vendor, account, chosen[vendor.remote_id].amount))
            paid.append((account, vendor.remote_id))
    return replace(drawn, vendors=_owners(paid))


def _owners(paid: Iterable[tuple[PaymentInstruction | PayoutItem, str]]) -> dict[PayeeKey, str]:
    """The vendor of each account, without accounts that two of these vendors have: which of them is paid is not known there."""
    vendors: dict[PayeeKey, set[str]] = {}
    for row, vendor_id in paid:
        payee = payee_key(row.channel, row.account, row.bank_code, row.account_reference)
        vendors.setdefault(payee, set()).add(vendor_id)
    return {payee: vendor_id for payee, (vendor_id, *others) in vendors.items() if not others}


def _read_vendors(actor: Actor, vendors: Sequence[Vendor]) -> dict[str, WholeVendor]:
    calls = {
        row.remote_id: ReadCall(operations.READ_VENDOR, path={"id": row.remote_id}, subject=row, deadline=SOURCE_READ_S)
        for row in vendors
    }
    try:
        results = read_together(actor, calls) if calls else {}
    except FinanceError:
        return {}
    return {
        name: WholeVendor.model_validate(result.answer.data)
        for name, result in results.items()
        if isinstance(result, Ok)
    }


def _account_in_use(vendor: Vendor, whole: WholeVendor | None) -> PaymentInstruction | str:
    """The account that is paid to, or the sentence that says why there is none."""
    if whole is None:
        return UNREAD.format(name=vendor.name)
    used = sorted(
        (row for row in whole.payment_instructions if row.status in (IN_USE, "")), key=lambda row: not row.is_default
    )
    if used:
        return used[0]
    is_changing = any(row.status == QUARANTINED for row in whole.payment_instructions)
    return (WAITS if is_changing else NO_ACCOUNT).format(name=vendor.name)


def _row(vendor: Vendor, instruction: PaymentInstruction, amount: str) -> dict[str, str]:
    return {
        "receiver": (instruction.account_name or vendor.name)[:100],
        "channel": instruction.channel,
        "account": instruction.account,
        "bank": instruction.bank_code,
        "reference": instruction.account_reference[:40],
        "amount": amount,
        "note": "",
    }


def bill_candidates(actor: Actor, term: str, ids: Collection[str]) -> MatchedCandidates:
    """The bills that are not paid and match a search, those due first, and those with these ids, each with what a payment of it would be now."""
    rows = visible_bills(actor).filter(status__in=OPEN_BILL_STATES).order_by("due_on", "id")

    def present(bills: Sequence[Bill]) -> list[Candidate]:
        return [_bill_candidate(actor, bill, planned) for bill, planned in _planned(actor, bills)]

    return find_candidates(rows, term, ids, present)


def _planned(actor: Actor, bills: Sequence[Bill]) -> list[tuple[Bill, PlannedPayment | UnpaidReason]]:
    plans = zip(bills, plan_payments(actor, bills), strict=True)
    # Which others are paid from the same wallet is not known yet: a bill is short only where it is so by itself.
    return [(bill, plan_payments(actor, [bill])[0] if _is_short(plan) else plan) for bill, plan in plans]


def _is_short(planned: PlannedPayment | UnpaidReason) -> bool:
    return isinstance(planned, UnpaidReason) and planned.why.startswith("short of")


def _bill_candidate(actor: Actor, bill: Bill, planned: PlannedPayment | UnpaidReason) -> Candidate:
    held = planned.sentence if isinstance(planned, UnpaidReason) else ""
    minor, channel, last = (
        (bill.balance_minor, "", "")
        if isinstance(planned, UnpaidReason)
        else (planned.minor, planned.channel, planned.account_last)
    )
    detail = f"Bill {bill.bill_no}, due {bill.due_on:%d %b %Y}"
    is_changing = planned.why == ON_HOLD if isinstance(planned, UnpaidReason) else planned.is_payee_changing
    return Candidate(
        bill.remote_id, bill.vendor_name, detail, channel, last, _amount(actor, minor, bill.currency), held=held,
        vendor_id=bill.vendor_id if is_changing else "",
    )  # fmt: skip


def _amount(actor: Actor, minor: int, currency: str) -> str:
    """An amount with its currency, so that a wallet of another one does not take it."""
    return f"{currency} {number(minor, currency, actor.business.locale)}"


def last_candidates(actor: Actor, term: str, ids: Collection[str]) -> MatchedCandidates:
    """The payments of the last batch that ended, as they were, by name, and those with these ids; none where there is no such batch or
    the service does not answer."""
    named: list[Candidate] = []
    others: list[Candidate] = []
    has_more = False
    for payout, item in _last_payments(actor):
        candidate = Candidate(
            item.id, item.receiver_name, item.note, item.channel, item.account[-LAST:],
            _amount(actor, to_minor(item.amount, payout.currency), payout.currency),
        )  # fmt: skip
        is_match = term.lower() in item.receiver_name.lower()
        if is_match and len(named) < MAX_SOURCE_ROWS:
            named.append(candidate)
            continue
        has_more |= is_match
        if item.id in ids:
            others.append(candidate)
    return MatchedCandidates(named, has_more, others)


def _last_payments(actor: Actor) -> list[tuple[ApprovalRequest, PayoutItem]]:
    rows = visible_payouts(actor).filter(status__in=ENDED, payout_kind="BULK_PAYOUT")
    payout = rows.order_by("-requested_at", "-pk").first()
    items = read_payments(actor, payout) if payout is not None else None
    return [(payout, item) for item in items] if payout is not None and items else []


def last_rows(actor: Actor, chosen: ChosenPayees) -> Drawn:
    """The chosen payments of the last batch, to the accounts of then, with the amounts that were confirmed."""
    items = [item for _, item in _last_payments(actor) if item.id in chosen]
    rows = [
        {
            "receiver": item.receiver_name, "channel": item.channel, "account": item.account, "bank": item.bank_code,
            "reference": item.account_reference, "amount": chosen[item.id].amount, "note": item.note,
        }
        for item in items
    ]  # fmt: skip
    return Drawn(rows, [], _owners((item, item.vendor_id) for item in items if item.vendor_id))


@dataclass(frozen=True, slots=True)
class PayoutSource:
    """A source: its word in the address, what it is called, the kind of the copy that its candidates are of and what these are
    called, its candidates (by the words of a search, which looks at what is `sought`, and by ids) and its rows; what is typed beside each (`has_account`: an account and what it is for, too). Without rows each candidate is paid by itself: a bill by a payment of
    the bill, which withholds its taxes, claims its balance and settles it, as no payment of a payout does."""

    word: str
    name: str
    kind: str
    noun: str
    candidates: Callable[[Actor, str, Collection[str]], MatchedCandidates]
    rows: Callable[[Actor, ChosenPayees], Drawn] | None
    hint: str
    sought: str = "Name"
    has_amount: bool = True
    has_account: bool = False

    @property
    def fills_table(self) -> bool:
        """Whether what is chosen becomes rows of the table of a new payout. (A template would call `rows`.)"""
        return self.rows is not None


PAYOUT_SOURCES = {
    source.word: source
    for source in (
        PayoutSource(
            "vendors", "From vendors", "vendor", "vendors", vendor_candidates, vendor_rows,
            "Each is paid on its payment details in use. A new account is paid to once a second person has confirmed it.",
            sought="Name, phone or email",
        ),
        PayoutSource(
            "bills", "From bills", "bill", "unpaid bills", bill_candidates, None,
            "Each bill gets a payment of its own: its taxes are withheld, and it is settled when it is paid. You review the payments "
            "before anything is sent.",
            sought="Vendor, number or purchase order", has_amount=False,
        ),
        PayoutSource(
            "employees", "Reimburse employees", "employee", "people", employee_candidates, employee_rows,
            "For what people paid from their own pocket; what a business card paid is reimbursed to nobody. Choose people, how much "
            "each is paid and what for. A payout holds no files: name the receipt.",
            sought="Name or email", has_account=True,
        ),
        PayoutSource(
            "last", "From the last payout", "payout", "payments of an earlier payout", last_candidates, last_rows,
            "The payments of the last payout that ended, to the same accounts. Confirm each amount by ticking its row.",
        ),
    )
}  # fmt: skip
