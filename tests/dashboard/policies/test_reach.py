"""A change of a policy holds for new items only, or also for what waits: chosen, said, proposed, and done by the service at once."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from dashboard.proposals.apply import apply_proposal
from dashboard.proposals.models import FourEyes, Proposal, ProposalState
from tests.dashboard.conftest import World
from tests.dashboard.policies.conftest import channel, confirmed, create_policy, page
from tests.dashboard.policies.test_proposals import at, decide
from tests.dashboard.policies.test_same_as_the_service import post


def spent(world: World, amount: int = 100) -> str:
    """An expense that waits for review; its id."""
    body = {
        "amount": amount, "currency": "KES", "payment_type": "MPESA", "receiver": "Java House",
        "employee_id": world.people["Carla"].employee_id, "transaction_ref": f"TX{amount}",
        "transaction_date": datetime.now(UTC).isoformat(),
    }  # fmt: skip
    answer = post(world, body)
    assert answer.status_code == 201, answer.text
    world.sync()
    rows = world.upstream("/expenses", limit=100)["docs"]
    return str(next(row["_id"] for row in rows if row["transaction_ref"] == f"TX{amount}"))


def flags(world: World, expense_id: str) -> list[str]:
    rows = world.upstream("/expenses", limit=100)["docs"]
    return list(next(row["policy_flags"] for row in rows if row["_id"] == expense_id))


def edited(**more: Any) -> dict[str, Any]:
    return channel(limit="50", period="", action="FLAG") | more


def test_it_is_asked_only_where_something_waits(world: World) -> None:
    policy = create_policy(world, "CHANNEL", "MPESA", action="FLAG", limit=500, currency="KES")
    assert "The change holds for" not in page(world.client("Ada").get(at(world, f"{policy['_id']}/edit/")))
    spent(world)
    form = page(world.client("Ada").get(at(world, f"{policy['_id']}/edit/")))
    assert "New items only" in form
    assert "Also the expense that waits for review" in form
    assert "The change holds for" not in page(world.client("Ada").get(at(world, "new/CHANNEL/")))


def test_new_items_only_leaves_what_waits_as_it_is(world: World) -> None:
    policy = create_policy(world, "CHANNEL", "MPESA", action="FLAG", limit=500, currency="KES")
    expense = spent(world)
    answer = confirmed(world, "Ada", at(world, f"{policy['_id']}/edit/"), edited(reach="NEW"))
    assert answer.status_code == 302, page(answer)
    assert flags(world, expense) == []


def test_what_waits_is_judged_by_the_change_as_well(world: World) -> None:
    policy = create_policy(world, "CHANNEL", "MPESA", action="FLAG", limit=500, currency="KES")
    expense = spent(world)
    address = at(world, f"{policy['_id']}/edit/")
    look = page(world.client("Ada").post(address, edited(reach="WAITING")))
    assert "Expenses that wait for review when it takes effect are judged by it anew." in look
    assert "1 expense waits for review." in look
    assert "What was voted on stays decided." in look
    answer = confirmed(world, "Ada", address, edited(reach="WAITING"))
    assert answer.status_code == 302, page(answer)
    assert flags(world, expense) == [f"CHANNEL:{policy['_id']}"]


def test_a_limit_that_counts_together_cannot_hold_for_what_came_before(world: World) -> None:
    policy = create_policy(world, "CHANNEL", "MPESA", action="FLAG", limit=500, currency="KES")
    spent(world)
    answer = world.client("Ada").post(at(world, f"{policy['_id']}/edit/"), edited(reach="WAITING", period="WEEK"))
    assert answer.status_code == 422
    assert "holds for new items only" in page(answer)


def test_the_second_admin_reads_it_and_it_is_done_once_confirmed(world: World) -> None:
    FourEyes.objects.create(business=world.business, is_on=True)
    policy = create_policy(world, "CHANNEL", "MPESA", action="FLAG", limit=500, currency="KES")
    expense = spent(world)
    confirmed(world, "Ada", at(world, f"{policy['_id']}/edit/"), edited(reach="WAITING"))
    proposal = Proposal.objects.filter(business=world.business).latest("pk")
    # Others wait by the time it is confirmed: no number that would be of the first admin's time.
    assert "Expenses that wait for review when it takes effect are judged by it anew." in proposal.sentences
    assert not any("1" in sentence and "wait" in sentence for sentence in proposal.sentences)
    assert flags(world, expense) == []
    assert decide(world, proposal, "Abel").status_code == 302
    apply_proposal(proposal.pk)
    proposal.refresh_from_db()
    assert proposal.state == ProposalState.APPLIED, proposal.outcome
    assert flags(world, expense) == [f"CHANNEL:{policy['_id']}"]
