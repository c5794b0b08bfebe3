"""Who reviews a team: added, removed, or the whole set replaced.

Locks: the employees in the order of their ids, then the team.
"""

from collections.abc import Mapping, Sequence

from django.db import transaction

from service import errors
from service.auth import Caller
from service.businesses.models import Employee, Team, TeamReviewer
from service.respond import ChangedFields
from service.teams import services
from service.teams.selectors import get_team, lock_team


def add(caller: Caller, team_id: str, employee_id: str, *, read_only: bool) -> Team:
    """Makes an employee a reviewer of the team, or changes whether they only read. Their role stays what it is: the seat
    gives a reviewer's rights for this team while it is held.

    404 for a team of another business, 422 for an employee who is not active there.
    """
    get_team(caller, team_id)
    with transaction.atomic():
        person = _active(caller, [employee_id], "employee_id")[employee_id]
        _seat(caller, lock_team(caller, team_id), person, read_only)
    return get_team(caller, team_id)


def remove(caller: Caller, team_id: str, employee_id: str) -> Team:
    """Takes the reviewer's seat in the team away; 404 where the employee has none. Their role stays what it is."""
    with transaction.atomic():
        row = lock_team(caller, team_id)
        seat = TeamReviewer.objects.filter(team=row, employee_id=employee_id).first()
        if seat is None:
            raise errors.not_found("reviewer of this team")
        _unseat(caller, row, seat)
    return get_team(caller, team_id)


def replace(caller: Caller, team_id: str, read_only_by_id: Mapping[str, bool]) -> Team:
    """Makes these and no others the reviewers: employee ids, and whether each only reads. Refusals as `add`."""
    get_team(caller, team_id)
    with transaction.atomic():
        people = _active(caller, list(read_only_by_id), "reviewers.{place}.employee_id")
        row = lock_team(caller, team_id)
        for seat in TeamReviewer.objects.filter(team=row).exclude(employee_id__in=read_only_by_id).order_by("id"):
            _unseat(caller, row, seat)
        for employee_id, read_only in read_only_by_id.items():
            _seat(caller, row, people[employee_id], read_only)
    return get_team(caller, team_id)


def vacate(caller: Caller, person: Employee) -> None:
    """Takes all seats of somebody who leaves; inside the caller's transaction."""
    for seat in TeamReviewer.objects.filter(employee=person).select_related("team").order_by("team_id"):
        _unseat(caller, seat.team, seat)


def _active(caller: Caller, employee_ids: Sequence[str], field: str) -> dict[str, Employee]:
    """These employees, locked; 422 naming the place of the first who is not active in the business."""
    rows = Employee.objects.select_for_update(no_key=True, of=("self",)).select_related("team").order_by("id")
    active = rows.filter(business_id=caller.business.id, id__in=employee_ids, status=Employee.Status.ACTIVE)
    employees = {row.id: row for row in active}
    for place, employee_id in enumerate(employee_ids):
        if employee_id not in employees:
            raise errors.validation_failed(field.format(place=place), "There is no such active employee.", "unknown")
    return employees


def _seat(caller: Caller, row: Team, person: Employee, read_only: bool) -> None:
    seat = TeamReviewer.objects.filter(team=row, employee=person).first()
    if seat is None:
        TeamReviewer.objects.create(team=row, employee=person, read_only=read_only)
        before = None
    elif seat.read_only != read_only:
        before = {"read_only": seat.read_only}
        seat.read_only = read_only
        seat.save(update_fields=["read_only"])
    else:
        return
    services.save(caller, row, [])
    services.record_change(
        caller, row, "team.updated" if before else "team.reviewer_added", "team.add_reviewer", {"reviewers": before}
    )


def _unseat(caller: Caller, row: Team, reviewer: TeamReviewer) -> None:
    before: ChangedFields = {"reviewers": {"employee_id": reviewer.employee_id, "read_only": reviewer.read_only}}
    reviewer.delete()
    services.save(caller, row, [])
    services.record_change(caller, row, "team.reviewer_removed", "team.remove_reviewer", before)
