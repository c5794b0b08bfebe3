"""Settling with the fund manager: what is due is sent, asked about, and booked once. No rail inside a transaction."""

import logging
from datetime import timedelta

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from service import errors
from service.auth import system_caller
from service.investments import accrual, catalogue, changes, movements, transitions, units
from service.investments.models import Movement, MovementKind, MovementStatus
from service.ledger.balances import balance
from service.ledger.chart import system_account
from service.ledger.models import LedgerHold
from service.ledger.post import Leg, capture_legs, post, today
from service.rails import fund_manager
from service.rails.fund_manager import FundOrder
from service.rails.outcomes import Outcome, RailTimeoutError, State

log = logging.getLogger(__name__)


def _due() -> QuerySet[Movement]:
    return Movement.objects.filter(
        status__in=(MovementStatus.REQUESTED, MovementStatus.PROCESSING),
        value_date__lte=timezone.now().date() + timedelta(days=1),
    )


def has_due() -> bool:
    """Whether the fund manager has to be asked about a movement."""
    return _due().exists()


def settle_due(limit: int = 200) -> int:
    """Works on movements whose value date has come; answers how many were settled or have failed."""
    done = 0
    for movement_id in _due().order_by("value_date", "id").values_list("id", flat=True)[:limit]:
        try:
            done += settle(movement_id)
        except Exception:
            log.exception("movement %s could not be settled", movement_id)
    return done


def settle(movement_id: str) -> int:
    """One movement as far as it goes now; safe to repeat, and at the same time."""
    order = _claim(movement_id)
    if order is None:
        return 0
    try:
        outcome = fund_manager.manager.execute(order, timezone.now())
    except RailTimeoutError:
        log.warning("movement %s: the fund manager did not answer", movement_id)
        return 0
    return 0 if outcome.state == State.PENDING else _apply(movement_id, outcome)


def _claim(movement_id: str) -> FundOrder | None:
    """Marks it as sent before it is; the order under a reference that makes it one however often it is sent."""
    with transaction.atomic():
        row = movements.lock_movement(movement_id)
        if row.value_date > today(row.business):
            return None
        if row.status == MovementStatus.REQUESTED:
            transitions.move(row, "send")
            row.sent_at = timezone.now()
            changes.save(row)
        if row.status != MovementStatus.PROCESSING:
            return None
        return FundOrder(row.ref, row.account.fund.code, row.amount_minor, row.sent_at or timezone.now())


def _apply(movement_id: str, outcome: Outcome) -> int:
    with transaction.atomic():
        row = movements.lock_movement(movement_id)
        if row.status != MovementStatus.PROCESSING:
            return 0
        caller = system_caller(row.business)
        row.provider_ref = outcome.provider_ref
        if outcome.state == State.SUCCEEDED:
            try:
                with transaction.atomic():
                    _book(row)
            except errors.ServiceError as refusal:  # a closed book: it is tried again
                log.warning("movement %s is not booked: %s", movement_id, refusal.code)
                return 0
            previous = transitions.move(row, "settle")
            changes.save(row)
            direction = "OUT" if row.kind == MovementKind.INVEST else "IN"
            changes.write_down(caller, row, direction)
            event = "investment.invested" if row.kind == MovementKind.INVEST else "investment.withdrawn"
        else:
            previous = transitions.move(row, "fail")
            row.failure_code = outcome.failure_code
            movements.give_back(row)
            changes.save(row)
            event = "investment.failed"
        changes.record_change(caller, row, event, "investment.settle", previous)
    return 1


def _book(row: Movement) -> None:
    """Moves cash and units at the price of the value date."""
    account, fund = row.account, row.account.fund
    assert account.holding_id is not None
    assert row.wallet is not None
    accrual.catch_up(account)
    row.price = catalogue.price_on(fund, row.value_date)
    if row.kind == MovementKind.INVEST:
        row.units = units.bought(row.amount_minor, row.price, fund.currency)
        held = LedgerHold.objects.get(pk=row.ledger_hold_id or 0)
        legs = [Leg(row.wallet.ledger_account_id, -row.amount_minor), Leg(account.holding_id, row.amount_minor)]
        posted = capture_legs(held, legs, f"{row.ref}:settled", kind="INVESTMENT", description=f"Units of {fund.name}")
        if account.accrued_until is None:  # the day of the first units is the first that earns
            account.accrued_until = today(row.business) - timedelta(days=1)
        account.units += row.units
        row.ledger_transaction_id = posted.id
    else:
        _redeem(row)
    account.version += 1
    account.save()


def _redeem(row: Movement) -> None:
    """Units leave at what was paid for them; what they brought more or less than that is income of funds."""
    account, fund = row.account, row.account.fund
    assert account.holding_id is not None
    assert row.wallet is not None
    assert row.price is not None
    book = balance(account.holding_id).posted
    part = units.book_part(book, row.units, account.units)
    row.amount_minor = units.worth(row.units, row.price, fund.currency)
    income = system_account(row.business, "FUND_INCOME", fund.currency).pk
    legs = [
        Leg(account.holding_id, -part),
        Leg(row.wallet.ledger_account_id, row.amount_minor),
        Leg(income, part - row.amount_minor),
    ]
    legs = [leg for leg in legs if leg.amount_minor]
    if legs:
        posted = post(row.business, f"{row.ref}:settled", "INVESTMENT", legs, f"Units of {fund.name} redeemed")
        row.ledger_transaction_id = posted.id
    account.units -= row.units
    account.held_units -= row.units
