"""What follows from the rail's word on an attempt: posted with its taxes, given back, or not known yet."""

from django.utils import timezone

from service.auth import Caller
from service.bills import discounts, payments, services, transitions
from service.bills.models import Attempt, AttemptStatus, BillPayment, BillStatus, PaymentStatus
from service.bills.payments import lock_payment_by_id
from service.bills.transitions import move_bill
from service.journal import services as journal
from service.ledger.chart import system_account
from service.ledger.models import LedgerHold
from service.ledger.post import Leg, capture_legs, release
from service.ledger.retry import retried_transaction
from service.rails import catalogue
from service.rails.outcomes import Outcome, State
from service.respond import ChangedFields
from service.taxes import withholding


@retried_transaction
def settle(payment_id: str, attempt_id: str, outcome: Outcome | None) -> str:
    """Writes what became of an attempt that is still SENT (None: the rail is silent); answers the payment's status."""
    row, caller = lock_payment_by_id(payment_id)
    attempt = Attempt.objects.select_for_update(no_key=True, of=("self",)).get(pk=attempt_id)
    if row.status not in transitions.ON_ITS_WAY or attempt.status != AttemptStatus.SENT:
        return row.status
    if outcome is None:
        _lose_sight(caller, row)
    elif outcome.state == State.SUCCEEDED:
        _succeed(caller, row, attempt, outcome)
    elif outcome.state == State.FAILED:
        _fail(caller, row, attempt, outcome)
    elif row.status == PaymentStatus.UNKNOWN:
        event = transitions.move(row, "process", PaymentStatus.PROCESSING)
        payments.record_payment_change(caller, row, event, "bill_payment.process", PaymentStatus.UNKNOWN)
    return row.status


@retried_transaction
def settle_earlier(payment_id: str, attempt_id: str, outcome: Outcome | None) -> str:
    """The attempt before a retry turned out not to be over: it has paid after all, or nobody knows. No second one then."""
    row, caller = lock_payment_by_id(payment_id)
    attempt = Attempt.objects.select_for_update(no_key=True, of=("self",)).get(pk=attempt_id)
    queued = Attempt.objects.filter(payment=row, status=AttemptStatus.QUEUED)
    if row.status not in transitions.ON_ITS_WAY or not queued.exists():
        return row.status
    if outcome is not None and outcome.state == State.SUCCEEDED:
        queued.update(status=AttemptStatus.CANCELLED, settled_at=timezone.now())
        _succeed(caller, row, attempt, outcome)
    else:
        _lose_sight(caller, row)
    return row.status


def _lose_sight(caller: Caller, row: BillPayment) -> None:
    if row.status == PaymentStatus.PROCESSING:
        event = transitions.move(row, "lose sight", PaymentStatus.UNKNOWN)
        payments.record_payment_change(caller, row, event, "bill_payment.lose_sight", PaymentStatus.PROCESSING)


def _fail(caller: Caller, row: BillPayment, attempt: Attempt, outcome: Outcome) -> None:
    previous = row.status
    _end(attempt, AttemptStatus.FAILED, outcome)
    event = transitions.move(row, "fail", PaymentStatus.FAILED)
    row.failure_code = outcome.failure_code
    release(_held(row), f"bill-payment:{row.ref}:{row.round}:{attempt.number}:failed")
    row.ledger_hold_id = None
    payments.forget_limits(row)
    payments.record_payment_change(caller, row, event, "bill_payment.fail", previous, reason=outcome.failure_code)


def _succeed(caller: Caller, row: BillPayment, attempt: Attempt, outcome: Outcome) -> None:
    """Posts net, withheld taxes and fee in one transaction, lowers the bill's balance and writes the taxes down.

    They are those of the attempt that paid, and so are the account and its channel: what the payment withholds and where it goes may
    have changed for a later one.
    """
    previous, reserved_fee = row.status, row.fee_minor
    _write_back(row, attempt)
    _end(attempt, AttemptStatus.SUCCEEDED, outcome)
    event = transitions.move(row, "succeed", PaymentStatus.SUCCEEDED)
    row.provider_ref, row.failure_code, row.settled_at = outcome.provider_ref, "", timezone.now()
    discounts.lapse_if_late(row, attempt.sent_at)
    held = _held(row)
    posted = capture_legs(
        held,
        _legs(row),
        f"bill-payment:{row.ref}",
        kind="BILL_PAYMENT",
        description=f"{row.receiver_name}: bill {row.bill.bill_no}",
        # The money has left: a fee that was higher than the reserved one is posted all the same.
        force=row.fee_minor > reserved_fee,
    )
    if row.fee_minor < reserved_fee:
        release(held, f"bill-payment:{row.ref}:{row.round}:{attempt.number}:rest")
    row.ledger_transaction_id, row.ledger_hold_id = posted.id, None
    withholding.write(row.business, row.bill.vendor, row.ref, row.currency, row.withholding, posted.id, row.settled_at)
    _write_down(caller, row)
    payments.record_payment_change(caller, row, event, "bill_payment.succeed", previous)
    _lower_balance(caller, row)


def _write_back(row: BillPayment, attempt: Attempt) -> None:
    """What the attempt paid, to whom, and what it cost, into its payment (unsaved)."""
    row.net_minor, row.withholding = attempt.net_minor, attempt.withholding
    row.withheld_minor = row.amount_minor - row.net_minor
    row.instruction_id, row.receiver_name = attempt.instruction_id, attempt.receiver_name
    row.channel, row.account = attempt.channel, attempt.account
    row.bank_code, row.account_reference = attempt.bank_code, attempt.account_reference
    row.fee_minor = attempt.fee_minor


def _end(attempt: Attempt, attempt_status: AttemptStatus, outcome: Outcome) -> None:
    attempt.status, attempt.settled_at = attempt_status, timezone.now()
    attempt.provider_ref, attempt.failure_code = outcome.provider_ref, outcome.failure_code
    attempt.save()


def _held(row: BillPayment) -> LedgerHold:
    assert row.ledger_hold_id is not None  # what is on its way has its funds reserved
    return LedgerHold.objects.get(pk=row.ledger_hold_id)


def _legs(row: BillPayment) -> list[Leg]:
    """Out of the wallet: the net into the rail's float, each tax into what is owed for it, the fee into fee income."""
    source = row.wallet.ledger_account_id
    float_kind = catalogue.CHANNELS[row.channel].float_kind
    note = f"{row.receiver_name} {row.provider_ref}"
    legs = [
        Leg(source, -row.net_minor, note),
        Leg(system_account(row.business, float_kind, row.currency).pk, row.net_minor, note),
    ]
    if row.withheld_minor:
        owed = system_account(row.business, "WHT_PAYABLE", row.currency).pk
        withheld = [(tax["tax_minor"], f"{tax['code']}: {row.ref}") for tax in row.withholding if tax["tax_minor"]]
        for minor, text in withheld:
            legs += [Leg(source, -minor, text), Leg(owed, minor, text)]
    if row.fee_minor:
        income = system_account(row.business, "FEE_INCOME", row.currency).pk
        legs += [Leg(source, -row.fee_minor, f"Fee: {note}"), Leg(income, row.fee_minor, f"Fee: {note}")]
    return legs


def _write_down(caller: Caller, row: BillPayment) -> None:
    journal.record_movement(
        caller,
        type="EXPENSE",
        org_wallet_ref=row.wallet.org_wallet_ref,
        currency=row.currency,
        amount_minor=row.amount_minor,
        fees_minor=row.fee_minor,
        direction="OUT",
        ref=row.ref,
        ledger_transaction_id=row.ledger_transaction_id or 0,
        counterparty=row.receiver_name,
        subcategory_id=row.bill.subcategory_id or None,
        team_id=row.bill.team_id or "",
        channel=row.channel,
        occurred_at=row.settled_at,
    )


def _lower_balance(caller: Caller, row: BillPayment) -> None:
    bill = row.bill
    before: ChangedFields = {
        "status": bill.status,
        "paid_minor": bill.paid_minor,
        "credited_minor": bill.credited_minor,
    }
    bill.paid_minor += row.amount_minor
    discounts.credit_discount(row)
    paid = bill.balance_minor == 0
    move_bill(bill, "pay", BillStatus.PAID if paid else BillStatus.PARTIALLY_PAID)
    bill.version += 1
    services.record_change(caller, bill, "bill.paid" if paid else "bill.updated", "bill.pay", before)
