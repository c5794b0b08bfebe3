"""Who supervises whom in a demo business: what the organisation chart shows."""

from collections.abc import Sequence

from service.businesses.models import Business, Employee, Role
from service.sandbox.cast import Person


def name_supervisors(business: Business, people: Sequence[Person]) -> None:
    """Card users report to the first who reviews their team, reviewers and approvers to an admin, admins to a super admin."""
    rows = {row.name: row for row in Employee.objects.filter(business=business)}

    def first(*roles: Role, team: str = "") -> Employee | None:
        chosen = (person for person in people if person.role in roles and (not team or _reviews(person, team)))
        return next((rows[person.name] for person in chosen), None)

    for person in people:
        row = rows[person.name]
        if person.role == Role.CARD_USER:
            row.supervisor = first(Role.REVIEWER, team=person.team) or first(Role.ADMIN)
        elif person.role in (Role.REVIEWER, Role.APPROVER):
            row.supervisor = first(Role.ADMIN)
        elif person.role == Role.ADMIN:
            row.supervisor = first(Role.SUPER_ADMIN)
    Employee.objects.bulk_update(rows.values(), ["supervisor"])


def _reviews(demo_person: Person, team: str) -> bool:
    return team in {code.rstrip("?") for code in demo_person.reviews}
