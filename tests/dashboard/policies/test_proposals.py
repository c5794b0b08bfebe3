"""A change of a policy or a workflow where the business asks for a second admin: proposed, confirmed, overtaken, rolled back."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.utils import timezone

from dashboard.audit.models import AuditEntry
from dashboard.impact.proposals import proposal_address
from dashboard.mirror.schedule import today
from dashboard.proposals.apply import apply_proposal, due_proposals
from dashboard.proposals.models import FourEyes, Proposal, ProposalState
from dashboard.proposals.selectors import waiting_on
from tests.dashboard.conftest import World
from tests.dashboard.policies.conftest import (
    channel,
    confirmed,
    create_policy,
    create_workflow,
    flow,
    page,
    policies_at,
    policy_at,
    workflows_at,
)
from tests.dashboard.policies.test_policies import subcategory
from tests.dashboard.treasury.test_exchange import proven


def at(world: World, rest: str = "") -> str:
    return world.address(f"policies/{rest}")


def guard(world: World) -> None:
    FourEyes.objects.create(business=world.business, is_on=True)


def proposed(world: World, address: str, typed: dict[str, Any], by: str = "Ada") -> Proposal:
    answer = confirmed(world, by, address, typed)
    assert answer.status_code == 302, page(answer)
    return Proposal.objects.filter(business=world.business).latest("pk")


def decide(world: World, proposal: Proposal, by: str, how: str = "confirm") -> Any:
    address = world.address(f"wallet-policies/proposals/{proposal.pk}/{how}/")
    return proven(world, by).post(address, {"reason": "Not now"} if how == "decline" else {})


def applied(proposal: Proposal) -> Proposal:
    apply_proposal(proposal.pk)
    proposal.refresh_from_db()
    return proposal


def test_a_new_policy_waits_and_is_made_once_another_admin_confirms_it(world: World) -> None:
    guard(world)
    proposal = proposed(world, at(world, "new/CHANNEL/"), channel(why="Cash runs short"))
    assert policies_at(world) == []
    assert proposal.sentences == ["Spending by M-Pesa above KES\xa05,000.00 a week in total is blocked."]
    assert decide(world, proposal, "Ada").status_code == 403
    assert decide(world, proposal, "Apollo").status_code == 403
    shown = page(world.client("Abel").get(world.address(f"wallet-policies/proposals/{proposal.pk}/")))
    assert "is blocked" in shown
    assert proposal in waiting_on(world.actor("Abel"))
    assert proposal not in waiting_on(world.actor("Ada"))
    assert decide(world, proposal, "Abel").status_code == 302
    assert applied(proposal).state == ProposalState.APPLIED
    assert [row["target"] for row in policies_at(world)] == ["MPESA"]
    assert applied(proposal).state == ProposalState.APPLIED
    assert len(policies_at(world)) == 1
    sentences = AuditEntry.objects.filter(chain=world.business.pk).values_list("sentence", flat=True)
    assert any("proposed a policy change" in sentence for sentence in sentences)
    assert any("confirmed the proposed policy change" in sentence for sentence in sentences)


def test_a_change_takes_effect_on_its_day_and_is_rolled_back_as_another_proposal(world: World) -> None:
    made = create_policy(world, "CHANNEL", "MPESA", limit=5000, currency="KES", period="WEEK", name="M-Pesa")
    guard(world)
    tomorrow = (today(world.business) + timedelta(days=1)).isoformat()
    typed = channel(name="M-Pesa", limit="9,000", effective=tomorrow)
    proposal = proposed(world, at(world, f"{made['_id']}/edit/"), typed)
    assert "waits for a second admin" in page(world.client("Ada").get(at(world, f"{made['_id']}/")))
    decide(world, proposal, "Abel")
    assert proposal.pk not in due_proposals()
    assert policy_at(world, made["_id"])["limit_minor"] == 500_000
    Proposal.objects.filter(pk=proposal.pk).update(effective_at=timezone.now())
    assert proposal.pk in due_proposals()
    assert applied(proposal).state == ProposalState.APPLIED
    assert policy_at(world, made["_id"])["limit_minor"] == 900_000
    back = proposed(world, at(world, f"{made['_id']}/restore/1/"), {"key": "back"}, by="Abel")
    assert back.sentences == [
        "Limit: above KES\xa09,000.00 a week in total becomes above KES\xa05,000.00 a week in total."
    ]
    decide(world, back, "Ada")
    assert applied(back).state == ProposalState.APPLIED
    assert policy_at(world, made["_id"])["limit_minor"] == 500_000
    history = page(world.client("Apollo").get(at(world, f"{made['_id']}/history/")))
    assert "Version 3" in history


def test_a_policy_that_changed_meanwhile_ends_its_proposal(world: World) -> None:
    made = create_policy(world, "CHANNEL", "MPESA", limit=5000, currency="KES", period="WEEK", name="M-Pesa")
    guard(world)
    proposal = proposed(world, at(world, f"{made['_id']}/edit/"), channel(name="M-Pesa", limit="9,000"))
    world.send("PUT", f"/business-policies/{made['_id']}", {"action": "FLAG"})
    assert decide(world, proposal, "Abel").status_code == 409
    proposal.refresh_from_db()
    assert proposal.state == ProposalState.STALE
    assert policy_at(world, made["_id"])["limit_minor"] == 500_000


def category_policy(world: World, limit: str, key: str, by: str = "Ada") -> Any:
    typed = channel(target=subcategory(world).remote_id, limit=limit, period="DAY", key=key)
    return confirmed(world, by, at(world, "categories/set/SUBCATEGORY/"), typed)


def test_two_new_policies_of_one_category_do_not_wait_at_once(world: World) -> None:
    guard(world)
    assert category_policy(world, "5,000", "c1").status_code == 302
    answer = category_policy(world, "50,000", "c2", by="Abel")
    assert answer.status_code == 409
    assert "Another change of this policy by Ada" in page(answer)


def test_a_new_policy_of_a_category_does_not_replace_one_that_was_set_meanwhile(world: World) -> None:
    guard(world)
    assert category_policy(world, "5,000", "c1").status_code == 302
    proposal = Proposal.objects.filter(business=world.business).latest("pk")
    made = create_policy(world, "SUBCATEGORY", subcategory(world).remote_id, limit=100, currency="KES", period="DAY")
    assert decide(world, proposal, "Abel").status_code == 409
    proposal.refresh_from_db()
    assert proposal.state == ProposalState.STALE
    assert "has been set since this was proposed" in proposal.outcome
    assert policy_at(world, made["_id"])["limit_minor"] == 10_000


def test_a_new_policy_of_a_category_is_set_once_confirmed(world: World) -> None:
    guard(world)
    category_policy(world, "5,000", "c1")
    proposal = Proposal.objects.filter(business=world.business).latest("pk")
    # It leads to a page that is there, though the policy is not there yet.
    assert world.client("Abel").get(proposal_address(proposal)).status_code == 200
    assert decide(world, proposal, "Abel").status_code == 302
    assert applied(proposal).state == ProposalState.APPLIED
    assert [row["limit_minor"] for row in policies_at(world)] == [500_000]


def test_two_changes_of_one_policy_do_not_wait_at_once(world: World) -> None:
    made = create_policy(world, "CHANNEL", "MPESA", limit=5000, currency="KES", period="WEEK", name="M-Pesa")
    guard(world)
    proposed(world, at(world, f"{made['_id']}/edit/"), channel(name="M-Pesa", limit="9,000"))
    answer = confirmed(
        world, "Abel", at(world, f"{made['_id']}/edit/"), channel(name="M-Pesa", limit="8,000", key="k2")
    )
    assert answer.status_code == 409
    assert "Another change of this policy by Ada" in page(answer)


def test_a_deletion_and_a_workflow_wait_likewise(world: World) -> None:
    made, of_bills = create_policy(world, "CHANNEL", "MPESA"), create_workflow(world, "bills", name="Bills")
    guard(world)
    gone = proposed(world, at(world, f"{made['_id']}/delete/"), {"key": "d1"})
    changed = proposed(world, at(world, f"workflows/bills/{of_bills['_id']}/edit/"), flow(name="Bills", priority="100"))
    new = proposed(world, at(world, "workflows/policies/new/"), flow(name="Policies", key="n1"))
    ended = [gone, changed, new]
    for proposal in ended:
        assert decide(world, proposal, "Sam").status_code == 302
        assert applied(proposal).state == ProposalState.APPLIED, proposal.outcome
    assert policy_at(world, made["_id"])["status"] == "DELETED"
    assert workflows_at(world, "bills")[0]["conditions"]["min_amount_minor"] == 1_000_000
    assert [row["name"] for row in workflows_at(world)] == ["Policies"]
    deleted = proposed(world, at(world, f"workflows/bills/{of_bills['_id']}/delete/"), {"key": "d2"})
    decide(world, deleted, "Sam")
    assert applied(deleted).state == ProposalState.APPLIED
    assert workflows_at(world, "bills") == []


def test_declined_nothing_changes_and_the_reason_is_read(world: World) -> None:
    guard(world)
    proposal = proposed(world, at(world, "new/CHANNEL/"), channel())
    assert decide(world, proposal, "Abel", "decline").status_code == 302
    proposal.refresh_from_db()
    assert (proposal.state, proposal.outcome) == (ProposalState.DECLINED, "Not now")
    assert policies_at(world) == []
