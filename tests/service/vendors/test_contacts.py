"""The people to speak to at a vendor: added, changed, removed, moved by a merge; in the audit, and by whom it may be done."""

from typing import Any

import pytest

from tests.service.house import House, code
from tests.service.vendors.conftest import vendor

MARY = {"name": "Mary Otieno", "role": "Accounts", "email": "mary@otieno.example", "phone": "254712345678"}


def path_of(created: dict[str, Any], contact: str = "") -> str:
    return f"/vendors/{created['_id']}/contacts{'/' if contact else ''}{contact}"


def test_somebody_is_added_changed_and_removed(house: House) -> None:
    created = vendor(house)
    assert created["contacts"] == []
    answer = house.post(path_of(created), MARY)
    assert answer.status_code == 201, answer.json()
    (mary,) = answer.json()["contacts"]
    assert {name: mary[name] for name in MARY} == MARY
    changed = house.send("PUT", path_of(created, mary["_id"]), {"name": "Mary Otieno"}).json()
    assert changed["contacts"] == [{"_id": mary["_id"], "name": "Mary Otieno", "role": "", "email": "", "phone": ""}]
    assert changed["version"] == created["version"] + 2
    assert house.send("DELETE", path_of(created, mary["_id"])).json()["contacts"] == []
    assert code(house.send("DELETE", path_of(created, mary["_id"]))) == (404, "not_found")


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"name": ""}, "name"),
        ({"name": "x" * 101}, "name"),
        ({"role": "x" * 61}, "role"),
        ({"email": "mary"}, "email"),
        ({"phone": "call me"}, "phone"),
        ({"fax": "1"}, "fax"),
    ],
)
def test_what_is_wrong_is_named(house: House, body: dict[str, str], field: str) -> None:
    answer = house.post(path_of(vendor(house)), {**MARY, **body})
    assert code(answer) == (422, "validation_failed")
    assert field in answer.json()["errors"][0]["field"]


def test_who_may_not_write_vendors_writes_no_contacts(house: House) -> None:
    created = vendor(house)
    assert house.post(path_of(created), MARY, by="Rita").status_code == 403


def test_a_contact_of_another_vendor_is_not_found(house: House) -> None:
    first, second = vendor(house), vendor(house)
    mary = house.post(path_of(first), MARY).json()["contacts"][0]
    assert code(house.send("PUT", path_of(second, mary["_id"]), MARY)) == (404, "not_found")
    assert code(house.send("DELETE", path_of(second, mary["_id"]))) == (404, "not_found")


def test_a_merge_moves_contacts(house: House) -> None:
    first, second = vendor(house), vendor(house)
    house.post(path_of(second), MARY)
    plan = house.get(f"/vendors/{first['_id']}/merge/{second['_id']}").json()
    assert {"noun": "contact", "count": 1} in plan["moves"]
    merged = house.post(f"/vendors/{first['_id']}/merge", {"duplicate_id": second["_id"], "reason": "Twice."})
    assert [contact["name"] for contact in merged.json()["contacts"]] == ["Mary Otieno"]
