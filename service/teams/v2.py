"""Teams in v2: translates between the wire and service/teams/services.py."""

from django.http import HttpResponse
from ninja import Query, Router

from service.auth import ADMINS, TEAM_AND_OFFICE, ApiRequest, requires
from service.idempotency import idempotent
from service.pagination import PageQuery, page_of
from service.respond import answer
from service.teams import reviewers, selectors, serializers, services
from service.teams.schemas import NewTeam, TeamChange, TeamOut, TeamPage

router = Router(tags=["Teams"])


@router.get("", response=TeamPage, summary="List teams")
@requires(scope="teams:read", roles=TEAM_AND_OFFICE)
def list_teams(request: ApiRequest, query: Query[PageQuery]) -> HttpResponse:
    """A reviewer sees the teams they review, everybody else in the office all of the business."""
    return page_of(selectors.teams(request.caller), request, query, serializers.team)


@router.post("", response={201: TeamOut}, summary="Create a team")
@requires(scope="teams:write", roles=ADMINS)
@idempotent()
def create_team(request: ApiRequest, body: NewTeam) -> HttpResponse:
    """A new team; 409 duplicate when the code is taken."""
    return answer(serializers.team(services.create(request.caller, body)), 201)


@router.get("/{id}", response=TeamOut, summary="Read a team")
@requires(scope="teams:read", roles=TEAM_AND_OFFICE)
def read_team(request: ApiRequest, id: str) -> HttpResponse:  # noqa: A002  the published name
    """One team; 404 when it is none of the caller's to see."""
    return answer(serializers.team(selectors.get_team(request.caller, id)))


@router.put("/{id}", response=TeamOut, summary="Update a team, and who reviews it")
@requires(scope="teams:write", roles=ADMINS)
@idempotent()
def update_team(request: ApiRequest, id: str, body: TeamChange) -> HttpResponse:  # noqa: A002
    """Changes name, code, status or description, and with `reviewers` makes these and no others the reviewers; 404, 409
    duplicate for a code that is taken."""
    if body.reviewers is not None:
        reviewers.replace(request.caller, id, {reviewer.employee_id: reviewer.read_only for reviewer in body.reviewers})
    return answer(serializers.team(services.update(request.caller, id, body)))


@router.delete("/{id}", response=TeamOut, summary="Delete a team without members")
@requires(scope="teams:write", roles=ADMINS)
@idempotent()
def delete_team(request: ApiRequest, id: str) -> HttpResponse:  # noqa: A002
    """Deletes a team without members that no active workflow and no policy names; what was spent in it keeps its name.
    404, 409 in_use with all that names it."""
    return answer(serializers.team(services.delete(request.caller, id)))
