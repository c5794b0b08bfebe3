"""Money of employees in v2: translates between the wire and service/employees/funds.py."""

from django.http import HttpResponse
from ninja import Query, Router, Schema
from pydantic import Field

from service import inputs
from service.accounts import schemas as account_schemas
from service.accounts import selectors, serializers
from service.auth import TEAM_AND_OFFICE, ApiRequest, requires
from service.businesses.models import Role
from service.employees import funds
from service.employees import selectors as employees_selectors
from service.employees.funds import FundsMove
from service.employees.schemas_funds import BalancesPage, Funds, FundsOut
from service.idempotency import idempotent
from service.pagination import LARGEST_PAGE, PageQuery, page_of
from service.respond import answer
from service.text import CurrencyCode, ObjectId

router = Router(tags=["Employees"])

FUNDERS = frozenset({Role.APPROVER})


class EmployeeStatementQuery(Schema):
    """Whose statement, in which currency, and a page of it; days are inclusive, in the business's time zone."""

    employee_id: ObjectId | None = Field(None, description="One's own where it is missing.")
    currency: CurrencyCode | None = Field(None, description="The business's where it is missing.")
    page: inputs.Whole = Field(1, ge=1, le=LARGEST_PAGE)
    limit: inputs.Whole = Field(50, ge=1, le=1000)
    from_: inputs.Day | None = Field(None, alias="from")
    to: inputs.Day | None = None


class EmployeeBalancesQuery(PageQuery):
    """A page of employees, or one of them."""

    employee_id: ObjectId | None = Field(None, description="This employee alone.")


@router.get("/balances", response=BalancesPage, summary="What employees have on their wallets")
@requires(scope="employees:read", roles=TEAM_AND_OFFICE)
def list_employee_balances(request: ApiRequest, query: Query[EmployeeBalancesQuery]) -> HttpResponse:
    """The employees that the caller sees, with their wallets: a card user sees themselves, a reviewer the members of
    their teams and themselves, the office everybody."""
    caller = request.caller
    rows = employees_selectors.employees(caller)
    if query.employee_id:
        rows = rows.filter(id=query.employee_id)
    return page_of(rows, request, query, show_all=lambda page: funds.balances(caller, page))


@router.get("/view-statement", response=account_schemas.StatementPage, summary="The statement of an employee's wallet")
@requires(scope="employees:read")
def view_statement(request: ApiRequest, query: Query[EmployeeStatementQuery]) -> HttpResponse:
    """A page of the statement, newest first: of the caller's own wallet unless an employee is named, in the business's
    currency unless another is. 404 for whom the caller does not see and for a currency without a wallet."""
    wallet = funds.wallet_of(request.caller, query.employee_id, query.currency)
    statement = selectors.read_statement(wallet, page=query.page, limit=query.limit, first=query.from_, last=query.to)
    response = answer(serializers.statement(statement, wallet, page=query.page, limit=query.limit))
    response["X-Business-Timezone"] = request.caller.business.time_zone
    return response


@router.post("/allocate-funds", response=FundsOut, summary="Put funds on an employee's wallet")
@requires(scope="employees:funds", roles=FUNDERS)
@idempotent(required=True, money=True)
def allocate_funds(request: ApiRequest, body: Funds) -> HttpResponse:
    """Puts money of the business on an employee's wallet. 404 for the employee or the wallet, 409 invalid_state for a
    suspended employee or wallet, 422 for an amount that is none in the wallet's currency, for insufficient_funds,
    and beyond a limit of the caller's wallet policy."""
    return answer(funds.allocate(request.caller, _movement(body)))


@router.post("/remove-funds", response=FundsOut, summary="Take funds off an employee's wallet")
@requires(scope="employees:funds", roles=FUNDERS)
@idempotent(required=True, money=True)
def remove_funds(request: ApiRequest, body: Funds) -> HttpResponse:
    """Takes money off an employee's wallet, a suspended one's too, back to the business; refusals as for putting it on."""
    return answer(funds.remove(request.caller, _movement(body)))


def _movement(body: Funds) -> FundsMove:
    return FundsMove(
        employee_id=body.employee_id,
        amount=body.amount,
        currency=body.currency,
        org_wallet_ref=body.org_wallet_ref,
        note=body.note or "",
    )
