"""A changed workflow of bills holds for new bills only, or also for those in flight: asked with their number, and done."""

from __future__ import annotations

import re
from typing import Any

import pytest

from dashboard.mirror.models import Approval
from tests.dashboard.bills import upstream
from tests.dashboard.bills.test_paying import pay, signed_in
from tests.dashboard.conftest import World
from tests.dashboard.policies.conftest import confirmed, create_workflow, flow, page, workflows_at
from tests.dashboard.policies.test_workflows import at, named

TWO = {"who": "role", "votes": "2"}


def in_flight(world: World, count: int, who: str = "Ada") -> dict[str, Any]:
    """A workflow of bills under which so many payments that somebody requested wait for a vote."""
    made = create_workflow(world, "bills", name="Bills")
    world.sandbox("top-up", org_wallet_ref="1", amount=5_000)
    bills = [upstream.bill(world, number=f"INV-{number}", amount=1000) for number in range(count)]
    world.sync("lookups", "vendors", "bills_whole", "approvals")
    for bill in bills:
        assert pay(world, bill, signed_in(world, who)).status_code == 302
    world.sync("approvals")
    return made


def edit(made: dict[str, Any]) -> str:
    return f"bills/{made['_id']}/edit/"


def typed(*steps: dict[str, Any], **more: str) -> dict[str, Any]:
    return flow(*steps, name="Bills", priority="100", currency="", min_amount="", **more)


def needed(world: World) -> list[int]:
    """How many votes each that waits needs, as the service says it."""
    rows = world.upstream("/approvals/all", status="PENDING")["docs"]
    return [row["approvals_required"] for row in rows]


def test_it_is_asked_with_their_number_only_where_some_wait(world: World) -> None:
    made = create_workflow(world, "bills", name="Bills")
    assert "Change applies to" not in page(world.client("Ada").get(at(world, edit(made))))
    assert "Workflow applies to" not in page(world.client("Ada").get(at(world, "bills/new/")))


def test_those_in_flight_keep_their_steps_where_it_is_for_new_ones(world: World) -> None:
    made = in_flight(world, 2)
    shown = page(world.client("Ada").get(at(world, edit(made))))
    assert "New items only" in shown
    assert "Also the 2 requests that wait for approval" in shown
    assert re.search(r'value="NEW"[^>]*checked', shown)
    assert confirmed(world, "Ada", at(world, edit(made)), typed(TWO, reach="NEW")).status_code == 302
    assert needed(world) == [1, 1]
    assert workflows_at(world, "bills")[0]["steps"][0]["min_approvals"] == 2


def test_those_in_flight_get_the_new_steps_where_that_is_chosen_and_the_review_says_so(world: World) -> None:
    made = in_flight(world, 2)
    reviewed = page(world.client("Ada").post(at(world, edit(made)), typed(TWO, reach="WAITING")))
    assert "It applies to the 2 in flight, too." in reviewed
    assert "keep the version they were made with" not in reviewed
    assert confirmed(world, "Ada", at(world, edit(made)), typed(TWO, reach="WAITING")).status_code == 302
    assert needed(world) == [2, 2]
    world.sync("approvals")
    rows = Approval.objects.filter(business=world.business, status="PENDING")
    assert sorted(row.approvals_required for row in rows) == [2, 2]


def test_those_in_flight_alone_may_follow_though_nothing_else_changes(world: World) -> None:
    made = in_flight(world, 1)
    assert confirmed(world, "Ada", at(world, edit(made)), typed(TWO, reach="NEW")).status_code == 302
    shown = page(world.client("Ada").get(at(world, edit(made))))
    assert "Also the request that waits for approval" in shown
    again = typed(TWO, reach="WAITING", key="w2")
    assert confirmed(world, "Ada", at(world, edit(made)), again).status_code == 302
    assert needed(world) == [2]


def test_one_that_could_not_get_its_votes_is_named_and_nothing_changes(world: World) -> None:
    """Apollo requested the payment, and does not vote on it."""
    made = in_flight(world, 1, "Apollo")
    answer = confirmed(world, "Ada", at(world, edit(made)), typed(named(world, "Apollo"), reach="WAITING"))
    assert answer.status_code == 409
    assert "could not get its approvals by these steps" in page(answer)
    assert needed(world) == [1]
    assert workflows_at(world, "bills")[0]["version"] == 1


@pytest.mark.parametrize("reach", ["everything", "ALL"])
def test_what_is_none_of_the_choices_is_said_and_changes_nothing(world: World, reach: str) -> None:
    made = in_flight(world, 1)
    answer = world.client("Ada").post(at(world, edit(made)), typed(TWO, reach=reach))
    assert answer.status_code == 422
    assert "is not one of the available choices" in page(answer)
    assert needed(world) == [1]


def test_a_form_that_does_not_say_it_holds_for_new_bills(world: World) -> None:
    made = in_flight(world, 1)
    assert confirmed(world, "Ada", at(world, edit(made)), typed(TWO)).status_code == 302
    assert needed(world) == [1]
