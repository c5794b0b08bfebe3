"""The audit of policies as the service keeps it: of the business, a wallet, a policy; filtered, in sentences, by names."""

from __future__ import annotations

from datetime import timedelta

import pytest

from dashboard.mirror.schedule import today
from tests.dashboard.conftest import World
from tests.dashboard.wallet_policies.conftest import at, first, move, page, policy, terms


def test_each_change_is_a_line_with_who_did_what(world: World) -> None:
    found = policy(world, "Carla", limits={"daily": 100})
    form = terms(permissions=["WALLET_VIEW"], daily="50", step="confirm")
    world.client("Ada").post(at(world, f"{found.remote_id}/edit/"), form)
    for rest in ("audit/", f"wallets/{first(world).remote_id}/audit/", f"{found.remote_id}/audit/"):
        text = page(world, "Apollo", rest)
        assert f"Changed Carla Kamau · {first(world).name} Ada Achieng," in text, rest
        assert "Carla Kamau can no longer pay vendors from it." in text
        assert "no longer move more than KES 50.00 in a day (KES 100.00 before)" in text
        assert "Granted Carla Kamau" in text
        assert "The service account," in text


def test_it_is_filtered_by_what_when_and_wallet(world: World) -> None:
    move(world, policy(world, "Carla"), "suspend")
    policy(world, "Cyrus", wallet_id=first(world, "USD").remote_id)
    suspended = page(world, "Ada", "audit/?action=SUSPEND")
    assert "Suspended Carla Kamau" in suspended
    assert "Granted Carla" not in suspended
    dollars = page(world, "Ada", f"audit/?wallet={first(world, 'USD').remote_id}")
    assert "Granted Cyrus Kiptoo" in dollars
    assert "Carla" not in dollars
    tomorrow = (today(world.business) + timedelta(days=1)).isoformat()
    assert "No matches" in page(world, "Ada", f"audit/?first={tomorrow}")


def test_it_is_paged(world: World) -> None:
    found = policy(world, "Carla")
    for _ in range(26):
        move(world, found, "suspend")
        move(world, found, "reactivate")
    first_page = page(world, "Ada", "audit/")
    assert "53 entries" in first_page
    assert "Page 1 of 2 Older" in first_page
    last_page = page(world, "Ada", "audit/?page=2")
    assert "Granted Carla Kamau" in last_page
    assert "Newer Page 2 of 2" in last_page


@pytest.mark.parametrize("query", ["first=2026-01-02&last=2026-01-01", "action=DANCE", "wallet=nobodys"])
def test_filters_that_make_no_sense_are_told(world: World, query: str) -> None:
    assert world.client("Ada").get(at(world, f"audit/?{query}")).status_code == 400


def test_only_finance_reads_it(world: World) -> None:
    found = policy(world, "Carla")
    for person in ("Carla", "Rita"):
        for rest in ("audit/", f"wallets/{first(world).remote_id}/audit/", f"{found.remote_id}/audit/"):
            assert world.client(person).get(at(world, rest)).status_code == 403


def test_a_service_that_is_away_is_told(proxied_world: World) -> None:
    assert proxied_world.proxy
    proxied_world.proxy.fail("reset")
    assert "Try again in a moment." in page(proxied_world, "Ada", "audit/")
