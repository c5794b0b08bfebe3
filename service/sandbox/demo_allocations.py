"""Allocations of the demo: before people spend, their wallets are filled up to what they are about to spend and some more.

In bulk, as the rest of the history is: one posting for all people of a wallet, a line of the book for each of them.
"""

from collections import Counter
from collections.abc import Sequence
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


def fill_allocations(
    caller: Caller, name: str, batch: Sequence[NewExpense], at: datetime, day: date, *, room: bool = False
) -> None:
    """Allocates to everybody whose allocation pays for something of the batch what it lacks; `name` once for ever."""
    people: dict[tuple[str, str], dict[str, Employee]] = {}
    needed: Counter[tuple[str, str]] = Counter()
    for new in batch:
        if new.funding == Funding.ALLOCATION and new.employee is not None:
            people.setdefault((new.org_wallet_ref, new.currency), {})[new.employee.id] = new.employee
            needed[new.org_wallet_ref, new.employee.id] += new.charge_minor
    for (ref, currency), spenders in people.items():
        more = ROOM.get(currency, OTHER_ROOM) if room else 0
        amounts = {
            person: needed[ref, person] * MORE // 100 + more * (2 + place % 4) // 4
            for place, person in enumerate(spenders)
        }
        _allocate(caller, f"allocation:{name}:{ref}", ref, currency, spenders, amounts, at, day)


def _allocate(
    caller: Caller,
    name: str,
    org_wallet_ref: str,
    currency: str,
    people: dict[str, Employee],
    amounts: dict[str, int],
    at: datetime,
    day: date,
) -> None:
    source = wallet_by_ref(caller.business, org_wallet_ref)
    employee_wallets.open_for(caller.business, list(people), currency)
    account_ids = {
        employee_id: rows[0].ledger_account_id
        for employee_id, rows in employee_wallets.of(caller.business, people, currency).items()
    }
    has = balances(account_ids.values())
    step = STEP.get(currency, OTHER_STEP)
    lacks = {employee_id: amounts[employee_id] - has[account].available for employee_id, account in account_ids.items()}
    sums = {employee_id: -(-minor // step) * step for employee_id, minor in lacks.items() if minor > 0}
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
