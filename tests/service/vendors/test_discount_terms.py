"""A vendor's own early-payment discount: kept with the vendor, and what its new bills start with unless they say otherwise."""

from typing import Any

import pytest

from tests.service.bills.conftest import bill
from tests.service.house import House, code
from tests.service.vendors.conftest import vendor

TERMS = {"discount_percent": 2.5, "discount_days": 10}


def test_the_terms_stand_on_the_vendor_until_they_are_taken_off(house: House) -> None:
    created = vendor(house, **TERMS)
    assert (created["discount_percent"], created["discount_days"]) == (2.5, 10)
    path = f"/vendors/{created['_id']}"
    assert house.send("PUT", path, {"name": "Acacia Ltd"}).json()["discount_days"] == 10
    off = house.send("PUT", path, {"discount_percent": 0}).json()
    assert (off["discount_percent"], off["discount_days"]) == (0, 0)
    again = house.send("PUT", path, {"discount_percent": 1, "discount_days": 30}).json()
    assert (again["discount_percent"], again["discount_days"]) == (1, 30)


@pytest.mark.parametrize(
    "terms",
    [
        {"discount_percent": 2},
        {"discount_days": 10},
        {"discount_percent": 0, "discount_days": 10},
        {"discount_percent": 100, "discount_days": 10},
        {"discount_percent": 2, "discount_days": 0},
        {"discount_percent": 2, "discount_days": 366},
    ],
)
def test_terms_that_are_none_are_refused(house: House, terms: dict[str, Any]) -> None:
    created = vendor(house)
    assert code(house.send("PUT", f"/vendors/{created['_id']}", terms)) == (422, "validation_failed")
    assert code(house.post("/vendors", {"name": "Baobab", **terms})) == (422, "validation_failed")


def test_a_new_bill_starts_with_them_counted_from_its_issue(house: House) -> None:
    created = bill(house, 1000, vendor_id=vendor(house, **TERMS)["_id"])
    assert (created["discount_percent"], created["discount_until"]) == (2.5, "2026-01-15")
    assert (created["discount_from_vendor"], created["discount_minor"]) == (True, 2500)
    changed = house.send("PUT", f"/bills/{created['_id']}", {"memo": "x"}).json()
    assert changed["discount_from_vendor"] is True


def test_a_bill_that_says_otherwise_has_its_own(house: House) -> None:
    named = vendor(house, **TERMS)["_id"]
    none = bill(house, vendor_id=named, discount_percent=0)
    assert (none["discount_percent"], none["discount_until"], none["discount_from_vendor"]) == (0, None, False)
    own = bill(house, vendor_id=named, bill_no="INV-2", discount_percent=1, discount_until="2026-03-01")
    assert (own["discount_percent"], own["discount_until"], own["discount_from_vendor"]) == (1, "2026-03-01", False)


def test_what_a_bill_has_stays_when_the_vendor_changes(house: House) -> None:
    named = vendor(house, **TERMS)["_id"]
    created = bill(house, vendor_id=named)
    house.send("PUT", f"/vendors/{named}", {"discount_percent": 0})
    same = {"discount_percent": 2.5, "discount_until": created["discount_until"]}
    assert house.send("PUT", f"/bills/{created['_id']}", same).json()["discount_from_vendor"] is True
    assert house.get(f"/bills/{created['_id']}").json()["discount_percent"] == 2.5
    edited = house.send(
        "PUT", f"/bills/{created['_id']}", {"discount_percent": 3, "discount_until": "2026-03-01"}
    ).json()
    assert edited["discount_from_vendor"] is False
