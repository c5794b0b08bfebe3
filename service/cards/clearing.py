"""What the card network presents for a use whose money is held: captures, reversals, increases, and holds that run out.

Locks: the use, then its expense, then the ledger.
"""

from django.db import transaction
from django.utils import timezone

from service import effects, errors
from service.auth import Caller, system_caller
from service.cards import declines, funding
from service.cards.captures import capture_amount, give_back, reference, save_authorization
from service.cards.controls import Use
from service.cards.decisions import PERMISSION, controls, hold_ref, policy_ref, reserve
from service.cards.models import Authorization, Capture
from service.expenses import posting
from service.expenses.models import Expense, ExpenseStatus
from service.expenses.services import record_expense_change
from service.ledger.models import LedgerHold
from service.ledger.post import release
from service.rails import card_network
from service.rails.card_network import ClearingKind
from service.wallet_policies import limits

APPROVED, CAPTURED = Authorization.Status.APPROVED, Authorization.Status.CAPTURED
REVERSED, EXPIRED = Authorization.Status.REVERSED, Authorization.Status.EXPIRED


def waiting(caller: Caller) -> list[Authorization]:
    """The business's uses whose money is held but not taken."""
    rows = Authorization.objects.filter(business_id=caller.business.id, status=APPROVED)
    return list(rows.exclude(expense__status=ExpenseStatus.DELETED).order_by("id"))


def settle(caller: Caller, authorization: Authorization) -> Authorization:
    """The network clears the use: the merchant takes the held money, less, more, none of it yet, or gives it up.

    More than was held is posted even where that leaves the wallet below zero. 409 unless money is held.
    """
    now = Authorization.objects.get(pk=authorization.pk)
    clearing = card_network.network.clear(reference(now), now.amount_minor - now.captured_minor)
    with transaction.atomic():
        row = _locked(caller, authorization.id)
        if row.status != APPROVED or row.expense is None:
            raise errors.invalid_state("There is no held money to take.")
        if clearing.kind == ClearingKind.REVERSE:
            _reverse_all(caller, row)
        elif clearing.kind == ClearingKind.CAPTURE:
            capture_amount(caller, row, clearing.amount_minor, final=True)
    return row


def capture(caller: Caller, authorization_id: str, amount_minor: int | None, *, final: bool) -> Authorization:
    """The merchant takes an amount, all that is left without one; several times where none is `final`.

    More than is held, or after the hold has ended, is posted all the same. 409 for a use that was declined.
    """
    with transaction.atomic():
        row = _locked(caller, authorization_id)
        if _done_before(caller, row):
            return row
        if row.status == Authorization.Status.DECLINED:
            raise errors.invalid_state("The use was declined: there is nothing to take.")
        left = row.amount_minor - row.captured_minor
        if amount_minor is None and left <= 0:
            raise errors.invalid_state("All of it was taken.")
        capture_amount(caller, row, left if amount_minor is None else amount_minor, final=final)
    return row


def reverse(caller: Caller, authorization_id: str, amount_minor: int | None) -> Authorization:
    """The merchant gives up an amount of what is held, or all of it. 409 unless money is held."""
    with transaction.atomic():
        row = _locked(caller, authorization_id)
        if _done_before(caller, row):
            return row
        _check_approved(row)
        left = row.amount_minor - row.captured_minor
        if amount_minor is None or amount_minor >= left:
            _reverse_all(caller, row)
        else:
            _hold_anew(caller, row, left - amount_minor)
            row.amount_minor -= amount_minor
            _update_held_expense(caller, row)
            save_authorization(caller, row, "card_authorization.reversed")
    return row


def increase(caller: Caller, authorization_id: str, amount_minor: int) -> Authorization:
    """The merchant asks for more to be held, such as a hotel; 422 where the card's controls, the holder's policy on the
    wallet or what the card spends do not allow it, and what was held stays held."""
    with transaction.atomic():
        row = _locked(caller, authorization_id)
        if _done_before(caller, row):
            return row
        _check_approved(row)
        _check_more(caller, row, amount_minor)
        if not _hold_anew(caller, row, row.amount_minor - row.captured_minor + amount_minor):
            raise funding.short(funding.paying(row.card, row.funding))
        row.amount_minor += amount_minor
        _update_held_expense(caller, row)
        save_authorization(caller, row, "card_authorization.approved")
    return row


def expire_due_holds(limit: int = 500) -> int:
    """Ends uses whose money nobody took in seven days, each in a transaction of its own; answers how many."""
    due = Authorization.objects.filter(status=APPROVED, expires_at__lte=timezone.now()).order_by("expires_at")
    return sum(_expire(authorization_id) for authorization_id in due.values_list("id", flat=True)[:limit])


def _expire(authorization_id: str) -> int:
    with transaction.atomic():
        rows = Authorization.objects.select_for_update(no_key=True, of=("self",), skip_locked=True)
        rows = rows.select_related("card__employee", "card__business", "business", "expense")
        row = rows.filter(pk=authorization_id, status=APPROVED).first()
        if row is None:
            return 0
        _end(system_caller(row.business), row, EXPIRED, "card_authorization.expired")
    return 1


def _reverse_all(caller: Caller, row: Authorization) -> None:
    _end(caller, row, REVERSED, "card_authorization.reversed")


def _end(caller: Caller, row: Authorization, clearing_status: Authorization.Status, event: str) -> None:
    """Gives back what is held. Where something was taken that stays, and the use is CAPTURED with it."""
    if row.captured_minor == 0 and row.expense is not None and row.expense.status != ExpenseStatus.DELETED:
        posting.delete(caller, row.expense.id)
    give_back(row, f"{reference(row)}:{clearing_status.lower()}")
    if row.captured_minor == 0:
        limits.undo(funding.paying(row.card, row.funding), policy_ref(row.id))
    row.status = CAPTURED if row.captured_minor else clearing_status
    save_authorization(caller, row, event)


def _locked(caller: Caller, authorization_id: str) -> Authorization:
    rows = Authorization.objects.select_for_update(no_key=True, of=("self",)).select_related(
        "card__employee", "card__business"
    )
    authorization = rows.filter(business_id=caller.business.id, id=authorization_id).first()
    if authorization is None:
        raise errors.not_found("authorization")
    if authorization.expense_id:
        authorization.expense = Expense.objects.select_for_update(no_key=True, of=("self",)).get(
            pk=authorization.expense_id
        )
    return authorization


def _check_approved(row: Authorization) -> None:
    if row.status != APPROVED:
        raise errors.invalid_state(f"The use is {row.status}: no money is held for it.")


def _done_before(caller: Caller, row: Authorization) -> bool:
    """Whether the same request has taken money of the use, or changed its hold, before: then it stays as it is now."""
    captured = effects.earlier(caller, Capture.objects.filter(authorization=row), field="effect")
    holds = LedgerHold.objects.filter(business_id=row.business_id)
    return captured is not None or effects.earlier(caller, holds, field="ref", before=_again(row)) is not None


def _again(row: Authorization) -> str:
    return f"{hold_ref(row.id)}:"


def _check_more(caller: Caller, row: Authorization, amount_minor: int) -> None:
    increased = Use(
        amount_minor=row.amount_minor + amount_minor,
        merchant=row.merchant,
        merchant_id=row.merchant_id,
        mcc=row.mcc,
        country=row.country,
        channel=row.channel,
        at=timezone.now(),
    )
    failed = next((check for check in controls(caller, row.card, increased, without=row.id) if not check.passed), None)
    if failed is not None:
        raise errors.limit_exceeded(declines.decline_reason(failed.code, failed.name))
    paying = funding.paying(row.card, row.funding)
    limits.check_person(row.card.employee, paying, PERMISSION, increased.amount_minor, ref=policy_ref(row.id))


def _hold_anew(caller: Caller, row: Authorization, amount_minor: int) -> bool:
    """Puts a hold of another size into the place of the old one; where the ledger has not that much, the old one stays.

    Until the same moment as before: a bigger hold is no later one.
    """
    paying = funding.paying(row.card, row.funding)
    old = LedgerHold.objects.get(pk=row.ledger_hold_id or 0)
    with transaction.atomic():
        release(old, f"{reference(row)}:replaced:{row.version}")
        held = None
        if paying.status == "ACTIVE":
            ref = f"{_again(row)}{effects.named(caller) or row.version}"
            held = reserve(caller, paying, amount_minor, ref, old.expires_at or timezone.now())
        if held is None:
            transaction.set_rollback(True)
            return False
    row.ledger_hold_id = held.pk
    return True


def _update_held_expense(caller: Caller, row: Authorization) -> None:
    """The expense that waits for the money shows what may be taken, and knows the hold."""
    expense = row.expense
    if expense is None or expense.status == ExpenseStatus.DELETED or expense.ledger_transaction_id is not None:
        return
    before = {"amount_minor": expense.amount_minor}
    expense.amount_minor, expense.ledger_hold_id = row.amount_minor, row.ledger_hold_id
    expense.version += 1
    expense.updated_at = timezone.now()
    expense.save(update_fields=["amount_minor", "ledger_hold_id", "version", "updated_at"])
    record_expense_change(caller, expense, "expense.updated", "expense.hold", before)
