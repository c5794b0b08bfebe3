"""A year of expenses that are long decided, in bulk: one posting per day and wallet, then the rows by COPY.

No events: what was before a business is connected is read, not told. The audit trail has each batch and each decision.
"""

import random
from collections import Counter
from collections.abc import Sequence
from datetime import datetime, timedelta

from service.accounts import employee_wallets
from service.accounts.wallets import Funding, Wallet
from service.auth import Caller
from service.businesses.models import Employee
from service.events import audit
from service.events.models import AuditEvent
from service.expenses import legs as expenses_legs
from service.expenses import transitions
from service.expenses.models import Expense, ExpenseStatus, Receipt
from service.expenses.new_expense import NewExpense
from service.journal import services as journal
from service.ledger.post import post
from service.sandbox import demo_cards
from service.sandbox.bulk_copy import copy
from service.sandbox.demo_decisions import Deciders
from service.sandbox.demo_expenses import by_day_and_wallet
from service.sandbox.demo_plan import acting
from service.sandbox.demo_year import DemoMonth, DemoYear

WITH_RECEIPT, REJECTED = 0.88, 0.05
WRITTEN_AT_ONCE = 5_000


def write(year: DemoYear, demo_month: DemoMonth, batch: Sequence[NewExpense]) -> None:
    """The expenses with their postings, card uses, decisions, receipts, lines in the book and in the audit trail."""
    caller, chance = year.caller, year.chance(f"history {demo_month.name}")
    rows = _posted(caller, batch)
    decided = [line for row in rows if (line := _decide(caller, row, year.deciders, chance, year.now))]
    copy(Expense, rows)
    demo_cards.record_uses(caller.business, rows)
    copy(Receipt, [year.pool.receipt(row) for row in rows if chance.random() < WITH_RECEIPT])
    copy(AuditEvent, decided)
    for start in range(0, len(rows), WRITTEN_AT_ONCE):
        journal.record_many(caller, [_entry(row) for row in rows[start : start + WRITTEN_AT_ONCE]], with_events=False)


def _posted(caller: Caller, batch: Sequence[NewExpense]) -> list[Expense]:
    rows, allocations = [], _allocations(caller, batch)
    for (day, ref), group in by_day_and_wallet(caller.business, batch).items():
        name = f"expenses:history-{day}-{ref}"
        legs = expenses_legs.legs_of_many(caller, group, allocations[group[0].currency])
        posted = post(caller.business, name, "EXPENSE", legs, f"{len(group)} expenses", day)
        audit.record_audit(
            caller, "expense.create_many", "expenses", f"history-{day}-{ref}", after={"count": len(group)}
        )
        rows += [_row(caller, new, posted.id) for new in group]
    return rows


def _allocations(caller: Caller, batch: Sequence[NewExpense]) -> dict[str, dict[str, list[Wallet]]]:
    """By currency the allocations of all who spend: looked up once, not for each posting."""
    people = {new.employee.id for new in batch if new.employee is not None}
    return {
        currency: employee_wallets.of(caller.business, people, currency) for currency in {new.currency for new in batch}
    }


def _row(caller: Caller, new: NewExpense, posted_id: int) -> Expense:
    assert new.employee is not None
    return Expense(
        business_id=caller.business.id,
        employee_id=new.employee.id,
        team_id=new.employee.team_id,
        subcategory_id=new.subcategory.id if new.subcategory else None,
        org_wallet_ref=new.org_wallet_ref,
        funding=Funding.ALLOCATION if new.funding == Funding.ALLOCATION else "",
        status=ExpenseStatus.PENDING,
        currency=new.currency,
        amount_minor=new.amount_minor,
        transaction_ref=new.transaction_ref,
        transaction_date=new.transaction_date,
        channel=new.channel,
        mcc=new.mcc,
        receiver=new.receiver,
        card_id=new.card_id,
        card_token=new.card_token,
        notes=new.notes,
        risk=new.risk,
        risk_notes=new.risk_notes,
        policy_flags=list(new.policy_flags),
        receipt_required=new.receipt_required,
        ledger_transaction_id=posted_id,
        created_at=new.transaction_date,
        updated_at=new.transaction_date,
    )


def _decide(
    caller: Caller, row: Expense, deciders: Deciders, chance: random.Random, now: datetime
) -> AuditEvent | None:
    """Lets somebody who may decide on it do so, some hours later."""
    able = deciders.of(row.team_id, row.employee_id)
    if not able:
        return None
    person: Employee = chance.choice(able)
    move = transitions.REJECT if chance.random() < REJECTED else transitions.APPROVE
    before = {"status": row.status}
    later = row.transaction_date + timedelta(minutes=chance.randrange(40, 3 * 24 * 60))
    row.status = transitions.next_status(row, move)
    row.reviewed_by_id = person.id
    row.reviewed_at = row.updated_at = min(later, now - timedelta(minutes=5))
    row.review_reason = "This is not a business expense." if move == transitions.REJECT else ""
    row.version += 1
    after = {"status": row.status, "version": row.version}
    line = audit.build_line(acting(caller.business, person), f"expense.{move}", "expense", row.id, before, after)
    line.created_at = row.reviewed_at
    return line


def _entry(row: Expense) -> journal.Entry:
    return journal.Entry(
        type="EXPENSE",
        org_wallet_ref="" if row.funding == Funding.ALLOCATION else row.org_wallet_ref,
        currency=row.currency,
        amount_minor=row.amount_minor,
        direction="OUT",
        ref=row.transaction_ref,
        ledger_transaction_id=row.ledger_transaction_id or 0,
        counterparty=row.receiver,
        subcategory_id=row.subcategory_id,
        employee_id=row.employee_id or "",
        team_id=row.team_id or "",
        expense_id=row.id,
        channel=row.payment_type,
        occurred_at=row.transaction_date,
    )


def needed(batch: Sequence[NewExpense]) -> dict[tuple[str, str], int]:
    """What the expenses take from each (wallet, currency), in minor units."""
    sums: Counter[tuple[str, str]] = Counter()
    for new in batch:
        sums[new.org_wallet_ref, new.currency] += new.charge_minor
    return dict(sums)
