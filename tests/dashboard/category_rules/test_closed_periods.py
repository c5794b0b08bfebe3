"""What a rule cannot file since its period is closed waits, says so, and is filed once that period is open again."""

from __future__ import annotations

from datetime import date, timedelta
from types import SimpleNamespace
from typing import Any

import pytest

from dashboard.categorisation import closed_periods, filing
from dashboard.categorisation.closed_periods import closed_until
from dashboard.categorisation.filing import file_business
from dashboard.categorisation.models import FilingState, RuleFiling
from dashboard.categorisation.rules import switch_off
from dashboard.categorisation.uncategorised import EXPENSE_KIND
from dashboard.client.models import OutboundOperation, OutboundState
from dashboard.client.outbox import settle_by_reading
from dashboard.errors import InvalidState, Unavailable
from dashboard.mirror.apply import upsert
from dashboard.mirror.models import Expense, Origin
from dashboard.times import local
from tests.dashboard.accounting.test_periods import month_before, now
from tests.dashboard.category_rules.test_filing import categories, rule_on, sent
from tests.dashboard.conftest import World
from tests.dashboard.uncategorised.conftest import swipe

CLOSED = "The books are closed up to that day: decisions on this expense are over."


def bought_in(world: World, period: str) -> tuple[Expense, str]:
    """A purchase posted in the middle of that month, in the copy, which does not know yet under what it was filed since."""
    carla = world.employee("Carla")["employee_id"]
    made = world.sandbox("expenses", count=1, employee_ids=[carla], until=f"{period}-15T09:00:00Z")["expenses"]
    upsert("expense", world.business, made, Origin.POLL)
    bought = Expense.objects.get(business=world.business, remote_id=made[0]["_id"])
    elsewhere = bought.subcategory_id
    Expense.objects.filter(pk=bought.pk).update(subcategory_id="")
    return bought, elsewhere


def change(world: World, person: str, rest: str, body: dict[str, Any]) -> None:
    """Closes or reopens a period at the service."""
    acting = {"X-Acting-Employee": world.employee(person)["employee_id"]}
    world.send("POST", f"/accounting/periods/{rest}", body, acting)


@pytest.fixture
def closing(world: World, monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """A service that refuses to file, as it does in a closed period, until this is undone."""

    def refuses(*_: Any, **__: Any) -> None:
        raise InvalidState(CLOSED)

    operation, _ = filing.COMMANDS[EXPENSE_KIND]
    monkeypatch.setitem(filing.COMMANDS, EXPENSE_KIND, (operation, refuses))
    return monkeypatch


def test_it_waits_for_its_period_and_is_filed_once_that_is_open_again(
    world: World, closing: pytest.MonkeyPatch
) -> None:
    java, (meals, _) = swipe(world), categories(world)
    rule = rule_on(world, meals, merchant="Java House")
    day = local(java.transaction_date, world.business).date()
    closing.setattr(closed_periods, "closed_until", lambda _: day)
    assert file_business(world.business) == 0
    row = RuleFiling.objects.get(rule=rule)
    assert (row.state, row.item_day, row.lease_id) == (FilingState.CLOSED, day, None)
    shown = world.client("Ada").get(world.address(f"category-rules/{rule.pk}/")).content.decode()
    assert "Waits for its period" in shown
    assert f"1 item of {day:%B %Y} waits until that period is open again" in shown
    # As long as it is closed nothing is sent.
    assert file_business(world.business) == 0
    row.refresh_from_db()
    assert (row.state, row.attempts) == (FilingState.CLOSED, 1)

    closing.undo()
    assert closed_until(world.business) is None
    assert file_business(world.business) == 1
    row.refresh_from_db()
    java.refresh_from_db()
    assert (row.state, row.item_day, java.subcategory_id) == (FilingState.DONE, None, meals.remote_id)
    assert len(sent(world)) == 1
    shown = world.client("Ada").get(world.address(f"category-rules/{rule.pk}/")).content.decode()
    assert "open again" not in shown


@pytest.mark.parametrize("is_gone", [False, True])
def test_the_service_refuses_it_in_a_closed_period_and_takes_it_once_that_is_open_again(
    world: World, is_gone: bool
) -> None:
    period = month_before(now(world))
    bought, elsewhere = bought_in(world, period)
    category = next(each for each in categories(world) if each.remote_id != elsewhere)
    rule = rule_on(world, category, merchant=bought.merchant)
    change(world, "Ada", f"{period}/close", {"accept_open_items": True})
    assert file_business(world.business) == 0
    row = RuleFiling.objects.get(rule=rule)
    assert (row.state, row.item_day) == (FilingState.CLOSED, local(bought.transaction_date, world.business).date())
    change(world, "Abel", f"{period}/reopen", {"reason": "A late invoice"})
    if is_gone:
        # Done, but the answer is lost, and the item is out of sight when it is looked at again.
        assert world.proxy is not None
        world.proxy.fail("lost reply", method="POST", path="changeSubCategory")
        assert file_business(world.business) == 0
        settle_by_reading(world.business.pk, f"{row.key}.1", done=True)
        Expense.objects.filter(pk=bought.pk).delete()
        file_business(world.business)
    else:
        assert file_business(world.business) == 1
        bought.refresh_from_db()
        assert bought.subcategory_id == category.remote_id
    row.refresh_from_db()
    assert (row.state, row.outcome) == (FilingState.DONE, "")
    rows = OutboundOperation.objects.filter(business=world.business, key__startswith=row.key).order_by("pk")
    assert list(rows.values_list("key", "state")) == [
        (row.key, OutboundState.REJECTED), (f"{row.key}.1", OutboundState.CONFIRMED),
    ]  # fmt: skip


def test_another_refusal_stays_refused_and_what_is_not_known_is_tried_again(
    world: World, closing: pytest.MonkeyPatch
) -> None:
    java, (meals, _) = swipe(world), categories(world)
    rule = rule_on(world, meals, merchant="Java House")
    day = local(java.transaction_date, world.business).date()

    def away(_: object) -> None:
        raise Unavailable

    closing.setattr(closed_periods, "closed_until", away)
    file_business(world.business)
    row = RuleFiling.objects.get(rule=rule)
    assert row.state == FilingState.WAITING
    # Refused for whatever else: its own day lies in no closed period.
    closing.setattr(closed_periods, "closed_until", lambda _: day - timedelta(days=1))
    file_business(world.business)
    row.refresh_from_db()
    assert (row.state, row.outcome) == (FilingState.REFUSED, CLOSED)


def test_of_a_rule_that_is_switched_off_nothing_waits(world: World, closing: pytest.MonkeyPatch) -> None:
    java, (meals, _) = swipe(world), categories(world)
    rule = rule_on(world, meals, merchant="Java House")
    day = local(java.transaction_date, world.business).date()
    closing.setattr(closed_periods, "closed_until", lambda _: day)
    file_business(world.business)
    switch_off(world.actor("Ada"), rule)
    assert not RuleFiling.objects.filter(rule=rule).exists()


def test_what_is_closed_is_what_the_service_says(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    assert closed_until(world.business) is None
    months = (("2026-10", 31, "OPEN"), ("2026-09", 30, "CLOSED"), ("2026-08", 31, "CLOSED"))
    rows = [
        {"period": name, "from": f"{name}-01", "to": f"{name}-{last}", "status": status}
        for name, last, status in months
    ]
    monkeypatch.setattr(closed_periods, "read_live", lambda *_, **__: SimpleNamespace(data={"docs": rows}))
    assert closed_until(world.business) == date(2026, 9, 30)
