"""Vendors: made, found, changed, deleted softly; whose they are and who may."""

from collections.abc import Callable

import pytest

from service.events.models import AuditEvent, Event
from tests.service.house import House, code
from tests.service.vendors.conftest import account, vendor


def test_a_vendor_is_made_with_what_is_missing_taken_from_the_business(house: House) -> None:
    created = vendor(house, taxPin="p051234567q", email="pay@acacia.example")
    assert (created["country"], created["currency"], created["type"], created["status"]) == (
        "KE",
        "KES",
        "BUSINESS",
        "ACTIVE",
    )
    assert created["taxPin"] == "P051234567Q"
    (shown,) = created["payment_instructions"]
    assert (shown["status"], shown["is_default"], shown["verified"]) == ("ACTIVE", True, False)
    assert house.get(f"/vendors/{created['_id']}").json() == created
    event = Event.objects.get(business=house.business, kind="vendor.created")
    assert event.payload["object"]["_id"] == created["_id"]


def test_the_audit_keeps_the_last_digits_of_an_account_only(house: House) -> None:
    created = vendor(house)
    stored = AuditEvent.objects.get(resource_id=created["_id"], action="vendor.create")
    assert stored.after is not None
    assert stored.after["payment_instructions"][0]["account"] == "…5678"


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"channel": "MPESA_SEND_MONEY", "account": "12345"}, "payment_instructions.0.account"),
        ({"channel": "BANK_EFT", "account": "0011223344"}, "payment_instructions.0.bank_code"),
        ({"channel": "BANK_EFT", "account": "0011223344", "bank_code": "99"}, "payment_instructions.0.bank_code"),
        ({"channel": "MPESA_PAYBILL", "account": "400200"}, "payment_instructions.0.account_reference"),
        ({"channel": "PIGEON", "account": "400200"}, "payment_instructions.0.channel"),
        ({"channel": "WALLET", "account": "0000000001"}, "payment_instructions.0.channel"),
    ],
)
def test_an_account_that_could_not_be_paid_to_is_refused(house: House, wrong: dict[str, str], field: str) -> None:
    answer = house.post("/vendors", {"name": "X", "payment_instructions": [wrong]})
    assert code(answer) == (422, "validation_failed")
    assert field in [error["field"] for error in answer.json()["errors"]]


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"name": ""},
        {"name": "X", "country": "Kenya"},
        {"name": "X", "currency": "XXX"},
        {"name": "X", "type": "FRIEND"},
        {"name": "X", "unknown": 1},
        {"name": "X", "payment_instructions": [account(is_default=True), account("254722000111", is_default=True)]},
    ],
)
def test_a_body_that_is_not_valid_is_refused(house: House, body: dict[str, object]) -> None:
    assert house.post("/vendors", body).status_code == 422


def test_found_by_part_of_what_is_known_of_them(house: House) -> None:
    created = vendor(house, name="Baobab Print", email="hello@baobab.example", phone="254733111222", taxPin="P0599")
    vendor(house, name="Another")
    for term in ("baob", "HELLO@", "733111", "p0599"):
        found = house.get(f"/vendors?search={term}").json()
        assert [each["_id"] for each in found["docs"]] == [created["_id"]]
    assert house.get("/vendors?search=nobody").json()["total"] == 0


def test_changed_fields_are_changed_and_the_rest_stays(house: House) -> None:
    created = vendor(house, email="old@acacia.example", phone="254733111222")
    answer = house.send("PUT", f"/vendors/{created['_id']}", {"name": "Acacia Ltd", "email": None})
    assert answer.status_code == 200
    changed = answer.json()
    assert (changed["name"], changed["email"], changed["phone"]) == ("Acacia Ltd", "", "254733111222")
    assert changed["version"] > created["version"]
    event = Event.objects.get(business=house.business, kind="vendor.updated")
    assert event.payload["previous"] == {"name": "Acacia Supplies", "email": "old@acacia.example"}


def test_a_deleted_vendor_stays_for_the_record(house: House) -> None:
    created = vendor(house)
    assert house.send("DELETE", f"/vendors/{created['_id']}").json()["status"] == "DELETED"
    assert house.get("/vendors").json()["total"] == 0
    assert house.get("/vendors?status=DELETED").json()["total"] == 1
    assert house.get("/vendors?status=ALL").json()["total"] == 1
    assert house.get(f"/vendors/{created['_id']}").json()["status"] == "DELETED"
    assert code(house.send("PUT", f"/vendors/{created['_id']}", {"name": "Y"})) == (409, "invalid_state")
    assert code(house.send("DELETE", f"/vendors/{created['_id']}")) == (409, "invalid_state")
    assert code(house.post(f"/vendors/{created['_id']}/payment-instruction/add", account("254722000111")))[0] == 409


def test_another_business_has_no_such_vendor(house: House, houses: Callable[[], House]) -> None:
    other = vendor(houses())["_id"]
    assert house.get("/vendors").json()["total"] == 0
    for method, path, body in (
        ("GET", f"/vendors/{other}", None),
        ("PUT", f"/vendors/{other}", {"name": "Z"}),
        ("DELETE", f"/vendors/{other}", None),
        ("POST", f"/vendors/{other}/payment-instruction", account()),
        ("POST", f"/vendors/{other}/payment-instruction/add", account()),
        ("POST", f"/vendors/{other}/payment-instruction/{other}/confirm", {"reason": "Yes"}),
        ("POST", f"/vendors/{other}/payment-instruction/{other}/reject", {"reason": "No"}),
        ("POST", f"/bills/vendors/{other}/payment-method", account()),
    ):
        assert code(house.send(method, path, body)) == (404, "not_found"), path


@pytest.mark.parametrize("by", ["Carla", "Rita", "Sam"])
def test_only_approvers_and_admins_change_vendors(house: House, by: str) -> None:
    created = vendor(house)
    assert code(house.post("/vendors", {"name": "X"}, by=by)) == (403, "insufficient_role")
    assert code(house.send("PUT", f"/vendors/{created['_id']}", {"name": "X"}, by=by))[0] == 403
    assert code(house.send("DELETE", f"/vendors/{created['_id']}", by=by))[0] == 403
    assert code(house.post(f"/vendors/{created['_id']}/payment-instruction", account(), by=by))[0] == 403
    assert code(house.post(f"/vendors/{created['_id']}/payment-instruction/add", account(), by=by))[0] == 403
    seen = house.get("/vendors", by=by).status_code
    assert seen == (403 if by == "Carla" else 200)


def test_a_repeat_under_the_same_key_makes_one_vendor(house: House) -> None:
    first = house.post("/vendors", {"name": "Once"}, key="vendor-1")
    assert house.post("/vendors", {"name": "Once"}, key="vendor-1").json() == first.json()
    assert house.get("/vendors").json()["total"] == 1
