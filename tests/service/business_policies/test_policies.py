"""Making, changing, deleting and reading policies and their groups."""

from collections.abc import Callable
from typing import Any

import pytest

from service.business_policies.models import BusinessPolicy, PolicyGroup
from service.events.models import AuditEvent, Event
from tests.service.business_policies.conftest import create_policy, group, limit, workflow
from tests.service.house import House, code

BASE = "/business-policies"


def subcategory(house: House) -> str:
    return house.opened.subcategories[0].id


def test_the_groups_are_there_for_any_business(house: House) -> None:
    PolicyGroup.objects.filter(business=house.business).delete()
    rows = house.get(BASE).json()["docs"]
    assert [row["code"] for row in rows] == ["CHANNEL", "CATEGORY", "VENDOR", "DAY_TIME"]
    assert rows == house.get(BASE).json()["docs"], "made once"
    create_policy(house, "CHANNEL", "MPESA")
    create_policy(house, "CHANNEL", "AIRTIME", status="INACTIVE")
    first = house.get(f"{BASE}/policy-group-policies").json()["docs"][0]
    assert (first["policy_count"], first["active_count"]) == (2, 1)
    assert [each["type"] for each in first["policy_types"]] == ["CHANNEL"]
    second = house.get(f"{BASE}/policy-group-policies").json()["docs"][1]
    assert [each["type"] for each in second["policy_types"]] == ["SUBCATEGORY", "CATEGORY"]


def test_a_policy_lives(house: House) -> None:
    row = create_policy(house, "CHANNEL", "MPESA", **limit(50_000, "WEEK"))
    assert (row["status"], row["version"], row["limit_minor"], row["period"]) == ("ACTIVE", 1, 5_000_000, "WEEK")
    assert row["policy_id"] == group(house, "CHANNEL")
    path = f"{BASE}/{row['_id']}"
    changed = house.send("PUT", path, {"limit": 60_000.5, "action": "FLAG"}).json()
    assert (changed["limit_minor"], changed["action"], changed["version"]) == (6_000_050, "FLAG", 2)
    assert house.send("PUT", path, {"action": "FLAG"}).json()["version"] == 2, "nothing changed"
    assert house.send("PUT", path, {"status": "INACTIVE"}).json()["status"] == "INACTIVE"
    assert house.send("DELETE", path).json()["status"] == "DELETED"
    assert house.send("DELETE", path).json()["version"] == 4
    assert code(house.send("PUT", path, {"action": "BLOCK"})) == (409, "invalid_state")
    assert house.get(f"{BASE}/single/{row['_id']}").json()["status"] == "DELETED"
    assert house.get(f"{BASE}/{row['policy_id']}/policies").json()["policies"] == []
    kinds = Event.objects.filter(business=house.business, kind__startswith="policy.").order_by("id")
    assert [each.kind for each in kinds] == ["policy.updated"] * 3 + ["policy.deleted"]
    lines = AuditEvent.objects.filter(business=house.business, resource_type="business_policy").order_by("id")
    assert [each.action for each in lines] == ["policy.create", "policy.update", "policy.update", "policy.delete"]


def test_a_status_that_is_given_is_the_status(house: House) -> None:
    """From any state, as published."""
    row = create_policy(house, "SUBCATEGORY", subcategory(house))
    path = f"{BASE}/category-policies/{row['_id']}"
    for status in ("INACTIVE", "ACTIVE", "DELETED", "ACTIVE", "DELETED", "INACTIVE"):
        assert house.send("PUT", path, {"status": status}).json()["status"] == status
    assert code(house.send("PUT", path, {"status": "GONE"})) == (422, "validation_failed")


def test_category_policies_are_upserted(house: House) -> None:
    body = {"type": "SUBCATEGORY", "target": subcategory(house), "action": "BLOCK", **limit(100)}
    first = house.send("PUT", f"{BASE}/category-policies", body)
    again = house.send("PUT", f"{BASE}/category-policies", {**body, "limit": 200, "action": "FLAG"})
    assert (first.status_code, again.status_code) == (201, 200)
    assert (again.json()["_id"], again.json()["limit_minor"]) == (first.json()["_id"], 20_000)
    other = house.send("PUT", f"{BASE}/category-policies", {**body, "period": "YEAR"})
    assert other.status_code == 201
    house.send(
        "PUT",
        f"{BASE}/category-policies",
        {"type": "CATEGORY", "target": house.opened.categories[0].id, "action": "FLAG"},
    )
    assert house.get(f"{BASE}/category-policies").json()["total"] == 3
    assert house.get(f"{BASE}/category-policies?type=CATEGORY").json()["total"] == 1
    assert code(house.get(f"{BASE}/category-policies?type=CHANNEL")) == (400, "invalid_parameters")
    house.send("DELETE", f"{BASE}/category-policies/{first.json()['_id']}")
    assert house.get(f"{BASE}/category-policies").json()["total"] == 2
    assert house.get(f"{BASE}/category-policies?status=DELETED").json()["total"] == 1
    channel = create_policy(house, "CHANNEL", "MPESA")
    assert code(house.send("DELETE", f"{BASE}/category-policies/{channel['_id']}")) == (404, "not_found")
    assert code(house.send("PUT", f"{BASE}/category-policies/{channel['_id']}", {})) == (404, "not_found")


def test_one_policy_per_target_and_period(house: House) -> None:
    create_policy(house, "CHANNEL", "MPESA", **limit(5))
    create_policy(house, "CHANNEL", "MPESA", **limit(5, "YEAR"))
    create_policy(house, "CHANNEL", "MPESA", **limit(5, currency="USD"))
    again = house.post(f"{BASE}/create/{group(house, 'CHANNEL')}", {"action": "FLAG", "target": "MPESA", **limit(9)})
    assert code(again) == (409, "duplicate")
    for _ in range(2):
        create_policy(house, "DAY_TIME", window={"from": "08:00", "to": "18:00"})


@pytest.mark.parametrize(
    ("type_", "wrong", "field"),
    [
        ("CHANNEL", {"target": "PIGEON"}, "target"),
        ("CHANNEL", {}, "target"),
        ("CHANNEL", {"target": "MPESA", "limit": 5}, "currency"),
        ("CHANNEL", {"target": "MPESA", "period": "DAY"}, "limit"),
        ("CHANNEL", {"target": "MPESA", "limit": 5.005, "currency": "KES"}, "limit"),
        ("CHANNEL", {"target": "MPESA", "limit": 5, "currency": "ZZZ"}, "limit"),
        ("CHANNEL", {"target": "MPESA", "limit": -5, "currency": "KES"}, "limit"),
        ("CHANNEL", {"target": "MPESA", "action": "SHRUG"}, "action"),
        ("CHANNEL", {"target": "MPESA", "action": "REQUIRE_APPROVAL"}, "workflow_id"),
        ("CHANNEL", {"target": "MPESA", "type": "VENDOR"}, "type"),
        ("CHANNEL", {"target": "MPESA", "status": "DELETED"}, "status"),
        ("CHANNEL", {"target": "MPESA", "window": {"from": "08:00"}}, "window"),
        ("CHANNEL", {"target": "MPESA", "exempt": {"team_ids": ["0" * 24]}}, "exempt.team_ids"),
        ("CHANNEL", {"target": "MPESA", "more": 1}, "more"),
        ("CATEGORY", {"target": "0" * 24}, "type"),
        ("VENDOR", {"target": "0" * 24}, "target"),
        ("DAY_TIME", {}, "window"),
        ("DAY_TIME", {"window": {"from": "25:00"}}, "window.from"),
        ("DAY_TIME", {"window": {"from": "08:00", "to": "08:00"}}, "window"),
        ("DAY_TIME", {"window": {"weekdays": [0]}}, "window.weekdays.0"),
        ("DAY_TIME", {"window": {}, "target": "MPESA"}, "target"),
    ],
)
def test_what_makes_no_sense_is_named(house: House, type_: str, wrong: dict[str, Any], field: str) -> None:
    answer = house.post(f"{BASE}/create/{group(house, type_)}", {"action": "BLOCK", **wrong})
    assert code(answer) == (422, "validation_failed")
    assert field in [each["field"] for each in answer.json()["errors"]]
    assert not BusinessPolicy.objects.filter(business=house.business).exists()


def test_the_summary_has_everything(house: House) -> None:
    create_policy(house, "CHANNEL", "MPESA")
    create_policy(house, "DAY_TIME", action="FLAG", window={})
    workflow(house)
    seen = house.get(f"{BASE}/summary/{house.business.id}").json()
    assert (seen["total"], seen["by_action"], seen["by_status"]) == (2, {"BLOCK": 1, "FLAG": 1}, {"ACTIVE": 2})
    assert [len(each["policies"]) for each in seen["groups"]] == [1, 0, 0, 1]
    assert len(seen["workflows"]) == 1
    assert seen["time_zone"] == "Africa/Nairobi"


def test_who_may_and_whose(house: House, houses: Callable[..., House]) -> None:
    row, other = create_policy(house, "SUBCATEGORY", subcategory(house)), houses()
    reads = (
        "",
        "/policy-group-policies",
        f"/{row['policy_id']}/policies",
        f"/single/{row['_id']}",
        f"/summary/{house.business.id}",
        "/category-policies",
        "/workflows",
    )
    writes = (
        ("PUT", "/category-policies", {"type": "SUBCATEGORY", "target": subcategory(house), "action": "FLAG"}),
        ("PUT", f"/category-policies/{row['_id']}", {"status": "INACTIVE"}),
        ("DELETE", f"/category-policies/{row['_id']}", None),
        ("POST", "/workflows", {"name": "A", "steps": [{"order": 1, "role": "APPROVER"}]}),
        ("POST", f"/create/{group(house, 'VENDOR')}", {"target": "SELF", "action": "BLOCK"}),
        ("PUT", f"/{row['_id']}", {"status": "ACTIVE"}),
        ("DELETE", f"/{row['_id']}", None),
    )
    for path in reads:
        for by, status in {"Apollo": 200, "Ada": 200, "Sam": 200, "Rita": 403, "Carla": 403}.items():
            assert house.get(BASE + path, by=by).status_code == status, path
        if house.business.id in path or row["_id"] in path or row["policy_id"] in path:
            assert code(other.get(BASE + path)) == (404, "not_found")
    for method, path, body in writes:
        for by in ("Apollo", "Rita", "Carla"):
            assert code(house.send(method, BASE + path, body, by=by)) == (403, "insufficient_role")
        if path not in ("/workflows", "/category-policies"):
            assert code(other.send(method, BASE + path, body)) == (404, "not_found")
    assert code(other.send("PUT", f"{BASE}/category-policies", writes[0][2])) == (422, "validation_failed")
    assert code(houses(entitled=False).get(BASE)) == (403, "entitlement_required")
