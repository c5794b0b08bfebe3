"""Open requests must stay decidable: who takes an approver away asks here first (decisions B.12)."""

from collections.abc import Collection

from django.db.models import Q

from service import errors
from service.approvals.models import Approval, ApprovalStatus
from service.approvals.steps import can_complete
from service.businesses.models import Business, Employee, Role


def refuse_if_stranded(business: Business, employee_ids: Collection[str], *, mandate_id: str | None = None) -> None:
    """409 approvers_insufficient where an open request could no longer get its votes without these employees.

    Call it before they are suspended, deleted, given another role, or taken off a mandate (then with `mandate_id`: only
    requests under that mandate count). Requests that nobody could decide before are no reason to refuse. The requests
    stay locked until the end of the transaction, so that two departures at once are told apart.
    """
    leaving = set(employee_ids)
    named = Q()
    for employee_id in leaving:
        named |= Q(mandate_snapshot__approvers__contains=[{"employee_id": employee_id}])
    rows = Approval.objects.filter(named, business=business, status=ApprovalStatus.PENDING)
    if mandate_id is not None:
        rows = rows.filter(mandate_snapshot__mandate_id=mandate_id)
    waiting = (
        list(rows.select_for_update(no_key=True, of=("self",)).order_by("id").prefetch_related("votes"))
        if leaving
        else []
    )
    if not waiting:
        return
    people = Employee.objects.filter(business=business, role=Role.APPROVER, status=Employee.Status.ACTIVE)
    active = set(people.values_list("id", flat=True))
    stranded = [row for row in waiting if can_complete(row, active) and not can_complete(row, active - leaving)]
    if stranded:
        more = f" and {len(stranded) - 1} more" if len(stranded) > 1 else ""
        raise errors.conflict(
            "approvers_insufficient", f"Nobody else could decide the request {stranded[0].ref}{more}: end it first."
        )
