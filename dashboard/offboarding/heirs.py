"""Who can take something over: somebody active of the same business who does not leave, with the role that it needs."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import QuerySet

from dashboard.access.actor import Actor
from dashboard.access.models import Membership
from dashboard.access.roles import APPROVING, EVERYONE, STAFF, Role
from dashboard.mirror.models import Employee
from dashboard.mirror.scopes import visible_employees

ROLES = {"anybody": EVERYONE, "member": EVERYONE, "staff": STAFF, "approver": APPROVING}
ONLY = {
    "staff": "only a reviewer, approver or admin can take this over",
    "approver": "only an approver can take this seat",
}


@dataclass(frozen=True, slots=True)
class Heirs:
    """Who is offered, by name, and how anybody else is refused."""

    actor: Actor
    leaver: Employee

    def offered(self) -> QuerySet[Employee]:
        """Who is offered, by name: everybody active but the leaver."""
        rows = visible_employees(self.actor).filter(status="ACTIVE").exclude(remote_id=self.leaver.remote_id)
        return rows.order_by("sort_name", "pk")

    def known(self) -> QuerySet[Employee]:
        """Whom typed words may name: everybody, since of whoever cannot be an heir the form says why."""
        return visible_employees(self.actor)

    def find(self, employee_id: str) -> Employee | None:
        """The employee of this id in this business; None for one of another, or of none."""
        row: Employee | None = visible_employees(self.actor).filter(remote_id=employee_id).first()
        return row

    def problem(self, employee_id: str, need: str) -> str:
        """Why somebody cannot be the heir of what needs `need` ("anybody", "member", "staff", "approver"); "" where they can."""
        if employee_id == self.leaver.remote_id:
            return f"{self.leaver.name} is leaving: choose somebody else."
        heir = self.find(employee_id)
        if heir is None:
            return "There is nobody like that in this business."
        if heir.status != "ACTIVE":
            state = "suspended" if heir.status == "SUSPENDED" else "no longer here"
            return f"{heir.name} is {state}: choose somebody active."
        if heir.role not in ROLES[need]:
            role = Role(heir.role).label.lower() if heir.role in Role.values else heir.role
            return f"{heir.name}’s role is {role}: {ONLY[need]}."
        return self._problem_here(heir, need)

    def _problem_here(self, heir: Employee, need: str) -> str:
        # What is decided is decided here: a seat of somebody who cannot enter, or not as such, waits for nobody.
        if need == "anybody":
            return ""
        members = Membership.objects.filter(business=self.actor.business, employee_id=heir.remote_id, is_active=True)
        role = members.filter(user__is_active=True).values_list("role", flat=True).first()
        if role is None:
            return f"{heir.name} has no access to this dashboard: choose somebody who can sign in."
        return "" if role in ROLES[need] else f"{heir.name}’s role here is {Role(role).label.lower()}: {ONLY[need]}."
