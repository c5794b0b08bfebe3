"""Where the policies of a business meet its spending: expenses that are posted, cards that are used, payouts that begin."""

from collections.abc import Iterable
from dataclasses import replace

from service import errors
from service.approvals import mandates
from service.approvals.models import Workflow
from service.auth import Caller
from service.business_policies import applying, waiting
from service.business_policies.evaluation import BLOCK, REQUIRE_APPROVAL, Evaluation, Facts, concluded
from service.businesses.models import Employee
from service.events.audit import note
from service.expenses import posting
from service.expenses.models import Expense
from service.expenses.posting import NewExpense
from service.payments.models import Batch


def spend(caller: Caller, new: NewExpense) -> Expense:
    """`posting.spend` with the policies asked before: 403 policy_blocked, flags, or votes that it waits for."""
    said, facts = ask(caller, new)
    refuse_if_blocked(said)
    row = posting.spend(caller, flagged(new, said))
    waiting.ask(caller, row, said, facts)
    return row


def ask(caller: Caller, new: NewExpense) -> tuple[Evaluation, Facts]:
    """What the policies say to an expense that is about to be posted."""
    facts = applying.facts_for(
        caller.business,
        employee=new.employee,
        team_id=None,
        channel=applying.channel_of(new.payment_type, new.channel),
        amount_minor=new.amount_minor,
        currency=new.currency,
        subcategory_id=new.subcategory.id if new.subcategory else None,
        category_id=new.subcategory.category_id if new.subcategory else None,
        receiver=new.receiver,
        at=new.transaction_date,
    )
    return applying.decide(caller.business, facts), facts


def flagged(new: NewExpense, said: Evaluation) -> NewExpense:
    """The expense with what the policies marked it with."""
    return replace(new, policy_flags=[*new.policy_flags, *said.flags]) if said.flags else new


# What a policy of a type is about, as bodies and answers call it.
FIELDS = {
    "CHANNEL": "channel",
    "SUBCATEGORY": "subcategory_id",
    "CATEGORY": "category_id",
    "VENDOR": "vendor_id",
    "DAY_TIME": "at",
}


def refuse_if_blocked(said: Evaluation) -> None:
    """403 policy_blocked, in words that name the policy; `errors` name each that forbids it, and what it says."""
    if said.decision == BLOCK and said.deciding is not None:
        step = said.deciding
        words = f"The {step.rule.type} policy {step.rule.id} forbids it: {step.says}"
        raise errors.policy_blocked(words, _named(said, "policy_blocked"))


def nobody_votes(said: Evaluation) -> errors.ServiceError:
    """409 approvers_insufficient: a policy wants votes, and nobody can be asked for them."""
    words = "A policy asks for approval, and no workflow says whose."
    return errors.conflict("approvers_insufficient", words, _named(said, "approval_required"))


def _named(said: Evaluation, code: str) -> list[errors.FieldError]:
    return [
        {
            "field": FIELDS[step.rule.type],
            "code": code,
            "message": f"{step.rule.type} policy {step.rule.id}: {step.says}",
        }
        for step in said.breaches
        if step.rule.action == said.decision
    ]


def check_payout(caller: Caller, batch: Batch) -> Workflow | None:
    """Asks about all items of a payout together, when it is initiated; 403 policy_blocked.

    Answers the workflow that a policy sends it through: the one that the policy names, else one that fits where no
    mandate asks for votes; 409 approvers_insufficient where there is none. What they said stays with the payout
    (unsaved), what was breached also in the audit trail.
    """
    batch.policies = concluded([]).as_dict()
    if not applying.in_force(caller.business).exists():
        return None  # thousands of items need not be read
    uses = list(_uses(caller, batch))
    said = applying.decide_together(caller.business, uses)
    batch.policies = said.as_dict()
    if said.breaches:
        trace = {"decision": said.decision, "trace": [step.as_dict() for step in said.trace]}
        note(caller, "policy.evaluate", "payout", batch.id, after=trace)
    refuse_if_blocked(said)
    if said.decision != REQUIRE_APPROVAL:
        return None
    named = waiting.named(caller.business, said)
    if named is not None:
        return named
    action_type = BATCH_ACTIONS[batch.kind]
    if mandates.applying(caller.business, action_type, batch.currency, batch.total_minor) is not None:
        return None
    found = waiting.workflow_for(caller.business, said, replace(uses[0], amount_minor=batch.total_minor))
    if found is None:
        raise nobody_votes(said)
    return found


BATCH_ACTIONS = {"BULK_PAYOUT": 1, "BANK_TRANSFER": 2}


def _uses(caller: Caller, batch: Batch) -> Iterable[Facts]:
    categories = applying.categories_of(batch.items.exclude(subcategory_id="").values_list("subcategory_id", flat=True))
    for item in batch.items.order_by("position"):
        yield applying.facts_for(
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
            to_self=is_self(item.account, caller.employee),
        )


def is_self(account: str, person: Employee | None) -> bool:
    """Whether an account is the phone of whoever asks for the payment."""
    phone = person.phone.lstrip("+") if person else ""
    return bool(phone) and account.lstrip("+") == phone
