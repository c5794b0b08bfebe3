"""What a rule files it files once, through the same command as a person, and says so; people's own choice is left alone."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import timezone

from dashboard.audit.models import AuditEntry
from dashboard.categorisation import filing
from dashboard.categorisation.filing import LOST_AFTER, MOST_ATTEMPTS, file_business, has_rules
from dashboard.categorisation.models import CategoryRule, FilingState, RuleFiling
from dashboard.categorisation.rules import delete_category_rule, switch_off
from dashboard.commands.expenses import categorise
from dashboard.errors import FinanceError, Unavailable, Unknown
from dashboard.mirror.models import Category, Expense
from tests.dashboard.category_rules.conftest import put_on, write
from tests.dashboard.conftest import World
from tests.dashboard.pages.conftest import House
from tests.dashboard.uncategorised.conftest import choose, swipe


def categories(world: World) -> tuple[Category, Category]:
    first, second = Category.objects.filter(business=world.business).order_by("pk")[:2]
    return first, second


def rule_on(world: World, category: Category, **asked: str) -> CategoryRule:
    ada = world.actor("Ada")
    return put_on(ada, write(ada, category.remote_id, f"{category.category_name} · {category.name}", **asked))


def sent(world: World) -> list[str]:
    assert world.proxy is not None
    return [one.headers["Idempotency-Key"] for one in world.proxy.sent("POST", "changeSubCategory")]


def test_it_files_what_fits_once_and_the_audit_names_the_rule(world: World) -> None:
    java, shell = swipe(world, "Java House"), swipe(world, "Shell")
    meals, _ = categories(world)
    rule = rule_on(world, meals, merchant="java house")
    assert has_rules()
    assert file_business(world.business) == 1
    assert file_business(world.business) == 0
    java.refresh_from_db(), shell.refresh_from_db()
    assert (java.subcategory_id, shell.subcategory_id) == (meals.remote_id, "")
    assert len(sent(world)) == 1
    filing = RuleFiling.objects.get(rule=rule)
    assert (filing.state, filing.attempts) == (FilingState.DONE, 1)
    line = AuditEntry.objects.filter(chain=world.business.pk).latest("id")
    assert "by rule 1: If merchant is java house" in line.sentence
    page = world.client("Carla").get(world.address(f"expenses/{java.remote_id}/")).content.decode()
    assert "Categorised by rule" in page
    assert f"category-rules/{rule.pk}/" not in page
    assert (
        f"category-rules/{rule.pk}/"
        in world.client("Ada").get(world.address(f"expenses/{java.remote_id}/")).content.decode()
    )


def test_a_correction_counts_on_the_rules_page_and_is_not_undone(world: World) -> None:
    java = swipe(world)
    meals, other = categories(world)
    rule = rule_on(world, meals, merchant="Java House")
    file_business(world.business)
    java.refresh_from_db()
    categorise(world.actor("Ada"), java, other.remote_id, key="corrected-1")
    assert file_business(world.business) == 0
    java.refresh_from_db()
    assert java.subcategory_id == other.remote_id
    page = world.client("Ada").get(world.address(f"category-rules/{rule.pk}/")).content.decode()
    assert "1 categorised, 1 corrected since." in page
    assert ">Corrected<" in page
    item = world.client("Ada").get(world.address(f"expenses/{java.remote_id}/")).content.decode()
    assert "and changed since" in item


def test_a_lost_answer_is_asked_for_again_under_the_same_key(world: World) -> None:
    java = swipe(world)
    meals, _ = categories(world)
    rule = rule_on(world, meals, merchant="Java House")
    assert world.proxy is not None
    world.proxy.fail("lost reply", method="POST", path="changeSubCategory")
    assert file_business(world.business) == 0
    filing = RuleFiling.objects.get(rule=rule)
    assert filing.state == FilingState.WAITING
    assert filing.outcome
    # Off or not: what was sent is settled.
    switch_off(world.actor("Ada"), rule)
    assert has_rules()
    world.proxy.heal()
    assert file_business(world.business) == 1
    assert RuleFiling.objects.get(rule=rule).state == FilingState.DONE
    java.refresh_from_db()
    assert java.subcategory_id == meals.remote_id
    assert len(set(sent(world))) == 1


def test_of_what_was_sent_and_is_out_of_sight_nobody_says_that_it_was_refused(world: World) -> None:
    java, meals = swipe(world), categories(world)[0]
    rule = rule_on(world, meals, merchant="Java House")
    assert world.proxy is not None
    world.proxy.fail("lost reply", method="POST", path="changeSubCategory")
    assert file_business(world.business) == 0
    Expense.objects.filter(pk=java.pk).delete()
    assert file_business(world.business) == 0
    filing = RuleFiling.objects.get(rule=rule)
    assert (filing.state, filing.outcome.split(";")[0]) == (
        FilingState.UNKNOWN, "It was sent, but no answer came back",
    )  # fmt: skip


def test_what_never_left_and_is_gone_was_not_done(world: World) -> None:
    java, meals = swipe(world), categories(world)[0]
    rule = rule_on(world, meals, merchant="Java House")
    assert world.proxy is not None
    world.proxy.fail("429", method="POST", path="changeSubCategory")
    file_business(world.business)
    Expense.objects.filter(pk=java.pk).delete()
    file_business(world.business)
    assert RuleFiling.objects.get(rule=rule).state == FilingState.REFUSED


def test_who_was_faster_is_left_alone_and_an_earlier_rule_goes_first(world: World) -> None:
    first, second = swipe(world, "Java House"), swipe(world, "Java Express")
    meals, other = categories(world)
    rule_on(world, other, merchant="Java Express")
    later = rule_on(world, meals, text="java")
    assert file_business(world.business) == 2
    first.refresh_from_db(), second.refresh_from_db()
    assert (first.subcategory_id, second.subcategory_id) == (meals.remote_id, other.remote_id)
    third = swipe(world, "Java House")
    RuleFiling.objects.create(
        business=world.business, rule=later, sentence="-", kind="expense", remote_id=third.remote_id, title="-",
        subcategory_id=meals.remote_id, key="faster",
    )  # fmt: skip
    categorise(world.actor("Carla"), third, other.remote_id, key="carla-1")
    assert file_business(world.business) == 0
    assert RuleFiling.objects.get(key="faster").state == FilingState.OVERTAKEN
    third.refresh_from_db()
    assert third.subcategory_id == other.remote_id


def test_a_rule_acts_in_the_name_of_whoever_switched_it_on_and_ends_with_them(world: World) -> None:
    swipe(world)
    meals, _ = categories(world)
    rule = rule_on(world, meals, merchant="Java House")
    membership = world.people["Ada"]
    membership.is_active = False
    membership.save()
    assert file_business(world.business) == 0
    rule.refresh_from_db()
    assert not rule.is_on
    assert "can no longer act here" in rule.trouble
    assert sent(world) == []
    line = AuditEntry.objects.filter(chain=world.business.pk).latest("id")
    assert line.sentence.startswith("switched off the rule")


def test_what_the_service_refuses_is_said_and_not_tried_again(world: World) -> None:
    java = swipe(world)
    meals, _ = categories(world)
    rule = rule_on(world, meals, merchant="Java House")
    CategoryRule.objects.filter(pk=rule.pk).update(subcategory_id="0" * 24)
    assert file_business(world.business) == 0
    filing = RuleFiling.objects.get(rule=rule)
    assert filing.state == FilingState.REFUSED
    assert filing.outcome
    assert file_business(world.business) == 0
    assert len(sent(world)) == 1
    java.refresh_from_db()
    assert java.subcategory_id == ""


def test_a_deleted_rule_leaves_what_it_filed_with_its_sentence(house: House) -> None:
    choose(house, "Meals", 1, merchant="Java House", remote_id="e1")
    ada = house.actor("Ada")
    rule = put_on(ada, write(ada, merchant="Java House"))
    RuleFiling.objects.create(
        business=house.business, rule=rule, sentence="If merchant is Java House, then Meals", kind="expense",
        remote_id="e1", title="Java House", subcategory_id="cat-meals", key="k1", state=FilingState.DONE,
        settled_at=rule.switched_on_at,
    )  # fmt: skip
    delete_category_rule(ada, rule)
    page = house.browser("Ada").get(house.address("uncategorised/expense/e1/")).content.decode()
    assert "If merchant is Java House, then Meals" in page
    assert Expense.objects.get(remote_id="e1").subcategory_id == "cat-meals"


def test_however_long_the_service_is_away_what_fits_is_filed_afterwards(world: World) -> None:
    java = swipe(world)
    meals, _ = categories(world)
    rule = rule_on(world, meals, merchant="Java House")
    assert world.proxy is not None
    world.proxy.fail("429", method="POST", path="changeSubCategory")
    for _ in range(2):
        assert file_business(world.business) == 0
    RuleFiling.objects.filter(rule=rule).update(attempts=10 * MOST_ATTEMPTS)
    assert file_business(world.business) == 0
    assert RuleFiling.objects.get(rule=rule).state == FilingState.WAITING
    world.proxy.heal()
    assert file_business(world.business) == 1
    java.refresh_from_db()
    assert java.subcategory_id == meals.remote_id


@pytest.mark.parametrize("trouble", [Unknown, Unavailable, None], ids=["no-answer", "away", "answered"])
def test_a_worker_that_was_only_slow_writes_nothing_over_what_its_successor_settled(
    world: World, monkeypatch: pytest.MonkeyPatch, trouble: type[FinanceError] | None
) -> None:
    java, meals = swipe(world), categories(world)[0]
    rule = rule_on(world, meals, merchant="Java House")
    operation, command = filing.COMMANDS["expense"]
    successors: list[int] = []

    def slowly(*of: Any, **more: Any) -> object:
        if successors:
            return command(*of, **more)
        # Its call hangs; meanwhile it is taken for lost, and another worker files it.
        RuleFiling.objects.filter(rule=rule).update(heartbeat_at=timezone.now() - 2 * LOST_AFTER)
        successors.append(0)
        successors[0] = file_business(world.business)
        if trouble is not None:
            raise trouble("No answer came.")
        return None

    monkeypatch.setitem(filing.COMMANDS, "expense", (operation, slowly))
    assert file_business(world.business) == 0
    assert successors == [1]
    settled = RuleFiling.objects.get(rule=rule)
    assert (settled.state, settled.outcome, settled.lease_id) == (FilingState.DONE, "", None)
    assert AuditEntry.objects.filter(chain=world.business.pk, sentence__contains="by rule 1").count() == 1
    java.refresh_from_db()
    assert java.subcategory_id == meals.remote_id
