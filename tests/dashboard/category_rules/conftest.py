"""Rules over a business as the mirror knows it, and over a real one."""

from __future__ import annotations

from typing import Any

from django.utils import timezone

from dashboard.access.actor import Actor
from dashboard.categorisation.models import CategoryRule
from dashboard.categorisation.rules import RuleFields, create_rule, earlier_rules, switch_on
from dashboard.categorisation.trials import try_rule
from tests.dashboard.uncategorised.conftest import bare_house as bare_house
from tests.dashboard.uncategorised.conftest import house as house
from tests.dashboard.uncategorised.conftest import new_house as new_house
from tests.dashboard.uncategorised.conftest import world as world


def write(actor: Actor, category: str = "cat-meals", label: str = "Costs · Meals", **given: Any) -> CategoryRule:
    """A rule that is written down, and off."""
    return create_rule(actor, RuleFields(subcategory_id=category, category_label=label, **given))


def put_on(actor: Actor, rule: CategoryRule) -> CategoryRule:
    """The rule, tried and switched on."""
    try_rule(actor, rule, earlier_rules(rule))
    switch_on(actor, rule)
    rule.refresh_from_db()
    return rule


def unsaved(**given: Any) -> CategoryRule:
    """A rule that no table holds."""
    return CategoryRule(
        **{
            "position": 1,
            "subcategory_id": "cat-meals",
            "category_label": "Costs · Meals",
            "created_at": timezone.now(),
        }
        | given
    )
