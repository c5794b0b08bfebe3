"""What a wallet policy gives: that permission on that wallet, from its day until its end, and nothing else."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.access.check import can
from dashboard.mirror.apply import upsert
from dashboard.mirror.models import Origin, Wallet
from dashboard.mirror.scopes import visible_wallets
from dashboard.mirror.webhook_inbox import apply_event
from tests.dashboard.pages.conftest import House, house

__all__ = ["house"]


def policy(house: House, **given: Any) -> dict[str, Any]:
    return {
        "_id": "p1", "wallet_id": "w1", "employee_id": house.employee_id("Carla"), "employee_name": "Carla",
        "permissions": ["WALLET_VIEW", "WALLET_FX"], "status": "ACTIVE", "version": 1,
        "valid_from": (timezone.now() - timedelta(days=1)).isoformat(), "expires_at": None, **given,
    }  # fmt: skip


@pytest.fixture
def wallets(house: House) -> dict[str, Wallet]:
    for name in ("w1", "w2"):
        one = {
            "_id": name,
            "org_wallet_ref": name,
            "name": name,
            "currency": "KES",
            "walletType": "MAIN",
            "status": "ACTIVE",
        }
        upsert("wallet", house.business, [one], Origin.POLL)
    return {one.remote_id: one for one in Wallet.objects.filter(business=house.business)}


def test_it_opens_that_wallet_and_no_other(house: House, wallets: dict[str, Wallet]) -> None:
    carla = house.actor("Carla")
    assert not can(carla, operations.TRANSFER_FX, wallets["w1"])
    assert not visible_wallets(carla).exists()
    upsert("wallet_policy", house.business, [policy(house)], Origin.POLL)
    carla = house.actor("Carla")
    assert can(carla, operations.TRANSFER_FX, wallets["w1"])
    assert not can(carla, operations.TRANSFER_FX, wallets["w2"])
    assert not can(carla, operations.READ_ACCOUNT_BALANCE, wallets["w1"])
    assert [one.remote_id for one in visible_wallets(carla)] == ["w1"]
    assert not can(house.actor("Rita"), operations.TRANSFER_FX, wallets["w1"])


@pytest.mark.parametrize(
    "changed",
    [
        {"status": "SUSPENDED"}, {"status": "REVOKED"}, {"status": "EXPIRED"}, {"status": "SOMETHING_NEW"},
        {"expires_at": (timezone.now() - timedelta(seconds=1)).isoformat()},
        {"valid_from": (timezone.now() + timedelta(hours=1)).isoformat()},
        {"permissions": []},
    ],
)  # fmt: skip
def test_what_is_not_in_force_gives_nothing(house: House, wallets: dict[str, Wallet], changed: dict[str, Any]) -> None:
    upsert("wallet_policy", house.business, [policy(house, **changed)], Origin.POLL)
    assert house.actor("Carla").grants == frozenset()


def test_an_event_that_revokes_it_counts_at_once(house: House, wallets: dict[str, Wallet]) -> None:
    upsert("wallet_policy", house.business, [policy(house)], Origin.POLL)

    assert Actor.for_membership(house.people["Carla"]).grants
    revoked = {"type": "wallet_policy.revoked", "data": {"object": policy(house, status="REVOKED", version=2)}}
    apply_event(house.business, revoked, Origin.WEBHOOK)
    assert Actor.for_membership(house.people["Carla"]).grants == frozenset()
