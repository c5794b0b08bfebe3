"""The sources of a new payout's payments, each by its word in an address."""

from collections.abc import Callable
from dataclasses import dataclass

from dashboard.access.actor import Actor
from dashboard.pages.payouts.selectors.reimbursements import expense_candidates, expense_rows
from dashboard.pages.payouts.selectors.sources import (
    Candidate,
    ChosenPayees,
    Drawn,
    bill_candidates,
    employee_candidates,
    employee_rows,
    last_candidates,
    last_rows,
    vendor_candidates,
    vendor_rows,
)


@dataclass(frozen=True, slots=True)
class PayoutSource:
    """A source: its word in the address, what it is called, the kind of the copy that its candidates are of and what these are
    called, its candidates and its rows; what is typed beside each. Without rows each candidate is paid by itself: a bill by a payment of
    the bill, which withholds its taxes, claims its balance and settles it, as no payment of a payout does."""

    word: str
    name: str
    kind: str
    noun: str
    candidates: Callable[[Actor, str], list[Candidate]]
    rows: Callable[[Actor, ChosenPayees], Drawn] | None
    hint: str
    has_amount: bool = True
    has_account: bool = False


PAYOUT_SOURCES = {
    source.word: source
    for source in (
        PayoutSource(
            "vendors", "From vendors", "vendor", "vendors", vendor_candidates, vendor_rows,
            "Each is paid on its payment details in use. A new account is paid to once a second person has confirmed it.",
        ),
        PayoutSource(
            "bills", "From bills", "bill", "unpaid bills", bill_candidates, None,
            "Each bill gets a payment of its own: its taxes are withheld, and it is settled when it is paid. You review the payments "
            "before anything is sent.",
            has_amount=False,
        ),
        PayoutSource(
            "employees", "From employees", "employee", "people", employee_candidates, employee_rows,
            "Choose people and enter where each is paid and how much. What they paid for the business is paid back from expenses.",
            has_account=True,
        ),
        PayoutSource(
            "expenses", "From expenses", "expense", "approved expenses that are not paid back", expense_candidates, expense_rows,
            "Reimbursements: choose what people paid with their own money. Each expense is paid back once. An account is entered once "
            "for each person, and all that is chosen of the person goes there in one payment.",
            has_amount=False, has_account=True,
        ),
        PayoutSource(
            "last", "From the last payout", "payout", "payments of an earlier payout", last_candidates, last_rows,
            "The payments of the last payout that ended, to the same accounts. Confirm each amount by ticking its row.",
        ),
    )
}  # fmt: skip
