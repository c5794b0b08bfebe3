"""A change that needs a second admin, against the real service: proposed, confirmed by another, applied as theirs."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from dashboard.audit.models import AuditEntry
from dashboard.mirror.models import WalletPolicy
from dashboard.notifications.models import Notice
from dashboard.proposals.apply import apply_proposal, due_proposals
from dashboard.proposals.models import FourEyes, Proposal, ProposalState
from tests.dashboard.conftest import World
from tests.dashboard.proposals.conftest import decide, last, propose
from tests.dashboard.wallet_policies.conftest import at, employee, first, page, policy, terms, upstream, words
from tests.days import business_day


def policy_of(proposal: Proposal) -> WalletPolicy:
    return WalletPolicy.objects.get(business_id=proposal.business_id, remote_id=proposal.policy_id)


def test_nothing_is_done_before_a_second_admin_confirms(guarded: World) -> None:
    proposal = propose(guarded)
    assert (proposal.state, proposal.reason) == (ProposalState.WAITING, "She changed teams")
    assert proposal.sentences == ["Carla Kamau can no longer pay vendors from it."]
    assert upstream(guarded, policy_of(proposal))["version"] == 1
    assert "Carla Kamau can no longer pay" in page(guarded, "Abel", "proposals/")
    assert "1 waiting for you" in page(guarded, "Abel")
    assert "waiting for you" not in page(guarded, "Ada")
    shown = page(guarded, "Abel", f"proposals/{proposal.pk}/")
    assert "Impact today" in shown
    assert "Carla Kamau can no longer pay vendors from it; 5 others still can." in shown
    assert decide(guarded, proposal, "Abel").status_code == 302
    apply_proposal(proposal.pk)
    proposal.refresh_from_db()
    assert (proposal.state, proposal.decided_by) == (ProposalState.APPLIED, guarded.people["Abel"])
    assert upstream(guarded, policy_of(proposal))["permissions"] == ["WALLET_VIEW"]
    lines = AuditEntry.objects.filter(chain=guarded.business.pk).order_by("id")
    told = [(line.actor_name.split()[0], line.sentence.split(" wallet policy")[0].split(":")[0]) for line in lines]
    assert told[-4:] == [
        ("Ada", "proposed an access change"), ("Abel", "confirmed the proposed access change"),
        ("Abel", "changed"), ("Abel", "changed"),
    ]  # fmt: skip


def test_who_could_confirm_is_told_and_then_who_proposed(guarded: World) -> None:
    proposal = propose(guarded)
    told = Notice.objects.filter(business=guarded.business, topic="access")
    names = {one.membership.user.get_full_name().split()[0] for one in told.select_related("membership__user")}
    assert names == {"Abel", "Sam", "Selma"}
    decide(guarded, proposal, "Abel", "decline", reason="She still pays")
    assert told.get(membership=guarded.people["Ada"]).sentence == (
        "Abel Kariuki declined the access change that you proposed: "
        f"Carla Kamau · {first(guarded).name}. “She still pays”"
    )


def test_the_service_sees_the_confirmer_as_the_one_who_acts(guarded: World) -> None:
    proposal = propose(guarded)
    decide(guarded, proposal, "Sam")
    apply_proposal(proposal.pk)
    trail = guarded.upstream(f"/wallet-policies/{proposal.policy_id}/audit")["docs"]
    assert [one["acting_employee"] for one in trail if one["action"] == "MODIFY"] == [employee(guarded, "Sam")]


@pytest.mark.parametrize("verb", ["grant", "edit", "suspend", "revoke"])
def test_every_change_of_access_becomes_a_proposal(guarded: World, verb: str) -> None:
    found = policy(guarded, "Cyrus")
    rest = f"grant/?person={employee(guarded, 'Carla')}&wallet={first(guarded).remote_id}"
    address = at(guarded, rest if verb == "grant" else f"{found.remote_id}/{verb}/")
    answer = guarded.client("Ada").post(address, terms(step="confirm"))
    assert answer["Location"] == at(guarded, f"proposals/{last(guarded).pk}/")
    assert upstream(guarded, found)["version"] == 1
    assert len(guarded.upstream(f"/wallet-policies/wallet/{first(guarded).remote_id}")["docs"]) == 1


@pytest.mark.parametrize("person", ["Ada", "Apollo", "Rita", "Carla"])
def test_neither_its_proposer_nor_who_could_not_make_it_decides(guarded: World, person: str) -> None:
    proposal = propose(guarded)
    for how in ("confirm", "decline"):
        assert decide(guarded, proposal, person, how, reason="no").status_code == 403
    proposal.refresh_from_db()
    assert proposal.state == ProposalState.WAITING
    assert AuditEntry.objects.filter(chain=guarded.business.pk, outcome="DENIED").exists()
    if person == "Ada":
        shown = page(guarded, person, f"proposals/{proposal.pk}/")
        assert "You proposed this: a second admin must confirm it." in shown
        assert "Confirm change" not in shown


def test_whom_it_is_about_does_not_decide(guarded: World) -> None:
    address = at(guarded, f"grant/?person={employee(guarded, 'Abel')}&wallet={first(guarded).remote_id}")
    guarded.client("Ada").post(address, terms(step="confirm", permissions=["WALLET_FX"]))
    proposal = last(guarded)
    assert decide(guarded, proposal, "Abel").status_code == 403
    assert "This is about yourself" in page(guarded, "Abel", f"proposals/{proposal.pk}/")
    assert decide(guarded, proposal, "Sam").status_code == 302


def test_a_policy_that_changed_meanwhile_ends_the_proposal(guarded: World) -> None:
    proposal = propose(guarded)
    guarded.send("POST", f"/wallet-policies/{proposal.policy_id}/suspend")
    answer = decide(guarded, proposal, "Abel")
    assert answer.status_code == 409
    assert "The policy has changed since this was proposed: it is suspended now." in words(answer)
    proposal.refresh_from_db()
    assert proposal.state == ProposalState.STALE
    assert upstream(guarded, policy_of(proposal))["version"] == 2


def test_one_that_changes_between_confirming_and_its_day_is_not_applied(guarded: World) -> None:
    proposal = propose(guarded)
    decide(guarded, proposal, "Abel")
    guarded.send("POST", f"/wallet-policies/{proposal.policy_id}/suspend")
    apply_proposal(proposal.pk)
    proposal.refresh_from_db()
    assert proposal.state == ProposalState.STALE
    assert AuditEntry.objects.filter(chain=guarded.business.pk, outcome="CANCELLED").exists()


def test_it_takes_effect_on_its_day(guarded: World) -> None:
    proposal = propose(guarded, effective=business_day(3).isoformat())
    decide(guarded, proposal, "Abel")
    apply_proposal(proposal.pk)
    proposal.refresh_from_db()
    assert proposal.state == ProposalState.CONFIRMED
    assert proposal.pk not in due_proposals()
    assert upstream(guarded, policy_of(proposal))["version"] == 1
    Proposal.objects.filter(pk=proposal.pk).update(effective_at=timezone.now() - timedelta(seconds=1))
    assert proposal.pk in due_proposals()
    apply_proposal(proposal.pk)
    proposal.refresh_from_db()
    assert proposal.state == ProposalState.APPLIED


def test_declined_with_a_reason_nothing_is_done(guarded: World) -> None:
    proposal = propose(guarded)
    without = decide(guarded, proposal, "Abel", "decline")
    assert without.status_code == 422
    assert "Enter a reason" in words(without)
    assert decide(guarded, proposal, "Abel", "decline", reason="She still pays the workshop").status_code == 302
    proposal.refresh_from_db()
    assert (proposal.state, proposal.outcome) == (ProposalState.DECLINED, "She still pays the workshop")
    assert "She still pays the workshop" in page(guarded, "Ada", f"proposals/{proposal.pk}/")
    assert decide(guarded, proposal, "Sam").status_code == 403


def test_its_proposer_withdraws_it_and_others_do_not(guarded: World) -> None:
    proposal = propose(guarded)
    assert decide(guarded, proposal, "Abel", "withdraw").status_code == 403
    assert decide(guarded, proposal, "Ada", "withdraw").status_code == 302
    proposal.refresh_from_db()
    assert proposal.state == ProposalState.WITHDRAWN


def test_one_change_of_an_access_waits_at_a_time(guarded: World) -> None:
    proposal = propose(guarded)
    found = policy_of(proposal)
    answer = guarded.client("Sam").post(at(guarded, f"{found.remote_id}/suspend/"), {"step": "confirm", "key": "b"})
    assert answer.status_code == 409
    assert "Another change of this access by Ada Achieng is already waiting" in words(answer)
    assert "A change of this access is waiting" in page(guarded, "Ada", f"{found.remote_id}/")


def test_nobody_left_to_confirm_is_told_before_it_is_proposed(guarded: World) -> None:
    for name in ("Abel", "Sam", "Selma"):
        guarded.people[name].is_active = False
        guarded.people[name].save()
    found = policy(guarded, "Carla")
    answer = guarded.client("Ada").post(at(guarded, f"{found.remote_id}/suspend/"), {"step": "confirm", "key": "b"})
    assert answer.status_code == 409
    assert "Nobody could confirm this" in words(answer)
    assert not Proposal.objects.filter(business=guarded.business).exists()


def test_another_business_sees_no_proposal(guarded: World, new_world: object) -> None:
    from tests.dashboard.access.house import build

    proposal, browser = propose(guarded), guarded.client("Ada")
    stranger = build()
    FourEyes.objects.create(business=stranger.business, is_on=True)
    browser.force_login(stranger.people["Ada"].user)
    assert browser.get(f"/{stranger.business.slug}/wallet-policies/proposals/{proposal.pk}/").status_code == 404
