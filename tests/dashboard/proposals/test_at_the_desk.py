"""A change of access decided on from the inbox, against the real service: overtaken, or not to be found out about now."""

from __future__ import annotations

from typing import Any

from dashboard.proposals.models import FourEyes, ProposalState
from tests.dashboard.conftest import World
from tests.dashboard.proposals.conftest import propose
from tests.dashboard.treasury.test_exchange import proven
from tests.dashboard.wallet_policies.conftest import words

HTMX = {"HX-Request": "true"}


def test_a_policy_that_changed_meanwhile_ends_it_and_the_pane_says_so(guarded: World) -> None:
    found = propose(guarded)
    desk = guarded.address(f"approvals/access-change/{found.pk}/")
    assert "5 others still can" in words(guarded.client("Abel").get(desk))
    guarded.send("POST", f"/wallet-policies/{found.policy_id}/suspend")
    answer = proven(guarded, "Abel").post(f"{desk}approve/", {"list": "show=mine"}, headers=HTMX)
    assert answer.status_code == 409
    assert "The policy has changed since this was proposed: it is suspended now." in words(answer)
    found.refresh_from_db()
    assert found.state == ProposalState.STALE


def test_without_the_service_nothing_is_confirmed_and_it_waits_on(proxied_world: World) -> None:
    FourEyes.objects.create(business=proxied_world.business, is_on=True)
    found = propose(proxied_world)
    assert proxied_world.proxy is not None
    proxied_world.proxy.fail("reset")
    address = proxied_world.address(f"approvals/access-change/{found.pk}/approve/")
    answer = proven(proxied_world, "Abel").post(address, {"list": "show=mine"}, headers=HTMX)
    assert answer.status_code == 503
    assert found.title in words(answer)
    found.refresh_from_db()
    assert found.state == ProposalState.WAITING


def test_an_open_inbox_hears_of_it(guarded: World, django_capture_on_commit_callbacks: Any) -> None:
    browser = guarded.client("Sam")
    browser.get(guarded.address("approvals/"))
    pulse = f"/-/pulse/{guarded.business.slug}/"
    before = browser.get(pulse).json()["pulse"]
    with django_capture_on_commit_callbacks(execute=True):
        propose(guarded)
    assert browser.get(pulse).json()["pulse"] > before
