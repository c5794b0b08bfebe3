"""What the spend policies of the business say to a bill payment: asked when approval of it is requested, when it is tried
again, and before its money is reserved.

CHANNEL, VENDOR and DAY_TIME see all of the payment, SUBCATEGORY and CATEGORY the portions that its bill's lines make.
It counts towards limits in the period in which it is to be paid, from the request on, until it is stopped or fails.
"""

from collections.abc import Iterator
from datetime import datetime

from django.db.models import BigIntegerField, QuerySet, Sum
from django.db.models.fields.json import KT
from django.db.models.functions import Cast
from django.utils import timezone

from service.approvals import mandates, workflows
from service.approvals.models import ActionType, Workflow
from service.auth import Caller
from service.bills import amounts
from service.bills.models import ApprovalAxis, BillPayment
from service.business_policies import approvals, enforcement, expense_rules
from service.business_policies.evaluation import BLOCK, REQUIRE_APPROVAL, Evaluation, Facts, Rule, concluded
from service.business_policies.usage import by_column, by_person, rule_subcategories
from service.businesses.models import Business, Employee
from service.events.audit import record_audit

# Why a payment that was let through waits all the same: what it keeps as its hold_reason.
BLOCKED, UNASKED = "policy_blocked", "policy_approval_missing"
# Bill payments of which approval was asked, save those that were stopped or failed.
NOT_PAID = ("DRAFT", "WITHDRAWN", "REJECTED", "FAILED")


def check_policies(caller: Caller, row: BillPayment, usual: Workflow | None) -> Workflow | None:
    """Evaluates the policies for a locked payment of which approval is requested; 403 policy_blocked.

    Answers the workflow that a policy sends it through: the one that the policy names, else one that fits where neither
    `usual` (the workflow of bills) nor a mandate asks for votes; 409 approvers_insufficient where there is none. What
    they said stays with the payment (unsaved), what was breached also in the audit trail.
    """
    evaluation = _evaluate_payment(caller, row, caller.employee)
    expense_rules.refuse_if_blocked(evaluation)
    if evaluation.decision != REQUIRE_APPROVAL:
        return None
    named = approvals.named(caller.business, evaluation)
    if named is not None or usual is not None:
        return named
    if mandates.applying(caller.business, ActionType.BILL_PAYMENT, row.currency, row.amount_minor) is not None:
        return None
    workflow = workflows.match(caller.business, ActionType.POLICY_BASED, facts_of(row))
    if workflow is None:
        raise expense_rules.nobody_votes(evaluation)
    return workflow


def recheck_policies(caller: Caller, row: BillPayment) -> None:
    """Evaluates the policies anew for a payment that failed and is tried again with the votes it had: as one of whoever
    asked for approval of it, for it counts in their limits, whoever tries again.

    403 policy_blocked; 409 approvers_insufficient where a policy wants votes now and nobody was asked for any.
    """
    evaluation = _evaluate_payment(caller, row, _requester(row) or caller.employee)
    expense_rules.refuse_if_blocked(evaluation)
    if evaluation.decision == REQUIRE_APPROVAL and row.approval_status == ApprovalAxis.NOT_REQUIRED:
        raise expense_rules.nobody_votes(evaluation)


def obstacle(caller: Caller, row: BillPayment) -> str:
    """Why an approved payment is not paid now: a policy forbids it (at this hour, or since), or wants votes that nobody
    was asked for. It waits then, as for funds, until that is over or it is withdrawn.
    """
    evaluation = _evaluate_payment(caller, row, _requester(row), with_audit=not row.hold_reason)
    if evaluation.decision == BLOCK:
        return BLOCKED
    if evaluation.decision == REQUIRE_APPROVAL and row.approval_status == ApprovalAxis.NOT_REQUIRED:
        return UNASKED
    return ""


def _requester(row: BillPayment) -> Employee | None:
    return Employee.objects.filter(business_id=row.business_id, id=row.requested_by).first()


def facts_of(row: BillPayment) -> workflows.WorkflowFacts:
    """What the conditions of a workflow are compared with."""
    bill = row.bill
    lines = bill.lines.exclude(subcategory_id="").values_list("subcategory_id", flat=True)
    return workflows.WorkflowFacts(
        amount_minor=row.amount_minor,
        currency=row.currency,
        team_ids=frozenset(filter(None, [bill.team_id])),
        subcategory_ids=frozenset(filter(None, [bill.subcategory_id, *lines])),
        vendor_ids=frozenset([row.vendor_id]),
    )


def _evaluate_payment(
    caller: Caller, row: BillPayment, person: Employee | None, *, with_audit: bool = True
) -> Evaluation:
    now = timezone.now()
    at = row.counts_at = max(now, row.scheduled_for or now)
    row.portions = amounts.portions(row.bill, row.amount_minor, row.bill.lines.order_by("position"))
    if not enforcement.in_force(caller.business).exists():
        evaluation = concluded([])
    else:
        evaluation = enforcement.decide_together(caller.business, list(_uses(caller, row, person, at)), without=row.id)
    row.policies = evaluation.as_dict()
    if evaluation.breaches and with_audit:
        trace = {"decision": evaluation.decision, "trace": [step.as_dict() for step in evaluation.trace]}
        record_audit(caller, "policy.evaluate", "bill_payment", row.id, after=trace)
    return evaluation


def _uses(caller: Caller, row: BillPayment, person: Employee | None, at: datetime) -> Iterator[Facts]:
    """The whole payment, then each subcategory's and each category's part of it."""

    def use(amount_minor: int, **about: str | bool) -> Facts:
        return enforcement.facts_for(
            caller.business,
            employee=person,
            team_id=row.bill.team_id,
            channel=str(about.get("channel", "")),
            amount_minor=amount_minor,
            currency=row.currency,
            subcategory_id=str(about.get("subcategory_id", "")),
            category_id=str(about.get("category_id", "")),
            vendor_id=str(about.get("vendor_id", "")),
            to_self=bool(about.get("to_self")),
            at=at,
        )

    to_self = expense_rules.is_self(row.account, person)
    yield use(row.amount_minor, channel=row.channel, vendor_id=row.vendor_id, to_self=to_self)
    sums: dict[str, int] = {}
    categories = enforcement.categories_of(row.portions)
    for subcategory_id, minor in row.portions.items():
        yield use(minor, subcategory_id=subcategory_id)
        category = categories.get(subcategory_id, "")
        sums[category] = sums.get(category, 0) + minor
    for category, minor in sums.items():
        yield use(minor, category_id=category)


def spent(business: Business, rule: Rule, facts: Facts, start: datetime, end: datetime, without: str) -> int:
    """Bill payments, each in the period in which it is paid, and of whoever asked for approval of it; of several subcategories, the portion of each."""
    rows = _not_exempt(
        BillPayment.objects.filter(
            by_person(business, rule, facts, "requested_by"),
            business=business,
            currency=facts.currency,
            counts_at__gte=start,
            counts_at__lt=end,
        )
        .exclude(status__in=NOT_PAID)
        .exclude(id=without),
        rule,
    )
    if rule.type in ("SUBCATEGORY", "CATEGORY"):
        parts = (
            rows.filter(portions__has_key=subcategory_id).aggregate(
                sum=Sum(Cast(KT(f"portions__{subcategory_id}"), BigIntegerField()))
            )
            for subcategory_id in rule_subcategories(rule)
        )
        return sum(part["sum"] or 0 for part in parts)
    return rows.filter(by_column(rule)).aggregate(sum=Sum("amount_minor"))["sum"] or 0


def _not_exempt(rows: QuerySet[BillPayment], rule: Rule) -> QuerySet[BillPayment]:
    """A payment is of its bill's team, else of the team of whoever asked for approval of it."""
    if rule.exempt_employee_ids:
        rows = rows.exclude(requested_by__in=rule.exempt_employee_ids)
    if rule.exempt_team_ids:
        members = Employee.objects.filter(team_id__in=rule.exempt_team_ids).values("id")
        rows = rows.exclude(bill__team_id__in=rule.exempt_team_ids)
        rows = rows.exclude(bill__team=None, requested_by__in=members)
    return rows
