"""Funds, accounts, opt-ins and movements as the interface shows them, in answers and in events."""

from collections.abc import Sequence
from datetime import date, datetime
from decimal import Decimal
from typing import TypedDict

from django.utils import timezone

from service import money
from service.approvals.models import Approval
from service.businesses.models import Role
from service.investments import catalogue, units
from service.investments.models import Fund, FundAccount, Movement, Operator, OptIn
from service.ledger.balances import balances
from service.ledger.post import today


class FundShape(TypedDict):
    """A fund with the price of its units on the day that it is in UTC: a fund is of no business."""

    _id: str
    code: str
    name: str
    manager: str
    currency: str
    type: str
    annual_yield_bps: int
    yield_as_of: date
    min_initial: Decimal
    min_topup: Decimal
    min_withdrawal: Decimal
    notice_days: int
    unit_price: Decimal
    price_as_of: date
    status: str


class FundAccountShape(TypedDict):
    """A fund account with what it is worth now."""

    _id: str
    fund_id: str
    fund_code: str
    fund_name: str
    status: str
    currency: str
    units: Decimal
    held_units: Decimal
    unit_price: Decimal
    invested: Decimal
    accrued: Decimal
    market_value: Decimal
    cash: Decimal
    as_of: datetime
    version: int
    createdAt: datetime
    updatedAt: datetime


class MovementShape(TypedDict):
    """A movement of a fund account: its amount in units and minor units, an estimate until it is settled."""

    _id: str
    ref: str
    fund_account_id: str
    kind: str
    status: str
    amount: Decimal
    amount_minor: int
    currency: str
    units: Decimal | None
    price: Decimal | None
    org_wallet_ref: str | None
    value_date: date
    requested_by: str
    failure_code: str | None
    ledger_transaction_id: int | None
    version: int
    createdAt: datetime
    updatedAt: datetime


class OptInShape(TypedDict):
    """An opt-in with its votes: one other person's where no mandate asks for more."""

    ref: str
    fund_account_id: str
    fund_id: str
    fund_name: str
    status: str
    note: str
    requested_by: str
    approval_id: str | None
    approvals_required: int
    approvals_given: int
    decided_by: str | None
    decided_at: datetime | None
    expires_at: datetime
    version: int
    createdAt: datetime
    updatedAt: datetime


class OperatorShape(TypedDict):
    """What somebody was named for on a fund account, and what of it is in effect."""

    employee_id: str
    name: str
    can_invest: bool
    can_withdraw: bool
    status: str
    may_invest: bool
    may_withdraw: bool
    named_by: str | None
    named_at: datetime | None
    confirmed_by: str | None
    confirmed_at: datetime | None


class OperatorsShape(TypedDict):
    """The operators with the version that If-Match names."""

    fund_account_id: str
    version: int
    operators: list[OperatorShape]


def fund(row: Fund) -> FundShape:
    """A fund with the price of its units on the day that it is in UTC: a fund is of no business."""
    day = timezone.now().date()
    return {
        "_id": row.id,
        "code": row.code,
        "name": row.name,
        "manager": row.manager,
        "currency": row.currency,
        "type": row.type,
        "annual_yield_bps": row.annual_yield_bps,
        "yield_as_of": row.yield_as_of,
        "min_initial": money.to_number(row.min_initial_minor, row.currency),
        "min_topup": money.to_number(row.min_topup_minor, row.currency),
        "min_withdrawal": money.to_number(row.min_withdrawal_minor, row.currency),
        "notice_days": row.notice_days,
        "unit_price": catalogue.price_on(row, day),
        "price_as_of": day,
        "status": row.status,
    }


def accounts(rows: Sequence[FundAccount]) -> list[FundAccountShape]:
    """Fund accounts with what they are worth now; one query for all balances."""
    holding_ids = [row.holding_id for row in rows if row.holding_id]
    holding_ids += [row.cash.ledger_account_id for row in rows if row.cash]
    posted = (
        {account_id: ledger_balance.posted for account_id, ledger_balance in balances(holding_ids).items()}
        if holding_ids
        else {}
    )
    return [_account(row, posted) for row in rows]


def account(row: FundAccount) -> FundAccountShape:
    """A fund account as answers have it: `accounts` of one."""
    return accounts([row])[0]


def _account(row: FundAccount, posted: dict[int, int]) -> FundAccountShape:
    currency = row.fund.currency
    price = catalogue.price_on(row.fund, today(row.business))
    accrued = int(row.accrued.scaleb(money.exponent(currency)))
    market = units.worth(row.units, price, currency) + accrued
    invested = posted.get(row.holding_id or 0, 0)
    cash = posted.get(row.cash.ledger_account_id, 0) if row.cash else 0
    return {
        "_id": row.id,
        "fund_id": row.fund_id,
        "fund_code": row.fund.code,
        "fund_name": row.fund.name,
        "status": row.status,
        "currency": currency,
        "units": row.units,
        "held_units": row.held_units,
        "unit_price": price,
        "invested": money.to_number(invested, currency),
        "accrued": money.to_number(accrued, currency),
        "market_value": money.to_number(market, currency),
        "cash": money.to_number(cash, currency),
        "as_of": timezone.now(),
        "version": row.version,
        "createdAt": row.created_at,
        "updatedAt": row.updated_at,
    }


def movement(row: Movement) -> MovementShape:
    """A movement; its account with the fund, and its wallet, should be joined."""
    currency = row.account.fund.currency
    return {
        "_id": row.id,
        "ref": row.ref,
        "fund_account_id": row.account_id,
        "kind": row.kind,
        "status": row.status,
        "amount": money.to_number(row.amount_minor, currency),
        "amount_minor": row.amount_minor,
        "currency": currency,
        "units": row.units,
        "price": row.price,
        "org_wallet_ref": (row.wallet.org_wallet_ref or None) if row.wallet else None,
        "value_date": row.value_date,
        "requested_by": row.requested_by,
        "failure_code": row.failure_code or None,
        "ledger_transaction_id": row.ledger_transaction_id,
        "version": row.version,
        "createdAt": row.created_at,
        "updatedAt": row.updated_at,
    }


def opt_in(row: OptIn) -> OptInShape:
    """An opt-in with its votes: one other person's where no mandate asks for more."""
    approval = Approval.objects.filter(id=row.approval_id).first() if row.approval_id else None
    given = approval.approvals_given if approval else int(row.status == "APPROVED")
    return {
        "ref": row.ref,
        "fund_account_id": row.account_id,
        "fund_id": row.account.fund_id,
        "fund_name": row.account.fund.name,
        "status": row.status,
        "note": row.note,
        "requested_by": row.requested_by,
        "approval_id": row.approval_id or None,
        "approvals_required": approval.approvals_required if approval else 1,
        "approvals_given": given,
        "decided_by": row.decided_by or None,
        "decided_at": row.decided_at,
        "expires_at": row.expires_at,
        "version": row.version,
        "createdAt": row.created_at,
        "updatedAt": row.updated_at,
    }


def operators(row: FundAccount, seats: Sequence[Operator]) -> OperatorsShape:
    """The operators with the version that If-Match names."""
    return {
        "fund_account_id": row.id,
        "version": row.operators_version,
        "operators": [
            {
                "employee_id": operator.employee_id,
                "name": operator.employee.name,
                "can_invest": operator.can_invest,
                "can_withdraw": operator.can_withdraw,
                "status": "PENDING" if operator.waits else "ACTIVE",
                "may_invest": operator.confirmed_invest or operator.employee.role == Role.APPROVER,
                "may_withdraw": operator.confirmed_withdraw or operator.employee.role == Role.APPROVER,
                "named_by": operator.named_by or None,
                "named_at": operator.named_at,
                "confirmed_by": operator.confirmed_by or None,
                "confirmed_at": operator.confirmed_at,
            }
            for operator in seats
        ],
    }
