"""A reissue is one transaction: the old card retired, a new one with its controls and what remains of its limits."""

from typing import Any

import pytest

from service.businesses.models import Employee
from service.cards import clearing, services
from service.cards.models import Authorization, Card
from service.events.models import Event
from tests.service.cards.conftest import Make, do, has, use
from tests.service.house import House, code

DAILY = {"limits": [{"interval": "PER_DAY", "amount": 1000_00}]}


def reissued(house: House, card: dict[str, Any], by: str = "Carla") -> dict[str, Any]:
    answer = do(house, card, "reissue", {"reason": "Leaked"}, by=by)
    assert answer.status_code == 201, answer.content
    found: dict[str, Any] = answer.json()
    return found


@pytest.mark.parametrize("funding", ["ALLOCATION", "BUSINESS_WALLET"])
def test_funding_passes_over_and_is_nobody_s_to_change_by_it(house: House, make: Make, funding: str) -> None:
    old = make(controls=DAILY, funding=funding)
    new = reissued(house, old, by="Carla")
    assert (new["funding"], new["controls"]) == (funding, old["controls"])


def test_same_controls_another_number_and_both_know_each_other(house: House, make: Make) -> None:
    old = make(controls=DAILY, funds=0)
    new = reissued(house, old)
    assert (new["status"], new["controls"], new["replaces"]) == ("ACTIVE", old["controls"], old["_id"])
    assert new["card_vcn"] != old["card_vcn"]
    before = house.get(f"/cards/{old['_id']}").json()
    assert (before["status"], before["replaced_by"], before["reason"]) == ("RETIRED", new["_id"], "REISSUED")
    kinds = list(Event.objects.filter(business=house.business).order_by("id").values_list("kind", flat=True))
    assert kinds == ["card.created", "card.retired", "card.created", "card.reissued"]
    assert code(do(house, old, "reissue")) == (409, "invalid_state")


def test_only_what_remains_of_a_limit_passes_over(house: House, make: Make) -> None:
    old = make(controls=DAILY)
    assert use(house, old, 600, settle=True)["approved"]
    new = reissued(house, reissued(house, old))
    assert house.get(f"/cards/{new['_id']}/balance").json()["limits"][0]["remaining"] == 400
    assert use(house, new, 401)["code"] == "interval_limit"
    assert use(house, new, 400)["approved"]
    assert use(house, new, 1)["code"] == "interval_limit"


def test_open_holds_stay_on_the_old_card(house: House, make: Make) -> None:
    old = make()
    held = use(house, old, 250)
    new = reissued(house, old)
    assert Authorization.objects.get(pk=held["_id"]).card_id == old["_id"]
    assert house.get(f"/cards/{old['_id']}/balance").json()["held"] == 250
    assert house.get(f"/cards/{new['_id']}/balance").json()["held"] == 0
    captured = clearing.capture(house.caller("Ada"), held["_id"], None, final=True)
    assert (captured.status, captured.card_id) == ("CAPTURED", old["_id"])
    assert has(house).pending_out == 0


def test_in_one_transaction(house: House, make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    old = make()

    def fails(*_: Any) -> None:
        raise RuntimeError

    monkeypatch.setattr(services, "add_card", fails)
    assert do(house, old, "reissue").status_code == 500
    assert (Card.objects.get(pk=old["_id"]).status, Card.objects.filter(business=house.business).count()) == (
        "ACTIVE",
        1,
    )


def test_a_blocked_card_is_not_unblocked_by_reissuing_it(house: House, make: Make) -> None:
    card = make()
    do(house, card, "block")
    assert code(do(house, card, "reissue", by="Carla")) == (403, "insufficient_role")
    assert reissued(house, card, by="Abel")["status"] == "ACTIVE"


def test_what_is_not_reissued(house: House, make: Make) -> None:
    assert code(do(house, make(type="SINGLE_USE"), "reissue")) == (409, "invalid_state")
    card = make("Cyrus")
    Employee.objects.filter(pk=house.person("Cyrus").id).update(status="SUSPENDED")
    assert code(do(house, card, "reissue")) == (409, "invalid_state")


def test_it_needs_a_key_and_happens_once(house: House, make: Make) -> None:
    path = f"/cards/{make()['_id']}/reissue"
    assert code(house.post(path, key=None)) == (400, "idempotency_key_missing")
    first, second = house.post(path, key="again"), house.post(path, key="again")
    assert (first.status_code, second.json()["_id"]) == (201, first.json()["_id"])
    assert second["Idempotency-Replayed"] == "true"
