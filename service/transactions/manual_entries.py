"""Transactions written by hand: proposed by one person, approved by another, posted on their day, taken back by a reversal."""

from datetime import date, timedelta
from typing import cast

from django.db import IntegrityError, transaction
from django.utils import timezone

from service import effects, errors, money, periods
from service.accounts.wallets import Wallet, usable_wallet
from service.auth import Caller, system_caller
from service.businesses.models import Business
from service.categories.models import Subcategory
from service.categories.selectors import active_subcategory
from service.employees.selectors import named_employee
from service.events.audit import record_audit
from service.events.outbox import record_event
from service.journal import services as journal
from service.journal.models import Direction, Origin, Transaction, TransactionStatus, Type
from service.ledger import post as ledger
from service.ledger.chart import system_account
from service.ledger.post import Leg
from service.transactions import parts, selectors, serializers, transitions
from service.transactions.schemas import NewTransaction

INCOMING = frozenset({Type.TOPUP, Type.REFUND})
FURTHEST = timedelta(days=366)
FLOATS = {"BANK": "BANK_FLOAT", "MPESA": "MOBILE_FLOAT"}


def create(caller: Caller, new: NewTransaction) -> Transaction:
    """A transaction in PENDING; nothing moves before it is approved.

    404 for a wallet, 409 duplicate for a known `ref`, 409 tag_not_allowed for an IFT or REFUND with a subcategory, 422
    for an amount, currency, day, person or subcategory that cannot be.
    """
    with transaction.atomic():
        paying = usable_wallet(caller.business, new.org_wallet_ref)
        person = named_employee(caller, new.employee_id)
        now = timezone.now()
        written = Transaction.objects.filter(business_id=caller.business.id, origin=Origin.MANUAL)
        if (done := effects.earlier(caller, written)) is not None:
            return done
        row_id, value_date = effects.new_id(caller), _value_date(caller, new.value_date)
        row = Transaction(
            id=row_id,
            business=caller.business,
            origin=Origin.MANUAL,
            type=Type(new.type),
            status=TransactionStatus.PENDING,
            org_wallet_ref=paying.org_wallet_ref,
            to_org_wallet_ref=_other(caller, new, paying).org_wallet_ref if new.to_org_wallet_ref else "",
            direction=Direction.IN if new.type in INCOMING else Direction.OUT,
            currency=paying.currency,
            amount_minor=_minor(new, paying.currency),
            counterparty=new.counterparty or "",
            ref=new.ref or f"MT{row_id}",
            channel=new.channel if new.type != Type.IFT else "",
            description=new.description,
            subcategory=_subcategory(caller, new),
            employee_id=person.id if person else "",
            team_id=(person.team_id or "") if person else "",
            value_date=value_date,
            # What happened before today happened on its own day, whenever it is entered and posted.
            occurred_at=min(now, periods.start_of(value_date, caller.business)) if value_date else now,
            created_by=caller.label,
            maker_ids=[caller.employee_id] if caller.employee_id else [],
            created_at=now,
            updated_at=now,
        )
        try:
            with transaction.atomic():
                row.save(force_insert=True)
        except IntegrityError:
            raise errors.duplicate("Transaction already exists") from None
        payload = serializers.fresh(row)
        record_event(caller.business, "transaction.created", payload, actor=caller)
        record_audit(caller, "transaction.create", "transaction", row.id, after=payload)
    return row


def approve(caller: Caller, transaction_id: str) -> Transaction:
    """Approves and posts it, or leaves it APPROVED until its value date.

    One whose own day lies in a closed book is posted today. 403 for its maker, holder or last editor, 409 unless it is
    PENDING, 422 insufficient_funds: then it stays PENDING.
    """
    with transaction.atomic():
        row = _for_decision(caller, transaction_id)
        previous = row.status
        event = transitions.move(row, transitions.APPROVE)
        row.decided_by, row.decided_at = caller.label, timezone.now()
        if row.value_date is not None and row.value_date > ledger.today(caller.business):
            _save(caller, row, event, "transaction.approve", previous)
        else:
            _post(caller, row)
            _save(caller, row, "transaction.posted", "transaction.approve", previous)
    return row


def reject(caller: Caller, transaction_id: str, reason: str) -> Transaction:
    """Ends it without a posting; refusals as `approve`."""
    with transaction.atomic():
        row = _for_decision(caller, transaction_id)
        previous = row.status
        event = transitions.move(row, transitions.REJECT)
        row.decided_by, row.decided_at, row.reason = caller.label, timezone.now(), reason
        _save(caller, row, event, "transaction.reject", previous)
    return row


def reverse(caller: Caller, transaction_id: str, reason: str) -> Transaction:
    """Takes a posting made by hand back: the exact opposite is posted today and written down as a row of its own.

    409 for one that the service posted itself (refund that instead), and unless it is POSTED.
    """
    with transaction.atomic():
        row = _for_decision(caller, transaction_id)
        if row.origin != Origin.MANUAL:
            raise errors.invalid_state("Only a manual transaction is reversed; refund any other.")
        previous = row.status
        event = transitions.move(row, transitions.REVERSE)
        posted = ledger.reverse(caller.business, row.ledger_transaction_id or 0, f"reversal:{row.id}", reason)
        row.reason = reason
        other_way = Direction.IN if row.direction == Direction.OUT else Direction.OUT
        back = _write(caller, row, row.org_wallet_ref, other_way, f"reversal:{row.id}", posted.id)
        parts.copy(caller, row, back)
        if row.to_org_wallet_ref:
            _write(caller, row, row.to_org_wallet_ref, row.direction, f"reversal:{row.id}", posted.id)
        _save(caller, row, event, "transaction.reverse", previous)
    return row


def post_due(limit: int = 200) -> int:
    """Posts what was approved for a day that has come; answers how many. A refusal is recorded once, then tried again."""
    tomorrow = timezone.now().date() + timedelta(days=1)  # it is that day somewhere already
    due = Transaction.objects.filter(status=TransactionStatus.APPROVED, value_date__lte=tomorrow).order_by(
        "value_date", "id"
    )
    return sum(_post_entry(row_id) for row_id in due.values_list("id", flat=True)[:limit])


def _post_entry(row_id: str) -> int:
    with transaction.atomic():
        rows = Transaction.objects.select_for_update(no_key=True, of=("self",), skip_locked=True).select_related(
            "business"
        )
        row = rows.filter(pk=row_id, status=TransactionStatus.APPROVED).first()
        if row is None or (row.value_date or date.max) > ledger.today(row.business):
            return 0
        caller = system_caller(row.business)
        previous = row.status
        try:
            with transaction.atomic():
                _post(caller, row)
        except errors.ServiceError as refusal:
            if refusal.code == row.failure_code:
                return 0
            row.refresh_from_db()
            row.failure_code = refusal.code
            _save(caller, row, "transaction.failed", "transaction.fail", previous)
            return 0
        row.failure_code = ""
        _save(caller, row, "transaction.posted", "transaction.post", previous)
    return 1


def _post(caller: Caller, row: Transaction) -> None:
    """The posting itself; the row gets the ledger's number and day."""
    business = caller.business
    paying = usable_wallet(business, row.org_wallet_ref)
    if row.to_org_wallet_ref:
        across = usable_wallet(business, row.to_org_wallet_ref).ledger_account_id
    else:
        across = system_account(business, FLOATS[row.channel], row.currency).pk
    minor = row.amount_minor if row.direction == Direction.IN else -row.amount_minor
    legs = [Leg(paying.ledger_account_id, minor), Leg(across, -minor)]
    text = row.description or row.counterparty
    day = _open_day(business, row.value_date)
    posted = ledger.post(business, f"manual:{row.id}", row.type, legs, text, day)
    transitions.move(row, transitions.POST)
    row.ledger_transaction_id, row.effective_on = posted.id, day
    if row.to_org_wallet_ref:
        _write(caller, row, row.to_org_wallet_ref, Direction.IN, f"manual:{row.id}", posted.id)


def _open_day(business: Business, value_date: date | None) -> date:
    """The day that a transaction is posted on: its own, or today where that is in a closed book. It arrived late then."""
    closed = Business.objects.values_list("books_closed_until", flat=True).get(id=business.id)
    if value_date is None or (closed and value_date <= closed):
        return ledger.today(business)
    return value_date


def _write(caller: Caller, row: Transaction, wallet_ref: str, direction: str, ref: str, ledger_id: int) -> Transaction:
    return journal.record_movement(
        caller,
        type=cast(journal.TypeName, row.type),
        org_wallet_ref=wallet_ref,
        currency=row.currency,
        amount_minor=row.amount_minor,
        direction="IN" if direction == Direction.IN else "OUT",
        ref=ref,
        ledger_transaction_id=ledger_id,
        counterparty=row.counterparty or row.ref,
        subcategory_id=row.subcategory_id,
        employee_id=row.employee_id,
        team_id=row.team_id,
        channel=row.channel,
    )


def _for_decision(caller: Caller, transaction_id: str) -> Transaction:
    """Rule not_own: neither its maker, nor its last editor, nor whose money it was."""
    row = selectors.lock_transaction(caller, transaction_id)
    if caller.employee_id and (caller.employee_id in row.maker_ids or caller.employee_id == row.employee_id):
        raise errors.self_approval_forbidden()
    return row


def _save(caller: Caller, row: Transaction, event: str, action: str, previous: str) -> None:
    row.version += 1
    row.updated_at = timezone.now()
    row.save()
    record_event(caller.business, event, serializers.fresh(row), previous={"status": previous}, actor=caller)
    after = {"status": row.status, **({"reason": row.reason} if row.reason else {})}
    record_audit(caller, action, "transaction", row.id, {"status": previous}, after)


def _minor(new: NewTransaction, currency: str) -> int:
    if new.currency and new.currency != currency:
        raise errors.validation_failed("currency", f"The wallet {new.org_wallet_ref} holds {currency}.")
    try:
        return money.to_minor(new.amount, currency)
    except money.MoneyError as refusal:
        raise errors.validation_failed("amount", str(refusal)) from None


def _other(caller: Caller, new: NewTransaction, paying: Wallet) -> Wallet:
    other = usable_wallet(caller.business, new.to_org_wallet_ref or "")
    if other.pk == paying.pk:
        raise errors.validation_failed("to_org_wallet_ref", "It is the wallet itself.")
    if other.currency != paying.currency:
        raise errors.validation_failed("to_org_wallet_ref", f"It holds {other.currency}: use POST /fx/transfer.")
    return other


def _subcategory(caller: Caller, new: NewTransaction) -> Subcategory | None:
    if new.subcategory_id is None:
        return None
    if new.type in (Type.IFT, Type.REFUND):
        raise errors.conflict("tag_not_allowed", f"A transaction of type {new.type} carries no subcategory.")
    return active_subcategory(caller, new.subcategory_id)


def _value_date(caller: Caller, day: date | None) -> date | None:
    if day is None:
        return None
    today = periods.day_of(timezone.now(), caller.business)
    if not today - FURTHEST <= day <= today + FURTHEST:
        raise errors.validation_failed("value_date", "It is more than a year away.", "range")
    return day
