"""Removing approvers in bad weather: the one change that the service does not answer twice."""

from __future__ import annotations

from typing import Any

import pytest

from dashboard.client import breaker
from dashboard.proposals.apply import apply_proposal
from dashboard.proposals.models import FourEyes, ProposalState
from tests.dashboard.conftest import World
from tests.dashboard.mandates.conftest import CONFIRM, again, at, decide, last, mandate, words


def remove_last(world: World, row: dict[str, Any]) -> Any:
    form = {"people": [row["approvers"][-1]["approver_id"]], **CONFIRM}
    return world.client("Sam").post(at(world, f"{row['_id']}/approvers/remove/"), form)


@pytest.mark.parametrize("mode", ["lost reply", "reset"])
def test_a_confirmed_removal_ends_as_applied_whatever_becomes_of_the_answer(proxied_world: World, mode: str) -> None:
    world, row = proxied_world, mandate(proxied_world)
    assert world.proxy
    FourEyes.objects.create(business=world.business, is_on=True)
    remove_last(world, row)
    proposal = last(world)
    decide(world, proposal, "Selma")
    world.proxy.fail(mode, method="DELETE")
    apply_proposal(proposal.pk)
    world.proxy.heal()
    apply_proposal(proposal.pk)
    proposal.refresh_from_db()
    assert proposal.state == ProposalState.APPLIED, proposal.outcome
    assert len(again(world, row)["approvers"]) == 2
    assert again(world, row)["version"] == row["version"] + 1


def test_a_removal_whose_answer_is_lost_is_told_as_it_is(proxied_world: World) -> None:
    world, row = proxied_world, mandate(proxied_world)
    assert world.proxy
    world.proxy.fail("lost reply", method="DELETE", times=1)
    answer = remove_last(world, row)
    assert len(again(world, row)["approvers"]) == 2
    assert answer["Location"] == at(world, f"{row['_id']}/"), words(answer)


def test_a_proposal_waits_while_its_mandate_cannot_be_read(proxied_world: World) -> None:
    world, row = proxied_world, mandate(proxied_world)
    assert world.proxy
    FourEyes.objects.create(business=world.business, is_on=True)
    remove_last(world, row)
    proposal = last(world)
    world.proxy.fail("reset")
    answer = decide(world, proposal, "Selma")
    assert answer.status_code == 503
    proposal.refresh_from_db()
    assert proposal.state == ProposalState.WAITING
    world.proxy.heal()
    # So many reads that failed are answered by our breaker from then on, for a while.
    breaker._breakers.clear()
    decide(world, proposal, "Selma")
    world.proxy.fail("reset")
    apply_proposal(proposal.pk)
    proposal.refresh_from_db()
    assert (proposal.state, proposal.may_be_sent) == (ProposalState.CONFIRMED, False)
    assert proposal.outcome
