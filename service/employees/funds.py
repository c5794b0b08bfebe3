"""Money of employees: put on their wallets from one of the business's, taken back, and what happened on them."""

from dataclasses import dataclass
from decimal import Decimal
from typing import TypedDict

from django.db import transaction

from service import effects, errors, money
from service.accounts.employee_wallets import of
from service.accounts.models import Wallet
from service.accounts.wallets import employee_wallet, usable_wallet
from service.auth import Caller
from service.businesses.models import Employee
from service.employees import serializers
from service.employees.selectors import get_employee, lock_employee
from service.events.audit import record_audit
from service.events.outbox import record_event
from service.journal import services as journal
from service.ledger.post import Leg, post
from service.ledger.repeats import posted_before
from service.wallet_policies import limits


@dataclass(frozen=True, slots=True, kw_only=True)
class FundsMove:
    """Money to move between a wallet of the business and an employee's; `currency` only where it is to be checked."""

    employee_id: str
    amount: Decimal
    currency: str | None = None
    org_wallet_ref: str = "1"
    note: str = ""


class FundsMovedShape(TypedDict):
    """What was moved, and what the employee's wallet has now: the fields of funds_schemas.FundsOut."""

    ref: str
    employee_id: str
    org_wallet_ref: str
    amount: Decimal
    amount_minor: int
    currency: str
    note: str
    wallet: serializers.EmployeeWalletShape
    ledger_transaction_id: int


def allocate(caller: Caller, movement: FundsMove) -> FundsMovedShape:
    """Puts money of the business on an employee's wallet; what funds_schemas.FundsOut says.

    404 for the employee or the wallet, 409 invalid_state for a suspended employee or wallet, 422 for an amount that is
    none in the wallet's currency, for insufficient_funds, and beyond a limit of the caller's wallet policy.
    """
    with transaction.atomic():
        person = lock_employee(caller, movement.employee_id)
        if person.status != Employee.Status.ACTIVE:
            raise errors.invalid_state(f"An employee who is {person.status} gets no funds.")
        return _move(caller, person, movement, "allocation", "WALLET_ALLOCATE", "employee.funds_allocated")


def remove(caller: Caller, movement: FundsMove) -> FundsMovedShape:
    """Takes money off an employee's wallet, a suspended one's too, back to the business; refusals as `allocate`."""
    with transaction.atomic():
        person = lock_employee(caller, movement.employee_id)
        return _move(caller, person, movement, "deallocation", "WALLET_DEALLOCATE", "employee.funds_removed")


def _move(
    caller: Caller, person: Employee, movement: FundsMove, what: str, permission: str, event: str
) -> FundsMovedShape:
    own = usable_wallet(caller.business, movement.org_wallet_ref)
    if movement.currency and movement.currency != own.currency:
        raise errors.validation_failed("currency", f"The wallet {own.org_wallet_ref} holds {own.currency}.")
    minor = _minor(movement.amount, own.currency)
    employee_purse = employee_wallet(caller.business, person.id, own.currency)
    ref = effects.reference(caller, what)
    if (before := posted_before(caller, what)) is not None:
        return _serialize(person, own, employee_purse, movement, minor, ref, before.pk)
    limits.check(caller, own, permission, minor)
    change = minor if what == "allocation" else -minor
    legs = [Leg(own.ledger_account_id, -change), Leg(employee_purse.ledger_account_id, change)]
    posted = post(caller.business, ref, what.upper(), legs, movement.note or f"{what.title()}: {person.name}")
    journal.record_movement(
        caller,
        type="IFT",
        org_wallet_ref=own.org_wallet_ref,
        currency=own.currency,
        amount_minor=minor,
        direction="OUT" if what == "allocation" else "IN",
        ref=ref,
        ledger_transaction_id=posted.id,
        counterparty=person.name,
        employee_id=person.id,
        team_id=person.team_id or "",
    )
    moved = _serialize(person, own, employee_purse, movement, minor, ref, posted.id)
    record_event(caller.business, event, {**serializers.employee(person), "funds": moved}, actor=caller)
    record_audit(caller, f"employee.{what}", "employee", person.id, after=moved)
    return moved


def _serialize(
    person: Employee, own: Wallet, employee_purse: Wallet, movement: FundsMove, minor: int, ref: str, posted_id: int
) -> FundsMovedShape:
    """What was moved, and what the employee's wallet has now (funds_schemas.FundsOut)."""
    return {
        "ref": ref,
        "employee_id": person.id,
        "org_wallet_ref": own.org_wallet_ref,
        "amount": money.to_number(minor, own.currency),
        "amount_minor": minor,
        "currency": own.currency,
        "note": movement.note,
        "wallet": serializers.wallet(_fresh(employee_purse)),
        "ledger_transaction_id": posted_id,
    }


def _minor(amount: Decimal, currency: str) -> int:
    try:
        minor = money.to_minor(amount, currency)
    except money.MoneyError as refusal:
        raise errors.validation_failed("amount", str(refusal)) from None
    return minor


def _fresh(row: Wallet) -> Wallet:
    return Wallet.objects.select_related("ledger_account__balance").get(pk=row.pk)


def balances(caller: Caller, rows: list[Employee]) -> list[serializers.WalletBalancesShape]:
    """These employees with their wallets, in two statements whatever their number."""
    wallets = of(caller.business, [row.id for row in rows])
    return [serializers.wallet_balances(row, wallets.get(row.id, [])) for row in rows]


def wallet_of(caller: Caller, employee_id: str | None, currency: str | None) -> Wallet:
    """The wallet whose statement is asked for: the caller's own unless an employee is named, in the business's currency
    unless another is. 404 for whom the caller does not see and for a currency in which there is no wallet."""
    owner_id = employee_id or caller.employee_id
    if owner_id is None:
        raise errors.invalid_parameters("employee_id", "Name the employee whose statement is wanted.", "missing")
    person = get_employee(caller, owner_id)
    wallets = of(caller.business, [person.id], currency or caller.business.currency).get(person.id)
    if not wallets:
        raise errors.not_found("wallet of this employee")
    return wallets[0]
