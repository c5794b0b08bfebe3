"""Where the policies of a business meet its spending: asked before an expense is posted, and how they refuse.

Cards, payouts and bill payments ask them in their own policies.py, and refuse in these words.
"""

from collections.abc import Sequence
from dataclasses import replace

from service import errors, sql
from service.auth import Caller
from service.business_policies import approvals, enforcement
from service.business_policies.evaluation import BLOCK, Evaluation, Facts, Rule
from service.businesses.models import Employee
from service.expenses.hooks import Follow, Guard
from service.expenses.new_expense import NewExpense


def judge(caller: Caller, new: NewExpense, rules: Sequence[sql.Row]) -> tuple[NewExpense, Follow]:
    """Evaluates the policies for an expense that is about to be posted; 403 policy_blocked. `rules` as they were read.

    Answers the expense with their flags, and what asks for the votes that they want once it is written.
    """
    evaluation, facts = evaluate_expense(caller, new, enforcement.rules_in(rules))
    refuse_if_blocked(evaluation)
    return flagged(new, evaluation), lambda row: approvals.request_votes(caller, row, evaluation, facts)


GUARD = Guard(lambda caller: enforcement.rules_statement(caller.business), judge)


def evaluate_expense(caller: Caller, new: NewExpense, rules: Sequence[Rule] | None = None) -> tuple[Evaluation, Facts]:
    """What the policies say to an expense that is about to be posted; `rules` as `enforcement.decide` has them."""
    facts = enforcement.facts_for(
        caller.business,
        employee=new.employee,
        team_id=None,
        channel=enforcement.channel_of(new.payment_type, new.channel),
        amount_minor=new.amount_minor,
        currency=new.currency,
        subcategory_id=new.subcategory.id if new.subcategory else None,
        category_id=new.subcategory.category_id if new.subcategory else None,
        receiver=new.receiver,
        at=new.transaction_date,
    )
    return enforcement.decide(caller.business, facts, rules), facts


def flagged(new: NewExpense, evaluation: Evaluation) -> NewExpense:
    """The expense with what the policies marked it with."""
    return replace(new, policy_flags=[*new.policy_flags, *evaluation.flags]) if evaluation.flags else new


# What a policy of a type is about, as bodies and answers call it.
FIELDS = {
    "CHANNEL": "channel",
    "SUBCATEGORY": "subcategory_id",
    "CATEGORY": "category_id",
    "VENDOR": "vendor_id",
    "DAY_TIME": "at",
}


def refuse_if_blocked(evaluation: Evaluation) -> None:
    """403 policy_blocked, in words that name the policy; `errors` name each that forbids it, and what it says."""
    if evaluation.decision == BLOCK and evaluation.deciding is not None:
        step = evaluation.deciding
        words = f"The {step.rule.type} policy {step.rule.id} forbids it: {step.message}"
        raise errors.policy_blocked(words, _named(evaluation, "policy_blocked"))


def nobody_votes(evaluation: Evaluation) -> errors.ServiceError:
    """409 approvers_insufficient: a policy wants votes, and nobody can be asked for them."""
    words = "A policy asks for approval, and no workflow says whose."
    return errors.conflict("approvers_insufficient", words, _named(evaluation, "approval_required"))


def _named(evaluation: Evaluation, code: str) -> list[errors.FieldError]:
    return [
        {
            "field": FIELDS[step.rule.type],
            "code": code,
            "message": f"{step.rule.type} policy {step.rule.id}: {step.message}",
        }
        for step in evaluation.breaches
        if step.rule.action == evaluation.decision
    ]


def is_self(account: str, person: Employee | None) -> bool:
    """Whether an account is the phone of whoever asks for the payment."""
    phone = person.phone.lstrip("+") if person else ""
    return bool(phone) and account.lstrip("+") == phone
