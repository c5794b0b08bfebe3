"""Asking a phone for money (M-Pesa push): the request, its result, and a success that comes too late and still counts."""

import logging
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from service import effects, errors, money
from service.accounts.selectors import wallets
from service.accounts.wallets import wallet_by_ref as wallet_of
from service.auth import Caller, system_caller
from service.events.audit import record_audit
from service.events.outbox import record_event
from service.journal import services as journal
from service.ledger.chart import system_account
from service.ledger.models import LedgerHold
from service.ledger.post import Leg, hold, post, release
from service.payments.models import MobileMoneyPush, PushStatus
from service.payments.schemas import NewPush
from service.rails import mobile_money
from service.rails.mobile_money import PUSH_TIMEOUT, Push, PushResult

log = logging.getLogger(__name__)

CURRENCY = "KES"
CANCELLED_BY_USER = 1032
REQUESTED = timedelta(hours=24)


def request_push(caller: Caller, body: NewPush) -> MobileMoneyPush:
    """Makes the phone ask; what is expected shows as pending_in of the wallet. 422 unless the wallet holds KES.

    The rail only takes the request here and answers at once; what the phone's owner does comes later.
    """
    with transaction.atomic():
        pushes = MobileMoneyPush.objects.filter(business_id=caller.business.id).select_related("wallet")
        if (done := effects.earlier(caller, pushes)) is not None:
            return done
        wallet = wallet_of(caller.business, body.org_wallet_ref)
        if wallet.currency != CURRENCY:
            raise errors.validation_failed(
                "org_wallet_ref", f"Mobile money is {CURRENCY}, the wallet {wallet.currency}."
            )
        try:
            amount = money.to_minor(body.amount, CURRENCY)
        except money.MoneyError as error:
            raise errors.validation_failed("amount", str(error)) from None
        now = timezone.now()
        row = MobileMoneyPush(
            id=effects.new_id(caller),
            business=caller.business,
            wallet=wallet,
            phone=body.phone,
            amount_minor=amount,
            currency=CURRENCY,
            account_reference=body.account_reference,
            requested_by=caller.label,
            asked_until=now + REQUESTED,
            created_at=now,
        )
        ticket = mobile_money.rail.push(_push(row))
        row.checkout_request_id, row.merchant_request_id = ticket.checkout_request_id, ticket.merchant_request_id
        expected = hold(caller.business, wallet.ledger_account_id, amount, f"push:{row.id}", incoming=True)
        row.ledger_hold_id = expected.pk
        row.save(force_insert=True)
        record_audit(caller, "mobile_money.request", "mobile_money_push", row.id, after={"amount_minor": amount})
    return row


def _push(row: MobileMoneyPush) -> Push:
    return Push(row.id, row.phone, row.amount_minor, row.currency, row.created_at)


def receive(result: PushResult) -> MobileMoneyPush:
    """Takes the result of a push, however often and however late it comes: a success posts once, by its receipt.

    404 for a push we never asked for.
    """
    with transaction.atomic():
        rows = MobileMoneyPush.objects.select_for_update(no_key=True, of=("self",)).select_related("wallet", "business")
        row = rows.filter(checkout_request_id=result.checkout_request_id).first()
        if row is None:
            raise errors.not_found("push")
        if row.status == PushStatus.SUCCEEDED or (result.code and row.status != PushStatus.PENDING):
            return row
        _stop_expecting(row)
        row.result_code, row.result_text = result.code, result.description
        if result.code == 0:
            _post(row, result)
        else:
            row.status = PushStatus.CANCELLED if result.code == CANCELLED_BY_USER else PushStatus.FAILED
        row.version += 1
        row.save()
        caller = system_caller(row.business)
        record_audit(
            caller,
            "mobile_money.result",
            "mobile_money_push",
            row.id,
            after={"status": row.status, "code": result.code},
        )
    return row


def _post(row: MobileMoneyPush, result: PushResult) -> None:
    amount = result.amount_minor or row.amount_minor
    source = system_account(row.business, "MOBILE_FLOAT", row.currency)
    legs = [Leg(source.pk, -amount), Leg(row.wallet.ledger_account_id, amount)]
    posted = post(row.business, f"mpesa:{result.receipt}", "TOPUP", legs, f"M-Pesa {result.receipt} {row.phone}")
    row.status, row.receipt, row.ledger_transaction_id = PushStatus.SUCCEEDED, result.receipt, posted.id
    wallet = wallets(system_caller(row.business)).get(pk=row.wallet_id)
    payload = {
        "_id": row.id,
        "ref": result.receipt,
        "amount": money.to_number(amount, row.currency),
        "amount_minor": amount,
        "currency": row.currency,
        "org_wallet_ref": wallet.org_wallet_ref,
        "phone": row.phone,
        "account_reference": row.account_reference,
        "checkout_request_id": row.checkout_request_id,
        "ledger_transaction_id": posted.id,
        "version": row.version + 1,
        "updated_at": timezone.now(),
    }
    record_event(row.business, "topup.received", payload)
    journal.record_movement(
        row.business,
        type="TOPUP",
        org_wallet_ref=wallet.org_wallet_ref,
        currency=row.currency,
        amount_minor=amount,
        direction="IN",
        ref=result.receipt,
        ledger_transaction_id=posted.id,
        counterparty=row.phone,
        channel="MPESA",
    )


def _stop_expecting(row: MobileMoneyPush) -> None:
    if row.ledger_hold_id:
        release(LedgerHold.objects.get(pk=row.ledger_hold_id), f"push:{row.id}:end")
        row.ledger_hold_id = None


def _open(now: datetime) -> QuerySet[MobileMoneyPush]:
    return MobileMoneyPush.objects.filter(
        status__in=[PushStatus.PENDING, PushStatus.TIMED_OUT], asked_until__gt=now
    ).order_by("updated_at")


def has_open() -> bool:
    """Whether the rail has to be asked about a push."""
    return _open(timezone.now()).exists()


def follow(limit: int = 200) -> int:
    """Asks the rail about pushes without a result and gives up (for now) after 90 s; answers how many changed."""
    now, changed = timezone.now(), 0
    for row in _open(now)[:limit]:
        result = mobile_money.rail.push_result(_push(row), now)
        if result:
            receive(result)
            changed += 1
        elif row.status == PushStatus.PENDING and now >= row.created_at + PUSH_TIMEOUT:
            changed += _time_out(row.id)
    return changed


def _time_out(push_id: str) -> int:
    with transaction.atomic():
        row = MobileMoneyPush.objects.select_for_update(no_key=True).get(pk=push_id)
        if row.status != PushStatus.PENDING:
            return 0
        _stop_expecting(row)
        row.status = PushStatus.TIMED_OUT
        row.version += 1
        row.save()
    return 1
