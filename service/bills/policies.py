"""What the spend policies of the business say to a bill payment, asked when approval of it is requested."""

from service import errors
from service.approvals import mandates
from service.approvals.models import ActionType, Workflow
from service.auth import Caller
from service.bills.models import BillPayment
from service.business_policies import applying, waiting
from service.business_policies.evaluation import REQUIRE_APPROVAL
from service.business_policies.spending import refuse_if_blocked
from service.events.audit import note


def check(caller: Caller, row: BillPayment) -> Workflow | None:
    """Asks the policies about a payment; 403 policy_blocked.

    Answers the workflow that a policy wants votes by, where no mandate asks for votes; 409
    approvals_insufficient where there is neither. What was breached stands in the audit trail.
    """
    subcategory = row.bill.subcategory_id
    facts = applying.facts_for(
        caller.business,
        employee=caller.employee,
        team_id=row.bill.team_id,
        channel=row.channel,
        amount_minor=row.amount_minor,
        currency=row.currency,
        subcategory_id=subcategory,
        category_id=applying.categories_of([subcategory]).get(subcategory) if subcategory else None,
        vendor_id=row.vendor_id,
    )
    said = applying.decide(caller.business, facts)
    if said.breaches:
        trace = {"decision": said.decision, "trace": [step.as_dict() for step in said.trace]}
        note(caller, "policy.evaluate", "bill_payment", row.id, after=trace)
    refuse_if_blocked(said)
    if said.decision != REQUIRE_APPROVAL:
        return None
    if mandates.applying(caller.business, ActionType.BILL_PAYMENT, row.currency, row.amount_minor) is not None:
        return None
    found = waiting.workflow_for(caller.business, said, facts)
    if found is None:
        raise errors.conflict("approvals_insufficient", "A policy asks for approval, and no workflow says whose.")
    return found
