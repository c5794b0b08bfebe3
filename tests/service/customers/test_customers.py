"""Customers: regular and walk-in, changed, deleted softly, brought back; who may do what."""

from collections.abc import Callable
from typing import Any

import pytest

from service.events.models import Event
from tests.service.house import House, code

WRITERS = ["Apollo", "Ada", None]
MARY = {
    "name": "Mary Otieno",
    "email": "mary@example.com",
    "phone": "+254700000001",
    "address": "Moi Avenue",
    "taxPin": "A001",
    "person": "Mary",
}


def create_customer(house: House, **fields: Any) -> dict[str, Any]:
    answer = house.post("/customers", fields or MARY)
    assert answer.status_code == 201, answer.json()
    body: dict[str, Any] = answer.json()
    return body


def put(house: House, who: str, body: dict[str, Any], **options: Any) -> Any:
    return house.send("PUT", f"/customers/{who}", body, **options)


def delete(house: House, who: str, **options: Any) -> Any:
    return house.send("DELETE", f"/customers/{who}", **options)


def reactivate(house: House, who: str, **options: Any) -> Any:
    return house.send("PATCH", f"/customers/{who}/reactivate", **options)


@pytest.mark.parametrize("by", WRITERS)
def test_a_regular_customer_is_made_read_and_changed(house: House, by: str | None) -> None:
    answer = house.post("/customers", MARY, by=by)
    body = answer.json()
    assert answer.status_code == 201
    assert {name: body[name] for name in MARY} == MARY
    assert (body["type"], body["status"], len(body["_id"])) == ("regular", "ACTIVE", 24)
    changed = put(house, body["_id"], {"phone": None, "name": "Mary Atieno"}, by=by).json()
    assert (changed["name"], changed["phone"], changed["email"], changed["version"]) == (
        "Mary Atieno", "", "mary@example.com", 2,
    )  # fmt: skip
    assert house.get(f"/customers/{body['_id']}", by="Rita").json() == changed
    assert put(house, body["_id"], {"name": "Mary Atieno"}).json()["version"] == 2


def test_a_walk_in_customer_has_its_name_and_keeps_it(house: House) -> None:
    walk_in = create_customer(house, type="walkIn")
    assert (walk_in["name"], walk_in["type"]) == ("WalkIn", "walkIn")
    refused = put(house, walk_in["_id"], {"phone": "254700000001"})
    assert code(refused) == (409, "invalid_state")
    assert house.get(f"/customers/{walk_in['_id']}").json() == walk_in
    for extra in ({"name": "WalkIn"}, {"phone": "254700000001"}):
        assert code(house.post("/customers", {"type": "walkIn", **extra})) == (422, "validation_failed")


def test_deletion_is_soft_and_may_be_repeated(house: House) -> None:
    mary = create_customer(house)["_id"]
    first = delete(house, mary)
    assert (first.status_code, first.json()["status"], first.json()["version"]) == (200, "DELETED", 2)
    assert delete(house, mary).json()["version"] == 2
    assert house.get(f"/customers/{mary}").json()["status"] == "DELETED"
    assert code(put(house, mary, {"name": "X"})) == (409, "invalid_state")


def test_reactivation_is_idempotent(house: House) -> None:
    mary = create_customer(house)["_id"]
    assert reactivate(house, mary).json()["version"] == 1
    delete(house, mary)
    assert [reactivate(house, mary).json()["version"] for _ in range(3)] == [3, 3, 3]
    assert put(house, mary, {"name": "X"}).status_code == 200
    kinds = Event.objects.filter(business=house.business).order_by("created_at").values_list("kind", flat=True)
    assert list(kinds) == ["customer.created", "customer.deleted", "customer.updated", "customer.updated"]


def test_the_list_shows_active_ones_unless_asked(house: House) -> None:
    gone, stays = create_customer(house)["_id"], create_customer(house, name="Zed")["_id"]
    delete(house, gone)
    for query, expected in (("", [stays]), ("?status=DELETED", [gone]), ("?status=ALL", [stays, gone])):
        page = house.get(f"/customers{query}").json()
        assert [each["_id"] for each in page["docs"]] == expected
        assert page["total"] == len(expected)
    for query in ("status=ACTIVE", "status=x", "page=0", "limit=1001"):
        assert code(house.get(f"/customers?{query}")) == (400, "invalid_parameters")


@pytest.mark.parametrize("by", ["Rita", "Apollo", "Ada", "Sam"])
def test_who_reads(house: House, by: str) -> None:
    mary = create_customer(house)["_id"]
    for address in ("/customers", f"/customers/{mary}", "/customers/search?q=m"):
        assert house.get(address, by=by).status_code == 200
        assert code(house.get(address, by="Carla")) == (403, "insufficient_role")


@pytest.mark.parametrize("by", ["Carla", "Rita", "Sam"])
def test_who_does_not_write(house: House, by: str) -> None:
    mary, refused = create_customer(house)["_id"], (403, "insufficient_role")
    assert code(house.post("/customers", MARY, by=by)) == refused
    assert code(put(house, mary, {"name": "X"}, by=by)) == refused
    assert code(delete(house, mary, by=by)) == refused
    assert code(reactivate(house, mary, by=by)) == refused


def test_another_business_s_customer_is_not_found(house: House, houses: Callable[..., House]) -> None:
    theirs, missing = create_customer(houses())["_id"], (404, "not_found")
    assert code(house.get(f"/customers/{theirs}")) == missing
    assert code(put(house, theirs, {"name": "X"})) == missing
    assert code(delete(house, theirs)) == missing
    assert code(reactivate(house, theirs)) == missing


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"name": " "}, "name"),
        ({"name": "\u0007"}, "name"),
        ({"name": "x" * 101}, "name"),
        ({"email": "mary"}, "email"),
        ({"phone": "call"}, "phone"),
        ({"taxPin": "%"}, "taxPin"),
        ({"address": "x" * 301}, "address"),
        ({"type": "VIP"}, "type"),
        ({"colour": 1}, "colour"),
    ],
)
def test_bad_bodies_name_the_field(house: House, fields: dict[str, Any], field: str) -> None:
    answer = house.post("/customers", {**MARY, **fields})
    assert code(answer) == (422, "validation_failed")
    assert answer.json()["errors"][0]["field"] == field
    assert house.get("/customers?status=ALL").json()["total"] == 0


def test_a_regular_customer_needs_a_name(house: House) -> None:
    assert code(house.post("/customers", {"phone": "254700000001"})) == (422, "validation_failed")
    mary = create_customer(house)["_id"]
    assert code(put(house, mary, {"name": None})) == (422, "validation_failed")
    assert code(put(house, mary, {"type": "walkIn"})) == (422, "validation_failed")
