"""A workflow of policies that holds for what waits as well: open requests for votes on expenses are made anew by it.

Made anew is a request that goes by the workflow or would go by it now, and where that is another workflow or another version of
its steps. The votes on the one that is withdrawn stay for the record and count no more.
"""

from collections.abc import Mapping, Sequence

from service import errors
from service.approvals import services as approvals
from service.approvals import workflows
from service.approvals.models import ActionType, Approval, ApprovalStatus, Workflow
from service.auth import Caller
from service.business_policies import pending_expenses
from service.business_policies.approvals import KIND, request_votes, workflow_facts
from service.business_policies.evaluation import Facts, Rule
from service.expenses.models import Expense


def request_anew(caller: Caller, workflow: Workflow, *, with_own: bool) -> int:
    """Makes the open requests anew that another workflow decides now, `with_own` those too that stay with this one, whose
    steps have changed; how many.

    Inside the transaction of the change. 422 where they are more than pending_expenses.MOST_CHANGED; 409 approvers_insufficient
    where a request would need votes that nobody could give.
    """
    outdated = _outdated(caller, workflow, with_own=with_own)
    if len(outdated) > pending_expenses.MOST_CHANGED:
        words = f"{len(outdated):,} open requests would be made anew; at most {pending_expenses.MOST_CHANGED} are at a time."
        raise errors.validation_failed("also_waiting", words, "too_many")
    rules = pending_expenses.rules_of(caller.business)
    return sum(_request(caller, expense_id, rules) for expense_id in outdated)


def _outdated(caller: Caller, workflow: Workflow, *, with_own: bool) -> list[str]:
    """The ids of the expenses whose request is to be made anew, by as many queries for many as for few; nothing is locked."""
    open_rows = Approval.objects.filter(business=caller.business, kind=KIND, status=ApprovalStatus.PENDING)
    current = {row.subject_id: str(row.mandate_snapshot.get("workflow_id", "")) for row in open_rows}
    if not current:
        return []
    rules, active = pending_expenses.rules_of(caller.business), _in_order(caller)
    outdated = []
    for expense in pending_expenses.in_review(caller.business).filter(pk__in=current):
        vote_rules = pending_expenses.vote_rules_of(expense.policy_flags, rules)
        now = _workflow_id(vote_rules, pending_expenses.facts_of(caller, expense), active)
        before = current[expense.id]
        stays = now == before and not with_own
        if vote_rules and workflow.id in (now, before) and not stays:
            outdated.append(expense.id)
    return outdated


def _in_order(caller: Caller) -> Sequence[Workflow]:
    return list(workflows.in_order(caller.business, ActionType.POLICY_BASED))


def _workflow_id(vote_rules: Sequence[Rule], facts: Facts, active: Sequence[Workflow]) -> str:
    """The workflow that a request would go by if it were made now, as at posting; "" for none."""
    named = next((policy_rule.workflow_id for policy_rule in vote_rules if policy_rule.workflow_id), "")
    if named:
        return named
    met = workflows.first_met(active, workflow_facts(facts))
    return met.id if met else ""


def _request(caller: Caller, expense_id: str, rules: Mapping[str, Rule]) -> int:
    """Withdraws the open request on an expense and makes it anew; 1, or 0 where it was decided meanwhile."""
    # The open request first, as those who vote lock it.
    open_approval = approvals.lock_open(caller.business, KIND, expense_id)
    locked = pending_expenses.in_review(caller.business).select_for_update(no_key=True, of=("self",))
    expense: Expense | None = locked.filter(pk=expense_id).first()
    if open_approval is None or expense is None:
        return 0
    vote_rules = pending_expenses.vote_rules_of(expense.policy_flags, rules)
    approvals.end(caller, open_approval, ApprovalStatus.WITHDRAWN)
    facts = pending_expenses.facts_of(caller, expense)
    request_votes(caller, expense, pending_expenses.evaluation_of(vote_rules), facts)
    return 1
