"""Applying in bad weather: away, in doubt, refused, or confirmed by somebody who is no admin any more."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from dashboard.access.actor import Actor
from dashboard.audit.models import AuditEntry
from dashboard.client.models import OutboundOperation
from dashboard.notifications.models import Notice
from dashboard.proposals.apply import apply_proposal, due_proposals
from dashboard.proposals.models import FourEyes, Proposal, ProposalState
from dashboard.proposals.outcomes import changed_since, withdraw
from tests.dashboard.conftest import World
from tests.dashboard.proposals.conftest import decide, propose


@pytest.fixture
def confirmed(proxied_world: World) -> Proposal:
    """Confirmed by Abel, not applied yet, behind a proxy."""
    FourEyes.objects.create(business=proxied_world.business, is_on=True)
    proposal = propose(proxied_world)
    assert decide(proxied_world, proposal, "Abel").status_code == 302
    proposal.refresh_from_db()
    return proposal


def test_a_service_that_is_away_is_asked_again(proxied_world: World, confirmed: Proposal) -> None:
    proxy = proxied_world.proxy
    assert proxy
    proxy.fail("reset", path="/wallet-policies")
    apply_proposal(confirmed.pk)
    confirmed.refresh_from_db()
    assert (confirmed.state, confirmed.may_be_sent, confirmed.lease_until) == (ProposalState.CONFIRMED, False, None)
    assert confirmed.outcome
    proxy.heal()
    apply_proposal(confirmed.pk)
    confirmed.refresh_from_db()
    assert confirmed.state == ProposalState.APPLIED


def test_a_lost_answer_is_asked_for_again_under_the_same_key_and_done_once(
    proxied_world: World, confirmed: Proposal
) -> None:
    proxy = proxied_world.proxy
    assert proxy
    proxy.fail("lost reply", method="PATCH")
    apply_proposal(confirmed.pk)
    proxy.heal()
    apply_proposal(confirmed.pk)
    confirmed.refresh_from_db()
    assert confirmed.state == ProposalState.APPLIED
    told = proxied_world.upstream(f"/wallet-policies/{confirmed.policy_id}")
    assert (told["version"], told["permissions"]) == (2, ["WALLET_VIEW"])


def test_what_is_withdrawn_while_the_service_is_asked_is_not_applied(
    proxied_world: World, confirmed: Proposal, monkeypatch: pytest.MonkeyPatch
) -> None:
    def withdraws_meanwhile(actor: Actor, proposal: Proposal) -> str:
        unchanged = changed_since(actor, proposal)
        withdraw(proxied_world.actor("Ada"), Proposal.objects.get(pk=proposal.pk))
        return unchanged

    monkeypatch.setattr("dashboard.proposals.apply.changed_since", withdraws_meanwhile)
    apply_proposal(confirmed.pk)
    confirmed.refresh_from_db()
    assert (confirmed.state, confirmed.may_be_sent) == (ProposalState.WITHDRAWN, False)
    assert proxied_world.upstream(f"/wallet-policies/{confirmed.policy_id}")["version"] == 1


def test_who_is_no_admin_any_more_has_confirmed_nothing(proxied_world: World, confirmed: Proposal) -> None:
    abel = proxied_world.people["Abel"]
    abel.role = "CARD_USER"
    abel.save()
    apply_proposal(confirmed.pk)
    confirmed.refresh_from_db()
    assert confirmed.state == ProposalState.REFUSED
    assert proxied_world.upstream(f"/wallet-policies/{confirmed.policy_id}")["version"] == 1


def test_a_refusal_of_the_service_is_kept_in_its_words(proxied_world: World, confirmed: Proposal) -> None:
    body = {"permissions": ["WALLET_DREAM"]}
    Proposal.objects.filter(pk=confirmed.pk).update(body=body)
    apply_proposal(confirmed.pk)
    confirmed.refresh_from_db()
    assert confirmed.state == ProposalState.REFUSED
    assert confirmed.outcome
    assert confirmed.request_id
    # Who believes that it is in force hears that it is not.
    told = Notice.objects.filter(business=proxied_world.business, sentence__contains="was not made")
    assert {row.membership for row in told} == {proxied_world.people["Ada"], proxied_world.people["Abel"]}


def test_what_a_lost_worker_had_applied_is_applied_and_not_called_overtaken(
    proxied_world: World, confirmed: Proposal
) -> None:
    proxy = proxied_world.proxy
    assert proxy
    apply_proposal(confirmed.pk)
    # It died between the service's answer and noting it; who takes over gets no answer.
    Proposal.objects.filter(pk=confirmed.pk).update(state="CONFIRMED", settled_at=None, lease_until=None)
    proxy.fail("lost reply", method="PATCH")
    apply_proposal(confirmed.pk)
    confirmed.refresh_from_db()
    assert confirmed.state == ProposalState.APPLIED, confirmed.outcome
    assert proxied_world.upstream(f"/wallet-policies/{confirmed.policy_id}")["version"] == 2


def test_what_got_no_answer_for_a_day_ends_as_not_known_and_both_hear_of_it(
    proxied_world: World, confirmed: Proposal
) -> None:
    proxy = proxied_world.proxy
    assert proxy
    proxy.fail("lost reply", method="PATCH")
    apply_proposal(confirmed.pk)
    confirmed.refresh_from_db()
    assert confirmed.state == ProposalState.CONFIRMED
    proxy.heal()
    long_ago = timezone.now() - timedelta(hours=25)
    OutboundOperation.objects.filter(key=f"proposal-{confirmed.pk}").update(sent_at=long_ago)
    sent = len(proxy.sent("PATCH"))
    apply_proposal(confirmed.pk)
    confirmed.refresh_from_db()
    assert (confirmed.state, len(proxy.sent("PATCH"))) == (ProposalState.UNKNOWN, sent)
    assert confirmed.pk not in due_proposals()
    # It was made, and could as well not have been: neither is said, but how the policy stands.
    assert proxied_world.upstream(f"/wallet-policies/{confirmed.policy_id}")["version"] == 2
    assert "not known" in confirmed.outcome
    assert "The policy has changed since this was proposed" in confirmed.outcome
    line = AuditEntry.objects.filter(chain=proxied_world.business.pk, sentence__contains="the proposed").latest("pk")
    assert (line.outcome, line.sentence.startswith("does not know whether it applied")) == ("UNKNOWN", True)
    told = Notice.objects.filter(business=proxied_world.business, sentence__contains="may or may not have been made")
    assert {row.membership for row in told} == {proxied_world.people["Ada"], proxied_world.people["Abel"]}
    page = proxied_world.client("Ada").get(proxied_world.address(f"wallet-policies/proposals/{confirmed.pk}/"))
    assert "Not known whether it was made" in page.content.decode()
