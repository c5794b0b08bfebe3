"""A proposal that is withdrawn while a worker is at it is not applied; nor is one over what somebody else has changed."""

from __future__ import annotations

import pytest

from dashboard.access.models import Membership
from dashboard.audit.models import AuditEntry
from dashboard.notifications.models import Notice
from dashboard.proposals import apply
from dashboard.proposals.apply import apply_proposal
from dashboard.proposals.models import FourEyes, Proposal, ProposalState
from dashboard.proposals.outcomes import withdraw
from tests.dashboard.conftest import World
from tests.dashboard.pages.conftest import House
from tests.dashboard.proposals.conftest import decide, propose
from tests.dashboard.proposals.test_members import decide as decide_at
from tests.dashboard.proposals.test_members import last, raise_to, role_of


def test_withdrawn_while_the_service_is_read_it_is_not_sent(guarded: World, monkeypatch: pytest.MonkeyPatch) -> None:
    proposal = propose(guarded)
    decide(guarded, proposal, "Abel")
    compared = apply.changed_since

    def withdrawn_meanwhile(actor: object, row: Proposal) -> str:
        withdraw(guarded.actor("Ada"), Proposal.objects.get(pk=row.pk))
        return compared(actor, row)  # type: ignore[arg-type]

    monkeypatch.setattr(apply, "changed_since", withdrawn_meanwhile)
    apply_proposal(proposal.pk)
    proposal.refresh_from_db()
    assert (proposal.state, proposal.may_be_sent) == (ProposalState.WITHDRAWN, False)
    assert guarded.upstream(f"/wallet-policies/{proposal.policy_id}")["version"] == 1


def test_marked_and_never_sent_it_is_compared_again(guarded: World) -> None:
    proposal = propose(guarded)
    decide(guarded, proposal, "Abel")
    # A worker was lost between the mark and the call; then somebody else changed the policy.
    Proposal.objects.filter(pk=proposal.pk).update(may_be_sent=True)
    guarded.send("POST", f"/wallet-policies/{proposal.policy_id}/suspend")
    apply_proposal(proposal.pk)
    proposal.refresh_from_db()
    assert proposal.state == ProposalState.STALE
    assert guarded.upstream(f"/wallet-policies/{proposal.policy_id}")["permissions"] != ["WALLET_VIEW"]


def test_a_change_of_members_is_withdrawn_or_applied_never_both(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    FourEyes.objects.create(business=house.business, is_on=True)
    raise_to(house, "APPROVER")
    proposal = last(house)
    decide_at(house, proposal, "Selma")
    claimed = apply._claimed

    def withdrawn_after(proposal_id: int) -> Proposal | None:
        row = claimed(proposal_id)
        withdraw(house.actor("Sam"), Proposal.objects.get(pk=proposal_id))
        return row

    monkeypatch.setattr(apply, "_claimed", withdrawn_after)
    apply_proposal(proposal.pk)
    proposal.refresh_from_db()
    assert (proposal.state, role_of(house, "Carla")) == (ProposalState.WITHDRAWN, "CARD_USER")


def test_a_role_that_changed_after_a_lost_worker_is_not_overwritten(house: House) -> None:
    FourEyes.objects.create(business=house.business, is_on=True)
    raise_to(house, "APPROVER")
    proposal = last(house)
    decide_at(house, proposal, "Selma")
    Proposal.objects.filter(pk=proposal.pk).update(may_be_sent=True)
    Membership.objects.filter(pk=house.people["Carla"].pk).update(role="REVIEWER")
    apply_proposal(proposal.pk)
    proposal.refresh_from_db()
    assert (proposal.state, role_of(house, "Carla")) == (ProposalState.STALE, "REVIEWER")


def test_whoever_proposed_and_confirmed_hears_that_it_was_not_applied(house: House) -> None:
    FourEyes.objects.create(business=house.business, is_on=True)
    raise_to(house, "APPROVER")
    proposal = last(house)
    decide_at(house, proposal, "Selma")
    Membership.objects.filter(pk=house.people["Carla"].pk).update(role="REVIEWER")
    apply_proposal(proposal.pk)
    told = Notice.objects.filter(business=house.business, sentence__contains="was not made")
    assert {notice.membership_id for notice in told} == {house.people["Sam"].pk, house.people["Selma"].pk}
    assert "Their role has changed since this was proposed." in told[0].sentence
    assert AuditEntry.objects.filter(chain=house.business.pk, sentence__startswith="did not apply").count() == 1
