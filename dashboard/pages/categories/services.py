"""What is deleted of the chart of accounts: nothing that a rule of the dashboard files under, which the service cannot know."""

from collections.abc import Sequence

from dashboard.access.actor import Actor
from dashboard.commands import categories as commands
from dashboard.commands.run import FormKey
from dashboard.errors import Rejected
from dashboard.pages.categories.selectors import rules_under
from dashboard.schemas.categories import Category, Subcategory


def delete(actor: Actor, category: Category, *, key: FormKey) -> None:
    """Deletes a category with its subcategories. Conflict where the service says that one is in use, Rejected where a rule
    files under one; the rest of the FinanceError tree."""
    _refuse_with_rules(actor, category.name, [row.id for row in category.subcategories])
    commands.delete(actor, category, key=key)


def delete_subcategory(actor: Actor, category: Category, row: Subcategory, *, key: FormKey) -> None:
    """The same of a subcategory."""
    _refuse_with_rules(actor, row.name, [row.id])
    commands.delete_subcategory(actor, category, row, key=key)


def _refuse_with_rules(actor: Actor, name: str, subcategory_ids: Sequence[str]) -> None:
    rules = rules_under(actor, subcategory_ids)
    if not rules:
        return
    by = "a rule files" if len(rules) == 1 else f"{len(rules)} rules file"
    raise Rejected(f"{name} is in use: {by} under it. Change or delete the rule first, or archive it.", code="in_use")
