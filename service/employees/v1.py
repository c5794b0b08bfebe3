"""Employees in the old interface: bare arrays, CARD USER with a space, the wallet's balance (decisions A.2).

Both forms of its addresses are served: those of the summary table, which name the employee in the query or the body,
and those of the detail section, which name them in the path.
"""

from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from typing import Annotated, TypedDict

from django.http import HttpResponse
from ninja import Body, Query, Router, Schema
from pydantic import ConfigDict, Field

from service import errors, inputs, money, periods
from service.accounts import employee_wallets
from service.accounts.models import Wallet
from service.accounts.wallets import wallet_by_ref
from service.apikey import with_key
from service.auth import ApiRequest, Caller
from service.businesses.models import Employee
from service.employees import funds, lifecycle, selectors, services
from service.employees.funds import FundsMove
from service.employees.schemas import NewEmployee
from service.employees.schemas_funds import FundsWalletRef
from service.idempotency import idempotent
from service.respond import answer
from service.text import ObjectId, Words
from service.v1_schemas import ListQuery, role_name

router = Router(tags=["v1"])


class EmployeeQuery(ListQuery):
    """A page of them, or one; balances are in the currency of the wallet `org_wallet_ref`."""

    employee_id: ObjectId | None = None
    org_wallet_ref: FundsWalletRef = "1"


class WhoQuery(Schema):
    """The employee that is asked about, by their id."""

    employee_id: ObjectId


class MaybeWho(Schema):
    """Who is meant, where the body does not say so."""

    employee_id: ObjectId | None = None


class Amount(Schema):
    """Money to add or to deduct."""

    model_config = ConfigDict(extra="forbid")

    amount: inputs.Number = Field(gt=0)
    currency: str | None = Field(None, pattern="^[A-Z]{3}$")
    org_wallet_ref: FundsWalletRef = "1"
    description: Words | None = None


class AmountOf(Amount):
    """The same, naming the employee."""

    employee_id: ObjectId | None = None


class EmployeeShape(TypedDict):
    """An employee in the fields of the old interface; the balance is of their wallet in the currency that was asked for."""

    id: str
    name: str
    phone: str
    team_code: str
    organization_email: str
    role: str
    accno: str
    balance: Decimal
    status: str
    createdAt: datetime


def serialize_all(caller: Caller, rows: Sequence[Employee], currency: str) -> list[EmployeeShape]:
    """Employees as the old interface shows them, with their wallet in that currency."""
    wallets = employee_wallets.of(caller.business, [row.id for row in rows], currency)
    return [_employee(row, wallets.get(row.id, []), currency) for row in rows]


def _employee(row: Employee, held: Sequence[Wallet], currency: str) -> EmployeeShape:
    own = held[0] if held else None
    return {
        "id": row.id,
        "name": row.name,
        "phone": row.phone,
        "team_code": row.team.code if row.team else "",
        "organization_email": row.email,
        "role": role_name(row.role),
        "accno": own.accno if own else "",
        "balance": money.to_number(own.ledger_account.balance.posted if own else 0, currency),
        "status": row.status,
        "createdAt": row.created_at,
    }


def _answer(caller: Caller, row: Employee, org_wallet_ref: str = "1", status: int = 200) -> HttpResponse:
    return answer(serialize_all(caller, [row], wallet_by_ref(caller.business, org_wallet_ref).currency)[0], status)


@router.get("")
@with_key
def list_employees(request: ApiRequest, query: Query[EmployeeQuery]) -> HttpResponse:
    """A bare array; of one where employee_id names one (404 where there is no such)."""
    caller = request.caller
    currency = wallet_by_ref(caller.business, query.org_wallet_ref).currency
    if query.employee_id:
        return answer(serialize_all(caller, [selectors.get_employee(caller, query.employee_id)], currency))
    rows = selectors.employees(caller)
    start, end = periods.between(caller.business, query.fromDate or query.fromdate, query.toDate or query.todate)
    if start:
        rows = rows.filter(created_at__gte=start)
    if end:
        rows = rows.filter(created_at__lt=end)
    first = (query.page - 1) * query.limit
    page = rows.order_by("-created_at", "-id")[first : first + query.limit]
    return answer(serialize_all(caller, list(page), currency))


@router.post("")
@with_key
@idempotent()
def create_employee(request: ApiRequest, body: NewEmployee) -> HttpResponse:
    """A new employee, with a wallet in the business's currency. 403 by the role ceiling, 400 for an unknown team code,
    409 duplicate for an e-mail address that is taken."""
    return _answer(request.caller, services.create(request.caller, body), status=201)


NewEmployees = Annotated[list[NewEmployee], Field(min_length=1, max_length=500)]


@router.post("/bulk")
@with_key
@idempotent()
def create_employees(request: ApiRequest, body: Body[NewEmployees]) -> HttpResponse:
    """All of them, or none where one is refused."""
    caller = request.caller
    rows = services.create_many(caller, body)
    return answer(serialize_all(caller, rows, wallet_by_ref(caller.business, "1").currency), 201)


@router.delete("/suspend")
@with_key
@idempotent()
def suspend_employee(request: ApiRequest, query: Query[WhoQuery]) -> HttpResponse:
    """Suspends somebody else; a second time nothing happens. 404, 403 for oneself, 409 where approvals would strand."""
    return _answer(request.caller, lifecycle.suspend(request.caller, query.employee_id))


@router.patch("/activate")
@with_key
@idempotent()
def activate_employee(request: ApiRequest, query: Query[WhoQuery]) -> HttpResponse:
    """Lets a suspended employee act and spend again; nothing happens to an active one. 404."""
    return _answer(request.caller, lifecycle.activate(request.caller, query.employee_id))


@router.post("/addMoney")
@with_key
@idempotent(money=True)
def add_money(request: ApiRequest, query: Query[MaybeWho], body: AmountOf) -> HttpResponse:
    """Puts money of the business on an employee's wallet. 404 for the employee, 409 for a suspended employee or wallet,
    400 for an amount that is none in the wallet's currency and for insufficient funds."""
    return _add(request.caller, _named(body, query), body)


@router.post("/deductMoney")
@with_key
@idempotent(money=True)
def deduct_money(request: ApiRequest, query: Query[MaybeWho], body: AmountOf) -> HttpResponse:
    """Takes money off an employee's wallet, a suspended one's too, back to the business; refusals as for putting it on."""
    return _deduct(request.caller, _named(body, query), body)


@router.post("/{employeeId}/suspend")
@with_key
@idempotent()
def suspend_employee_by_path(request: ApiRequest, employeeId: str) -> HttpResponse:  # noqa: N803  the published name
    """Suspends somebody else; a second time nothing happens. 404, 403 for oneself, 409 where approvals would strand."""
    return _answer(request.caller, lifecycle.suspend(request.caller, employeeId))


@router.post("/{employeeId}/activate")
@with_key
@idempotent()
def activate_employee_by_path(request: ApiRequest, employeeId: str) -> HttpResponse:  # noqa: N803
    """Lets a suspended employee act and spend again; nothing happens to an active one. 404."""
    return _answer(request.caller, lifecycle.activate(request.caller, employeeId))


@router.post("/{employeeId}/wallet/add")
@with_key
@idempotent(money=True)
def add_to_wallet(request: ApiRequest, employeeId: str, body: Amount) -> HttpResponse:  # noqa: N803
    """Puts money of the business on an employee's wallet. 404 for the employee, 409 for a suspended employee or wallet,
    400 for an amount that is none in the wallet's currency and for insufficient funds."""
    return _add(request.caller, employeeId, body)


@router.post("/{employeeId}/wallet/deduct")
@with_key
@idempotent(money=True)
def deduct_from_wallet(request: ApiRequest, employeeId: str, body: Amount) -> HttpResponse:  # noqa: N803
    """Takes money off an employee's wallet, a suspended one's too, back to the business; refusals as for putting it on."""
    return _deduct(request.caller, employeeId, body)


def _named(body: AmountOf, query: MaybeWho) -> str:
    employee_id = body.employee_id or query.employee_id
    if employee_id is None:
        raise errors.validation_failed("employee_id", "Name the employee.", "missing")
    return employee_id


def _add(caller: Caller, employee_id: str, body: Amount) -> HttpResponse:
    funds.allocate(caller, _movement(employee_id, body))
    return _answer(caller, selectors.get_employee(caller, employee_id), body.org_wallet_ref)


def _deduct(caller: Caller, employee_id: str, body: Amount) -> HttpResponse:
    funds.remove(caller, _movement(employee_id, body))
    return _answer(caller, selectors.get_employee(caller, employee_id), body.org_wallet_ref)


def _movement(employee_id: str, body: Amount) -> FundsMove:
    return FundsMove(
        employee_id=employee_id,
        amount=body.amount,
        currency=body.currency,
        org_wallet_ref=body.org_wallet_ref,
        note=body.description or "",
    )
