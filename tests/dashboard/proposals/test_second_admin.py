"""Whether a second admin is asked for: one switches it on, nobody alone switches it off."""

from __future__ import annotations

import pytest

from dashboard.audit.models import AuditEntry
from dashboard.proposals.apply import apply_proposal
from dashboard.proposals.four_eyes import requires_second_admin
from dashboard.proposals.models import FourEyes, ProposalState
from tests.dashboard.conftest import World
from tests.dashboard.proposals.conftest import decide, last
from tests.dashboard.wallet_policies.conftest import at, page, words

ON, OFF = "proposals/second-admin/", "proposals/no-second-admin/"


def test_one_admin_switches_it_on(world: World) -> None:
    assert not requires_second_admin(world.business)
    assert "A single admin can change access" in page(world, "Ada", "proposals/")
    world.client("Ada").post(at(world, ON))
    assert requires_second_admin(world.business)
    assert "Each access change requires confirmation by a second admin" in page(world, "Apollo", "proposals/")
    line = AuditEntry.objects.get(chain=world.business.pk, operation="second_admin")
    assert (line.sentence, line.after) == (
        "switched on second-admin confirmation for access, policies and workflows",
        {"second admin": "yes"},
    )


def test_nobody_alone_switches_it_off(guarded: World) -> None:
    answer = guarded.client("Ada").post(at(guarded, OFF), {"key": "a", "why": "Too slow"})
    proposal = last(guarded)
    assert answer["Location"] == at(guarded, f"proposals/{proposal.pk}/")
    assert requires_second_admin(guarded.business)
    assert decide(guarded, proposal, "Ada").status_code == 403
    apply_proposal(proposal.pk)
    assert requires_second_admin(guarded.business)
    assert decide(guarded, proposal, "Selma").status_code == 302
    apply_proposal(proposal.pk)
    proposal.refresh_from_db()
    assert proposal.state == ProposalState.APPLIED
    assert not requires_second_admin(guarded.business)
    assert AuditEntry.objects.filter(
        chain=guarded.business.pk, actor_name__startswith="Selma", sentence__startswith="switched off"
    ).exists()


def test_asked_twice_it_waits_once(guarded: World) -> None:
    guarded.client("Ada").post(at(guarded, OFF), {"key": "a"})
    again = guarded.client("Sam").post(at(guarded, OFF), {"key": "b"})
    assert again.status_code == 409
    assert "A proposal to switch this off" in page(guarded, "Sam", "proposals/")


@pytest.mark.parametrize("person", ["Carla", "Rita", "Apollo"])
def test_only_admins_ask_for_it(world: World, person: str) -> None:
    for rest in (ON, OFF):
        assert world.client(person).post(at(world, rest)).status_code == 403
    assert not FourEyes.objects.filter(business=world.business).exists()


def test_too_few_admins_to_confirm_is_told(world: World) -> None:
    for name in ("Sam", "Selma"):
        world.people[name].is_active = False
        world.people[name].save()
    answer = world.client("Ada").post(at(world, ON))
    assert answer.status_code == 409
    assert "at least three admins" in words(answer)
    assert not requires_second_admin(world.business)
