"""Budgets: creating and changing one. Raises what `run` raises; what the service refuses stands on the form. The copy holds
no budgets: their figures change by themselves."""

from django import forms

from dashboard import operations_payables
from dashboard.access.actor import Actor
from dashboard.access.subject import Subject
from dashboard.commands.run import CommandResult, Key, run
from dashboard.errors import FAILED, NotFound
from dashboard.schemas.budgets import Budget, BudgetBody

REFUSALS = (*FAILED, NotFound)
# What the forms call otherwise than the service.
NAMES = {"team_id": "team", "category_id": "category", "alert_percents": "alerts"}


def create(actor: Actor, body: BudgetBody, *, key: Key, form: forms.BaseForm | None = None) -> CommandResult:
    """Adds a budget; `body` is a NewBudget. Answers with it."""
    return run(
        actor, operations_payables.CREATE_BUDGET, None, body, key=key, form=form, names=NAMES, refusals=REFUSALS
    )  # fmt: skip


def update(
    actor: Actor, budget: Budget, body: BudgetBody, *, key: Key, form: forms.BaseForm | None = None
) -> CommandResult:
    """Changes a budget, or ends its use; `body` is a BudgetChange. Answers with it."""
    subject = Subject(business_id=actor.business.pk, kind="budget", id=budget.id, title=budget.name)
    return run(
        actor, operations_payables.UPDATE_BUDGET, subject, body, key=key, path={"budgetId": budget.id}, form=form,
        names=NAMES, refusals=REFUSALS,
    )  # fmt: skip
