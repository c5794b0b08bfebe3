"""Two vendors that are one: suggested, planned, merged once; and a deleted vendor that comes back."""

from collections.abc import Callable
from typing import Any

import pytest

from service.events.models import AuditEvent, Event
from service.vendors.models import PaymentInstruction
from tests.service.bills.conftest import bill
from tests.service.house import House, code
from tests.service.vendors.conftest import OTHER, account, decide, vendor

WHY = "The same company, entered twice."


def merge(house: House, keeper: dict[str, Any], duplicate: dict[str, Any], **more: Any) -> Any:
    return house.post(f"/vendors/{keeper['_id']}/merge", {"duplicate_id": duplicate["_id"], "reason": WHY}, **more)


def test_pairs_are_suggested_by_tax_number_account_and_name(house: House) -> None:
    first = vendor(house, name="Acacia Supplies Ltd", taxPin="P051234567Q")
    same = vendor(house, account(OTHER), name="Another name", taxPin="P051234567Q")
    near = vendor(house, name="Acacia Suplies Limited")
    vendor(house, account("254733000999"), name="Baobab Print")
    found = {
        (pair["vendor_id"], pair["duplicate_id"]): pair["reasons"]
        for pair in house.get("/vendors/duplicates").json()["docs"]
    }
    assert found[first["_id"], same["_id"]] == ["the same tax number"]
    assert found[first["_id"], near["_id"]] == ["the same account", "a nearly equal name"]
    assert len(found) == 2


def test_what_belongs_to_the_duplicate_moves_and_its_new_account_waits(house: House) -> None:
    keeper = vendor(house, name="Acacia")
    duplicate = vendor(house, account(OTHER), name="Acacia Ltd", email="pay@acacia.example")
    made = bill(house, vendor_id=duplicate["_id"])
    plan = house.get(f"/vendors/{keeper['_id']}/merge/{duplicate['_id']}").json()
    assert {row["noun"]: row["count"] for row in plan["moves"]}["bill"] == 1
    assert (plan["contact_fields"], plan["accounts_to_confirm"], plan["obstacles"]) == (["email"], 1, [])
    now = merge(house, keeper, duplicate).json()
    assert now["also_known_as"] == ["Acacia Ltd"]
    assert now["email"] == "pay@acacia.example"
    states = {row["account"]: row["status"] for row in now["payment_instructions"]}
    assert states == {"254712345678": "ACTIVE", OTHER: "QUARANTINED"}
    assert house.get(f"/bills/{made['_id']}").json()["vendor_id"] == keeper["_id"]
    gone = house.get(f"/vendors/{duplicate['_id']}").json()
    assert (gone["status"], gone["merged_into"]) == ("DELETED", keeper["_id"])
    kinds = Event.objects.filter(business=house.business).values_list("kind", flat=True)
    assert {"vendor.updated", "vendor.deleted", "bill.updated"} <= set(kinds)
    line = AuditEvent.objects.get(resource_id=duplicate["_id"], action="vendor.merge")
    assert line.after == {"merged_into": keeper["_id"], "reason": WHY}
    assert code(decide(house, now, "confirm", by="Ada")) == (403, "self_approval_forbidden")
    assert decide(house, now, "confirm", by="Apollo").status_code == 200


@pytest.mark.parametrize(
    ("own", "other", "moves", "after"),
    [
        ((2, 10), (3, 5), False, (2, 10)),
        ((0, 0), (3.5, 5), True, (3.5, 5)),
        ((2, 10), (0, 0), False, (2, 10)),
        ((0, 0), (0, 0), False, (0, 0)),
    ],
)
def test_discount_terms_stay_and_those_of_the_duplicate_move_where_there_are_none(
    house: House, own: tuple[float, int], other: tuple[float, int], moves: bool, after: tuple[float, int]
) -> None:
    def terms(percent: float, days: int) -> dict[str, Any]:
        return {"discount_percent": percent, "discount_days": days} if percent else {}

    keeper = vendor(house, name="Acacia", **terms(*own))
    duplicate = vendor(house, account(OTHER), name="Acacia Ltd", **terms(*other))
    before = bill(house, vendor_id=duplicate["_id"], issued_at="2026-01-05", due_at="2026-02-05")
    plan = house.get(f"/vendors/{keeper['_id']}/merge/{duplicate['_id']}").json()
    shown = [
        plan[name] and (plan[name]["percent"], plan[name]["days"]) for name in ("vendor_discount", "duplicate_discount")
    ]
    assert (shown, plan["discount_moves"]) == ([each if each[0] else None for each in (own, other)], moves)
    now = merge(house, keeper, duplicate).json()
    assert (now["discount_percent"], now["discount_days"]) == after
    # What was entered before keeps what it has; what comes starts with the terms that stayed.
    assert house.get(f"/bills/{before['_id']}").json()["discount_percent"] == other[0]
    later = bill(house, vendor_id=keeper["_id"], bill_no="INV-9", issued_at="2026-01-05", due_at="2026-02-05")
    assert later["discount_percent"] == after[0]
    line = AuditEvent.objects.get(resource_id=keeper["_id"], action="vendor.take_over")
    assert ("discount_bps" in line.after) is moves


def test_what_waited_at_the_duplicate_waits_at_the_vendor_and_not_for_whoever_proposed_it(house: House) -> None:
    keeper, duplicate = vendor(house), vendor(house, account(OTHER), name="Acacia Ltd")
    house.post(f"/vendors/{duplicate['_id']}/payment-instruction/add", account("254733000999"), by="Apollo")
    now = merge(house, keeper, duplicate).json()
    assert sum(row["status"] == "QUARANTINED" for row in now["payment_instructions"]) == 2
    moved = PaymentInstruction.objects.get(vendor_id=keeper["_id"], account="254733000999")
    assert set(moved.editor_ids) == {house.person("Ada").id, house.person("Apollo").id}
    assert not PaymentInstruction.objects.filter(vendor_id=duplicate["_id"], status="QUARANTINED").exists()


def test_a_merge_that_is_sent_twice_happens_once(house: House) -> None:
    keeper, duplicate = vendor(house), vendor(house, account(OTHER), name="Acacia Ltd")
    first = merge(house, keeper, duplicate, key="merge-1")
    assert merge(house, keeper, duplicate, key="merge-1").json() == first.json()
    assert code(merge(house, keeper, duplicate)) == (409, "invalid_state")


def test_the_same_bill_at_both_stands_in_the_way(house: House) -> None:
    keeper, duplicate = vendor(house), vendor(house, account(OTHER), name="Acacia Ltd")
    for each in (keeper, duplicate):
        bill(house, vendor_id=each["_id"], bill_no="INV-7")
    assert "INV-7" in house.get(f"/vendors/{keeper['_id']}/merge/{duplicate['_id']}").json()["obstacles"][0]
    assert code(merge(house, keeper, duplicate)) == (409, "in_use")
    assert house.get(f"/vendors/{duplicate['_id']}").json()["status"] == "ACTIVE"


def test_a_vendor_is_no_duplicate_of_itself_nor_of_another_business(house: House, houses: Callable[[], House]) -> None:
    keeper, other = vendor(house), vendor(houses())
    assert code(merge(house, keeper, keeper)) == (422, "validation_failed")
    assert code(merge(house, keeper, other)) == (404, "not_found")
    assert code(house.get(f"/vendors/{keeper['_id']}/merge/{other['_id']}")) == (404, "not_found")


@pytest.mark.parametrize("by", ["Carla", "Rita", "Sam", None])
def test_a_merge_is_by_a_person_who_may_change_vendors(house: House, by: str | None) -> None:
    keeper, duplicate = vendor(house), vendor(house, account(OTHER), name="Acacia Ltd")
    assert code(merge(house, keeper, duplicate, by=by)) == (403, "insufficient_role")


def test_a_deleted_vendor_comes_back_and_a_merged_one_does_not(house: House) -> None:
    keeper, duplicate = vendor(house), vendor(house, account(OTHER), name="Acacia Ltd")
    path = f"/vendors/{keeper['_id']}"
    assert code(house.post(f"{path}/restore")) == (409, "invalid_state")
    house.send("DELETE", path)
    assert house.post(f"{path}/restore", by="Rita").status_code == 403
    restored = house.post(f"{path}/restore").json()
    assert (restored["status"], len(restored["payment_instructions"])) == ("ACTIVE", 1)
    merge(house, keeper, duplicate)
    assert code(house.post(f"/vendors/{duplicate['_id']}/restore")) == (409, "invalid_state")
