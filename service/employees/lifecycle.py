"""What pauses, ends or hands over an account: suspend, activate, delete, transfer of ownership.

A suspended employee neither acts (service/auth.py asks for an active one) nor spends (cards are declined), and keeps
what they have: money, cards, seats as a reviewer. A deleted one leaves nothing open behind: no money, no card payment
to come, no usable card, no request that waits. What they did stays, with their name.
"""

from dataclasses import dataclass

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from service import errors, grants
from service.accounts.wallets import holds_money
from service.approvals.models import Approval, ApprovalStatus
from service.approvals.quorum import refuse_if_stranded
from service.auth import ADMINS, Caller
from service.businesses.models import Employee, Role, Team
from service.employees import hooks, serializers, services, transitions
from service.employees.hooks import MONEY
from service.employees.schemas import HandoverBody, NewEmployee
from service.employees.selectors import anybody, lock_employee
from service.employees.services import NOT_ABOVE, create
from service.events import audit, outbox
from service.events.models import AuditEvent, Event
from service.teams import reviewers

PEOPLE_EDIT = "PEOPLE_EDIT"


def suspend(caller: Caller, employee_id: str) -> Employee:
    """Suspends somebody else; a second time nothing happens. 404, 403 for oneself, 409 where approvals would strand."""
    return _move(caller, employee_id, transitions.SUSPEND)


def activate(caller: Caller, employee_id: str) -> Employee:
    """Lets a suspended employee act and spend again; nothing happens to an active one. 404."""
    return _move(caller, employee_id, transitions.ACTIVATE)


def delete(caller: Caller, employee_id: str) -> Employee:
    """Deletes somebody else's account; 404, 403 for oneself, 409 in_use while something of theirs is open."""
    return _move(caller, employee_id, transitions.DELETE)


def _move(caller: Caller, employee_id: str, move: str) -> Employee:
    with transaction.atomic():
        row = lock_employee(caller, employee_id)
        _carry_out(caller, row, move)
        if move == transitions.DELETE:
            _hand_over_reports(caller, row, row.supervisor)
    return row


def _carry_out(caller: Caller, row: Employee, move: str) -> None:
    """Moves a locked row on; nothing happens where it is there already."""
    if move != transitions.ACTIVATE:
        _check_not_self(caller, row)
    target = transitions.next_status(row, move)
    if target is None:
        return
    if move == transitions.DELETE:
        _check_nothing_open(row)
    if move != transitions.ACTIVATE:
        refuse_if_stranded(caller.business, [row.id])
    before, row.status = {"status": row.status}, target
    services.save(row, ["status"])
    services.record_change(caller, row, transitions.EVENTS[move], f"employee.{move}", before)
    if move == transitions.DELETE:
        reviewers.vacate(caller, row)


def _check_not_self(caller: Caller, row: Employee) -> None:
    if caller.employee_id == row.id:
        raise errors.self_approval_forbidden("Nobody suspends, deletes or transfers their own account.")


def _check_nothing_open(row: Employee) -> None:
    """409 in_use with all that is still open, in words: money first."""
    still_open = [MONEY] if holds_money(row.business_id, [row.id]) else []
    still_open += hooks.dependents_of(row)
    if Approval.objects.filter(requested_by=row, status=ApprovalStatus.PENDING).exists():
        still_open.append("payment requests that wait")
    if still_open:
        named = ", ".join(sorted(dict.fromkeys(still_open), key=lambda words: words != MONEY))
        raise errors.conflict("in_use", f"There are still {named}: end these first, or suspend the account.")


def _hand_over_reports(caller: Caller, row: Employee, heir: Employee | None) -> None:
    """Those whom somebody supervised get another supervisor; inside the caller's transaction."""
    rows = list(row.reports.select_for_update(no_key=True, of=("self",)).select_related("team").order_by("id"))
    row.reports.update(supervisor=heir, version=F("version") + 1, updated_at=timezone.now())
    for report in rows:
        report.supervisor, report.version = heir, report.version + 1
    before = {"supervisor_id": row.id}
    Event.objects.bulk_create(
        outbox.build_event(
            caller.business, "employee.updated", serializers.employee(report), previous=before, actor=caller
        )
        for report in rows
    )
    AuditEvent.objects.bulk_create(
        audit.build_line(
            caller, "employee.hand_over", "employee", report.id, before, {"supervisor_id": report.supervisor_id}
        )
        for report in rows
    )


@dataclass(frozen=True, slots=True)
class Handover:
    """An account that was left, and the one that took its place."""

    left: Employee
    heir: Employee


def transfer_ownership(caller: Caller, handover: HandoverBody) -> Handover:
    """Suspends or deletes an account and provisions a new one that inherits its team and supervisor.

    For admins, and whoever holds PEOPLE_EDIT. 403 for one's own account and by the role ceiling: an heir's role is
    never above the one left, nor above reviewer unless a super admin gives it. 404, 409 as `delete` and `suspend`,
    409 duplicate for an e-mail address that is taken, 422 where the account has no active team to inherit.
    """
    grants.check(caller, ADMINS, PEOPLE_EDIT, handover.employee_id)
    with transaction.atomic():
        left = anybody(caller, handover.employee_id)
        _check_not_self(caller, left)
        role = Role(handover.role or left.role)
        if role not in NOT_ABOVE[left.role]:
            raise errors.insufficient_role("An heir's role is never above the one that is left.")
        if left.team is None or left.team.status != Team.Status.ACTIVE:
            message = "The account has no active team to inherit: move it to one first."
            raise errors.validation_failed("employee_id", message)
        new = NewEmployee(
            name=handover.name,
            organization_email=handover.organization_email,
            phone_number=handover.phone_number,
            role=role,
            team_code=left.team.code,
        )
        before = left.status
        # First: a deleted account leaves its e-mail address to the heir.
        _carry_out(caller, left, transitions.DELETE if handover.existing == "DELETE" else transitions.SUSPEND)
        heir = create(caller, new, supervisor_id=left.supervisor_id, replaces=left)
        _hand_over_reports(caller, left, heir)
        payload = {**serializers.employee(heir), "replaced": serializers.employee(left)}
        outbox.record_event(
            caller.business, "employee.ownership_transferred", payload, previous={"status": before}, actor=caller
        )
        audit.record_audit(caller, "employee.transfer_ownership", "employee", left.id, after={"heir": heir.id})
    return Handover(left, heir)
