"""A new or changed policy that holds for what waits as well: expenses in review are judged by it anew, by nothing else.

What was spent is spent: of these a policy that blocks marks, as one that flags does. What was voted on once by a policy's
request stays decided; a request that is open is made anew where the policies that ask for it lead to another workflow now.
"""

from collections.abc import Collection, Mapping, Sequence

from django.db.models import QuerySet
from django.utils import timezone

from service import errors
from service.approvals import services as approvals
from service.approvals.models import Approval, ApprovalStatus
from service.auth import Caller
from service.business_policies.approvals import KIND, request_votes, workflow_for
from service.business_policies.enforcement import channel_of, facts_for, judge_alone, rule
from service.business_policies.evaluation import BREACHED, Evaluation, Facts, Rule, Step, concluded
from service.business_policies.models import Action, BusinessPolicy, PolicyState
from service.businesses.models import Business
from service.expenses.models import Expense, ExpenseStatus
from service.expenses.services import record_expense_change
from service.expenses.transitions import WAITS_FOR_VOTES
from service.respond import ChangedFields

IN_REVIEW = (ExpenseStatus.PENDING, ExpenseStatus.DETAILS_REQUESTED)
# Each is locked to the end and takes some ten statements: more would keep whoever reviews them waiting.
MOST_CHANGED = 250


def judge_waiting(caller: Caller, policy: BusinessPolicy) -> int:
    """Judges the expenses in review by a policy that was just made or changed; how many of them it says something else of
    now. One that is not in force any more takes its marks back.

    An expense that is being posted meanwhile, and is not committed yet, is not among them: it keeps the decision of the
    policies as they were when it was posted. To wait for it would hold up every purchase of the business meanwhile.

    Inside the transaction of the change. 422 where its limit counts over a period, or where more than MOST_CHANGED
    expenses would change; 409 approvers_insufficient where it wants votes that nobody could give.
    """
    if policy.period and policy.status == PolicyState.ACTIVE:
        words = "A limit over a period counts what was spent before each of them: it holds for new items alone."
        raise errors.validation_failed("also_waiting", words, "not_allowed")
    changing = _changing(caller, policy)
    if len(changing) > MOST_CHANGED:
        words = f"{len(changing):,} expenses in review would change; at most {MOST_CHANGED} are judged by it at a time."
        raise errors.validation_failed("also_waiting", words, "too_many")
    rules = rules_of(caller.business)
    for expense_id in changing:
        _judge(caller, policy, expense_id, rules)
    return len(changing)


def _changing(caller: Caller, policy: BusinessPolicy) -> list[str]:
    """The ids of those that it says something else of, by as many queries for many as for few; nothing is locked."""
    expenses = list(in_review(caller.business))
    uses = [facts_of(caller, expense) for expense in expenses]
    rules = rules_of(caller.business)
    policy_approvals = Approval.objects.filter(business=caller.business, kind=KIND)
    approved = set(policy_approvals.filter(status=ApprovalStatus.APPROVED).values_list("subject_id", flat=True))
    open_rows = {row.subject_id: row for row in policy_approvals.filter(status=ApprovalStatus.PENDING)}
    changing = []
    for expense, facts, step in zip(expenses, uses, judge_alone(caller.business, uses, policy), strict=True):
        flags = _flags(expense, policy, step, was_approved=expense.id in approved)
        open_approval = open_rows.get(expense.id)
        has_request = open_approval is not None and f"{WAITS_FOR_VOTES}{policy.id}" in flags
        if flags != expense.policy_flags or (
            has_request and _is_outdated(caller.business, open_approval, vote_rules_of(flags, rules), facts)
        ):
            changing.append(expense.id)
    return changing


def in_review(business: Business) -> QuerySet[Expense]:
    """The expenses of a business that wait for review, with what judging them reads."""
    rows = Expense.objects.filter(business=business, status__in=IN_REVIEW).order_by("id")
    return rows.select_related("employee", "subcategory")


def rules_of(business: Business) -> dict[str, Rule]:
    """All policies, deleted ones too: what a mark names may be out of use by now. In the order of evaluation."""
    return {row.id: rule(row) for row in BusinessPolicy.objects.filter(business=business).order_by("id")}


def _judge(caller: Caller, policy: BusinessPolicy, expense_id: str, rules: Mapping[str, Rule]) -> None:
    # The open request first, as those who vote lock it.
    open_approval = approvals.lock_open(caller.business, KIND, expense_id)
    rows = in_review(caller.business).select_for_update(no_key=True, of=("self",))
    expense = rows.filter(pk=expense_id).first()
    if expense is None:
        return
    facts = facts_of(caller, expense)
    (step,) = judge_alone(caller.business, [facts], policy)
    flags = _flags(expense, policy, step, was_approved=_was_approved(expense))
    vote_rules = vote_rules_of(flags, rules)
    # A request that the policy has no part in, before or now, stays as it was made.
    has_part = f"{WAITS_FOR_VOTES}{policy.id}" in (*expense.policy_flags, *flags)
    outdated = has_part and _is_outdated(caller.business, open_approval, vote_rules, facts)
    if open_approval is not None and outdated:
        approvals.end(caller, open_approval, ApprovalStatus.WITHDRAWN)
        open_approval = None
    if outdated or flags != expense.policy_flags:
        _mark(caller, expense, policy, flags)
    if open_approval is None and has_part and vote_rules:
        request_votes(caller, expense, evaluation_of(vote_rules), facts)


def _mark(caller: Caller, expense: Expense, policy: BusinessPolicy, flags: list[str]) -> None:
    """Writes down what the expense is marked with now, and the version of the policy that says so."""
    before: ChangedFields = {"status": expense.status, "policy_flags": list(expense.policy_flags)}
    expense.policy_flags, expense.updated_at = flags, timezone.now()
    others = [row for row in expense.judged_anew if row["policy_id"] != policy.id]
    judged = {"policy_id": policy.id, "version": policy.version, "at": expense.updated_at.isoformat()}
    expense.judged_anew = [*others, judged]
    expense.version += 1
    expense.save(update_fields=["policy_flags", "judged_anew", "version", "updated_at"])
    record_expense_change(caller, expense, "expense.updated", "expense.policy_changed", before)


def vote_rules_of(flags: Collection[str], rules: Mapping[str, Rule]) -> list[Rule]:
    """The policies by which an expense waits for votes, in the order of evaluation."""
    return [policy_rule for policy_id, policy_rule in rules.items() if f"{WAITS_FOR_VOTES}{policy_id}" in flags]


def evaluation_of(vote_rules: Sequence[Rule]) -> Evaluation:
    """The evaluation by which votes are asked for where these policies want them."""
    return concluded([Step(policy_rule, BREACHED, "") for policy_rule in vote_rules])


def _is_outdated(business: Business, open_approval: Approval | None, vote_rules: Sequence[Rule], facts: Facts) -> bool:
    """Whether an open request is not what the policies ask for any more: none asks, or they lead to another workflow."""
    if open_approval is None:
        return False
    if not vote_rules:
        return True
    # As at posting, the first that names one; a query only where none does.
    workflow_id = next((policy_rule.workflow_id for policy_rule in vote_rules if policy_rule.workflow_id), "")
    if not workflow_id:
        workflow = workflow_for(business, evaluation_of(vote_rules), facts)
        workflow_id = workflow.id if workflow else ""
    return bool(open_approval.mandate_snapshot.get("workflow_id", "") != workflow_id)


def facts_of(caller: Caller, expense: Expense) -> Facts:
    """The facts of an expense that was posted before."""
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


def _flags(expense: Expense, policy: BusinessPolicy, step: Step | None, *, was_approved: bool) -> list[str]:
    """What the expense is marked with: by the others as before, and by this policy as it says now."""
    votes, breach = f"{WAITS_FOR_VOTES}{policy.id}", f"{policy.type}:{policy.id}"
    own = ""
    if step is not None and step.outcome == BREACHED:
        own = votes if policy.action == Action.REQUIRE_APPROVAL else breach
    if own == votes and votes not in expense.policy_flags and was_approved:
        own = ""
    # What stays keeps its place.
    flags = [flag for flag in expense.policy_flags if flag == own or flag not in (votes, breach)]
    return flags if not own or own in flags else [*flags, own]


def _was_approved(expense: Expense) -> bool:
    voted = Approval.objects.filter(business_id=expense.business_id, kind=KIND, subject_id=expense.id)
    return voted.filter(status=ApprovalStatus.APPROVED).exists()
