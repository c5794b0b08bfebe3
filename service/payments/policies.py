"""What the spend policies of the business say to a payout: asked about all of its items together, when it is initiated.

An item counts towards limits in the period in which its payout was made, until it is stopped or came back.
"""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime

from django.db.models import Sum

from service.approvals import mandates, workflows
from service.approvals.models import Workflow
from service.auth import Caller
from service.business_policies import approvals, enforcement, expense_rules
from service.business_policies.evaluation import REQUIRE_APPROVAL, Facts, Rule, concluded
from service.business_policies.usage import by_column, by_person
from service.businesses.models import Business
from service.events.audit import record_audit
from service.payments.models import Batch, Item

# Payouts that somebody has initiated, save those that were stopped; items of them that did not come back.
STOPPED = ("DRAFT", "REJECTED", "CANCELLED", "FAILED")
RETURNED = ("FAILED", "RETURNED")


def check(caller: Caller, batch: Batch) -> Workflow | None:
    """Evaluates the policies for all items of a payout together, when it is initiated; 403 policy_blocked.

    Answers the workflow that a policy sends it through: the one that the policy names, else one that fits where no
    mandate asks for votes; 409 approvers_insufficient where there is none. What they said stays with the payout
    (unsaved), what was breached also in the audit trail.
    """
    batch.policies = concluded([]).as_dict()
    if not enforcement.in_force(caller.business).exists():
        return None  # thousands of items need not be read
    uses = list(_uses(caller, batch))
    evaluation = enforcement.decide_together(caller.business, uses)
    batch.policies = evaluation.as_dict()
    if evaluation.breaches:
        trace = {"decision": evaluation.decision, "trace": [step.as_dict() for step in evaluation.trace]}
        record_audit(caller, "policy.evaluate", "payout", batch.id, after=trace)
    expense_rules.refuse_if_blocked(evaluation)
    if evaluation.decision != REQUIRE_APPROVAL:
        return None
    workflows.lock_for_use(caller.business)
    named = approvals.named(caller.business, evaluation)
    if named is not None:
        return named
    action_type = BATCH_ACTIONS[batch.kind]
    if mandates.applying(caller.business, action_type, batch.currency, batch.total_minor) is not None:
        return None
    workflow = approvals.workflow_for(caller.business, evaluation, replace(uses[0], amount_minor=batch.total_minor))
    if workflow is None:
        raise expense_rules.nobody_votes(evaluation)
    return workflow


BATCH_ACTIONS = {"BULK_PAYOUT": 1, "BANK_TRANSFER": 2}


def _uses(caller: Caller, batch: Batch) -> Iterable[Facts]:
    categories = enforcement.categories_of(
        batch.items.exclude(subcategory_id="").values_list("subcategory_id", flat=True)
    )
    for item in batch.items.order_by("position"):
        yield enforcement.facts_for(
            caller.business,
            employee=caller.employee,
            team_id=batch.team_id,
            channel=item.channel,
            amount_minor=item.amount_minor,
            currency=batch.currency,
            subcategory_id=item.subcategory_id,
            category_id=categories.get(item.subcategory_id),
            vendor_id=item.vendor_id,
            receiver=item.receiver_name,
            to_self=expense_rules.is_self(item.account, caller.employee),
        )


def spent(business: Business, rule: Rule, facts: Facts, start: datetime, end: datetime, without: str) -> int:
    """The minor units of the items in the rule's period (service/business_policies/usage.py), each of whoever initiated its
    payout."""
    rows = Item.objects.filter(
        by_column(rule),
        by_person(business, rule, facts, "batch__initiated_by"),
        business=business,
        batch__currency=facts.currency,
        batch__created_at__gte=start,
        batch__created_at__lt=end,
    )
    rows = rows.exclude(batch__status__in=STOPPED).exclude(status__in=RETURNED)
    return rows.aggregate(sum=Sum("amount_minor"))["sum"] or 0
