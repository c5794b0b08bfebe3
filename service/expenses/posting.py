"""How an expense comes to be and how its money moves: always through the ledger, in one transaction with the row."""

from collections.abc import Callable, Iterable, Sequence
from datetime import date
from functools import cache

from django.db import IntegrityError, transaction
from django.utils import timezone

from service import errors, periods, sql
from service.accounts.wallets import Funding
from service.auth import Caller
from service.events import audit, outbox
from service.events.models import Event
from service.expenses import hooks, selectors, serializers, transitions
from service.expenses.hooks import GUARDS, Follow
from service.expenses.legs import ledger_ref, legs, legs_of_many, payer, sides_statement
from service.expenses.models import Expense, ExpenseStatus, Receipt
from service.expenses.new_expense import NewExpense
from service.expenses.schemas_shapes import ExpenseShape
from service.expenses.services import record_expense_change
from service.journal import services as journal
from service.ledger.models import LedgerHold
from service.ledger.post import post, release


def spend(caller: Caller, new: NewExpense) -> Expense:
    """Takes the money at once and writes the expense, PENDING; 409 duplicate for a known transaction reference.

    422 insufficient_funds leaves nothing behind.
    """
    with transaction.atomic(savepoint=False):
        return _spend(caller, new)[0]


def _spend(caller: Caller, new: NewExpense, sides: Sequence[sql.Row] | None = None) -> tuple[Expense, ExpenseShape]:
    """The expense that was posted and written, and the same as the interface shows it. `sides` as `legs` has them."""
    day = periods.day_of(new.transaction_date, caller.business)
    posted = post(
        caller.business,
        ledger_ref(new.transaction_ref),
        "EXPENSE",
        legs(caller, new, new.charge_minor, sides),
        new.receiver or new.description,
        day,
    )
    if posted.already:
        raise errors.duplicate("Transaction already exists")
    row = _row(caller, new, transaction_id=posted.id)
    return row, _write(caller, row, posted_on=day)


def spend_many(
    caller: Caller,
    batch: Sequence[NewExpense],
    batch_ref: str,
    prove: Callable[[Sequence[Expense]], Iterable[Receipt]] | None = None,
) -> list[Expense]:
    """Many expenses of one wallet and currency as one posting, an entry for each; the rows carry the same ledger
    transaction.

    `prove` gives the receipts that they come with: the event of a new expense tells of them already.
    """
    first = batch[0]
    with transaction.atomic():
        posted = post(
            caller.business,
            f"expenses:{batch_ref}",
            "EXPENSE",
            legs_of_many(caller, batch),
            f"{len(batch)} expenses",
            periods.day_of(first.transaction_date, caller.business),
        )
        rows = [_row(caller, new, transaction_id=posted.id) for new in batch]
        try:
            with transaction.atomic():
                Expense.objects.bulk_create(rows)
        except IntegrityError:
            raise errors.duplicate("Transaction already exists") from None
        if prove is not None:
            Receipt.objects.bulk_create(prove(rows))
        objects = serializers.by_ids(row.id for row in rows)
        Event.objects.bulk_create(
            outbox.build_event(caller.business, "expense.created", objects[row.id], actor=caller) for row in rows
        )
        journal.record_many(caller, [_spent(row, posted.id) for row in rows])
        audit.record_audit(caller, "expense.create_many", "expenses", batch_ref, after={"count": len(rows)})
        concerned = hooks.questions(caller, rows)
        answers = sql.together(*(statement for _, statement in concerned))
        hooks.notify_created(caller, rows, (listener for listener, _ in concerned), answers)
    return rows


def write(caller: Caller, new: NewExpense, *, transaction_id: int | None = None, hold_id: int | None = None) -> Expense:
    """The row of money that was taken or is held, with its event; inside the caller's transaction."""
    row = _row(caller, new, transaction_id=transaction_id, hold_id=hold_id)
    _write(caller, row)
    return row


def _write(caller: Caller, row: Expense, *, posted_on: date | None = None) -> ExpenseShape:
    """Writes the row with its event, its lines in the audit and in the journal, and what listeners make of it. `posted_on` is
    the day of its posting, where that is known. Answers it as the interface shows it."""
    now = serializers.newly_written(row)
    journal_entry = None if row.ledger_transaction_id is None else _spent(row, row.ledger_transaction_id)
    concerned = hooks.questions(caller, [row])
    statements = [
        # A known reference inserts nothing, and needs no savepoint to find that out.
        sql.SqlStatement(_insert(), [getattr(row, name) for name in _names()]),
        outbox.event_statement(caller.business, "expense.created", now, actor=caller),
        audit.audit_statement(caller, "expense.create", "expense", row.id, after={"amount_minor": row.amount_minor}),
        *(statement for _, statement in concerned),
    ]
    if journal_entry is not None and posted_on is not None:
        statements.append(journal.entry_statement(caller, journal_entry, posted_on, row.subcategory))
    written, _, _, *answers = sql.together(*statements)
    if not written:
        raise errors.duplicate("Transaction already exists")
    if journal_entry is not None and posted_on is None:
        journal.record_entry(caller, journal_entry)
    hooks.notify_created(caller, [row], (listener for listener, _ in concerned), answers[: len(concerned)])
    return now


def _spent(row: Expense, transaction_id: int, *, back: bool = False, returned_to: str | None = None) -> journal.Entry:
    """The expense in the book: money that went out, or with `back` came in again, on the wallet `returned_to`.

    Without a reference of a wallet where an allocation paid: no wallet of the business changed.
    """
    paid_by = "" if row.funding == Funding.ALLOCATION else row.org_wallet_ref
    return journal.Entry(
        type="REFUND" if back else "EXPENSE",
        org_wallet_ref=paid_by if returned_to is None else returned_to,
        currency=row.currency,
        amount_minor=row.amount_minor,
        fees_minor=row.fees_minor,
        direction="IN" if back else "OUT",
        ref=row.transaction_ref,
        ledger_transaction_id=transaction_id,
        counterparty=row.receiver or row.description,
        subcategory_id=None if back else row.subcategory_id,
        employee_id=row.employee_id or "",
        team_id=row.team_id or "",
        expense_id=row.id,
        channel=row.payment_type,
        occurred_at=timezone.now() if back else row.transaction_date,
    )


@cache
def _names() -> tuple[str, ...]:
    """What a row's attributes are called, in the order of its columns."""
    return tuple(field.attname for field in Expense._meta.concrete_fields)


@cache
def _insert() -> str:
    columns = [str(field.column) for field in Expense._meta.concrete_fields]
    places = ", ".join(["%s"] * len(columns))
    return f"insert into expenses_expense ({', '.join(columns)}) values ({places}) on conflict do nothing returning id"  # noqa: S608


def settle(caller: Caller, expense: Expense, transaction_id: int) -> None:
    """Notes that the held money was captured, with the amount that was; inside the caller's transaction."""
    expense.ledger_transaction_id, expense.ledger_hold_id = transaction_id, None
    expense.version += 1
    expense.updated_at = timezone.now()
    expense.save(update_fields=["amount_minor", "ledger_transaction_id", "ledger_hold_id", "version", "updated_at"])
    record_expense_change(caller, expense, "expense.updated", "expense.settle", {})
    journal.record_entry(caller, _spent(expense, transaction_id))


def delete(caller: Caller, expense_id: str) -> Expense:
    """Deletes an expense whose money was not taken yet and gives its hold back; 409 once it is posted."""
    with transaction.atomic():
        expense = _locked(caller, expense_id)
        if expense.ledger_transaction_id is not None or expense.ledger_hold_id is None:
            raise errors.invalid_state("The expense is posted: it can be rejected or refunded, not deleted.")
        before = {"status": expense.status}
        expense.status = transitions.next_status(expense, transitions.DELETE)
        release(LedgerHold.objects.get(pk=expense.ledger_hold_id), f"release:{expense.id}")
        _move(caller, expense, transitions.DELETE, before)
    return expense


def refund(caller: Caller, expense_id: str) -> Expense:
    """The merchant gives the money back: posted the other way round, and the expense is REFUNDED."""
    with transaction.atomic():
        expense = _locked(caller, expense_id)
        before = {"status": expense.status}
        expense.status = transitions.next_status(expense, transitions.REFUND)
        if expense.ledger_transaction_id is None:
            raise errors.invalid_state("The expense is not posted yet.")
        # Not a reversal: one posting may have taken the money of many expenses.
        original = _as_new(expense)
        back = legs(caller, original, -(expense.amount_minor + expense.fees_minor))
        posted = post(caller.business, f"refund:{expense.id}", "REFUND", back, expense.receiver)
        returned_to = payer(caller, original).org_wallet_ref
        journal.record_entry(caller, _spent(expense, posted.id, back=True, returned_to=returned_to))
        _move(caller, expense, transitions.REFUND, before)
    return expense


def _as_new(expense: Expense) -> NewExpense:
    return NewExpense(
        employee=expense.employee,
        org_wallet_ref=expense.org_wallet_ref,
        currency=expense.currency,
        amount_minor=expense.amount_minor,
        transaction_ref=expense.transaction_ref,
        transaction_date=expense.transaction_date,
        payment_type=expense.payment_type,
        funding=expense.funding,
    )


def _locked(caller: Caller, expense_id: str) -> Expense:
    expense = selectors.visible(caller).select_for_update(no_key=True, of=("self",)).filter(id=expense_id).first()
    if expense is None:
        raise errors.not_found("expense")
    return expense


def _move(caller: Caller, expense: Expense, move: str, before: dict[str, str]) -> None:
    expense.version += 1
    expense.updated_at = timezone.now()
    expense.save(update_fields=["status", "version", "updated_at"])
    record_expense_change(caller, expense, transitions.EVENTS[move], f"expense.{move}", dict(before))


def _row(caller: Caller, new: NewExpense, *, transaction_id: int | None = None, hold_id: int | None = None) -> Expense:
    now = timezone.now()
    return Expense(
        business_id=caller.business.id,
        employee=new.employee,
        team=new.employee.team if new.employee else None,
        subcategory=new.subcategory,
        org_wallet_ref=new.org_wallet_ref,
        funding=Funding.ALLOCATION if new.funding == Funding.ALLOCATION else "",
        status=ExpenseStatus.PENDING,
        currency=new.currency,
        amount_minor=new.amount_minor,
        fees_minor=new.fees_minor,
        original_amount_minor=new.original_amount_minor,
        original_currency=new.original_currency,
        fx_rate=new.fx_rate,
        transaction_ref=new.transaction_ref,
        provider_ref=new.provider_ref,
        transaction_date=new.transaction_date,
        payment_type=new.payment_type,
        channel=new.channel,
        mcc=new.mcc,
        merchant_id=new.merchant_id,
        receiver=new.receiver,
        card_id=new.card_id,
        card_token=new.card_token,
        description=new.description,
        notes=new.notes,
        risk=new.risk,
        risk_notes=new.risk_notes,
        policy_flags=list(new.policy_flags),
        receipt_required=new.receipt_required,
        ledger_transaction_id=transaction_id,
        ledger_hold_id=hold_id,
        created_at=now,
        updated_at=now,
    )


def spend_guarded(caller: Caller, new: NewExpense) -> ExpenseShape:
    """`posting.spend` behind the guards of hooks.py, inside the caller's transaction: 403 policy_blocked, flags, or votes that the
    expense waits for. Answers the expense as the interface shows it."""
    *answers, sides = sql.together(*(guard.question(caller) for guard in GUARDS), sides_statement(caller, new))
    follows: list[Follow] = []
    for guard, answer in zip(GUARDS, answers, strict=True):
        new, follow = guard.judge(caller, new, answer)
        follows.append(follow)
    row, now = _spend(caller, new, sides)
    has_followed = [follow(row) is not None for follow in follows]
    return serializers.by_id(row.id) if any(has_followed) else now
