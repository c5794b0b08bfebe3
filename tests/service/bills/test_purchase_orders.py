"""The purchase order of a bill: stored, changed, taken off, searched and filtered."""

from tests.service.bills.conftest import bill
from tests.service.house import House, code


def found(house: House, query: str) -> list[str]:
    return [row["bill_no"] for row in house.get(f"/bills?{query}").json()["docs"]]


def test_a_bill_names_its_purchase_order_and_is_found_by_it(house: House) -> None:
    created = bill(house, bill_no="A-1", subtotal=10, purchase_order="PO-1042")
    bill(house, bill_no="A-2", subtotal=11)
    assert created["purchase_order"] == "PO-1042"
    assert found(house, "purchase_order=po-1042") == ["A-1"]
    assert found(house, "purchase_order=po-104") == []
    assert found(house, "search=1042") == ["A-1"]


def test_it_is_changed_and_taken_off_and_stays_where_it_is_not_named(house: House) -> None:
    created = bill(house, subtotal=10, purchase_order="PO-1")
    path = f"/bills/{created['_id']}"
    assert house.send("PUT", path, {"memo": "x"}).json()["purchase_order"] == "PO-1"
    assert house.send("PUT", path, {"purchase_order": "PO-2"}).json()["purchase_order"] == "PO-2"
    assert house.send("PUT", path, {"purchase_order": ""}).json()["purchase_order"] == ""


def test_one_that_is_too_long_is_named(house: House) -> None:
    created = bill(house, subtotal=10)
    answer = house.send("PUT", f"/bills/{created['_id']}", {"purchase_order": "x" * 61})
    assert code(answer) == (422, "validation_failed")
    assert "purchase_order" in answer.json()["errors"][0]["field"]
