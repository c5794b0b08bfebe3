"""Suspending, reactivating, revoking, and what time does by itself."""

from datetime import timedelta

import pytest
from django.utils import timezone

from service.events.models import Event
from service.wallet_policies.models import PolicyAudit, WalletPolicy
from service.wallet_policies.tasks import expire_due
from tests.service.house import House, code
from tests.service.wallet_policies.conftest import granted


def over(policy_id: str) -> None:
    """As if its time were over, and nobody had swept yet."""
    now = timezone.now()
    WalletPolicy.objects.filter(id=policy_id).update(
        valid_from=now - timedelta(days=2), expires_at=now - timedelta(minutes=1)
    )


def kinds(house: House) -> list[str]:
    rows = Event.objects.filter(business=house.business, kind__startswith="wallet_policy.").order_by("id")
    return [row.kind.removeprefix("wallet_policy.") for row in rows]


def test_suspended_and_reactivated_and_revoked(house: House) -> None:
    path = f"/wallet-policies/{granted(house)['_id']}"
    assert house.post(f"{path}/suspend").json()["status"] == "SUSPENDED"
    assert house.post(f"{path}/reactivate").json()["status"] == "ACTIVE"
    assert house.send("DELETE", path).json()["status"] == "REVOKED"
    assert kinds(house) == ["granted", "suspended", "reactivated", "revoked"]
    for verb in ("suspend", "reactivate"):
        assert code(house.post(f"{path}/{verb}")) == (409, "invalid_state")


def test_the_same_target_again_is_no_mistake_and_no_event(house: House) -> None:
    path = f"/wallet-policies/{granted(house)['_id']}"
    assert house.post(f"{path}/reactivate").json()["version"] == 1
    for verb, version in (("suspend", 2), ("suspend", 2)):
        answer = house.post(f"{path}/{verb}")
        assert (answer.status_code, answer.json()["version"]) == (200, version)
    house.send("DELETE", path)
    assert house.send("DELETE", path).json()["status"] == "REVOKED"
    assert kinds(house) == ["granted", "suspended", "revoked"]


def test_past_its_end_it_is_over_at_once(house: House) -> None:
    created = granted(house)
    over(created["_id"])
    path = f"/wallet-policies/{created['_id']}"
    assert house.get(path).json()["status"] == "EXPIRED"
    for verb in ("suspend", "reactivate"):
        assert code(house.post(f"{path}/{verb}")) == (409, "invalid_state")
    assert code(house.send("DELETE", path)) == (409, "invalid_state")
    assert granted(house)["status"] == "ACTIVE", "the way is free for a new one"
    assert kinds(house) == ["granted", "expired", "granted"]


def test_the_sweep_writes_it_down_once(house: House) -> None:
    created = granted(house)
    granted(house, who="Rita")
    over(created["_id"])
    assert expire_due() >= 1
    assert WalletPolicy.objects.get(id=created["_id"]).status == "EXPIRED"
    assert PolicyAudit.objects.filter(policy_id=created["_id"]).order_by("seq").last().action == "EXPIRE"  # type: ignore[union-attr]
    assert kinds(house) == ["granted", "granted", "expired"]
    expire_due()
    assert kinds(house).count("expired") == 1


def test_a_suspended_one_past_its_end_is_not_reactivated(house: House) -> None:
    created = granted(house)
    house.post(f"/wallet-policies/{created['_id']}/suspend")
    over(created["_id"])
    assert house.get(f"/wallet-policies/{created['_id']}").json()["status"] == "SUSPENDED"
    assert code(house.post(f"/wallet-policies/{created['_id']}/reactivate")) == (409, "invalid_state")


@pytest.mark.parametrize("verb", ["suspend", "reactivate"])
def test_a_repeat_with_the_same_key_is_the_same_move(house: House, verb: str) -> None:
    path = f"/wallet-policies/{granted(house)['_id']}/{verb}"
    first, again = (house.post(path, key=f"same-{verb}") for _ in range(2))
    assert first.json() == again.json()
    assert again["Idempotency-Replayed"] == "true"
