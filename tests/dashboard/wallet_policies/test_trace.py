"""Why somebody may use a wallet, against the real service: role, policy, mandate, each link told; and who else may."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from dashboard import operations, times
from dashboard.access.subject import Subject
from dashboard.client.gateway import send
from dashboard.mirror.models import WalletPolicy
from tests.dashboard.conftest import World
from tests.dashboard.wallet_policies.conftest import at, employee, first, home, move, page, policy, terms


def between(world: World, person: str) -> str:
    return f"people/{employee(world, person)}/wallets/{first(world).remote_id}/"


def granted_by_ada(world: World, to: str = "Carla", **form: Any) -> WalletPolicy:
    address = at(world, f"grant/?person={employee(world, to)}&wallet={first(world).remote_id}")
    world.client("Ada").post(address, terms(step="confirm", **form))
    return WalletPolicy.objects.get(business=world.business)


def test_what_a_policy_gives_is_traced_to_who_granted_it_and_how_far_it_goes(world: World) -> None:
    granted_by_ada(
        world,
        permissions=["WALLET_PAY_VENDOR"],
        per_transaction="20000",
        until="2099-11-27",
        reason="Pays the workshop",
    )
    text, today = page(world, "Abel", between(world, "Carla")), times.local(timezone.now(), world.business)
    assert "Carla Kamau can pay vendors from it, because:" in text
    assert f"wallet policy granted by Ada Achieng on {today.day} {today:%b %Y} (“Pays the workshop”)" in text
    assert "at most KES 20,000.00 in one payment, until 27 Nov 2099" in text


def test_what_a_role_gives_is_traced_to_the_mandates_that_ask_for_the_vote(world: World) -> None:
    mandates = world.send("PUT", "/permissions/mandates?limit=100")["docs"]
    mandate = next(row for row in mandates if row["action_type"] == 1 and row["currency"] == "KES")
    seat = employee(world, "Apollo")
    send(
        world.actor("Sam"), operations.UPDATE_MANDATE_APPROVER, body={"max_amount": 200000},
        path={"mandate_id": mandate["_id"], "approver_id": seat},
        subject=Subject(business_id=world.business.pk, kind="mandate", id=mandate["_id"], about=frozenset({seat})),
    )  # fmt: skip
    text = page(world, "Ada", between(world, "Apollo"))
    assert "Apollo Mutua can approve payouts from it, because:" in text
    assert "role Approver grants it on every wallet" in text
    assert f"mandate “{mandate['name']}” for payout batches" in text
    assert "up to KES 200,000.00" in text
    assert f"{mandate['min_approvers']} of 3 must approve" in text


def test_what_is_denied_says_why(world: World) -> None:
    found = policy(world, "Carla", "WALLET_PAY_VENDOR")
    move(world, found, "suspend")
    assert "Carla Kamau cannot pay vendors from it: The policy is suspended" in page(
        world, "Ada", between(world, "Carla")
    )


def test_later_changes_are_links_of_the_chain(world: World) -> None:
    found = granted_by_ada(world, permissions=["WALLET_VIEW"])
    world.client("Sam").post(at(world, f"{found.remote_id}/suspend/"), {"step": "confirm", "key": "s"})
    world.client("Abel").post(at(world, f"{found.remote_id}/reactivate/"), {"step": "confirm", "key": "r"})
    text = page(world, "Ada", between(world, "Carla"))
    places = [text.index(link) for link in ("granted by Ada", "suspended by Sam", "reactivated by Abel")]
    assert places == sorted(places)


@pytest.mark.parametrize("person", ["Carla", "Rita"])
def test_one_reads_ones_own_trace_and_nobody_elses(world: World, person: str) -> None:
    found = policy(world, person, "WALLET_PAY_VENDOR")
    text = page(world, person, between(world, person))
    assert "can pay vendors from it, because:" in text
    assert "Revoke policy…" not in text
    assert "View all changes" not in text
    assert world.client(person).get(at(world, between(world, "Apollo"))).status_code == 404
    assert world.client(person).get(at(world, f"{found.remote_id}/audit/")).status_code == 403


def test_a_service_that_is_away_leaves_the_trace_by_the_copy(proxied_world: World) -> None:
    world = proxied_world
    assert world.proxy
    policy(world, "Carla", "WALLET_PAY_VENDOR", reason="Workshop")
    world.proxy.fail("reset")
    text = page(world, "Ada", between(world, "Carla"))
    assert "copy, as of" in text
    assert "Try again" in text
    assert "Carla Kamau can pay vendors from it, because:" in text
    assert "(“Workshop”)" in text


def test_everyone_who_may_is_listed_with_why(world: World) -> None:
    policy(world, "Carla", "WALLET_PAYOUT_APPROVE", limits={"monthly": 90}, reason="Stands in")
    move(world, policy(world, "Cyrus", "WALLET_PAYOUT_APPROVE"), "suspend")
    listed = page(world, "Apollo", f"wallets/{first(world).remote_id}/?may=WALLET_PAYOUT_APPROVE")
    listed = listed.split("Because")[1]
    assert "Apollo Mutua role Approver mandate “" in listed
    assert "Carla Kamau wallet policy: at most KES 90.00 in a month, “Stands in”" in listed
    assert "Cyrus Kiptoo not now: the policy is suspended" in listed
    assert "Ada Achieng" not in listed
    assert world.client("Ada").get(at(world, f"wallets/{first(world).remote_id}/?may=NO")).status_code == 400


def test_one_person_is_read_along_the_wallets(world: World) -> None:
    policy(world, "Carla", expires_at=(timezone.now() + timedelta(days=3)).isoformat())
    text = page(world, "Apollo", f"people/{employee(world, 'Carla')}/")
    assert f"{first(world).name} KES view, pay – Active ends soon:" in text
    assert "view, pay, approve, transfer and allocate" in page(world, "Ada", f"people/{employee(world, 'Apollo')}/")


def test_what_is_over_is_still_told(world: World) -> None:
    found = policy(world, "Carla")
    world.send("DELETE", f"/wallet-policies/{found.remote_id}")
    home(world, world.upstream(f"/wallet-policies/{found.remote_id}"))
    text = page(world, "Ada", f"{found.remote_id}/")
    assert "Revoked" in text
    assert "Edit policy…" not in text
    assert "Grant access" in page(world, "Ada", between(world, "Carla"))


def test_the_permissions_are_the_services_and_only_an_owner_renews_them(world: World) -> None:
    text = page(world, "Apollo", "permissions/")
    assert "Pay vendors from it WALLET_PAY_VENDOR Approver, Admin yes" in text
    assert "Refresh permissions" not in text
    assert "Refresh permissions" in page(world, "Sam", "permissions/")
    assert world.client("Ada").post(at(world, "permissions/sync/")).status_code == 403
    assert world.client("Sam").post(at(world, "permissions/sync/"), {"key": "a"}).status_code == 302
