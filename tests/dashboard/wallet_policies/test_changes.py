"""Granting, changing, suspending, reactivating and revoking, against the real service: looked at first, then made once."""

from __future__ import annotations

from typing import Any

import pytest

from dashboard.audit.models import AuditEntry
from dashboard.mirror.models import WalletPolicy
from tests.dashboard.conftest import World
from tests.dashboard.wallet_policies.conftest import at, employee, first, policy, terms, upstream, words

CONFIRM = {"step": "confirm"}


def grant(world: World, by: str = "Ada", to: str = "Carla", **form: Any) -> Any:
    address = at(world, f"grant/?person={employee(world, to)}&wallet={first(world).remote_id}")
    return world.client(by).post(address, terms(**form))


def edit(world: World, found: WalletPolicy, by: str = "Ada", **form: Any) -> Any:
    return world.client(by).post(at(world, f"{found.remote_id}/edit/"), terms(**form))


def only(world: World) -> WalletPolicy:
    return WalletPolicy.objects.get(business=world.business)


def test_a_grant_is_looked_at_and_then_at_the_service(world: World) -> None:
    form = {
        "permissions": ["WALLET_VIEW", "WALLET_PAY_VENDOR"], "per_transaction": "20000", "until": "2099-11-27",
        "reason": "Pays the workshop",
    }  # fmt: skip
    preview = words(grant(world, **form))
    assert "Carla Kamau can see the wallet and pay vendors from it." in preview
    assert "Carla Kamau can move at most KES 20,000.00 in one payment." in preview
    assert "until Friday 27 Nov 2099" in preview
    assert "Carla Kamau can then see the wallet and pay vendors from it." in preview
    assert not WalletPolicy.objects.filter(business=world.business).exists()
    changed = grant(world, **form, **CONFIRM)
    assert changed["Location"] == at(world, f"people/{employee(world, 'Carla')}/wallets/{first(world).remote_id}/")
    remote = upstream(world, only(world))
    assert (remote["limits"]["per_transaction_minor"], remote["reason"]) == (2_000_000, "Pays the workshop")
    assert remote["expires_at"] == "2099-11-27T21:00:00Z"
    assert remote["granted_by"] == employee(world, "Ada")
    assert AuditEntry.objects.filter(chain=world.business.pk, operation="grant_wallet_access", outcome="DONE").exists()


def test_the_same_form_twice_grants_once(world: World) -> None:
    first_time, again = grant(world, **CONFIRM), grant(world, **CONFIRM)
    assert (first_time.status_code, again.status_code) == (302, 302)
    assert len(world.upstream(f"/wallet-policies/wallet/{first(world).remote_id}")["docs"]) == 1


def test_a_change_is_told_before_and_after_and_changes_nothing_else(world: World) -> None:
    found = policy(world, "Carla", limits={"per_transaction": 50000}, reason="Books")
    form = {"permissions": ["WALLET_VIEW"], "per_transaction": "20000", "reason": "Books"}
    preview = words(edit(world, found, **form))
    assert "Carla Kamau can no longer pay vendors from it." in preview
    assert "Carla Kamau can no longer move more than KES 20,000.00 in one payment (KES 50,000.00 before)." in preview
    assert "can no longer pay vendors from it; 5 others still can" in preview
    assert edit(world, found, **form, **CONFIRM).status_code == 302
    remote = upstream(world, found)
    assert (remote["permissions"], remote["limits"]["per_transaction_minor"]) == (["WALLET_VIEW"], 2_000_000)
    before = WalletPolicy.objects.get(pk=found.pk)
    assert (remote["reason"], remote["expires_at"], before.remote_version) == ("Books", None, 2)


def test_emptied_limits_and_ends_are_taken_away(world: World) -> None:
    found = policy(world, "Carla", limits={"daily": 100}, expires_at="2099-01-01T00:00:00Z")
    preview = words(edit(world, found, permissions=["WALLET_VIEW", "WALLET_PAY_VENDOR"]))
    assert "can move any amount in a day (at most KES 100.00 before)" in preview
    assert "keeps it without an end date (ended on 1 Jan 2099, 03:00 before)" in preview
    edit(world, found, permissions=["WALLET_VIEW", "WALLET_PAY_VENDOR"], **CONFIRM)
    remote = upstream(world, found)
    assert (remote["limits"]["daily_minor"], remote["expires_at"]) == (None, None)


def test_what_is_as_it_was_is_not_sent(world: World) -> None:
    found = policy(world, "Carla", expires_at="2099-01-01T00:00:00Z")
    answer = edit(world, found, permissions=["WALLET_VIEW", "WALLET_PAY_VENDOR"], until="2099-01-01", **CONFIRM)
    assert answer.status_code == 422
    assert "There are no changes." in words(answer)
    assert upstream(world, found)["version"] == 1


@pytest.mark.parametrize(
    ("form", "text"),
    [
        ({"permissions": []}, "Choose at least one"), ({"per_transaction": "lots"}, "Enter digits, such as 1250.50"),
        ({"daily": "1e3"}, "Enter digits"),
        ({"daily": "-1"}, "greater than or equal to 0"), ({"monthly": "1.005"}, "KES has 2 digits after the point"),
        ({"until": "9999-12-31"}, "Enter a date between 1900 and 2999."),
        ({"until": "2020-01-01"}, "This date has passed"), ({"until": "2098-01-01", "start": "2099-01-01"}, "before the start date"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told_beside_the_field_and_kept(world: World, form: dict[str, Any], text: str) -> None:
    answer = grant(world, **({"reason": "Kept as typed"} | form), **CONFIRM)
    assert answer.status_code == 422
    assert text in words(answer)
    assert "Kept as typed" in answer.content.decode()
    assert not WalletPolicy.objects.filter(business=world.business).exists()


def test_a_refusal_of_the_service_stands_beside_its_field(world: World) -> None:
    answer = grant(world, to="Sam", permissions=["WALLET_PAYOUT_APPROVE"], **CONFIRM)
    assert answer.status_code == 422
    assert "A SUPER_ADMIN can never have WALLET_PAYOUT_APPROVE." in words(answer)


def test_suspended_reactivated_and_revoked_it_is_so_at_the_service(world: World) -> None:
    found, browser = policy(world, "Carla"), world.client("Sam")
    for verb, state in (("suspend", "SUSPENDED"), ("reactivate", "ACTIVE"), ("revoke", "REVOKED")):
        address = at(world, f"{found.remote_id}/{verb}/")
        assert "Impact today" in words(browser.get(address))
        assert upstream(world, found)["status"] != state
        assert browser.post(address, {"key": verb, **CONFIRM}).status_code == 302
        assert upstream(world, found)["status"] == state
        assert WalletPolicy.objects.get(pk=found.pk).status == state
    assert "Revoked" in words(browser.get(at(world, f"{found.remote_id}/")))


def test_what_changed_since_one_looked_is_not_overwritten(world: World) -> None:
    found, browser = policy(world, "Carla"), world.client("Ada")
    world.send("PATCH", f"/wallet-policies/{found.remote_id}", {"permissions": ["WALLET_FX"]})
    form = terms(seen=str(found.remote_version), permissions=["WALLET_VIEW"])
    answer = browser.post(at(world, f"{found.remote_id}/edit/"), form | CONFIRM)
    assert answer.status_code == 409
    assert "changed since you opened it" in words(answer)
    assert "The service account, " in words(answer)
    assert "Carla Kamau can now make FX transfers from it." in words(answer)
    assert upstream(world, found)["permissions"] == ["WALLET_FX"]


@pytest.mark.parametrize("person", ["Carla", "Rita", "Apollo"])
def test_who_may_not_changes_nothing_and_nothing_is_sent(proxied_world: World, person: str) -> None:
    world = proxied_world
    assert world.proxy is not None
    found = policy(world, "Cyrus")
    before = len(world.proxy.sent())
    assert grant(world, person, **CONFIRM).status_code == 403
    for verb in ("edit", "suspend", "revoke"):
        assert world.client(person).post(at(world, f"{found.remote_id}/{verb}/"), CONFIRM).status_code == 403
    assert len(world.proxy.sent()) == before
    if person == "Apollo":
        shown = words(world.client(person).get(at(world, f"{found.remote_id}/")))
        assert "This is for admins and super admins" in shown
        assert "Suspend policy…" not in shown


def test_nobody_changes_their_own(world: World) -> None:
    found, browser = policy(world, "Ada", "WALLET_FX"), world.client("Ada")
    assert grant(world, to="Ada", **CONFIRM).status_code == 403
    answer = browser.post(at(world, f"{found.remote_id}/suspend/"), CONFIRM)
    assert answer.status_code == 403
    assert "This is about yourself" in words(answer)
    assert "Suspend policy…" not in words(browser.get(at(world, f"{found.remote_id}/")))
    assert upstream(world, found)["status"] == "ACTIVE"


def test_another_business_has_none_of_it(world: World, new_world: Any) -> None:
    found, other = policy(world, "Carla"), new_world(synced=False)
    for rest in (f"{found.remote_id}/", f"{found.remote_id}/edit/", f"wallets/{found.wallet_id}/"):
        assert other.client("Ada").get(at(other, rest)).status_code == 404


def test_a_service_that_is_away_keeps_what_was_typed(proxied_world: World) -> None:
    world = proxied_world
    assert world.proxy is not None
    found = policy(world, "Carla", reason="Books")
    world.proxy.fail("reset")
    answer = edit(world, found, permissions=["WALLET_VIEW"], reason="Fewer", seen="1", **CONFIRM)
    assert answer.status_code == 503
    body = answer.content.decode()
    # What could not be read says nothing of changes: nothing of this form was sent yet.
    assert "Nothing was changed" not in body
    assert "The finance service did not answer in time. Try again in a moment." in body
    assert 'name="reason" value="Fewer"' in body
