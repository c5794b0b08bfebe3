"""What a change would do is said before it is confirmed: who loses what, who is left, what could no longer be approved."""

from __future__ import annotations

from typing import Any

from dashboard.mirror.models import WalletPolicy
from tests.dashboard.conftest import World
from tests.dashboard.decisions.test_real_payments import requested
from tests.dashboard.wallet_policies.conftest import at, first, move, page, policy, upstream, words

APPROVE = "WALLET_PAYOUT_APPROVE"


def last_approver(world: World) -> WalletPolicy:
    """Apollo's policy, once those of the other approvers are suspended: what is suspended is denied even to their role."""
    for other in ("Zawadi", "Juma"):
        move(world, policy(world, other, APPROVE), "suspend")
    return policy(world, "Apollo", APPROVE)


def test_who_loses_what_and_how_many_are_left(world: World) -> None:
    found = policy(world, "Carla", "WALLET_VIEW", "WALLET_PAY_VENDOR")
    text = page(world, "Ada", f"{found.remote_id}/suspend/")
    assert "Carla Kamau can no longer see the wallet; 7 others still can." in text
    assert "Carla Kamau can no longer pay vendors from it; 5 others still can." in text


def test_taking_back_what_the_role_gives_anyway_changes_nothing(world: World) -> None:
    found = policy(world, "Apollo", "WALLET_FX")
    assert "Nobody gains or loses access today." in page(world, "Ada", f"{found.remote_id}/revoke/")
    assert "Apollo Mutua can no longer make FX transfers from it" in page(world, "Ada", f"{found.remote_id}/suspend/")


def test_chains_that_lose_their_only_approver_are_named(world: World) -> None:
    found = last_approver(world)
    text = page(world, "Ada", f"{found.remote_id}/suspend/")
    assert "Apollo Mutua can no longer approve payouts from it; nobody else can." in text
    assert "4 chains lose their only approver: “" in text


def test_waiting_requests_that_could_no_longer_be_approved_are_counted(world: World) -> None:
    request = requested(world)
    assert request.approvals_required == 2
    move(world, policy(world, "Juma", APPROVE), "suspend")
    found = policy(world, "Apollo", APPROVE)
    text = page(world, "Ada", f"{found.remote_id}/suspend/")
    assert f"1 waiting payment request could no longer be approved: {request.title}" in text


def test_mandates_that_cannot_be_read_are_no_all_clear(proxied_world: World) -> None:
    world = proxied_world
    assert world.proxy
    found = last_approver(world)
    world.proxy.fail("500", path="/permissions/mandates")
    text = page(world, "Ada", f"{found.remote_id}/suspend/")
    assert "Whether an approval chain would break could not be read" in text


def test_several_are_looked_at_together_and_each_has_its_result(world: World) -> None:
    found = [policy(world, name, "WALLET_VIEW", "WALLET_CARD_FUND") for name in ("Carla", "Cyrus", "Chebet")]
    own = policy(world, "Ada", "WALLET_FX")
    browser = world.client("Ada")
    address = at(world, f"wallets/{first(world).remote_id}/suspend/")
    form: dict[str, Any] = {"policy": [row.remote_id for row in (*found, own)], "key": "several"}
    text = words(browser.post(address, form))
    assert "3 people (Carla Kamau, Chebet Langat, Cyrus Kiptoo) can no longer spend from it by card" in text
    assert "Ada Achieng – left out: This is about yourself" in text
    assert upstream(world, found[0])["status"] == "ACTIVE"
    world.send("DELETE", f"/wallet-policies/{found[1].remote_id}")
    done = words(browser.post(address, form | {"step": "confirm"}))
    assert "Carla Kamau: is suspended" in done
    assert "Cyrus Kiptoo: A wallet policy that is REVOKED cannot suspend." in done
    assert "Retry failed" in done
    assert [upstream(world, row)["status"] for row in (*found, own)] == ["SUSPENDED", "REVOKED", "SUSPENDED", "ACTIVE"]
