"""Asking for votes, voting, and what ends a request otherwise.

Locks: the request's row first, then the thing it is about. The last needed vote moves the thing on in its own
transaction, so that two last votes at once make one decision.
"""

from collections.abc import Sequence
from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from service import errors
from service.approvals import hooks, mandates, serializers, steps
from service.approvals.models import Approval, ApprovalStatus, Mandate, Vote, Workflow
from service.approvals.risk_scores import Question, RiskShape, scores
from service.approvals.selectors import approvals
from service.approvals.subjects import ApprovalSubject
from service.auth import Caller, system_caller
from service.businesses.models import Business, Employee
from service.events.audit import record_audit
from service.events.outbox import record_event

EXPIRES_AFTER = timedelta(days=30)
LEVELS_WITH_EXTRA_VOTE = frozenset({"HIGH", "CRITICAL"})


def request_approval(
    caller: Caller,
    subject: ApprovalSubject,
    *,
    workflow: Workflow | None = None,
    policy_workflow: Workflow | None = None,
) -> Approval | None:
    """Asks for votes under the workflow, else under the mandate that applies; None where none does.

    `policy_workflow`: the workflow that a spend policy sends it through takes their place, with as many votes as they ask for at
    least. Inside the caller's transaction. 409 approvers_insufficient where nobody could give the votes that are asked for.
    """
    approval_rule: Mandate | Workflow | None = workflow or mandates.applying(
        caller.business, subject.action_type, subject.currency, subject.amount_minor
    )
    if approval_rule is None and policy_workflow is None:
        return None
    scored = scores(caller.business, [_question(caller, subject)])[subject.subject_id]
    snapshot, needed = _copy(approval_rule, policy_workflow, subject, extra=scored["level"] in LEVELS_WITH_EXTRA_VOTE)
    row = Approval.objects.create(
        business=caller.business,
        kind=subject.kind,
        action_type=subject.action_type,
        ref=subject.ref,
        subject_id=subject.subject_id,
        title=subject.title,
        payee=subject.payee,
        amount_minor=subject.amount_minor,
        currency=subject.currency,
        org_wallet_ref=subject.org_wallet_ref,
        requested_by=caller.employee,
        requested_label=caller.label,
        maker_ids=subject.maker_ids,
        due_at=subject.due_at,
        expires_at=timezone.now() + EXPIRES_AFTER,
        approvals_required=needed,
        mandate_snapshot=snapshot,
        risk_at_request=scored,
        risk_level=scored["level"],
    )
    payload = serializers.approval(row)
    record_event(caller.business, "approval.requested", payload, actor=caller)
    record_audit(caller, "approval.request", "approval", row.id, after=payload)
    return row


def _copy(
    approval_rule: Mandate | Workflow | None, policy_workflow: Workflow | None, subject: ApprovalSubject, *, extra: bool
) -> tuple[steps.Snapshot, int]:
    """The copy of the mandate or workflow that the request keeps, and how many votes that needs."""
    if policy_workflow is not None:
        return _by_policy(approval_rule, policy_workflow, subject, extra=extra)
    if isinstance(approval_rule, Workflow):
        return steps.of_workflow(approval_rule, subject.maker_ids, extra=extra, team_id=subject.team_id)
    assert approval_rule is not None
    snapshot = mandates.snapshot(approval_rule)
    return snapshot, mandates.required(snapshot, subject.maker_ids, subject.amount_minor, extra=extra)


def _by_policy(
    approval_rule: Mandate | Workflow | None, policy_workflow: Workflow, subject: ApprovalSubject, *, extra: bool
) -> tuple[steps.Snapshot, int]:
    """A policy makes nothing easier: as many votes, nobody beyond their mandate's cap, and the code that it asks for."""
    if not isinstance(approval_rule, Mandate):
        least = sum(step["min_approvals"] for step in approval_rule.steps) if approval_rule else 0
        return steps.of_workflow(policy_workflow, subject.maker_ids, extra=extra, least=least, team_id=subject.team_id)
    mandate = mandates.snapshot(approval_rule)
    caps = {seat["employee_id"]: seat["max_amount_minor"] for seat in mandate["approvers"]}
    capped = [approver_id for approver_id, cap in caps.items() if cap is not None and subject.amount_minor > cap]
    barred = [*subject.maker_ids, *capped]
    snapshot, needed = steps.of_workflow(
        policy_workflow, barred, extra=extra, least=mandate["min_approvers"], team_id=subject.team_id
    )
    return {**snapshot, "code_required": mandate["code_required"]}, needed


def vote(caller: Caller, approval_id: str, decision: str, reason: str = "") -> Approval:
    """The acting employee's vote. One rejection rejects; the last needed approval lets go on what was asked for.

    404 for a request of another business; 403 for its makers and for whom the mandate does not let vote; 409 when it
    is decided already, voted on already, or somebody else comes first.
    """
    with transaction.atomic():
        row = _locked(caller, approval_id)
        voter = _voter(caller, row)
        Vote.objects.create(approval=row, voter=voter, decision=decision, reason=reason)
        before = {"status": row.status, "approvals_given": row.approvals_given}
        if decision == Vote.Decision.REJECT:
            row.status = ApprovalStatus.REJECTED
        else:
            row.approvals_given += 1
            if steps.is_complete(row):
                row.status = ApprovalStatus.APPROVED
        row.risk_at_decision = rescored([row])[row.id]
        if row.status != ApprovalStatus.PENDING:
            row.decided_at = timezone.now()
            hooks.notify_decided(caller, row)
        _save(row)
        row = approvals(caller).get(pk=row.pk)
        payload = serializers.approval(row)
        record_event(caller.business, "approval.decided", payload, previous=before, actor=caller)
        record_audit(
            caller, f"approval.{decision.lower()}", "approval", row.id, before, {"status": row.status, "reason": reason}
        )
    return row


def _locked(caller: Caller, approval_id: str) -> Approval:
    row = (
        Approval.objects.select_for_update(no_key=True, of=("self",))
        .filter(business_id=caller.business.id, id=approval_id)
        .first()
    )
    if row is None:
        raise errors.not_found("payment request")
    return row


def _voter(caller: Caller, row: Approval) -> Employee:
    """The acting employee, if they may vote on it now."""
    if caller.employee is None:
        raise errors.insufficient_role("A client that acts for nobody does not approve.")
    if caller.employee_id in row.maker_ids:
        raise errors.self_approval_forbidden("Whoever made a payment does not approve it.")
    if row.status != ApprovalStatus.PENDING:
        raise errors.invalid_state(f"The request is {row.status} already.")
    seat = next((s for s in row.mandate_snapshot["approvers"] if s["employee_id"] == caller.employee_id), None)
    if seat is None:
        raise errors.insufficient_role("The mandate or workflow does not name this employee as an approver.")
    if seat["max_amount_minor"] is not None and row.amount_minor > seat["max_amount_minor"]:
        raise errors.insufficient_role("The amount is above what the mandate lets this employee approve.")
    if row.votes.filter(voter_id=caller.employee_id).exists():
        raise errors.duplicate("This employee has decided on it already.")
    if not serializers.is_turn_of(row, caller):
        raise errors.invalid_state("Somebody else decides first: it goes one step after the other.")
    return caller.employee


def _save(row: Approval) -> None:
    row.version += 1
    row.save(update_fields=["status", "approvals_given", "risk_at_decision", "decided_at", "version", "updated_at"])


def lock_open(business: Business, kind: str, subject_id: str) -> Approval | None:
    """The open request about a subject (such as a payout), locked; None without one.

    Callers that end it lock it before the subject itself, so that two of them never wait for each other.
    """
    rows = Approval.objects.select_for_update(no_key=True, of=("self",))
    return rows.filter(business=business, kind=kind, subject_id=subject_id, status=ApprovalStatus.PENDING).first()


def end(caller: Caller, row: Approval, status: ApprovalStatus) -> None:
    """Withdraws or cancels a locked open request; its votes stay for the record and count for nothing."""
    before = {"status": row.status}
    row.status, row.decided_at = status, timezone.now()
    _save(row)
    payload = serializers.approval(approvals(caller).get(pk=row.pk))
    kind = "approval.expired" if status == ApprovalStatus.EXPIRED else "approval.decided"
    record_event(caller.business, kind, payload, previous=before, actor=caller)
    record_audit(caller, f"approval.{status.lower()}", "approval", row.id, before, {"status": status})


def expire_due(limit: int = 100) -> int:
    """Ends requests whose time is over, each with its subject in a transaction of its own; answers how many."""
    now, done = timezone.now(), 0
    due = Approval.objects.filter(status=ApprovalStatus.PENDING, expires_at__lte=now).order_by("expires_at")[:limit]
    for due_approval in due:
        with transaction.atomic():
            rows = Approval.objects.select_for_update(no_key=True, of=("self",), skip_locked=True).select_related(
                "business"
            )
            row = rows.filter(pk=due_approval.pk, status=ApprovalStatus.PENDING).first()
            if row is None:
                continue
            caller = system_caller(row.business)
            end(caller, row, ApprovalStatus.EXPIRED)
            hooks.notify_decided(caller, row)
            done += 1
    return done


def rescored(rows: Sequence[Approval]) -> dict[str, RiskShape]:
    """The risk of requests of one business as it is now, by request id."""
    if not rows:
        return {}
    questions = [
        Question(
            row.subject_id,
            row.action_type,
            row.amount_minor,
            row.currency,
            row.requested_by.role_changed_at if row.requested_by else None,
            row.requested_at,
            row.due_at,
            row.requested_by_id or "",
        )
        for row in rows
    ]
    scored = scores(rows[0].business, questions)
    return {row.id: scored[row.subject_id] for row in rows}


def _question(caller: Caller, subject: ApprovalSubject) -> Question:
    since = caller.employee.role_changed_at if caller.employee else None
    return Question(
        subject.subject_id,
        subject.action_type,
        subject.amount_minor,
        subject.currency,
        since,
        timezone.now(),
        subject.due_at,
        caller.employee_id or "",
    )
