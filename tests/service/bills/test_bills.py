"""Bills: made with lines or sums, found, changed, cancelled; whose they are and who may."""

from collections.abc import Callable
from typing import Any

import pytest

from service.events.models import Event
from tests.service.bills.conftest import add, bill
from tests.service.house import House, code
from tests.service.vendors.conftest import vendor

LINES = [
    {"description": "Paper", "qty": 10, "unit_price": 100, "tax_rate": 16},
    {"description": "Pens", "qty": 2.5, "unit_price": 33.33},
]


def test_lines_are_added_up_with_their_tax(house: House) -> None:
    created = bill(house, line_items=LINES, total=1243.33)
    assert (created["subtotal"], created["tax_amount"], created["total"]) == (1083.33, 160, 1243.33)
    assert (created["total_minor"], created["balance_minor"], created["amount_paid"]) == (124333, 124333, 0)
    assert [line["amount"] for line in created["line_items"]] == [1000, 83.33]
    assert (created["status"], created["approval_status"], created["due_at"]) == ("OPEN", "INITIALIZED", "2026-01-05")
    assert house.get(f"/bills/{created['_id']}").json() == created
    assert Event.objects.get(business=house.business, kind="bill.created").payload["object"]["_id"] == created["_id"]


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"line_items": LINES, "total": 1}, "total"),
        ({"line_items": None}, "line_items"),
        ({"subtotal": 0}, "total"),
        ({"subtotal": 10.001}, "subtotal"),
        ({"subtotal": -1}, "subtotal"),
        ({"total": 5}, "subtotal"),
        ({"subtotal": 10, "due_at": "2026-01-04"}, ""),
        ({"subtotal": 10, "issued_at": "2026-02-30"}, "issued_at"),
        ({"subtotal": 10, "currency": "XXX"}, "currency"),
        ({"subtotal": 10, "bill_no": "---"}, "bill_no"),
        ({"subtotal": 10, "vendor_id": "0" * 24}, "vendor_id"),
        ({"subtotal": 10, "budget_id": "0" * 24}, "budget_id"),
        ({"subtotal": 10, "team_id": "0" * 24}, "team_id"),
        ({"subtotal": 10, "subcategory_id": "0" * 24}, "subcategory_id"),
        ({"subtotal": 10, "withholding_tax_ids": ["0" * 24]}, "withholding_tax_ids"),
        ({"subtotal": 10, "attachments": ["0" * 24]}, "file_ids"),
        ({"subtotal": 10, "status": "PAID"}, "status"),
    ],
)
def test_what_is_wrong_is_named(house: House, body: dict[str, Any], field: str) -> None:
    whole = {"bill_no": "INV-1", "vendor_id": vendor(house)["_id"], "issued_at": "2026-01-05", **body}
    answer = house.post("/bills", whole)
    assert code(answer) == (422, "validation_failed"), answer.json()
    assert field in answer.json()["errors"][0]["field"]
    assert house.get("/bills").json()["total"] == 0


def test_a_number_is_used_once_per_vendor_however_it_is_spelled(house: House) -> None:
    created = bill(house, bill_no="INV-001")
    again = {"bill_no": "inv 001", "vendor_id": created["vendor_id"], "issued_at": "2026-03-05", "subtotal": 9}
    assert code(house.post("/bills", again)) == (409, "duplicate")
    house.post(f"/bills/{created['_id']}/cancel", {"reason": "Wrong amount"})
    assert house.post("/bills", again).status_code == 201
    bill(house, bill_no="INV-001")  # of another vendor


def test_found_by_what_is_asked(house: House) -> None:
    created = bill(house, 10, bill_no="A-1", memo="Chairs")
    other = bill(house, 20, bill_no="A-2", status="DRAFT", due_at="2026-06-01")
    for query, expected in (
        ("search=chairs", created),
        ("status=DRAFT", other),
        (f"vendor_id={created['vendor_id']}", created),
        ("due_before=2026-02-01", created),
    ):
        assert [each["_id"] for each in house.get(f"/bills?{query}").json()["docs"]] == [expected["_id"]], query
    assert house.get("/bills?approval_status=INITIALIZED").json()["total"] == 2
    assert house.get("/bills?approval_status=PENDING").json()["total"] == 0
    assert code(house.get("/bills?status=LOST"))[0] == 400


def test_an_edit_changes_what_was_sent(house: House) -> None:
    created = bill(house, 10, status="DRAFT")
    body = {"line_items": LINES, "memo": "Paper", "due_at": "2026-02-01", "bill_no": "INV-2", "status": "OPEN"}
    changed = house.send("PUT", f"/bills/{created['_id']}", body).json()
    assert (changed["total"], changed["memo"], changed["bill_no"], changed["status"]) == (
        1243.33, "Paper", "INV-2", "OPEN",
    )  # fmt: skip
    assert changed["version"] > created["version"]
    assert code(house.send("PUT", f"/bills/{created['_id']}", {"status": "OPEN"})) == (409, "invalid_state")
    assert code(house.send("PUT", f"/bills/{created['_id']}", {"due_at": "2025-12-31"}))[0] == 422


def test_a_cancelled_bill_is_over_and_takes_its_drafts_along(house: House) -> None:
    created = bill(house)
    draft = add(house, created).json()
    assert house.post(f"/bills/{created['_id']}/cancel", {"reason": "Twice"}).json()["status"] == "CANCELLED"
    assert house.get(f"/bills/payments/{draft['payment_ref']}/status").json()["status"] == "WITHDRAWN"
    assert Event.objects.filter(business=house.business, kind="bill_payment.withdrawn").count() == 1
    assert code(house.post(f"/bills/{created['_id']}/cancel", {"reason": "Twice"})) == (409, "invalid_state")
    assert code(house.send("PUT", f"/bills/{created['_id']}", {"memo": "x"})) == (409, "invalid_state")
    assert code(add(house, created)) == (409, "invalid_state")


def test_a_vendor_with_open_bills_is_not_deleted(house: House) -> None:
    created = bill(house)
    assert code(house.send("DELETE", f"/vendors/{created['vendor_id']}")) == (409, "in_use")
    house.post(f"/bills/{created['_id']}/cancel", {"reason": "Twice"})
    assert house.send("DELETE", f"/vendors/{created['vendor_id']}").status_code == 200


def test_another_business_has_no_such_bill(house: House, houses: Callable[[], House]) -> None:
    theirs = houses()
    other = bill(theirs)
    row = add(theirs, other).json()
    path = f"/bills/{other['_id']}"
    for method, address, body in (
        ("GET", path, None),
        ("PUT", path, {"memo": "x"}),
        ("POST", f"{path}/cancel", {"reason": "x"}),
        ("POST", f"{path}/attachments", {"file_ids": ["0" * 24]}),
        ("DELETE", f"{path}/attachments", {"file_ids": ["0" * 24]}),
        ("GET", f"/bills/files/{'0' * 24}", None),
        ("POST", f"{path}/payments", {}),
        ("PATCH", f"{path}/payments/{row['payment_ref']}/request-approval", None),
        ("POST", f"{path}/payments/{row['payment_ref']}/approve", None),
        ("POST", f"{path}/payments/{row['payment_ref']}/reject", {"reason": "x"}),
        ("POST", f"{path}/payments/{row['payment_ref']}/withdraw", None),
        ("POST", f"/bills/payments/{row['payment_ref']}/retry", None),
        ("GET", f"/bills/payments/{row['payment_ref']}/status", None),
    ):
        assert code(house.send(method, address, body, by="Apollo")) == (404, "not_found"), address


@pytest.mark.parametrize("by", ["Carla", "Rita", "Sam"])
def test_only_approvers_and_admins_change_bills(house: House, by: str) -> None:
    created = bill(house)
    row = add(house, created).json()
    path = f"/bills/{created['_id']}"
    for method, address, body in (
        ("POST", "/bills", {}),
        ("PUT", path, {"memo": "x"}),
        ("POST", f"{path}/cancel", {"reason": "x"}),
        ("POST", f"{path}/attachments", {"file_ids": ["0" * 24]}),
        ("POST", f"{path}/payments", {}),
        ("PATCH", f"{path}/payments/{row['payment_ref']}/request-approval", None),
        ("POST", f"{path}/payments/{row['payment_ref']}/approve", None),
        ("POST", f"{path}/payments/{row['payment_ref']}/reject", {"reason": "x"}),
        ("POST", f"{path}/payments/{row['payment_ref']}/withdraw", None),
        ("POST", f"/bills/payments/{row['payment_ref']}/retry", None),
    ):
        assert code(house.send(method, address, body, by=by)) == (403, "insufficient_role"), address
    assert house.get("/bills", by=by).status_code == (200 if by == "Sam" else 403)
    assert house.get(f"/bills/payments/{row['payment_ref']}/status", by=by).status_code == (200 if by == "Sam" else 403)
