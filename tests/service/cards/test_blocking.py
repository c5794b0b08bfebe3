"""Who blocked a card decides who unblocks it; and what ends a card, and who may end it."""

from collections.abc import Callable

import pytest
from django.utils import timezone

from service.auth import system_caller
from service.cards import lifecycle, selectors
from service.cards.models import Card
from service.events.models import AuditEvent, Event
from tests.service.cards.conftest import Make, deliver, do
from tests.service.house import House, code

EVERYBODY = ("Carla", "Cyrus", "Rita", "Rex", "Apollo", "Ada", "Sam")


def may(house: House, make: Make, blocker: str) -> set[str]:
    """Who may unblock a card of Carla's that `blocker` blocked."""
    found = set()
    for who in EVERYBODY:
        card = make()
        assert do(house, card, "block", by=blocker).status_code == 200
        answer = do(house, card, "unblock", by=who)
        if answer.status_code == 200:
            found.add(who)
        elif who == "Cyrus":
            assert code(answer) == (404, "not_found")
        else:
            assert code(answer) == (403, "insufficient_role")
            assert Card.objects.get(pk=card["_id"]).status == "BLOCKED"
    return found


def test_blocker_lifts_blocked_by_its_holder_the_holder_or_above(house: House, make: Make) -> None:
    assert may(house, make, "Carla") == {"Carla", "Rita", "Apollo", "Ada", "Sam"}


def test_blocker_lifts_blocked_by_a_reviewer_that_reviewer_or_the_office(house: House, make: Make) -> None:
    assert may(house, make, "Rita") == {"Rita", "Apollo", "Ada", "Sam"}


def test_blocker_lifts_blocked_by_the_office_the_office(house: House, make: Make) -> None:
    assert may(house, make, "Ada") == {"Apollo", "Ada", "Sam"}


def test_a_block_by_the_platform_is_lifted_by_the_platform(house: House, make: Make) -> None:
    card = make(funds=0)
    Card.objects.filter(pk=card["_id"]).update(status="BLOCKED", blocked_by="SYSTEM", blocker="system")
    for who in ("Carla", "Ada", "Sam"):
        assert code(do(house, card, "unblock", by=who)) == (403, "insufficient_role")
    assert lifecycle.unblock(system_caller(house.business), card["_id"]).status == "ACTIVE"


def test_who_blocked_it_is_said(house: House, make: Make) -> None:
    card = make(funds=0)
    mine = do(house, card, "block", {"reason": "Lost"}, by="Carla").json()
    assert (mine["blocked_by"], mine["blocked_by_id"], mine["reason"]) == ("USER", house.person("Carla").id, "Lost")
    theirs = do(house, card, "block", {"reason": "Suspicious"}).json()
    assert (theirs["blocked_by"], theirs["blocked_by_id"]) == ("ADMIN", house.person("Ada").id)
    assert code(do(house, card, "unblock", by="Carla")) == (403, "insufficient_role")
    again = do(house, card, "block", by="Carla").json()
    assert (again["blocked_by"], again["version"]) == ("ADMIN", theirs["version"])
    free = do(house, card, "unblock").json()
    assert (free["status"], free["blocked_by"], free["blocked_by_id"]) == ("ACTIVE", None, None)
    kinds = list(Event.objects.filter(business=house.business).order_by("id").values_list("kind", flat=True))
    assert kinds == ["card.created", "card.blocked", "card.blocked", "card.unblocked"]
    assert AuditEvent.objects.filter(business=house.business, action="card.block").count() == 2


def test_retire_is_final_and_repeats(house: House, make: Make) -> None:
    card = make()
    first = do(house, card, "retire", {"reason": "Gone"}, by="Carla").json()
    assert (first["status"], first["reason"]) == ("RETIRED", "Gone")
    second = do(house, card, "retire")
    assert (second.status_code, second.json()["version"]) == (200, first["version"])
    assert Event.objects.filter(business=house.business, kind="card.retired").count() == 1


def test_holder_virtual_only(house: House, make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    plastic = make(type="PHYSICAL")
    deliver(house, plastic, monkeypatch)
    assert do(house, plastic, "activate", by="Carla").status_code == 200
    assert code(do(house, plastic, "retire", by="Carla")) == (403, "insufficient_role")
    assert code(do(house, plastic, "reissue", by="Carla")) == (403, "insufficient_role")
    assert code(do(house, plastic, "reissue")) == (409, "invalid_state")
    assert code(do(house, make(), "retire", by="Cyrus")) == (404, "not_found")
    assert do(house, plastic, "retire", by="Rita").status_code == 200


def test_another_business_s_card_is_not_found(house: House, make: Make, houses: Callable[..., House]) -> None:
    card, other = make(), houses()
    for verb in ("activate", "block", "unblock", "retire", "reissue"):
        assert code(do(other, card, verb)) == (404, "not_found")
    for path in ("", "/balance", "/transactions", "/fingerprint"):
        assert code(other.get(f"/cards/{card['_id']}{path}")) == (404, "not_found")
    assert code(other.send("PUT", f"/cards/{card['_id']}", {"name": "Mine"})) == (404, "not_found")


def test_expired_by_date(house: House, make: Make) -> None:
    card, blocked = make(), make("Cyrus")
    do(house, blocked, "block")
    now = timezone.now()
    Card.objects.filter(business=house.business).update(expiry_year=now.year, expiry_month=now.month)
    lifecycle.expire_due_cards()
    assert Card.objects.get(pk=card["_id"]).status == "ACTIVE", "to the end of its month"
    Card.objects.filter(business=house.business).update(expiry_year=now.year - 1)
    lifecycle.expire_due_cards()
    assert house.get(f"/cards/{card['_id']}").json()["status"] == "EXPIRED"
    assert Event.objects.filter(business=house.business, kind="card.expired").count() == 1
    assert code(do(house, blocked, "unblock")) == (409, "invalid_state")
    assert code(do(house, card, "retire")) == (409, "invalid_state")


def test_cards_of_a_deleted_person_are_found_nowhere_among_people(house: House, make: Make) -> None:
    card = make("Cyrus", funds=0)
    do(house, card, "retire")
    cyrus = house.person("Cyrus")
    assert house.send("DELETE", f"/employees/{cyrus.id}").status_code == 200
    assert code(house.get(f"/cards/employee/{cyrus.id}")) == (404, "not_found")
    refused = house.post("/cards", {"employee_id": cyrus.id, "name": "Again"})
    assert code(refused) == (422, "validation_failed")
    assert selectors.visible(house.caller("Ada")).filter(employee=cyrus).count() == 1, "what was is kept"
