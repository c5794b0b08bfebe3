"""One-time codes: a payment that must be confirmed waits for the code that was sent for exactly what it would pay.

The code is kept as a keyed hash over the intent and the digest of its content, lives five minutes, and a fifth wrong
one locks the intent. A try is counted in a transaction of its own before the code is looked at: a refusal that rolls
back, or many tries at once, give nobody a sixth.
"""

import hashlib
import hmac
import json
import secrets
from datetime import timedelta

from django.conf import settings
from django.db import connection, transaction
from django.db.models import QuerySet
from django.utils import timezone

from service import effects, errors, money
from service.accounts.wallets import wallet_by_ref as wallet_of
from service.auth import Caller
from service.businesses.models import Employee, Role
from service.events.audit import record_audit
from service.payments import drafts, queue, selectors, services, transitions
from service.payments.models import Batch, Intent, IntentStatus, Kind, Status
from service.payments.schemas import NewIntent, SinglePayment
from service.rails import messages

LIFE = timedelta(minutes=5)
TRIES = 5


def create_intent(caller: Caller, body: NewIntent) -> Intent:
    """An intent for a payout that waits for its code, or for a single transfer that is made and initiated here.

    A single transfer that a mandate applies to needs its votes first: REQUIRES_APPROVAL, and no code is sent yet.
    """
    with transaction.atomic():
        intents = Intent.objects.filter(business_id=caller.business.id).select_related("batch__wallet")
        if (done := effects.earlier(caller, intents)) is not None:
            return done
        if body.payment:
            batch = _transfer(caller, body.payment)
        else:
            batch = selectors.lock_payout(caller, body.batch_no or "")
            if batch.status != Status.AWAITING_CODE:
                raise errors.invalid_state(f"A payout that is {batch.status} waits for no code.")
        open_before = (IntentStatus.REQUIRES_CONFIRMATION, IntentStatus.REQUIRES_APPROVAL)
        Intent.objects.filter(batch=batch, status__in=open_before).update(status=IntentStatus.VOID)
        waits = batch.status == Status.AWAITING_CODE
        intent = Intent(
            id=effects.new_id(caller),
            business=caller.business,
            batch=batch,
            channel=body.channel,
            status=IntentStatus.REQUIRES_CONFIRMATION if waits else IntentStatus.REQUIRES_APPROVAL,
            digest=digest(batch),
            expires_at=timezone.now() + LIFE,
            created_by=caller.label,
        )
        if waits:
            _send_code(caller, intent)
        intent.save(force_insert=True)
        record_audit(
            caller, "payment_intent.create", "payout", batch.id, after={"intent_id": intent.id, "status": intent.status}
        )
    return intent


def _transfer(caller: Caller, single_payment: SinglePayment) -> Batch:
    """A single transfer, initiated: PENDING_APPROVAL under a mandate, AWAITING_CODE without."""
    paying = wallet_of(caller.business, single_payment.org_wallet_ref)
    name = single_payment.name or f"Transfer to {single_payment.receiver_name}"
    try:
        batch, items = drafts.build(caller, paying, Kind.BANK_TRANSFER, name, [single_payment])
    except errors.ServiceError as refusal:
        if refusal.code != "validation_failed":
            raise
        # The draft has one item, which the request calls `payment`: its fields are named so.
        for field_error in refusal.errors:
            field_error["field"] = field_error["field"].replace("items.0.", "payment.", 1)
        raise errors.many_validation_failed(refusal.errors) from None
    services.save_new(caller, batch, items)
    return services.begin(caller, batch, without_mandate=Status.AWAITING_CODE)


def digest(batch: Batch) -> str:
    """The digest of what a code confirms: the wallet, each payee and amount, and the round. Any change gives another."""
    items = batch.items.order_by("position").values_list(
        "channel", "account", "bank_code", "account_reference", "receiver_name", "amount_minor", "fee_minor"
    )
    content = [batch.id, batch.round, batch.wallet_id, batch.currency, [list(item) for item in items]]
    return hashlib.sha256(json.dumps(content).encode()).hexdigest()


def _hash(intent: Intent, code: str) -> str:
    content = f"{intent.id}|{intent.digest}|{code}"
    return hmac.new(settings.SECRET_KEY.encode(), content.encode(), hashlib.sha256).hexdigest()


def _send_code(caller: Caller, intent: Intent) -> None:
    """To the acting approver; where somebody else prepares the payment, to all who could confirm it."""
    code = f"{secrets.randbelow(1_000_000):06d}"
    intent.code_hash = _hash(intent, code)
    if caller.employee and caller.role == Role.APPROVER:
        people = [caller.employee]
    else:
        rows = Employee.objects.filter(business=caller.business, role=Role.APPROVER, status=Employee.Status.ACTIVE)
        people = list(rows.order_by("id")[:20])
    number = money.to_number(intent.batch.total_minor, intent.batch.currency)
    text = f"{code} confirms {intent.batch.currency} {number:,} ({intent.batch.batch_no}). Valid for 5 minutes."
    messages.send(
        caller.business, people, intent.channel, kind="payment_code", subject_ref=intent.id, text=text, code=code
    )


def confirm(caller: Caller, intent_id: str, code: str) -> Intent:
    """Pays what the intent stands for. 422 wrong_code, 409 when it is locked, expired, void or confirmed."""
    intent = Intent.objects.filter(business=caller.business, id=intent_id).first()
    if intent is None:
        raise errors.not_found("payment intent")
    granted = _count_try(intent)
    with transaction.atomic():
        batch = (
            Batch.objects.select_for_update(no_key=True, of=("self",)).select_related("wallet").get(pk=intent.batch_id)
        )
        intent = Intent.objects.select_for_update(no_key=True, of=("self",)).get(pk=intent_id)
        _check(intent, batch, granted=granted)
        if not hmac.compare_digest(intent.code_hash, _hash(intent, code)):
            raise errors.wrong_code(max(0, TRIES - intent.wrong))
        # The try was counted before the code was looked at: this one was right.
        intent.status, intent.confirmed_by = IntentStatus.CONFIRMED, caller.label
        intent.wrong = max(0, intent.wrong - 1)
        intent.save(update_fields=["status", "confirmed_by", "wrong", "updated_at"])
        previous = batch.status
        event = transitions.move(batch, "confirm", Status.APPROVED)
        services.record_change(caller, batch, event, "payout.confirm", previous)
        queue.execute_soon(batch)
    intent.batch = batch
    return intent


def _check(intent: Intent, batch: Batch, *, granted: bool) -> None:
    """Refuses an intent that stands for nothing any more. A try that was granted is looked at even where another one,
    that came at the same time and was one too many, has locked the intent meanwhile."""
    if granted and intent.status == IntentStatus.LOCKED:
        intent.status = IntentStatus.REQUIRES_CONFIRMATION
    if intent.status == IntentStatus.REQUIRES_CONFIRMATION and intent.expires_at <= timezone.now():
        raise errors.invalid_state("The code has expired: ask for a new one.")
    if intent.status == IntentStatus.LOCKED:
        raise errors.invalid_state("Too many wrong codes: the intent is locked, ask for a new one.")
    if intent.status != IntentStatus.REQUIRES_CONFIRMATION:
        raise errors.invalid_state(f"The intent is {intent.status}.")
    if batch.status != Status.AWAITING_CODE or intent.digest != digest(batch):
        raise errors.invalid_state("The payment was changed since the code was sent: ask for a new one.")


def _count_try(intent: Intent) -> bool:
    """Counts a try on a connection of its own, so that it stays counted: the last one locks the intent, unless its code
    turns out to be right. False where there is none left."""
    if intent.status != IntentStatus.REQUIRES_CONFIRMATION:
        return False
    own = connection.copy()
    try:
        with own.cursor() as cursor:
            cursor.execute(
                "UPDATE payments_intent SET wrong = wrong + 1, updated_at = now(),"
                " status = CASE WHEN wrong + 1 >= %s THEN %s ELSE status END"
                " WHERE id = %s AND wrong < %s AND status = %s",
                [TRIES, IntentStatus.LOCKED, intent.id, TRIES, IntentStatus.REQUIRES_CONFIRMATION],
            )
            return bool(cursor.rowcount)
    finally:
        own.close()


def expired() -> QuerySet[Intent]:
    """The intents whose time is over and that are not marked so yet."""
    return Intent.objects.filter(status=IntentStatus.REQUIRES_CONFIRMATION, expires_at__lte=timezone.now())


def end_expired() -> int:
    """Marks intents whose time is over; answers how many."""
    return expired().update(status=IntentStatus.EXPIRED)
