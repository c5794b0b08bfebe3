"""What waits for nobody: found on Home and on the item, with who is missing and why."""

from __future__ import annotations

from typing import Any

import pytest

from dashboard.access.models import Membership
from dashboard.delegation.dead_ends import dead_end_of, dead_ends_of
from dashboard.delegation.presence import presence_of
from dashboard.mirror.models import Employee, Expense
from tests.dashboard.delegation.conftest import hand_over
from tests.dashboard.pages.conftest import House


def seats(house: House, *names: str, **more: Any) -> list[dict[str, Any]]:
    return [{"employee_id": house.employee_id(name), **more} for name in names]


def sentence(house: House, subject: Any) -> str:
    return dead_end_of(presence_of(house.business), subject)


def test_with_votes_enough_there_is_no_dead_end(house: House) -> None:
    assert not sentence(house, house.payment())
    assert not sentence(house, house.expense())
    assert dead_ends_of(house.actor("Ada")) == ([], 0)


@pytest.mark.parametrize("case", ["suspended", "no way in", "another role", "maker", "cap", "voted"])
def test_whoever_has_the_seat_that_is_needed_cannot(house: House, case: str) -> None:
    apollo = house.employee_id("Apollo")
    payment = house.payment(eligible=seats(house, "Apollo"), approvals_required=1)
    endings = {
        "suspended": "Apollo is suspended", "no way in": "has no access here", "another role": "is admin now",
        "maker": "requested it", "cap": "may not approve this much", "voted": "has decided already",
    }  # fmt: skip
    if case == "suspended":
        Employee.objects.filter(remote_id=apollo).update(status="SUSPENDED")
    elif case == "no way in":
        Membership.objects.filter(employee_id=apollo).update(is_active=False)
    elif case == "another role":
        Membership.objects.filter(employee_id=apollo).update(role="ADMIN")
    elif case == "maker":
        payment.requested_by_id = apollo
    elif case == "cap":
        payment.eligible = seats(house, "Apollo", max_amount_minor=1)
    else:
        payment.voters = [apollo]
    assert "Nobody can complete this now" in sentence(house, payment)
    assert endings[case] in sentence(house, payment)


def test_nobody_with_a_seat_at_all_and_a_vote_that_is_asked_for_by_name(house: House) -> None:
    assert "Nobody else is an approver" in sentence(house, house.payment(eligible=[], approvals_required=1))
    payment = house.payment(approvals_required=1)
    step = {"order": 1, "employee_id": house.employee_id("Selma"), "required": True, "status": "WAITING"}
    payment.payload = {"steps": [step]}
    assert "of a required approver is missing" in sentence(house, payment)


def test_a_step_of_a_workflow_that_lacks_its_votes(house: House) -> None:
    payment = house.payment(approvals_required=1)
    one = {"required": False, "status": "WAITING", "min_approvals": 1}
    payment.payload = {
        "steps": [
            one | {"order": 1, "employee_id": house.employee_id("Apollo")},
            one | {"order": 2, "employee_id": house.employee_id("Selma")},
        ]
    }
    assert "step 2 lacks 1 approval" in sentence(house, payment)


def test_away_until_friday_is_a_dead_end_said_on_home_and_on_the_item(house: House) -> None:
    hand_over(house, kinds=frozenset({"approval"}))
    payment = house.payment(eligible=seats(house, "Apollo"), approvals_required=1)
    assert "Apollo is away until" in sentence(house, payment)
    assert [one.pk for one in dead_ends_of(house.actor("Ada"))[0]] == [payment.pk]
    home = house.browser("Ada").get(house.address("home/exceptions/"), headers={"HX-Request": "true"})
    assert payment.ref in home.content.decode()
    pane = house.browser("Ada").get(house.address(f"approvals/payment/{payment.remote_id}/")).content.decode()
    assert "Apollo is away until" in pane
    carla = house.browser("Carla").get(house.address("home/exceptions/"), headers={"HX-Request": "true"})
    assert payment.ref not in carla.content.decode()


def test_expenses_that_nobody_else_may_review(house: House) -> None:
    house.expense(employee_id=house.employee_id("Ada"), team_id="")
    for name in ("Apollo", "Zawadi"):
        Employee.objects.filter(remote_id=house.employee_id(name)).update(status="SUSPENDED")
    house.expense(employee_id=house.employee_id("Ada"), team_id="fleet")
    stuck = Expense.objects.get(business=house.business, team_id="")
    assert "Nobody can review this" in sentence(house, stuck)
    assert dead_ends_of(house.actor("Ada"))[1] == 1
    Employee.objects.filter(remote_id=house.employee_id("Rita")).update(status="SUSPENDED")
    assert dead_ends_of(house.actor("Ada"))[1] == 2
