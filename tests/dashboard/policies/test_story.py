"""A change of a policy from end to end: replayed, proposed with its replay, confirmed by another admin, in force on Monday, rolled back."""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone

from dashboard.audit.models import AuditEntry
from dashboard.mirror.schedule import today
from dashboard.proposals.apply import due_proposals
from dashboard.proposals.models import Proposal, ProposalState
from dashboard.times import local
from tests.dashboard.conftest import World
from tests.dashboard.policies.conftest import channel, create_policy, page, policy_at
from tests.dashboard.policies.test_proposals import applied, at, decide, guard, proposed
from tests.dashboard.policies.test_replay import begun, done, spend


def test_a_change_is_replayed_proposed_confirmed_takes_effect_on_monday_and_is_rolled_back(world: World) -> None:
    for amount in (100, 200, 300):
        spend(world, amount)
    made = create_policy(world, "CHANNEL", "MPESA", limit=5000, currency="KES", name="M-Pesa")
    world.sync()
    guard(world)
    monday = today(world.business) + timedelta(days=7 - today(world.business).weekday())
    typed = channel(name="M-Pesa", limit="250", period="", effective=monday.isoformat())
    address = at(world, f"{made['_id']}/edit/")
    done(begun(world, address, typed))
    proposal = proposed(world, address, typed)
    assert proposal.sentences == ["Limit: above KES\xa05,000.00 each becomes above KES\xa0250.00 each."]
    # The second admin reads what the change would have done.
    shown = page(world.client("Abel").get(world.address(f"wallet-policies/proposals/{proposal.pk}/")))
    assert "1 of 3 expenses would have been decided differently." in shown
    assert "1 would have been blocked." in shown
    assert decide(world, proposal, "Ada").status_code == 403, "nobody alone"
    assert decide(world, proposal, "Abel").status_code == 302
    proposal.refresh_from_db()
    assert proposal.state == ProposalState.CONFIRMED
    assert local(proposal.effective_at, world.business).date() == monday
    assert proposal.pk not in due_proposals()
    assert policy_at(world, made["_id"])["limit_minor"] == 500_000
    # Monday comes.
    Proposal.objects.filter(pk=proposal.pk).update(effective_at=timezone.now())
    assert proposal.pk in due_proposals()
    assert applied(proposal).state == ProposalState.APPLIED
    assert applied(proposal).state == ProposalState.APPLIED
    changed = policy_at(world, made["_id"])
    assert (changed["limit_minor"], changed["version"]) == (25_000, 2), "twice asked, once done"
    back = proposed(world, at(world, f"{made['_id']}/restore/1/"), {"key": "back"}, by="Abel")
    assert decide(world, back, "Ada").status_code == 302
    assert applied(back).state == ProposalState.APPLIED
    restored = policy_at(world, made["_id"])
    assert (restored["limit_minor"], restored["version"]) == (500_000, 3)
    history = page(world.client("Apollo").get(at(world, f"{made['_id']}/history/")))
    for number in (1, 2, 3):
        assert f"Version {number}" in history
    lines = list(AuditEntry.objects.filter(chain=world.business.pk).values_list("sentence", flat=True))
    assert sum("proposed a policy change" in line for line in lines) == 2
    assert sum("confirmed the proposed policy change" in line for line in lines) == 2
