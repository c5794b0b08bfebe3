"""A changed policy that holds for what waits as well: expenses in review are judged by it anew, by nothing else.

What was spent is spent: of these a policy that blocks marks, as one that flags does. What was voted on once by a policy's
request stays decided.
"""

from django.utils import timezone

from service import errors
from service.approvals import services as approvals
from service.approvals.models import Approval, ApprovalStatus
from service.auth import Caller
from service.business_policies.approvals import KIND, request_votes
from service.business_policies.enforcement import channel_of, facts_for, judge_alone
from service.business_policies.evaluation import BREACHED, Facts, Step, concluded
from service.business_policies.models import Action, BusinessPolicy
from service.expenses.models import Expense, ExpenseStatus
from service.expenses.services import record_change
from service.expenses.transitions import WAITS_FOR_VOTES

IN_REVIEW = (ExpenseStatus.PENDING, ExpenseStatus.DETAILS_REQUESTED)


def judge_waiting(caller: Caller, policy: BusinessPolicy) -> int:
    """Judges the expenses in review by a policy that was just changed; how many of them it says something else of now.

    Inside the transaction of the change. 422 where its limit counts over a period, 409 approvers_insufficient where it
    wants votes that nobody could give.
    """
    if policy.period:
        words = "A limit over a period counts what was spent before each of them: it holds for new items alone."
        raise errors.validation_failed("also_waiting", words, "not_allowed")
    rows = Expense.objects.filter(business=caller.business, status__in=IN_REVIEW).order_by("id")
    return sum(_judge(caller, policy, expense_id) for expense_id in list(rows.values_list("id", flat=True)))


def _judge(caller: Caller, policy: BusinessPolicy, expense_id: str) -> bool:
    # The open request first, as those who vote lock it.
    request = approvals.lock_open(caller.business, KIND, expense_id)
    rows = Expense.objects.select_for_update(no_key=True, of=("self",)).select_related("employee", "subcategory")
    expense = rows.filter(pk=expense_id, status__in=IN_REVIEW).first()
    if expense is None:
        return False
    facts = _facts(caller, expense)
    step = judge_alone(caller.business, facts, policy)
    flags = _flags(expense, policy, step)
    if flags == expense.policy_flags:
        return False
    before = {"status": expense.status, "policy_flags": list(expense.policy_flags)}
    expense.policy_flags = flags
    expense.version += 1
    expense.updated_at = timezone.now()
    expense.save(update_fields=["policy_flags", "version", "updated_at"])
    record_change(caller, expense, "expense.updated", "expense.policy_changed", before)
    waits = any(flag.startswith(WAITS_FOR_VOTES) for flag in flags)
    if waits and request is None and step is not None:
        request_votes(caller, expense, concluded([step]), facts)
    elif request is not None and not waits:
        approvals.end(caller, request, ApprovalStatus.WITHDRAWN)
    return True


def _facts(caller: Caller, expense: Expense) -> Facts:
    filed = expense.subcategory
    return facts_for(
        caller.business,
        employee=expense.employee,
        team_id=expense.team_id,
        channel=channel_of(expense.payment_type, expense.channel),
        amount_minor=expense.amount_minor,
        currency=expense.currency,
        subcategory_id=filed.id if filed else None,
        category_id=filed.category_id if filed else None,
        receiver=expense.receiver,
        at=expense.transaction_date,
    )


def _flags(expense: Expense, policy: BusinessPolicy, step: Step | None) -> list[str]:
    """What the expense is marked with: by the others as before, and by this policy as it says now."""
    votes, mark = f"{WAITS_FOR_VOTES}{policy.id}", f"{policy.type}:{policy.id}"
    own = ""
    if step is not None and step.outcome == BREACHED:
        own = votes if policy.action == Action.REQUIRE_APPROVAL else mark
    if own == votes and votes not in expense.policy_flags and _was_approved(expense):
        own = ""
    # What stays keeps its place.
    flags = [flag for flag in expense.policy_flags if flag == own or flag not in (votes, mark)]
    return flags if not own or own in flags else [*flags, own]


def _was_approved(expense: Expense) -> bool:
    voted = Approval.objects.filter(business_id=expense.business_id, kind=KIND, subject_id=expense.id)
    return voted.filter(status=ApprovalStatus.APPROVED).exists()
