"""Cards: who sees which, who makes them, and that no number is ever shown."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from service.events.models import Event
from tests.service.house import House, code


def new(house: House, name: str = "Carla", **fields: Any) -> dict[str, Any]:
    return {"employee_id": house.person(name).id, "name": f"{name}'s card", **fields}


def make(house: House, name: str = "Carla", **fields: Any) -> dict[str, Any]:
    answer = house.post("/cards", new(house, name, **fields))
    assert answer.status_code == 201, answer.content
    body: dict[str, Any] = answer.json()
    return body


def test_a_virtual_card_is_active_at_once(house: House) -> None:
    card = make(
        house, controls={"per_transaction_limit": 100_00, "limits": [{"interval": "PER_DAY", "amount": 500_00}]}
    )
    assert (card["status"], card["currency"], card["org_wallet_ref"]) == ("ACTIVE", "KES", "1")
    assert card["controls"]["limits"] == [{"interval": "PER_DAY", "amount": 500_00}]
    assert card["card_vcn"].startswith("vcn_")
    assert len(card["last_four"]) == 4
    assert card["spend"] == {"day": 0, "month": 0, "lifetime": 0}
    assert Event.objects.filter(business=house.business, kind="card.created").count() == 1


def test_a_physical_card_is_an_order_first(house: House) -> None:
    assert make(house, type="PHYSICAL")["status"] == "REQUESTED"
    assert Event.objects.filter(business=house.business, kind="card_order.requested").count() == 1


def test_each_sees_theirs(house: House, houses: Callable[..., House]) -> None:
    carlas, cyrus = make(house, "Carla"), make(house, "Cyrus")

    def seen(path: str, by: str) -> Any:
        answer = house.get(path, by=by)
        return [row["_id"] for row in answer.json()["docs"]] if answer.status_code == 200 else answer.status_code

    assert seen("/cards", "Carla") == [carlas["_id"]]
    assert seen("/cards", "Ada") == []
    assert seen("/cards/business", "Ada") == [cyrus["_id"], carlas["_id"]]
    assert seen("/cards/business", "Carla") == 403
    for who, outcome in (
        ("Carla", [carlas["_id"]]),
        ("Rita", [carlas["_id"]]),
        ("Cyrus", 404),
        ("Sam", [carlas["_id"]]),
    ):
        assert seen(f"/cards/employee/{house.person('Carla').id}", who) == outcome
    assert house.get(f"/cards/{carlas['_id']}", by="Rita").status_code == 200
    assert code(house.get(f"/cards/{cyrus['_id']}", by="Rita")) == (404, "not_found")
    assert code(houses().get(f"/cards/{carlas['_id']}")) == (404, "not_found")


@pytest.mark.parametrize(
    ("who", "status"), [("Carla", 403), ("Rita", 403), ("Sam", 403), ("Apollo", 201), ("Abel", 201)]
)
def test_who_makes_cards(house: House, who: str, status: int) -> None:
    assert house.post("/cards", new(house, "Cyrus"), by=who).status_code == status


def test_nobody_makes_their_own(house: House) -> None:
    assert code(house.post("/cards", new(house, "Ada"), by="Ada")) == (403, "self_approval_forbidden")


@pytest.mark.parametrize(
    ("fields", "outcome", "field"),
    [
        ({"employee_id": "0" * 24}, (422, "validation_failed"), "employee_id"),
        ({"org_wallet_ref": "77"}, (404, "not_found"), None),
        ({"type": "GOLD"}, (422, "validation_failed"), "type"),
        ({"controls": {"mcc_allowed": ["5812"], "mcc_blocked": ["5411"]}}, (422, "validation_failed"), "controls"),
        ({"controls": {"mcc_allowed": ["food"]}}, (422, "validation_failed"), "controls.mcc_allowed.0"),
        ({"controls": {"per_transaction_limit": 0}}, (422, "validation_failed"), "controls.per_transaction_limit"),
        ({"controls": {"colour": 1}}, (422, "validation_failed"), "controls.colour"),
    ],
)
def test_bad_bodies(house: House, fields: dict[str, Any], outcome: tuple[int, str], field: str | None) -> None:
    answer = house.post("/cards", {**new(house), **fields})
    assert code(answer) == outcome
    if field:
        assert answer.json()["errors"][0]["field"] == field


def test_a_page_of_cards_costs_the_same_however_many_there_are(
    house: House, django_assert_num_queries: Callable[..., Any]
) -> None:
    make(house)
    assert house.get("/cards/business").status_code == 200
    with CaptureQueriesContext(connection) as first:
        house.get("/cards/business")
        base = len(first)
    for _ in range(5):
        make(house)
    for path, many in (("/cards/business", base), (f"/cards/employee/{house.person('Carla').id}", base + 1)):
        with django_assert_num_queries(many):
            assert house.get(path).json()["total"] == 6


@pytest.mark.parametrize("path", ["/cards", "/cards/business", "/cards/authorizations", "/cards/single-use/requests"])
def test_pages_out_of_range_and_clients_without_the_entitlement(
    house: House, houses: Callable[..., House], path: str
) -> None:
    for query in ("page=0", "limit=1001", "limit=x", "cursor=!", "updated_since=yesterday"):
        assert code(house.get(f"{path}?{query}")) == (400, "invalid_parameters")
    assert code(houses(entitled=False).get(path)) == (403, "entitlement_required")
