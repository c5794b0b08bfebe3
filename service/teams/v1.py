"""Teams in the old interface: a bare array, with what their members have on their wallets (decisions A.2)."""

from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from typing import TypedDict

from django.http import HttpResponse
from ninja import Router

from service import money
from service.accounts import employee_wallets
from service.apikey import with_key
from service.auth import ApiRequest, Caller
from service.businesses.models import Employee, Team
from service.idempotency import idempotent
from service.respond import answer
from service.teams import reviewers, selectors, services
from service.teams.schemas import NewTeam, TeamChange
from service.v1_schemas import role_name

router = Router(tags=["v1"])

Balances = dict[str, Decimal]


class ReviewerShape(TypedDict):
    """A reviewer of a team, as v1 shows one."""

    employee_id: str
    name: str
    read_only: bool
    _id: str
    added_on: datetime


class MemberShape(TypedDict):
    """Somebody who is in a team, with what their wallet has in the currency of the business."""

    name: str
    phone: str
    organization_email: str
    employee_id: str
    role: str
    team_code: str
    key: str
    balance: Decimal


TeamShape = TypedDict(
    "TeamShape",
    {
        "_id": str,
        "name": str,
        "status": str,
        "reviewers": list[ReviewerShape],
        "code": str,
        "createdAt": datetime,
        "updatedAt": datetime,
        "__v": int,
        "updated_by": str,
        "employee_count": int,
        "employees": list[MemberShape],
        "balance": Decimal,
    },
)
"""A team in the fields of the old interface; the balance is of all its members."""


def serialize_all(caller: Caller, teams: Sequence[Team]) -> list[TeamShape]:
    """Teams as the old interface shows them; reviewers and members should be prefetched."""
    currency = caller.business.currency
    people = [person.id for team in teams for person in team.members.all()]
    wallets = employee_wallets.of(caller.business, people, currency)
    posted = {
        employee_id: sum(wallet.ledger_account.balance.posted for wallet in held)
        for employee_id, held in wallets.items()
    }
    balances = {employee_id: money.to_number(posted.get(employee_id, 0), currency) for employee_id in people}
    return [_serialize(team, balances) for team in teams]


def _serialize(row: Team, balances: Balances) -> TeamShape:
    members = list(row.members.all())
    return {
        "_id": row.id,
        "name": row.name,
        "status": row.status,
        "reviewers": [
            {
                "employee_id": reviewer.employee_id,
                "name": reviewer.employee.name,
                "read_only": reviewer.read_only,
                "_id": reviewer.id,
                "added_on": reviewer.added_on,
            }
            for reviewer in row.reviewers.all()
        ],
        "code": row.code,
        "createdAt": row.created_at,
        "updatedAt": row.updated_at,
        "__v": row.version,
        "updated_by": row.updated_by,
        "employee_count": len(members),
        "employees": [_member(member, row, balances) for member in members],
        "balance": sum((balances[member.id] for member in members), Decimal(0)),
    }


def _member(row: Employee, team: Team, balances: Balances) -> MemberShape:
    return {
        "name": row.name,
        "phone": row.phone,
        "organization_email": row.email,
        "employee_id": row.id,
        "role": role_name(row.role),
        "team_code": team.code,
        "key": row.id,
        "balance": balances[row.id],
    }


def _answer(caller: Caller, row: Team, status: int = 200) -> HttpResponse:
    return answer(serialize_all(caller, [row])[0], status)


@router.get("")
@with_key
def list_teams(request: ApiRequest) -> HttpResponse:
    """A reviewer sees the teams they review, everybody else in the office all of the business."""
    rows = selectors.teams(request.caller).order_by("-created_at", "-id")
    return answer(serialize_all(request.caller, list(rows)))


@router.post("")
@with_key
@idempotent()
def create_team(request: ApiRequest, body: NewTeam) -> HttpResponse:
    """A new team; 409 duplicate when the code is taken."""
    return _answer(request.caller, services.create(request.caller, body), 201)


@router.get("/{id}")
@with_key
def read_team(request: ApiRequest, id: str) -> HttpResponse:  # noqa: A002  the published name
    """One team; 404 when it is none of the caller's to see."""
    return _answer(request.caller, selectors.get_team(request.caller, id))


@router.put("/{id}")
@with_key
@idempotent()
def update_team(request: ApiRequest, id: str, body: TeamChange) -> HttpResponse:  # noqa: A002
    """Changes name, code, status or description, and with `reviewers` makes these and no others the reviewers; 404, 409
    duplicate for a code that is taken."""
    if body.reviewers is not None:
        reviewers.replace(request.caller, id, {reviewer.employee_id: reviewer.read_only for reviewer in body.reviewers})
    return _answer(request.caller, services.update(request.caller, id, body))


@router.delete("/{id}")
@with_key
@idempotent()
def delete_team(request: ApiRequest, id: str) -> HttpResponse:  # noqa: A002
    """Deletes a team without members that no active workflow and no policy names; what was spent in it keeps its name.
    404, 409 in_use with all that names it."""
    return _answer(request.caller, services.delete(request.caller, id))
