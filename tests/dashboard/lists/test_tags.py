"""Tags of an expense, at the real service: chosen, added by those who may, shown on the item."""

import re
from typing import Any

from dashboard.mirror.apply import upsert_expenses
from dashboard.mirror.models import Expense
from tests.dashboard.conftest import World


def expense(world: World) -> str:
    expenses = world.sandbox("expenses", count=1, employee_ids=[world.employee("Carla")["employee_id"]])["expenses"]
    upsert_expenses(world.business, expenses, "FEED")
    remote_id: str = expenses[0]["_id"]
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
    assert "New tag" not in form
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


def test_what_was_ticked_and_typed_stays_when_the_service_does_not_answer(proxied_world: World) -> None:
    world = proxied_world
    assert world.proxy is not None
    remote_id = expense(world)
    tag(world, "Ada", remote_id, new="Trip")
    for fails in ("PUT", "POST", ""):  # the tags are not taken, nor the new one, then nothing answers at all
        world.proxy.fail("reset", method=fails)
        answer = tag(world, "Ada", remote_id, tags=["Trip"], new=f"Client visit{fails}", key=f"form{fails}")
        body = answer.content.decode()
        assert answer.status_code in {503, 504}, fails
        assert f'value="Client visit{fails}"' in body
        assert re.search(r'value="Trip"[^>]*checked', body)
        # Of a look that failed nobody says what became of the form.
        assert ("Try again in a moment." if fails == "" else "Send it again as it stands") in body
        key = re.search(r'name="key" value="(\w+)"', body)
        assert key
    world.proxy.heal()
    assert tag(world, "Ada", remote_id, tags=["Trip"], new="Client visit", key=key[1]).status_code == 302
    tags = Expense.objects.get(business=world.business, remote_id=remote_id).payload["tag"]
    assert sorted(tags) == ["Client visit", "Trip"]
