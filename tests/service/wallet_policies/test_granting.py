"""Granting, modifying and reading policies: who may, about whom, and what makes no sense."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.utils import timezone

from service.events.models import AuditEvent, Event
from service.wallet_policies.models import WalletPolicy
from tests.service.house import House, code
from tests.service.wallet_policies.conftest import body, granted, wallet_id


def test_a_policy_is_granted_and_told(house: House) -> None:
    created = granted(house, limits={"daily": 50000, "per_transaction": "1000.50"}, reason="Field cash")
    assert (created["status"], created["version"], created["granted_by"]) == ("ACTIVE", 1, house.person("Ada").id)
    assert created["permissions"] == ["WALLET_ALLOCATE", "WALLET_VIEW"]
    assert created["limits"]["per_transaction_minor"] == 100_050
    assert (created["limits"]["daily"], created["limits"]["monthly"]) == (50_000, None)
    assert house.get(f"/wallet-policies/{created['_id']}").json()["_id"] == created["_id"]
    assert (
        Event.objects.get(business=house.business, kind="wallet_policy.granted").payload["object"]["_id"]
        == created["_id"]
    )
    assert AuditEvent.objects.get(business=house.business, action="wallet_policy.granted").resource_id == created["_id"]


def test_only_admins_grant_and_the_office_reads(house: House) -> None:
    for name in ("Carla", "Rita", "Apollo"):
        assert code(house.post("/wallet-policies", body(house), by=name)) == (403, "insufficient_role")
    created = granted(house, by="Sam")
    for name, status in {"Apollo": 200, "Sam": 200, "Rita": 403, "Carla": 403}.items():
        assert house.get(f"/wallet-policies/{created['_id']}", by=name).status_code == status
        assert house.get(f"/wallet-policies/wallet/{wallet_id(house)}", by=name).status_code == status
    for verb in ("suspend", "reactivate"):
        assert code(house.post(f"/wallet-policies/{created['_id']}/{verb}", by="Apollo")) == (403, "insufficient_role")
    assert code(house.send("PATCH", f"/wallet-policies/{created['_id']}", {}, by="Rita")) == (403, "insufficient_role")
    assert code(house.send("DELETE", f"/wallet-policies/{created['_id']}", by="Carla")) == (403, "insufficient_role")


def test_not_self(house: House) -> None:
    assert code(house.post("/wallet-policies", body(house, who="Ada"))) == (403, "self_approval_forbidden")
    created = granted(house, by="Sam", who="Ada")
    path = f"/wallet-policies/{created['_id']}"
    assert code(house.send("PATCH", path, {"reason": "mine"})) == (403, "self_approval_forbidden")
    assert code(house.send("DELETE", path)) == (403, "self_approval_forbidden")
    for verb in ("suspend", "reactivate"):
        assert code(house.post(f"{path}/{verb}")) == (403, "self_approval_forbidden")


def test_one_open_policy_per_wallet_and_employee(house: House) -> None:
    created = granted(house)
    assert code(house.post("/wallet-policies", body(house))) == (409, "duplicate")
    granted(house, place=1)
    granted(house, who="Rita")
    house.send("DELETE", f"/wallet-policies/{created['_id']}")
    assert granted(house)["_id"] != created["_id"]


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"permissions": []}, "permissions"),
        ({"permissions": ["WALLET_STEAL"]}, "permissions.0"),
        ({"limits": {"daily": -1}}, "limits.daily"),
        ({"limits": {"daily": 1.005}}, "limits.daily"),
        ({"limits": {"weekly": 5}}, "limits.weekly"),
        ({"limits": {"daily": 1e30}}, "limits.daily"),
        ({"valid_from": "2026-02-30T00:00:00Z"}, "valid_from"),
        ({"expires_at": "2020-01-01T00:00:00Z"}, "expires_at"),
        ({"expires_at": "0001-01-01T00:00:00+14:00"}, "expires_at"),
        ({"reason": "x" * 501}, "reason"),
        ({"more": 1}, "more"),
        ({"wallet_id": "1"}, "wallet_id"),
    ],
)
def test_bad_bodies_name_the_field(house: House, wrong: dict[str, object], field: str) -> None:
    answer = house.post("/wallet-policies", body(house, **wrong))
    assert code(answer) == (422, "validation_failed")
    assert field in [each["field"] for each in answer.json()["errors"]]
    assert not WalletPolicy.objects.filter(business=house.business).exists()


def test_another_businesss_things_are_not_there(house: House, houses: Callable[..., House]) -> None:
    other = houses()
    assert code(house.post("/wallet-policies", body(house, wallet_id=wallet_id(other)))) == (404, "not_found")
    assert code(house.post("/wallet-policies", body(house, employee_id=other.person("Carla").id))) == (404, "not_found")
    created = granted(other)
    path = f"/wallet-policies/{created['_id']}"
    assert code(house.get(path)) == (404, "not_found")
    assert code(house.get(f"{path}/audit")) == (404, "not_found")
    assert code(house.send("PATCH", path, {"reason": "x"})) == (404, "not_found")
    assert code(house.send("DELETE", path)) == (404, "not_found")
    assert code(house.post(f"{path}/suspend")) == (404, "not_found")
    assert code(house.post(f"{path}/reactivate")) == (404, "not_found")
    assert code(house.get(f"/wallet-policies/wallet/{wallet_id(other)}")) == (404, "not_found")
    assert code(house.get(f"/wallet-policies/wallet/{wallet_id(other)}/audit")) == (404, "not_found")
    assert code(house.get(f"/wallet-policies/employee/{other.person('Carla').id}")) == (404, "not_found")
    plain = houses(entitled=False)
    assert code(plain.get("/wallet-policies/permissions")) == (403, "entitlement_required")


def test_modifying_keeps_what_is_not_given(house: House) -> None:
    created = granted(house, limits={"daily": 100, "monthly": 900})
    path = f"/wallet-policies/{created['_id']}"
    end = (timezone.now() + timedelta(days=3)).isoformat()
    changed = house.send("PATCH", path, {"limits": {"daily": None}, "expires_at": end}).json()
    assert (changed["limits"]["daily"], changed["limits"]["monthly"], changed["version"]) == (None, 900, 2)
    assert changed["permissions"] == created["permissions"]
    event = Event.objects.get(business=house.business, kind="wallet_policy.modified").payload
    assert event["previous"]["expires_at"] is None
    assert house.send("PATCH", path, {"expires_at": None}).json()["expires_at"] is None
    house.send("DELETE", path)
    assert code(house.send("PATCH", path, {"reason": "late"})) == (409, "invalid_state")


def test_no_admin_is_given_a_right_to_approve(house: House) -> None:
    for who in ("Abel", "Selma"):
        answer = house.post("/wallet-policies", body(house, who=who, permissions=["WALLET_PAYOUT_APPROVE"]))
        assert code(answer) == (422, "validation_failed")
        assert answer.json()["errors"][0]["code"] == "not_for_role"
    created = granted(house, who="Rita", permissions=["WALLET_PAYOUT_APPROVE"])
    house.person("Rita").role = "ADMIN"
    house.person("Rita").save()
    seen = house.get(f"/wallet-policies/permissions/{house.person('Rita').id}/{created['wallet_id']}").json()
    assert "WALLET_PAYOUT_APPROVE" not in seen["effective"]
    assert seen["denied"] == [{"permission": "WALLET_PAYOUT_APPROVE", "reason": "No ADMIN ever has it."}]


def test_lists_are_filtered_by_the_state_in_effect(house: House) -> None:
    created = granted(house)
    granted(house, who="Rita")
    WalletPolicy.objects.filter(id=created["_id"]).update(
        valid_from=timezone.now() - timedelta(days=2), expires_at=timezone.now() - timedelta(days=1)
    )
    path = f"/wallet-policies/wallet/{wallet_id(house)}"
    assert house.get(path).json()["total"] == 2
    assert [row["_id"] for row in house.get(f"{path}?status=EXPIRED").json()["docs"]] == [created["_id"]]
    assert house.get(f"{path}?status=ACTIVE").json()["total"] == 1
    assert code(house.get(f"{path}?status=GONE")) == (400, "invalid_parameters")


def test_a_person_reads_their_own_policies_and_nobody_elses(house: House) -> None:
    granted(house)
    carla, cyrus = house.person("Carla").id, house.person("Cyrus").id
    assert house.get(f"/wallet-policies/employee/{carla}", by="Carla").json()["total"] == 1
    assert code(house.get(f"/wallet-policies/employee/{carla}", by="Cyrus")) == (404, "not_found")
    assert code(house.get(f"/wallet-policies/employee/{cyrus}", by="Rita")) == (404, "not_found")
    assert house.get(f"/wallet-policies/employee/{carla}", by="Apollo").json()["total"] == 1
