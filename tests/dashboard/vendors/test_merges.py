"""Merging two vendors where the business asks for a second admin: proposed with what moves, confirmed by another, done once."""

from __future__ import annotations

from typing import Any

import pytest

from dashboard.audit.models import AuditEntry
from dashboard.mirror.models import Vendor
from dashboard.proposals.apply import apply_proposal
from dashboard.proposals.models import FourEyes, Proposal, ProposalState
from tests.dashboard.conftest import World
from tests.dashboard.treasury.test_exchange import proven
from tests.dashboard.vendors.test_records import create, shown

Pair = tuple[Vendor, Vendor]


@pytest.fixture
def pair(world: World) -> Pair:
    """Two vendors that are one, in a business that asks for a second admin."""
    FourEyes.objects.create(business=world.business, is_on=True)
    return create(world, "Acacia Supplies", "400111"), create(world, "Acacia Supplies Ltd", "512345")


def address(pair: Pair) -> str:
    return f"vendors/{pair[0].remote_id}/merge/{pair[1].remote_id}/"


def propose(world: World, pair: Pair, by: str = "Ada", key: str = "merge-1") -> Any:
    return world.client(by).post(world.address(address(pair)), {"reason": "Entered twice", "key": key})


def decide(world: World, by: str, how: str = "confirm", **form: str) -> int:
    proposal = Proposal.objects.get(business=world.business)
    path = world.address(f"wallet-policies/proposals/{proposal.pk}/{how}/")
    return int(proven(world, by).post(path, form).status_code)


def applied(world: World) -> Proposal:
    proposal = Proposal.objects.get(business=world.business)
    apply_proposal(proposal.pk)
    proposal.refresh_from_db()
    return proposal


def status(world: World, vendor: Vendor) -> str:
    return str(world.upstream(f"/vendors/{vendor.remote_id}")["status"])


@pytest.mark.parametrize("by", ["Ada", "Apollo"])
def test_it_waits_for_another_admin_and_is_done_once(world: World, pair: Pair, by: str) -> None:
    assert "Propose the merge" in shown(world, address(pair), by)
    assert propose(world, pair, by).status_code == 302
    assert propose(world, pair, by).status_code == 302
    proposal = Proposal.objects.get(business=world.business)
    assert (proposal.noun, proposal.headline) == (
        "a vendor merge",
        "Acacia Supplies: Acacia Supplies Ltd is merged into it",
    )
    assert status(world, pair[1]) == "ACTIVE"
    page = shown(world, f"wallet-policies/proposals/{proposal.pk}/", "Abel")
    for sentence in (
        "is merged into it",
        "is deleted and cannot be restored",
        "1 account of the duplicate",
        "View vendor",
    ):
        assert sentence in page
    assert "Entered twice" in page
    assert "waits for a second admin" in shown(world, address(pair))
    assert "Propose the merge" not in shown(world, address(pair))
    assert decide(world, by) == 403
    assert decide(world, "Abel") in {200, 302}
    assert applied(world).state == ProposalState.APPLIED, proposal.outcome
    assert status(world, pair[1]) == "DELETED"
    pair[1].refresh_from_db()
    assert (pair[1].status, pair[1].merged_into) == ("DELETED", pair[0].remote_id)
    lines = AuditEntry.objects.filter(chain=world.business.pk, operation="merge_vendor")
    assert {"NOTED", "TAKEN", "DONE"} <= set(lines.values_list("outcome", flat=True))


def test_declined_it_changes_nothing_and_can_be_proposed_again(world: World, pair: Pair) -> None:
    propose(world, pair)
    assert decide(world, "Abel", "decline", reason="Two different shops") in {200, 302}
    assert applied(world).state == ProposalState.DECLINED
    assert status(world, pair[1]) == "ACTIVE"
    assert propose(world, pair, key="merge-2").status_code == 302
    assert Proposal.objects.filter(business=world.business, state=ProposalState.WAITING).count() == 1


def test_what_changed_meanwhile_ends_it(world: World, pair: Pair) -> None:
    propose(world, pair)
    world.send("PUT", f"/vendors/{pair[1].remote_id}", {"phone": "254711000222"})
    decide(world, "Abel")
    proposal = Proposal.objects.get(business=world.business)
    assert (proposal.state, proposal.outcome) == (
        ProposalState.STALE,
        "One of the vendors has changed since this was proposed.",
    )
    assert status(world, pair[1]) == "ACTIVE"


def test_without_a_second_admin_it_is_done_at_once(world: World, pair: Pair) -> None:
    FourEyes.objects.filter(business=world.business).update(is_on=False)
    assert "Merge vendors" in shown(world, address(pair))
    assert propose(world, pair).status_code == 302
    assert not Proposal.objects.filter(business=world.business).exists()
    assert status(world, pair[1]) == "DELETED"


def test_where_nobody_could_confirm_it_that_is_said_and_what_was_typed_stays(world: World, pair: Pair) -> None:
    world.people["Abel"].is_active = False
    world.people["Abel"].save()
    answer = propose(world, pair)
    assert answer.status_code == 409
    assert "Nobody could confirm this" in answer.content.decode()
    assert "Entered twice" in answer.content.decode()
    assert status(world, pair[1]) == "ACTIVE"
