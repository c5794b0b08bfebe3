"""What a policy made wait: votes on an expense are asked for, and what follows from them (kind POLICY, action_type 11)."""

from django.utils import timezone

from service import errors
from service.approvals import services as approvals
from service.approvals import workflows
from service.approvals.models import ActionType, Approval, ApprovalStatus, Workflow
from service.approvals.subjects import ApprovalSubject
from service.auth import Caller
from service.business_policies.evaluation import REQUIRE_APPROVAL, Evaluation, Facts
from service.businesses.models import Business
from service.expenses.models import Expense, ExpenseStatus
from service.expenses.services import record_expense_change
from service.expenses.transitions import WAITS_FOR_VOTES
from service.respond import ChangedFields

KIND = "POLICY"


def named(business: Business, evaluation: Evaluation) -> Workflow | None:
    """The workflow that a policy wants votes by which was broken: of several the first that names one."""
    workflow_ids = (step.rule.workflow_id for step in evaluation.breaches if step.rule.action == REQUIRE_APPROVAL)
    workflow_id = next(filter(None, workflow_ids), None)
    return Workflow.objects.filter(business=business, id=workflow_id).first() if workflow_id else None


def workflow_for(business: Business, evaluation: Evaluation, facts: Facts) -> Workflow | None:
    """The workflow that a policy names, else the one that the use falls under; None where there is none."""
    return named(business, evaluation) or workflows.match(business, ActionType.POLICY_BASED, workflow_facts(facts))


def workflow_facts(facts: Facts) -> workflows.WorkflowFacts:
    """What of a use the conditions of workflows are compared with."""
    return workflows.WorkflowFacts(
        facts.amount_minor,
        facts.currency,
        frozenset({facts.team_id} - {""}),
        frozenset({facts.subcategory_id} - {""}),
        frozenset({facts.vendor_id} - {""}),
    )


def request_votes(caller: Caller, expense: Expense, evaluation: Evaluation, facts: Facts) -> Approval | None:
    """Asks for votes on an expense where a policy wants them; inside the transaction that wrote it.

    409 approvers_insufficient where nobody could give them: what a policy holds back never passes unseen.
    """
    if evaluation.decision != REQUIRE_APPROVAL:
        return None
    workflows.lock_for_use(caller.business)
    makers = {expense.employee_id, caller.employee_id} - {None}
    approval = approvals.request_approval(
        caller,
        ApprovalSubject(
            kind=KIND,
            action_type=ActionType.POLICY_BASED,
            ref=expense.transaction_ref[:64],
            subject_id=expense.id,
            title="Policy: " + ", ".join(sorted({step.rule.type for step in evaluation.breaches})),
            payee=expense.receiver,
            amount_minor=expense.amount_minor,
            currency=expense.currency,
            org_wallet_ref=expense.org_wallet_ref,
            maker_ids=sorted(maker_id for maker_id in makers if maker_id),
            team_id=facts.team_id,
        ),
        workflow=workflow_for(caller.business, evaluation, facts),
    )
    if approval is None:
        raise errors.conflict("approvers_insufficient", "A policy asks for approval, and no workflow says whose.")
    return approval


def voted(caller: Caller, approval: Approval) -> None:
    """Approved, the expense waits for its review alone. Rejected, or not approved in time, it is rejected for good: it
    keeps the mark that nobody approves it with.
    """
    expense = Expense.objects.select_for_update(no_key=True, of=("self",)).get(pk=approval.subject_id)
    before: ChangedFields = {"status": expense.status, "policy_flags": list(expense.policy_flags)}
    if approval.status == ApprovalStatus.APPROVED:
        expense.policy_flags = [flag for flag in expense.policy_flags if not flag.startswith(WAITS_FOR_VOTES)]
        event = "expense.updated"
    elif expense.status in (ExpenseStatus.PENDING, ExpenseStatus.DETAILS_REQUESTED):
        expense.status, expense.reviewed_at = ExpenseStatus.REJECTED, timezone.now()
        expense.reviewed_by, expense.review_reason = (
            caller.employee,
            "Not approved, as a policy requires.",
        )
        event = "expense.rejected"
    else:
        return
    expense.version += 1
    expense.updated_at = timezone.now()
    expense.save(
        update_fields=["policy_flags", "status", "reviewed_at", "reviewed_by", "review_reason", "version", "updated_at"]
    )
    record_expense_change(caller, expense, event, "expense.policy_vote", before)
