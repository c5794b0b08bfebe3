"""Where the role of a member here and the one that the finance service says they have are not the same."""

from dashboard.access.models import Business, Membership
from dashboard.access.roles import Role, role_at_service
from dashboard.mirror.models import Employee, Team


def roles_that_differ(business: Business) -> dict[int, Role]:
    """The role at the service of each active member whose role here is another one, by the membership's id.

    By the mirror; members who are not linked to an employee, and employees whose role is not known, do not count.
    """
    members = dict(
        Membership.objects.filter(business=business, is_active=True)
        .exclude(employee_id="")
        .values_list("employee_id", "pk")
    )
    roles = dict(Membership.objects.filter(pk__in=members.values()).values_list("pk", "role"))
    employees = Employee.objects.filter(business=business, remote_id__in=members, tombstoned_at=None)
    seats = Team.objects.filter(business=business, tombstoned_at=None).values_list("reviewers", flat=True)
    reviewing = {seat.get("employee_id") for reviewers in seats for seat in reviewers}
    differing = {}
    for employee_id, code in employees.values_list("remote_id", "role"):
        service_role = role_at_service(code, reviews=employee_id in reviewing)
        if service_role is not None and service_role != roles[members[employee_id]]:
            differing[members[employee_id]] = service_role
    return differing
