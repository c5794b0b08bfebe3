"""An account that is handed over: who may, to which role, and what it does not move."""

import pytest

from dashboard.proposals.models import FourEyes
from tests.dashboard.conftest import World
from tests.dashboard.people.conftest import address_of, employee, shown, signed_in
from tests.dashboard.people.test_people import NEW, added

SUCCESSOR = NEW | {"existing": "SUSPEND"}


@pytest.mark.parametrize(("leaver", "role"), [("Rita", "APPROVER"), ("Apollo", "APPROVER"), ("Abel", "ADMIN")])
def test_nobody_alone_makes_a_successor_who_moves_money_where_a_second_admin_is_required(
    world: World, leaver: str, role: str
) -> None:
    FourEyes.objects.create(business=world.business, is_on=True)
    sam, address = signed_in(world, "Sam"), address_of(world, leaver, "transfer/")
    page = shown(sam.get(address))
    # Of a reviewer's account no such role can be given by anybody: nothing is left out since it needs two.
    assert ("Roles that move money need a second admin" in page) is (leaver != "Rita")
    assert f'value="{role}"' not in page
    assert sam.post(address, SUCCESSOR | {"role": role}).status_code == 422
    assert added(world) is None
    assert sam.post(address, SUCCESSOR | {"role": "REVIEWER"}).status_code == 302
    row = added(world)
    assert row is not None
    assert world.upstream(f"/employees/{row.remote_id}")["role"] == "REVIEWER"


def test_handed_over_the_successor_has_team_and_role_and_the_leaver_is_suspended(world: World) -> None:
    answer = signed_in(world, "Ada").post(address_of(world, "Carla", "transfer/"), SUCCESSOR)
    row = added(world)
    assert row is not None
    # What a handover does not move gets its successor next.
    assert answer["Location"] == f"{address_of(world, 'Carla', 'offboard/')}?heir={row.remote_id}"
    left = employee(world, "Carla")
    assert (row.team_id, row.role, left.status) == (left.team_id, "CARD_USER", "SUSPENDED")
    assert world.upstream(f"/employees/{row.remote_id}")["replaces"] == left.remote_id


def test_what_a_handover_does_not_move_is_listed_first(world: World) -> None:
    world.sandbox("expenses", count=2)
    world.sync()
    page = shown(world.client("Ada").get(address_of(world, "Rita", "transfer/")))
    assert "Not transferred" in page
    assert "team to review" in page or "teams to review" in page


def test_an_account_above_reviewer_is_handed_over_by_a_super_admin_alone(world: World) -> None:
    answer = signed_in(world, "Ada").post(address_of(world, "Apollo", "transfer/"), SUCCESSOR | {"role": "APPROVER"})
    assert answer.status_code in {403, 422}
    assert added(world) is None
    assert signed_in(world, "Sam").post(
        address_of(world, "Apollo", "transfer/"), SUCCESSOR | {"role": "APPROVER"}
    ).status_code == 302  # fmt: skip


@pytest.mark.parametrize("person", ["Carla", "Rita", "Apollo"])
def test_nobody_else_hands_an_account_over(world: World, person: str) -> None:
    answer = signed_in(world, person).post(address_of(world, "Carla", "transfer/"), SUCCESSOR)
    assert answer.status_code == 403
    assert added(world) is None
