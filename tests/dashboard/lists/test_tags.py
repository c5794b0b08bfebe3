"""Tags of an expense, at the real service: chosen, added by those who may, shown on the item."""

from typing import Any

from dashboard.mirror.apply import upsert_expenses
from dashboard.mirror.models import Expense
from tests.dashboard.conftest import World


def expense(world: World) -> str:
    made = world.sandbox("expenses", count=1, employee_ids=[world.employee("Carla")["employee_id"]])["expenses"]
    upsert_expenses(world.business, made, "FEED")
    remote_id: str = made[0]["_id"]
    return remote_id


def tag(world: World, person: str, remote_id: str, **form: Any) -> Any:
    return world.client(person).post(world.address(f"expenses/{remote_id}/tags/"), form)


def test_a_new_word_and_then_a_known_one(world: World) -> None:
    first = expense(world)
    assert tag(world, "Ada", first, new="Client visit").status_code == 302
    assert Expense.objects.get(business=world.business, remote_id=first).payload["tag"] == ["Client visit"]
    assert "Client visit" in world.client("Ada").get(world.address(f"expenses/{first}/")).content.decode()
    form = world.client("Carla").get(world.address(f"expenses/{first}/tags/")).content.decode()
    assert "Client visit" in form
    assert "A new tag" not in form
    assert tag(world, "Carla", first, tags=[]).status_code == 302
    assert Expense.objects.get(business=world.business, remote_id=first).payload["tag"] == []


def test_an_unknown_word_and_somebody_elses_expense_are_refused(world: World) -> None:
    remote_id = expense(world)
    assert tag(world, "Carla", remote_id, tags=["No such tag"]).status_code == 422
    other = world.sandbox("expenses", count=1, employee_ids=[world.employee("Ada")["employee_id"]])["expenses"]
    upsert_expenses(world.business, other, "FEED")
    assert world.client("Carla").get(world.address(f"expenses/{other[0]['_id']}/tags/")).status_code == 404


def test_the_same_word_added_twice_is_one(world: World) -> None:
    first, second = expense(world), expense(world)
    tag(world, "Ada", first, new="Trip")
    assert tag(world, "Apollo", second, new="trip").status_code == 302
    assert Expense.objects.get(business=world.business, remote_id=second).payload["tag"] == ["Trip"]
