"""Whom a payout reimburses: people, each with the phone of their profile and the account on which an earlier payout paid them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence

from pydantic import ValidationError

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.client.page import read_page
from dashboard.client.reads import Ok, ReadCall, read_together
from dashboard.errors import FinanceError
from dashboard.mirror.models import Employee
from dashboard.mirror.scopes import visible_employees, visible_payouts
from dashboard.pages.payouts.selectors.candidates import (
    ENDED,
    SOURCE_READ_S,
    Candidate,
    CellProblem,
    ChosenPayees,
    Drawn,
    MatchedCandidates,
    PayableAccount,
    Typed,
    find_candidates,
)
from dashboard.payee_accounts import account_problem, payee_key
from dashboard.phones import PhoneError, e164
from dashboard.schemas.payments import Payout, PayoutItem

# The payouts of which is read how people were paid, the newest first.
MAX_EARLIER = 3
TO_PHONE = "MPESA_SEND_MONEY"
# By which an account is chosen that needs no typing; no channel is written so.
BY_PHONE, AS_BEFORE = "phone", "before"
NOTE = "Reimbursement of {purpose}"
NO_PURPOSE = "Enter what {name} is reimbursed for."
TWO_ACCOUNTS = (
    "{name}: an account is typed, but one that is known is chosen. Choose the typed one's channel, or clear it."
)
UNKNOWN_NOW = (
    "{name}: the chosen account is not known any more, or the finance service did not answer. Choose another one."
)


def employee_candidates(actor: Actor, term: str, ids: Collection[str]) -> MatchedCandidates:
    """The active people that match a search, by name, and those with these ids, each with the accounts that are known."""
    rows = visible_employees(actor).filter(status="ACTIVE").order_by("sort_name", "id")

    def present(people: Sequence[Employee]) -> list[Candidate]:
        earlier = _earlier_accounts(actor, people)
        return [
            Candidate(row.remote_id, row.name, row.email, accounts=_accounts(actor, row, earlier.get(row.remote_id)))
            for row in people
        ]

    return find_candidates(rows, term, ids, present)


def employee_rows(actor: Actor, chosen: ChosenPayees) -> Drawn:
    """A row per chosen person, to the known account that was chosen or to what was typed; `problems` instead of rows where it is not
    said what somebody is reimbursed for, or not clear where they are paid."""
    people = list(
        visible_employees(actor).filter(remote_id__in=list(chosen), status="ACTIVE").order_by("sort_name", "id")
    )
    is_read = any(typed.channel == AS_BEFORE for typed in chosen.values())
    earlier = _earlier_accounts(actor, people) if is_read else {}
    drawn = Drawn([], [])
    for person in people:
        accounts = {account.word: account for account in _accounts(actor, person, earlier.get(person.remote_id))}
        typed = chosen[person.remote_id]
        payable = accounts.get(typed.channel)
        drawn.problems.extend(_problems(person, typed, payable))
        drawn.rows.append(_row(person, typed, payable))
    return drawn


def _problems(person: Employee, typed: Typed, payable: PayableAccount | None) -> Iterator[CellProblem]:
    def problem(field: str, sentence: str) -> CellProblem:
        return CellProblem(person.remote_id, field, sentence.format(name=person.name))

    if not typed.purpose:
        yield problem("purpose", NO_PURPOSE)
    if typed.channel in (BY_PHONE, AS_BEFORE):
        if payable is None:
            yield problem("channel", UNKNOWN_NOW)
        elif typed.account or typed.bank:
            yield problem("account", TWO_ACCOUNTS)


def _row(person: Employee, typed: Typed, payable: PayableAccount | None) -> dict[str, str]:
    account = payable or PayableAccount("", typed.channel, typed.account, typed.bank)
    return {
        "receiver": person.name[:100], "channel": account.channel, "account": account.account, "bank": account.bank,
        "reference": account.reference, "amount": typed.amount, "note": NOTE.format(purpose=typed.purpose),
    }  # fmt: skip


def _accounts(actor: Actor, person: Employee, earlier_account: PayableAccount | None) -> tuple[PayableAccount, ...]:
    """The phone of the profile, where M-Pesa can pay it, and the account of an earlier payout, where it is another one."""
    by_phone = _by_phone(actor, person)
    is_same = by_phone is not None and earlier_account is not None and _payee(by_phone) == _payee(earlier_account)
    return tuple(payable for payable in (by_phone, None if is_same else earlier_account) if payable is not None)


def _by_phone(actor: Actor, person: Employee) -> PayableAccount | None:
    try:
        number = e164(str(person.payload.get("phone") or ""), actor.business.locale)
    except PhoneError:
        return None
    return (
        None
        if account_problem(TO_PHONE, number)
        else PayableAccount(BY_PHONE, TO_PHONE, number, origin="profile phone")
    )


def _payee(payable: PayableAccount) -> tuple[str, str, str]:
    return payee_key(payable.channel, payable.account, payable.bank, payable.reference)


def _earlier_accounts(actor: Actor, people: Sequence[Employee]) -> dict[str, PayableAccount]:
    """How the last payouts that ended paid each of these people, by the employee's id: by the name that they were paid under, where
    nobody else has it, and no vendor's payment. Nothing where the service does not answer."""
    names = {row.sort_name: row.remote_id for row in people}
    shared = Counter(
        visible_employees(actor).filter(status="ACTIVE", sort_name__in=list(names)).values_list("sort_name", flat=True)
    )
    paid_accounts: dict[str, PayableAccount] = {}
    for payout_name, item in _paid_items(actor):
        name = item.receiver_name.strip().lower()
        if item.vendor_id or item.status != "SUCCEEDED" or shared[name] != 1:
            continue
        payable = PayableAccount(
            AS_BEFORE, item.channel, item.account, item.bank_code, item.account_reference, f"as in {payout_name}"
        )
        paid_accounts.setdefault(names[name], payable)
    return paid_accounts


def _paid_items(actor: Actor) -> Iterable[tuple[str, PayoutItem]]:
    """The payments of the last payouts that ended, those of the newest first, each with the name of its payout."""
    rows = visible_payouts(actor).filter(status__in=ENDED, payout_kind="BULK_PAYOUT")
    payouts = list(rows.order_by("-requested_at", "-pk")[:MAX_EARLIER])
    calls = {
        row.ref: ReadCall(operations.LIST_PAYOUTS, query={"batch_no": row.ref}, subject=row, deadline=SOURCE_READ_S)
        for row in payouts
    }
    try:
        results = read_together(actor, calls)
    except FinanceError:
        return
    for result in results.values():
        try:
            # The newest first, as they were named; one that does not answer says nothing.
            [whole] = read_page(result.answer.data).rows if isinstance(result, Ok) else []
            payout = Payout.model_validate(whole)
        except (FinanceError, ValueError, ValidationError):
            continue
        for item in payout.items or []:
            yield payout.name or payout.batch_no, item
