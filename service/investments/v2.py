"""Investments in v2, as published: opting in, moving money, who operates. The catalogue and analytics: v2_portfolio.py."""

from typing import Annotated

from django.http import HttpResponse
from ninja import Header, Router

from service import inputs
from service.auth import ADMINS, EVERYBODY, OFFICE, ApiRequest, requires
from service.businesses.models import Role
from service.documentation import EXTENSION
from service.idempotency import idempotent, in_transaction
from service.investments import access, movements, opt_ins, schemas, serializers
from service.investments.models import MovementStatus
from service.respond import answer

router = Router(tags=["Investments"])

ASKERS = frozenset({Role.APPROVER, Role.ADMIN})
PROBLEM = {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
IfMatch = Annotated[
    inputs.Line | None, Header(alias="If-Match", max_length=80, description="The version that was read.")
]
PRECONDITIONS = {
    "responses": {
        "412": {"description": "Replaced since it was read", "content": PROBLEM},
        "428": {"description": "If-Match is missing", "content": PROBLEM},
    }
}


@router.post("/opt-in", response={201: schemas.OptInOut}, summary="Request a fund account")
@requires(scope="investments:move", roles=ASKERS, private_label=True)
@idempotent(required=True, money=True)
def opt_in(request: ApiRequest, body: schemas.OptInBody) -> HttpResponse:
    """Asks for a fund account; 404 for the fund, 409 where it is closed, or the business has or asked for it already."""
    return answer(serializers.opt_in(opt_ins.request_opt_in(request.caller, body)), 201)


@router.get("/opt-in/{ref}", response=schemas.OptInOut, summary="Read an opt-in and its votes")
@requires(scope="investments:read", roles=OFFICE, private_label=True)
def read_opt_in(request: ApiRequest, ref: str) -> HttpResponse:
    """One opt-in; 404 when it is none of the business's."""
    return answer(serializers.opt_in(opt_ins.get_opt_in(request.caller, ref)))


@router.post("/opt-in/{ref}/approve", response=schemas.OptInOut, summary="Approve an opt-in")
@requires(scope="investments:move", roles=access.MOVERS, private_label=True, person=True)
@idempotent(money=True)
def approve_opt_in(request: ApiRequest, ref: str) -> HttpResponse:
    """A vote where a mandate asks for several; the account opens with the last one."""
    return answer(serializers.opt_in(opt_ins.approve(request.caller, ref)))


@router.post("/opt-in/{ref}/reject", response=schemas.OptInOut, summary="Reject an opt-in", openapi_extra=EXTENSION)
@requires(scope="investments:move", roles=access.MOVERS, private_label=True, person=True)
@idempotent(money=True)
def reject_opt_in(request: ApiRequest, ref: str, body: schemas.OptInRejection) -> HttpResponse:
    """Ends a request for a fund, by the caller's vote where a mandate asks for votes. 403 for whoever asked and whom
    the mandate does not name, 409 once it is decided or its seven days are over."""
    return answer(serializers.opt_in(opt_ins.reject(request.caller, ref, body.reason)))


@router.post("/accounts/{fundAccountId}/invest", response={202: schemas.FundMovementOut}, summary="Buy units")
@requires(scope="investments:move", roles=access.MOVERS, private_label=True, grant=access.GRANT)
@idempotent(required=True, money=True)
def invest(request: ApiRequest, fundAccountId: str, body: schemas.InvestBody) -> HttpResponse:  # noqa: N803
    """Out of the account's investment wallet unless another is named; settled by the fund manager within the day."""
    return answer(serializers.movement(movements.invest(request.caller, fundAccountId, body)), 202)


@router.post(
    "/accounts/{fundAccountId}/top-up",
    response={201: schemas.FundMovementOut, 202: schemas.FundMovementOut},
    summary="Fund the investment wallet",
)
@requires(scope="investments:move", roles=access.MOVERS, private_label=True, grant=access.GRANT)
@idempotent(required=True, money=True)
def top_up(request: ApiRequest, fundAccountId: str, body: schemas.TopUpBody) -> HttpResponse:  # noqa: N803
    """202 where a mandate asks for votes first; the cash is held meanwhile."""
    row = movements.top_up(request.caller, fundAccountId, body)
    return answer(serializers.movement(row), 201 if row.status == MovementStatus.SETTLED else 202)


@router.post("/accounts/{fundAccountId}/withdraw", response={202: schemas.FundMovementOut}, summary="Redeem units")
@requires(scope="investments:move", roles=access.MOVERS, private_label=True, grant=access.GRANT)
@idempotent(required=True, money=True)
def withdraw(request: ApiRequest, fundAccountId: str, body: schemas.WithdrawBody) -> HttpResponse:  # noqa: N803
    """The units are held at once, and paid out after the fund's notice at the price of that day."""
    return answer(serializers.movement(movements.withdraw(request.caller, fundAccountId, body)), 202)


@router.get("/accounts/{fundAccountId}/permissions", response=schemas.OperatorsOut, summary="The treasury operators")
@requires(scope="investments:read", roles=OFFICE, private_label=True)
def read_operators(request: ApiRequest, fundAccountId: str) -> HttpResponse:  # noqa: N803
    """The operators of a fund account, by name; 404 when the business has no such account."""
    row = access.get_account(request.caller, fundAccountId)
    return _tagged(answer(serializers.operators(row, access.list_operators(row))), row.operators_version)


@router.put(
    "/accounts/{fundAccountId}/permissions",
    response=schemas.OperatorsOut,
    summary="Replace the treasury operators",
    openapi_extra=PRECONDITIONS,
)
@requires(scope="investments:access", roles=ADMINS, private_label=True)
@in_transaction
def replace_operators(
    request: ApiRequest,
    fundAccountId: str,  # noqa: N803
    body: schemas.OperatorsBody,
    if_match: IfMatch = None,
) -> HttpResponse:
    """Never about oneself. Who is new, or gets more, counts once another admin has confirmed it."""
    version = access.version_named(if_match)
    row, operators = access.replace(request.caller, fundAccountId, body, version)
    return _tagged(answer(serializers.operators(row, operators)), row.operators_version)


@router.post(
    "/accounts/{fundAccountId}/permissions/{employeeId}/confirm",
    response=schemas.OperatorsOut,
    summary="Confirm an operator whom another admin named",
    openapi_extra=EXTENSION | PRECONDITIONS,
)
@requires(scope="investments:access", roles=ADMINS, private_label=True, person=True)
@idempotent()
def confirm_operator(
    request: ApiRequest,
    fundAccountId: str,  # noqa: N803
    employeeId: str,  # noqa: N803
    if_match: IfMatch = None,
) -> HttpResponse:
    """The rights as they are named in that version count from now on. Neither by who named them, nor by the operator."""
    version = access.version_named(if_match)
    row, operators = access.confirm(request.caller, fundAccountId, employeeId, version)
    return _tagged(answer(serializers.operators(row, operators)), row.operators_version)


@router.get("/accounts/{fundAccountId}/access", response=schemas.AccessOut, summary="What the current employee may do")
@requires(scope="investments:read", roles=EVERYBODY, private_label=True, person=True)
def read_access(request: ApiRequest, fundAccountId: str) -> HttpResponse:  # noqa: N803
    """What the caller's person may do with a fund account; 404 without the account."""
    rights = access.of_caller(request.caller, fundAccountId)
    return answer(access.access(rights, request.caller.employee_id))


def _tagged(response: HttpResponse, version: int) -> HttpResponse:
    response["ETag"] = f'"{version}"'
    return response
