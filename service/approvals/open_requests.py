"""Requests that wait for votes under a workflow whose steps change, where whoever changes it wants them to follow (decisions B.9)."""

from django.utils import timezone

from service import errors
from service.approvals import hooks, serializers, steps
from service.approvals.models import Approval, ApprovalStatus, Workflow
from service.approvals.services import LEVELS_WITH_EXTRA_VOTE, rescored
from service.auth import Caller
from service.businesses.models import Employee, Role
from service.events.audit import record_audit
from service.events.outbox import record_event


def follow(caller: Caller, workflow: Workflow) -> None:
    """Gives every request that waits under a changed workflow its steps. Inside the transaction of the change.

    The votes of those who sit in the new steps count, all others stay for the record; a request that has all its votes by them is
    approved, and what it is about goes on. 409 approvers_insufficient where a request could not get its votes: then nothing changes.
    """
    locked = Approval.objects.select_for_update(no_key=True, of=("self",)).select_related("requested_by")
    rows = locked.prefetch_related("votes__voter").filter(
        business_id=caller.business.id, status=ApprovalStatus.PENDING, mandate_snapshot__workflow_id=workflow.id
    )
    people = Employee.objects.filter(business=caller.business, role=Role.APPROVER, status=Employee.Status.ACTIVE)
    active = set(people.values_list("id", flat=True))
    for row in rows.order_by("id"):
        _follow(caller, row, workflow, active)


def _follow(caller: Caller, row: Approval, workflow: Workflow, active: set[str]) -> None:
    before = {
        "status": row.status,
        "approvals_required": row.approvals_required,
        "approvals_given": row.approvals_given,
    }
    _copy(row, workflow)
    if not steps.can_complete(row, active):
        raise _insufficient(row)
    is_complete = steps.is_complete(row)
    if is_complete:
        row.status, row.decided_at = ApprovalStatus.APPROVED, timezone.now()
        row.risk_at_decision = rescored([row])[row.id]
        hooks.notify_decided(caller, row)
    row.version += 1
    row.save()
    after = {"status": row.status, "approvals_required": row.approvals_required, "approvals_given": row.approvals_given}
    event = "approval.decided" if is_complete else "approval.requested"
    record_event(caller.business, event, serializers.approval(row), previous=before, actor=caller)
    record_audit(caller, "approval.follow_workflow", "approval", row.id, before, after)


def _copy(row: Approval, workflow: Workflow) -> None:
    """The steps as they are now in place of those that the request was made with."""
    extra = row.risk_level in LEVELS_WITH_EXTRA_VOTE
    try:
        snapshot, needed = steps.of_workflow(workflow, row.maker_ids, extra=extra)
    except errors.ServiceError as refusal:
        if refusal.code != "approvers_insufficient":
            raise
        raise _insufficient(row) from None
    row.mandate_snapshot = {**snapshot, "code_required": row.mandate_snapshot["code_required"]}
    row.approvals_required = needed
    row.approvals_given = sum(len(given) for _, given in steps.progress(row))


def _insufficient(row: Approval) -> errors.ServiceError:
    return errors.conflict(
        "approvers_insufficient",
        f"{row.title} ({row.ref}) could not get its approvals by these steps: change them, or leave those in progress as they are.",
    )
