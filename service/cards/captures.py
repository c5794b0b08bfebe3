"""A merchant takes money for a use of a card: each taking is a posting, an entry of the book, and an expense.

It comes off what was held, and beyond that off what the card spent when it was used (funding.py), even below zero.
"""

from dataclasses import replace

from django.utils import timezone

from service import effects
from service.accounts.wallets import Wallet
from service.auth import Caller
from service.cards import funding
from service.cards.models import Authorization, Capture
from service.cards.serializers import authorization
from service.events.outbox import record_event
from service.expenses import legs as expenses_legs
from service.expenses import new_expense, posting
from service.expenses.models import Expense, ExpenseStatus
from service.ledger.chart import system_account
from service.ledger.models import HoldStatus, LedgerHold
from service.ledger.post import Leg, capture, post_forced, release

EVENTS = {
    Authorization.Status.DECLINED: "card_authorization.declined",
    Authorization.Status.APPROVED: "card_authorization.approved",
    Authorization.Status.CAPTURED: "card_authorization.captured",
    Authorization.Status.REVERSED: "card_authorization.reversed",
    Authorization.Status.EXPIRED: "card_authorization.expired",
}


def reference(row: Authorization) -> str:
    """What the network calls the use."""
    return f"CD{row.id}"


def expense_of(row: Authorization, *, note: str = "", receipt_required: bool = False) -> new_expense.NewExpense:
    """The expense that a use of a card makes."""
    return new_expense.NewExpense(
        funding=row.funding,
        employee=row.card.employee,
        org_wallet_ref=row.card.org_wallet_ref,
        currency=row.currency,
        amount_minor=row.amount_minor,
        transaction_ref=reference(row),
        transaction_date=row.created_at,
        receiver=row.merchant,
        payment_type="CARD",
        channel=row.channel,
        mcc=row.mcc,
        merchant_id=row.merchant_id,
        card_id=row.card_id,
        card_token=row.card.token,
        notes=note,
        receipt_required=receipt_required,
    )


def capture_amount(
    caller: Caller,
    row: Authorization,
    amount_minor: int,
    *,
    final: bool,
    flagged: new_expense.NewExpense | None = None,
    note: str = "",
    receipt_required: bool = False,
) -> None:
    """Takes so much, out of the hold as far as there is one, and even below zero; inside the caller's transaction.

    The first taking settles the expense that waits for it, each further one makes an expense of its own. What is left
    of the hold is given back where the taking is `final`, or all that was authorised is taken.
    """
    expense = row.expense if row.expense is not None and _waits(row.expense) else None
    # Under a key the reference is the key's: a replay that comes late finds it posted.
    number = effects.named(caller) or row.captures.count() + 1
    ref = reference(row) if row.expense is None or expense else f"{reference(row)}-{number}"
    held, paying = _held(row), funding.paying(row.card, row.funding)
    posted = _move_money(caller, row, held, paying, amount_minor, expenses_legs.ledger_ref(ref))
    if expense is not None:
        expense.amount_minor = amount_minor
        posting.settle(caller, expense, posted)
    else:
        day = row.created_at if row.expense is None else timezone.now()
        new = flagged or expense_of(row, note=note, receipt_required=receipt_required)
        new = replace(
            new,
            amount_minor=amount_minor,
            transaction_ref=ref,
            transaction_date=day,
            funding=funding.allocations_of(paying),
        )
        expense = posting.write(caller, new, transaction_id=posted)
        row.expense = row.expense or expense
    Capture.objects.create(
        authorization=row,
        expense=expense,
        amount_minor=amount_minor,
        ledger_transaction_id=posted,
        effect=effects.named(caller),
    )
    row.captured_minor += amount_minor
    if final or row.captured_minor >= row.amount_minor or row.status != Authorization.Status.APPROVED:
        give_back(row, f"{ref}:rest")
        row.status = Authorization.Status.CAPTURED
    save_authorization(caller, row, "card_authorization.captured")


def _waits(expense: Expense) -> bool:
    return expense.status != ExpenseStatus.DELETED and expense.ledger_transaction_id is None


def _held(row: Authorization) -> LedgerHold | None:
    return None if row.ledger_hold_id is None else LedgerHold.objects.get(pk=row.ledger_hold_id)


def _move_money(
    caller: Caller, row: Authorization, held: LedgerHold | None, paying: Wallet, amount_minor: int, ref: str
) -> int:
    other = system_account(caller.business, "CARD_FLOAT", row.currency)
    # A hold that has ended binds nobody: where its holder has gone since, the money comes off another wallet.
    over = held is None or (held.status != HoldStatus.PENDING and held.account_id != paying.ledger_account_id)
    if held is None or over:
        legs = [Leg(paying.ledger_account_id, -amount_minor), Leg(other.pk, amount_minor)]
        return post_forced(caller.business, ref, "EXPENSE", legs, row.merchant).id
    late_or_more = held.status != HoldStatus.PENDING or amount_minor > held.amount - held.captured
    return capture(held, amount_minor, ref, other, kind="EXPENSE", description=row.merchant, force=late_or_more).id


def give_back(row: Authorization, ref: str) -> None:
    """Releases what is left of the hold, if anything is."""
    if (held := _held(row)) is not None:
        release(held, ref)


def save_authorization(caller: Caller, row: Authorization, event: str) -> None:
    """Saves a changed use of a card, with its event."""
    row.version += 1
    row.save()
    record_event(caller.business, event, authorization(row), actor=caller)


def record_decision(caller: Caller, row: Authorization) -> None:
    """Tells of a use that was just decided on."""
    record_event(caller.business, EVENTS[Authorization.Status(row.status)], authorization(row), actor=caller)
