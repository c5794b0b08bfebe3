"""Paying an approved bill payment: reserve the funds, give it to the rail, post what succeeded or give the rest back.

Any step may be repeated: by another worker at the same time, or after a kill in the middle. An attempt is marked SENT
before the rail gets it, and its id is the rail's reference. No rail is called inside a transaction. Silence is neither
success nor failure: the payment is UNKNOWN until the rail says more. A further attempt is sent only once the rail has
confirmed that the one before took no money.
"""

import logging
from datetime import timedelta

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from service import errors
from service.auth import Caller
from service.bills import approvals, payments, policies, settlement, transitions
from service.bills.models import ApprovalAxis, Attempt, AttemptStatus, BillPayment, PaymentStatus
from service.bills.payments import lock_payment_by_id
from service.ledger.post import hold
from service.ledger.retry import retried_transaction
from service.rails import catalogue
from service.rails.outcomes import Order, Outcome, RailTimeoutError, State
from service.vendors.models import InstructionStatus

log = logging.getLogger(__name__)

SHORTFALLS = {"insufficient_funds": "insufficient_funds", "invalid_state": "wallet_suspended"}
UNRESERVED = (PaymentStatus.APPROVED, PaymentStatus.SCHEDULED)
QUERY_AGAIN_AFTER = timedelta(seconds=2)
DUE_AGAIN = timedelta(seconds=30)  # a payment that waits for funds or for its payee


def execute(payment_id: str) -> str:
    """Does what can be done now; answers the payment's status."""
    status = reserve(payment_id)
    if status not in transitions.ON_ITS_WAY:
        return status
    before, waiting = _attempts(payment_id)
    if waiting is None:
        return status
    if waiting.status == AttemptStatus.QUEUED:
        if before is not None and not _took_no_money(payment_id, before):
            return _status(payment_id)
        if not claim(payment_id, waiting.id):
            return _status(payment_id)
        waiting.refresh_from_db()
        return settlement.settle(payment_id, waiting.id, _send(waiting))
    if waiting.status == AttemptStatus.SENT and _long_ago(waiting):
        return settlement.settle(payment_id, waiting.id, _query_rail(waiting))
    return status


def has_due() -> bool:
    """Whether a worker should look at any payment."""
    return bool(due())


def due() -> list[str]:
    """The payments a worker should look at: approved, due, on their way, or waiting for something for a while."""
    now = timezone.now()
    waits = ~Q(hold_reason="") & Q(updated_at__gte=now - DUE_AGAIN)
    return list(
        BillPayment.objects.filter(
            Q(status=PaymentStatus.APPROVED) & ~waits
            | Q(status=PaymentStatus.SCHEDULED, scheduled_for__lte=now) & ~waits
            | Q(status__in=transitions.ON_ITS_WAY)
        )
        .order_by("updated_at")
        .values_list("id", flat=True)[:200]
    )


def _status(payment_id: str) -> str:
    return BillPayment.objects.values_list("status", flat=True).get(pk=payment_id)


@retried_transaction
def reserve(payment_id: str) -> str:
    """Holds the amount with its fee: SCHEDULED until its day, else PROCESSING with its first attempt queued.

    It stays where it is, saying why, while the wallet or a policy does not allow it or the payee waits for a second
    person. What is withheld is that of its day: where the vendor would get another sum than was approved, it goes back to
    approval.
    """
    payment, caller = payments.get_payment_by_id(payment_id)
    if payment.status not in UNRESERVED:
        return payment.status
    row = approvals.lock_to_ask(caller, payment.ref)
    if row.status not in UNRESERVED:
        return row.status
    row.business = payment.business
    previous = row.status
    early = row.scheduled_for is not None and row.scheduled_for > timezone.now()
    if previous == PaymentStatus.SCHEDULED and early:
        return previous
    if reason := payee_obstacle(row) or policies.obstacle(caller, row):
        return _wait(caller, row, reason)
    if has_other_withholding(caller, row):
        approvals.ask_again(caller, row)
        return row.status
    if reason := _reserved(row):
        return _wait(caller, row, reason)
    row.hold_reason = ""
    if early:
        event = transitions.move(row, "schedule", PaymentStatus.SCHEDULED)
    else:
        event = transitions.move(row, "process", PaymentStatus.PROCESSING)
        queue_attempt(row)
    payments.record_payment_change(caller, row, event, f"bill_payment.{row.status.lower()}", previous)
    return row.status


def has_other_withholding(caller: Caller, row: BillPayment) -> bool:
    """Writes into a locked payment what is withheld by now (unsaved); whether votes were given on another net."""
    before = row.net_minor
    try:
        payments.set_withholding(caller, row)
    except errors.ServiceError:
        return True  # nothing would be left for the vendor
    return row.net_minor != before and row.approval_status != ApprovalAxis.NOT_REQUIRED


def payee_obstacle(row: BillPayment) -> str:
    """Why its payee is not paid to now: the account waits for a second person, or is not the vendor's any more."""
    if row.instruction.status == InstructionStatus.QUARANTINED:
        return "payee_quarantined"
    if row.instruction.status != InstructionStatus.ACTIVE:
        return "payee_changed"
    return ""


def _reserved(row: BillPayment) -> str:
    """Places the hold once; the reason where the wallet does not allow it."""
    if row.ledger_hold_id is None:
        try:
            with transaction.atomic():
                place_hold(row)
        except errors.ServiceError as refusal:
            if refusal.code not in SHORTFALLS:
                raise
            return SHORTFALLS[refusal.code]
    return ""


def place_hold(row: BillPayment) -> None:
    """Reserves the amount and the fee; 422 insufficient_funds, 409 for a suspended wallet."""
    ref = f"bill-payment:{row.ref}:{row.round}:{row.attempts_made}"
    row.ledger_hold_id = hold(row.business, row.wallet.ledger_account_id, row.amount_minor + row.fee_minor, ref).pk


def queue_attempt(row: BillPayment) -> Attempt:
    """The next attempt of a locked payment, for a worker to send: it keeps the net, what is withheld, the account and the fee as they are now."""
    row.attempts_made += 1
    return Attempt.objects.create(
        payment=row, number=row.attempts_made, net_minor=row.net_minor, withholding=row.withholding,
        instruction_id=row.instruction_id, receiver_name=row.receiver_name, channel=row.channel, account=row.account,
        bank_code=row.bank_code, account_reference=row.account_reference, fee_minor=row.fee_minor,
    )  # fmt: skip


def _wait(caller: Caller, row: BillPayment, reason: str) -> str:
    if row.hold_reason == reason:
        BillPayment.objects.filter(pk=row.pk).update(updated_at=timezone.now())
    else:
        row.hold_reason = reason
        payments.record_payment_change(
            caller, row, "bill_payment.on_hold", "bill_payment.hold_back", row.status, reason=reason
        )
    return row.status


def _attempts(payment_id: str) -> tuple[Attempt | None, Attempt | None]:
    """The last attempt, and the one before it that was sent, where there is one."""
    rows = list(Attempt.objects.filter(payment_id=payment_id).order_by("-number")[:2])
    return (rows[1] if len(rows) > 1 else None), (rows[0] if rows else None)


def _took_no_money(payment_id: str, before: Attempt) -> bool:
    """Asks the rail about an earlier attempt; only its clear "failed" lets another one be sent."""
    result = _query_rail(before)
    if result is not None and result.state == State.FAILED:
        return True
    settlement.settle_earlier(payment_id, before.id, result)
    return False


@retried_transaction
def claim(payment_id: str, attempt_id: str) -> bool:
    """Marks a queued attempt SENT; False where another worker was faster."""
    row, caller = lock_payment_by_id(payment_id)
    now = timezone.now()
    queued = Attempt.objects.filter(pk=attempt_id, status=AttemptStatus.QUEUED)
    if row.status not in transitions.ON_ITS_WAY or not queued.update(status=AttemptStatus.SENT, sent_at=now):
        return False
    if row.status == PaymentStatus.UNKNOWN:
        event = transitions.move(row, "process", PaymentStatus.PROCESSING)
        payments.record_payment_change(caller, row, event, "bill_payment.process", PaymentStatus.UNKNOWN)
    return True


def _long_ago(attempt: Attempt) -> bool:
    return attempt.sent_at is not None and attempt.sent_at <= timezone.now() - QUERY_AGAIN_AFTER


def _order(attempt: Attempt) -> Order:
    return Order(
        reference=attempt.id,
        channel=attempt.channel,
        account=attempt.account,
        bank_code=attempt.bank_code,
        receiver_name=attempt.receiver_name,
        amount_minor=attempt.net_minor,
        currency=attempt.payment.currency,
        sent_at=attempt.sent_at or timezone.now(),
    )


def _send(attempt: Attempt) -> Outcome | None:
    """What the rail says at once; None where it does not answer."""
    rail = catalogue.CHANNELS[attempt.channel].rail
    assert rail is not None  # a vendor is not paid on a wallet of ours
    try:
        return rail.send(_order(attempt))
    except RailTimeoutError:
        log.warning("bill payment attempt %s: the rail did not answer", attempt.id)
        return None


def _query_rail(attempt: Attempt) -> Outcome | None:
    """What the rail says about an attempt that was sent; None where it does not answer."""
    rail = catalogue.CHANNELS[attempt.channel].rail
    assert rail is not None
    try:
        return rail.status(_order(attempt), timezone.now())
    except RailTimeoutError:
        return None
