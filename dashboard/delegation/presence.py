"""Who is there to decide: a seat is worth nothing while whoever holds it is away, suspended or has no way in."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta

from dashboard.access.models import Business, Membership
from dashboard.access.operation import Operation
from dashboard.access.roles import Role
from dashboard.access.standing import StandIn
from dashboard.delegation.selectors import holding
from dashboard.mirror.models import Employee
from dashboard.times import day


@dataclass(frozen=True)
class Person:
    """Somebody whom the service knows: their name, whether they work there, and their role here ("" without one)."""

    name: str
    active: bool
    role: str = ""


@dataclass(frozen=True)
class Presence:
    """Everybody of a business by employee id, and the delegations that hold."""

    business: Business
    people: dict[str, Person]
    away: tuple[StandIn, ...]

    def name(self, employee_id: str) -> str:
        """The name of an employee, or a phrase for one who is not known."""
        person = self.people.get(employee_id)
        return person.name if person else "somebody who is not known here"

    def missing(
        self, employee_id: str, operation: Operation, kind: str, amount_minor: int | None, currency: str
    ) -> str:
        """Why somebody cannot decide on such an item just now, as the end of a sentence; "" where they can."""
        person = self.people.get(employee_id)
        if person is None or not person.role:
            return "has no access here" if person is None or person.active else "is suspended"
        if not person.active:
            return "is suspended"
        if Role(person.role) not in operation.roles:
            return f"is {Role(person.role).label.lower()} now"
        for stand_in in self.away:
            if stand_in.delegator_employee == employee_id and stand_in.covers(kind, amount_minor, currency):
                return f"is away until {day(stand_in.ends_at - timedelta(seconds=1), self.business)}"
        return ""

    def there(self, operation: Operation, kind: str) -> set[str]:
        """Everybody whose role decides on such items, and who is not away from all of them."""
        return {employee_id for employee_id in self.people if not self.missing(employee_id, operation, kind, 0, "")}

    def with_back(self, employee_id: str) -> "Presence":
        """The same presence with somebody back from all their absences."""
        return Presence(
            self.business, self.people, tuple(row for row in self.away if row.delegator_employee != employee_id)
        )

    def without(self, more: Iterable[StandIn]) -> "Presence":
        """The same presence with these delegations added."""
        return Presence(self.business, self.people, (*self.away, *more))


def presence_of(business: Business) -> Presence:
    """The presence of everybody of a business now, in three queries."""
    roles = dict(
        Membership.objects.filter(business=business, is_active=True, user__is_active=True)
        .exclude(employee_id="")
        .values_list("employee_id", "role")
    )
    employees = Employee.objects.filter(business=business).values_list("remote_id", "name", "status", "tombstoned_at")
    people = {
        employee_id: Person(name, status == "ACTIVE" and tombstoned_at is None, roles.get(employee_id, ""))
        for employee_id, name, status, tombstoned_at in employees
    }
    return Presence(business, people, holding(business.pk, with_absences=True))
