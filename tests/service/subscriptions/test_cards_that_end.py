"""Subscriptions and the end of their card: they follow a reissued one, are paused with a retired or expired one."""

from typing import Any

import pytest

from service.cards import lifecycle
from service.cards.models import Card
from service.events.models import AuditEvent, Event
from service.subscriptions import services
from service.subscriptions.models import Subscription
from tests.service.cards.conftest import Make, do
from tests.service.house import House, code
from tests.service.ledger.conftest import at_once
from tests.service.subscriptions.conftest import charge, subscription


def on(house: House, card: dict[str, Any], **more: Any) -> dict[str, Any]:
    return subscription(house, employee_id=card["employee_id"], card_id=card["_id"], **more)


def now(row: dict[str, Any]) -> Subscription:
    return Subscription.objects.get(pk=row["_id"])


def put(house: House, row: dict[str, Any], verb: str, **body: Any) -> Any:
    return house.send("PUT", f"/subscriptions/{verb}", {"subscription_id": row["_id"], **body})


def events_of(row: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """The events of it since it was made, with what was before."""
    events = Event.objects.filter(payload__object___id=row["_id"], kind__startswith="subscription.").order_by("id")
    return [(each.kind, each.payload["previous"]) for each in events][1:]


def test_it_passes_over_to_a_reissued_card_with_its_event(house: House, make: Make) -> None:
    old, other = make(), make()
    row, paused, elsewhere = on(house, old), on(house, old, vendor="Press Ltd"), on(house, other)
    put(house, paused, "status", status="PAUSED")
    new = do(house, old, "reissue", by="Carla").json()
    moved = now(row)
    assert (moved.card_id, moved.status, moved.version) == (new["_id"], "ACTIVE", 2)
    assert moved.next_charge_at is not None
    assert events_of(row) == [("subscription.updated", {"card_id": old["_id"]})]
    assert AuditEvent.objects.get(resource_id=row["_id"], action="subscription.follow_card").before == {
        "card_id": old["_id"]
    }
    assert (now(paused).card_id, now(paused).status) == (new["_id"], "PAUSED")
    assert put(house, paused, "status", status="ACTIVE").status_code == 200
    assert now(elsewhere).card_id == other["_id"]
    assert events_of(elsewhere) == []


def test_charges_match_whichever_card_of_the_line_they_come_by(house: House, make: Make) -> None:
    old, stranger = make(), make()
    row = on(house, old)
    first = do(house, old, "reissue", by="Carla").json()
    second = do(house, first, "reissue", by="Carla").json()
    charges = [charge(house, card_id=each["_id"]) for each in (old, first, second)]
    charge(house, card_id=stranger["_id"])
    charge(house)
    listed = house.get(f"/subscriptions/expenses?subscription_id={row['_id']}").json()["docs"]
    assert {each["_id"] for each in listed} == {each.id for each in charges}
    assert now(row).card_id == second["_id"]


def test_one_that_is_made_later_takes_the_charges_of_the_old_card(house: House, make: Make) -> None:
    old = make()
    past = charge(house, card_id=old["_id"], days_ago=20)
    row = on(house, do(house, old, "reissue", by="Carla").json())
    listed = house.get(f"/subscriptions/expenses?subscription_id={row['_id']}").json()["docs"]
    assert [each["_id"] for each in listed] == [past.id]


def test_a_pattern_over_two_cards_of_a_line_is_one_and_no_news_where_it_is_known(house: House, make: Make) -> None:
    old = make()
    for days in (61, 30):
        charge(house, card_id=old["_id"], days_ago=days)
    new = do(house, old, "reissue", by="Carla").json()
    charge(house, card_id=new["_id"])
    [found] = house.post("/subscriptions/auto-generate", {"dry_run": False}).json()["created"]
    assert found["card_id"] == new["_id"]
    do(house, new, "reissue", by="Carla")
    assert house.post("/subscriptions/auto-generate", {}).json()["proposals"] == []


@pytest.mark.parametrize("end", ["retire", "expire"])
def test_without_a_card_in_its_place_it_is_paused(house: House, make: Make, end: str) -> None:
    card, other = make(), make()
    row = on(house, card)
    if end == "retire":
        assert do(house, card, "retire", by="Carla").status_code == 200
    else:
        Card.objects.filter(pk=card["_id"]).update(expiry_year=2020)
        assert lifecycle.expire_due_cards() >= 1
    assert (now(row).status, now(row).next_charge_at, now(row).card_id) == ("PAUSED", None, card["_id"])
    assert events_of(row) == [("subscription.paused", {"status": "ACTIVE"})]
    assert code(put(house, row, "status", status="ACTIVE")) == (409, "invalid_state")
    given = {"employee_id": other["employee_id"], "card_id": other["_id"]}
    assert put(house, row, "assign-employee", **given).json()["status"] == "PAUSED"
    assert put(house, row, "status", status="ACTIVE").json()["status"] == "ACTIVE"


def test_a_reissue_that_fails_leaves_it_where_it_is(house: House, make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    card = make()
    row = on(house, card)

    def fails(*_: Any) -> None:
        raise RuntimeError

    monkeypatch.setattr(services, "record_change", fails)
    assert do(house, card, "reissue", by="Carla").status_code == 500
    assert Card.objects.get(pk=card["_id"]).status == "ACTIVE"
    assert (now(row).card_id, now(row).version) == (card["_id"], 1)


@pytest.mark.parametrize("run", range(3))
def test_given_a_card_while_it_is_reissued_it_never_stays_with_the_old_one(committed: None, run: int) -> None:
    house = House()
    person = house.person("Carla")
    card = house.post("/cards", {"employee_id": person.id, "name": "Fuel"}).json()
    row = subscription(house)

    def first(place: int) -> int:
        if place:
            return int(do(house, card, "reissue", by="Carla").status_code)
        return int(put(house, row, "assign-employee", employee_id=person.id, card_id=card["_id"]).status_code)

    given, reissued = at_once(2, first)
    assert reissued == 201
    stored = now(row).card
    assert given in (200, 422)
    assert (stored is None) == (given == 422)
    assert stored is None or stored.status == "ACTIVE"
