"""Allocations of the demo: before people spend, their wallets are filled up to what they are about to spend and some more.

In bulk, as the rest of the history is: one posting for all people of a wallet, a line of the book for each of them.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from service.accounts import employee_wallets
from service.accounts.wallets import Funding, wallet_by_ref
from service.auth import Caller
from service.businesses.models import Employee
from service.events import audit
from service.expenses.new_expense import NewExpense
from service.journal import services as journal
from service.ledger.balances import balances
from service.ledger.post import Leg, post

MORE = 110  # per cent of what is about to be spent
# Allocations are round sums; about what beyond the last ones is left to spend today. In minor units.
STEP, ROOM = {"KES": 5_000_00, "JPY": 5_000}, {"KES": 40_000_00, "JPY": 60_000}
OTHER_STEP, OTHER_ROOM = 50_00, 500_00


def fill_desk_allocations(caller: Caller, name: str, batch: Sequence[NewExpense], at: datetime, day: date) -> None:
    """Allocates to everybody whose allocation pays for something of the batch what it lacks, and some more to spend today;
    `name` once for ever."""
    for wallet, people, needed in _spenders(batch):
        more = ROOM.get(wallet.currency, OTHER_ROOM)
        amounts = {
            person: needed[person] * MORE // 100 + more * (2 + place % 4) // 4 for place, person in enumerate(people)
        }
        _allocate(caller, f"allocation:{name}:{wallet.ref}", wallet, people, _lacking(caller, wallet, amounts), at, day)


def allocate_month(caller: Caller, name: str, batch: Sequence[NewExpense], at: datetime, day: date) -> None:
    """Allocates what the batch spends of allocations, in round sums; whatever else there is, since the months are made in
    another order than they were lived; `name` once for ever."""
    for wallet, people, needed in _spenders(batch):
        _allocate(caller, f"allocation:{name}:{wallet.ref}", wallet, people, needed, at, day)


@dataclass(frozen=True, slots=True)
class AllocatedWallet:
    """A wallet of the business from which is allocated, by its reference and currency."""

    ref: str
    currency: str


def _spenders(batch: Sequence[NewExpense]) -> Iterator[tuple[AllocatedWallet, dict[str, Employee], Counter[str]]]:
    """By wallet whose allocations pay for something of the batch, and how much each needs."""
    people: dict[AllocatedWallet, dict[str, Employee]] = {}
    needed: dict[AllocatedWallet, Counter[str]] = {}
    for new in batch:
        if new.funding == Funding.ALLOCATION and new.employee is not None:
            wallet = AllocatedWallet(new.org_wallet_ref, new.currency)
            people.setdefault(wallet, {})[new.employee.id] = new.employee
            needed.setdefault(wallet, Counter())[new.employee.id] += new.charge_minor
    for wallet, spenders in people.items():
        yield wallet, spenders, needed[wallet]


def _accounts(caller: Caller, allocated_wallet: AllocatedWallet, people: Collection[str]) -> dict[str, int]:
    """The account of each one's allocation, opened where there was none."""
    employee_wallets.open_for(caller.business, list(people), allocated_wallet.currency)
    rows = employee_wallets.of(caller.business, people, allocated_wallet.currency)
    return {employee_id: own[0].ledger_account_id for employee_id, own in rows.items()}


def _lacking(caller: Caller, allocated_wallet: AllocatedWallet, amounts: Mapping[str, int]) -> dict[str, int]:
    accounts = _accounts(caller, allocated_wallet, amounts)
    has = balances(accounts.values())
    return {employee_id: amounts[employee_id] - has[account].available for employee_id, account in accounts.items()}


def _allocate(
    caller: Caller,
    name: str,
    allocated_wallet: AllocatedWallet,
    people: Mapping[str, Employee],
    amounts: Mapping[str, int],
    at: datetime,
    day: date,
) -> None:
    org_wallet_ref, currency = allocated_wallet.ref, allocated_wallet.currency
    source = wallet_by_ref(caller.business, org_wallet_ref)
    account_ids = _accounts(caller, allocated_wallet, people)
    step = STEP.get(currency, OTHER_STEP)
    sums = {employee_id: -(-minor // step) * step for employee_id, minor in amounts.items() if minor > 0}
    if not sums:
        return
    legs = [
        Leg(account_ids[employee_id], minor, f"Allocation: {people[employee_id].name}")
        for employee_id, minor in sums.items()
    ]
    legs.append(Leg(source.ledger_account_id, -sum(sums.values())))
    posted = post(caller.business, name, "ALLOCATION", legs, f"Allocations to {len(sums)} people", day)
    entries = [
        journal.Entry(
            type="IFT", org_wallet_ref=org_wallet_ref, currency=currency, amount_minor=minor, direction="OUT",
            ref=f"{name}:{employee_id}", ledger_transaction_id=posted.id, counterparty=people[employee_id].name,
            employee_id=employee_id, team_id=people[employee_id].team_id or "", occurred_at=at,
        )
        for employee_id, minor in sums.items()
    ]  # fmt: skip
    journal.record_many(caller, entries, with_events=False)
    audit.record_audit(caller, "employee.allocate_many", "wallet", source.id, after={"count": len(sums), "ref": name})
