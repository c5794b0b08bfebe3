"""A rule that categorises acts in the name of whoever switched it on: where they leave, another admin takes it over."""

from __future__ import annotations

import pytest

from dashboard.audit.models import AuditEntry
from dashboard.categorisation.filing import file_business
from dashboard.categorisation.models import CategoryRule
from dashboard.categorisation.rules import switch_off
from dashboard.mirror.category_labels import label_of
from dashboard.mirror.models import Category
from tests.dashboard.category_rules.conftest import put_on, write
from tests.dashboard.conftest import World
from tests.dashboard.offboarding.conftest import begin, held, states, work
from tests.dashboard.people.conftest import shown
from tests.dashboard.uncategorised.conftest import swipe


def rule_of(world: World, name: str) -> CategoryRule:
    """A rule that somebody has switched on."""
    meals = Category.objects.filter(business=world.business, status="ACTIVE").order_by("remote_id")[0]
    actor = world.actor(name)
    return put_on(actor, write(actor, meals.remote_id, label_of(meals), merchant="Java House"))


def rule_steps(world: World) -> dict[str, str]:
    return {name.split(" ", 1)[1]: now for name, now in states(world).items() if "category_rule" in name}


def test_it_is_among_what_an_admin_leaves_behind_and_goes_on_as_another_one(world: World) -> None:
    world.sync()
    rule = rule_of(world, "Abel")
    [left] = [row for row in held(world, "Abel") if row.kind == "category_rule"]
    assert (left.remote_id, [choice.name for choice in left.choices]) == (str(rule.pk), ["take_over", "off"])
    assert not [row for row in held(world, "Ada", by="Sam") if row.kind == "category_rule"], "it is Abel's alone"
    assert begin(world, "Abel", "Zawadi").status_code == 302
    # Between the end of their access and the step it stops by itself, as it would each minute.
    file_business(world.business)
    rule.refresh_from_db()
    assert not rule.is_on
    work(world)
    assert rule_steps(world) == {"category_rule take_over": "DONE"}
    rule.refresh_from_db()
    assert (rule.is_on, rule.trouble, rule.switched_on_by) == (True, "", world.people["Ada"])
    java = swipe(world)
    file_business(world.business)
    java.refresh_from_db()
    assert java.subcategory_id == rule.subcategory_id
    assert AuditEntry.objects.filter(chain=world.business.pk, sentence__startswith="took over the rule").count() == 1
    assert not [row for row in held(world, "Abel") if row.kind == "category_rule"]


def test_it_is_switched_off_where_that_is_chosen(world: World) -> None:
    world.sync()
    rule = rule_of(world, "Abel")
    answer = begin(world, "Abel", "Zawadi", **{f"category_rule-{rule.pk}-action": "off"})
    assert answer.status_code == 302, shown(answer)
    work(world)
    assert rule_steps(world) == {"category_rule off": "DONE"}
    rule.refresh_from_db()
    assert (rule.is_on, rule.trouble) == (False, "")


@pytest.mark.parametrize("stopped_before", [True, False])
def test_what_somebody_switches_off_meanwhile_stays_off(world: World, stopped_before: bool) -> None:
    world.sync()
    rule = rule_of(world, "Abel")
    assert begin(world, "Abel", "Zawadi").status_code == 302
    if stopped_before:
        file_business(world.business)
        rule.refresh_from_db()
    switch_off(world.actor("Ada"), rule)
    work(world)
    assert rule_steps(world) == {"category_rule take_over": "DONE"}
    rule.refresh_from_db()
    assert not rule.is_on
