"""A change of a workflow of policies holds for new requests only, or also for those that wait for votes."""

from __future__ import annotations

from typing import Any

from dashboard.proposals.apply import apply_proposal
from dashboard.proposals.models import FourEyes, Proposal, ProposalState
from tests.dashboard.conftest import World
from tests.dashboard.policies.conftest import confirmed, create_policy, create_workflow, flow, page, workflows_at
from tests.dashboard.policies.test_proposals import decide
from tests.dashboard.policies.test_reach import spent


def at(world: World, rest: str) -> str:
    return world.address(f"policies/workflows/{rest}")


def two_needed(**more: Any) -> dict[str, Any]:
    """What is typed for a workflow of any amount in which two approve."""
    return flow({"who": "role", "votes": "2"}, name="Two", min_amount="", currency="", **more)


def waiting(world: World, **asks: Any) -> str:
    """An expense that a policy sends for approval; its id."""
    create_policy(world, "CHANNEL", "MPESA", action="REQUIRE_APPROVAL", **asks)
    return spent(world)


def requests(world: World) -> list[tuple[str, str, int]]:
    """The requests for votes, the oldest first: their status, the id of their workflow, and how many must approve."""
    rows = [row for row in world.upstream("/approvals/all", limit=100)["docs"] if row["kind"] == "POLICY"]
    rows.sort(key=lambda row: row["requested_at"])
    return [(row["status"], row["workflow_id"], row["approvals_required"]) for row in rows]


def test_other_steps_are_for_what_waits_as_well_where_that_is_chosen(world: World) -> None:
    made = create_workflow(world)
    address = at(world, f"policies/{made['_id']}/edit/")
    assert "Change applies to" not in page(world.client("Ada").get(address))
    expense = waiting(world, workflow_id=made["_id"])
    form = page(world.client("Ada").get(address))
    assert "Change applies to" in form
    assert "Also the request that waits for approval" in form
    refused = confirmed(world, "Ada", address, two_needed(reach="NEW", key="w1"))
    assert refused.status_code == 409
    look = page(world.client("Ada").post(address, two_needed(reach="WAITING", key="w2")))
    assert (
        "Requests on expenses that wait for approval when it takes effect, and that it matches, go by it as well."
        in look
    )
    assert "1 request that a policy asks for waits for approval, 1 under this workflow." in look
    answer = confirmed(world, "Ada", address, two_needed(reach="WAITING", key="w2"))
    assert answer.status_code == 302, page(answer)
    assert requests(world) == [("WITHDRAWN", made["_id"], 1), ("PENDING", made["_id"], 2)]
    world.sync()
    item = page(world.client("Ada").get(world.address(f"approvals/expense/{expense}/")))
    assert "Workflow “Two”, whose request was withdrawn" in item
    assert item.count("Workflow “Two”") == 2


def test_a_new_workflow_takes_the_requests_that_it_matches(world: World) -> None:
    made = create_workflow(world)
    waiting(world)
    answer = confirmed(world, "Ada", at(world, "policies/new/"), two_needed(reach="WAITING", priority="1", key="w3"))
    assert answer.status_code == 302, page(answer)
    taking = next(row["_id"] for row in workflows_at(world) if row["_id"] != made["_id"])
    assert requests(world) == [("WITHDRAWN", made["_id"], 1), ("PENDING", taking, 2)]


def test_turned_off_what_waits_is_said_to_go_elsewhere_and_a_new_one_that_is_off_takes_nothing(world: World) -> None:
    made = create_workflow(world)
    waiting(world)
    off = {name: value for name, value in two_needed(reach="WAITING", key="w7").items() if name != "active"}
    look = page(world.client("Ada").post(at(world, f"policies/{made['_id']}/edit/"), off))
    assert "go by the next workflow that matches" in look
    assert "go by it as well" not in look
    refused = world.client("Ada").post(at(world, "policies/new/"), off)
    assert refused.status_code == 422
    assert "An inactive workflow decides nothing" in page(refused)


def test_one_of_bills_has_no_such_choice(world: World) -> None:
    create_workflow(world)
    waiting(world)
    assert "Workflow applies to" not in page(world.client("Ada").get(at(world, "bills/new/")))
    look = page(world.client("Ada").post(at(world, "bills/new/"), two_needed(reach="WAITING", key="w4")))
    assert "go by it as well" not in look


def test_taken_out_of_use_by_a_second_admin_its_requests_go_on_under_the_next_once(world: World) -> None:
    FourEyes.objects.create(business=world.business, is_on=True)
    made = create_workflow(world, priority=1)
    left = create_workflow(world, name="Others", priority=2)
    waiting(world)
    address = at(world, f"policies/{made['_id']}/deactivate/")
    form = page(world.client("Ada").get(address))
    assert "Deactivation applies to" in form
    answer = confirmed(world, "Ada", address, {"reach": "WAITING", "key": "w5"})
    assert answer.status_code == 302, page(answer)
    assert requests(world) == [("PENDING", made["_id"], 1)]
    proposal = Proposal.objects.filter(business=world.business).latest("pk")
    assert any("go by the next workflow that matches" in sentence for sentence in proposal.sentences)
    assert decide(world, proposal, "Abel").status_code == 302
    for _ in range(2):
        apply_proposal(proposal.pk)
        proposal.refresh_from_db()
        assert proposal.state == ProposalState.APPLIED, proposal.outcome
        assert requests(world) == [("WITHDRAWN", made["_id"], 1), ("PENDING", left["_id"], 1)]
    assert next(row["active"] for row in workflows_at(world) if row["_id"] == made["_id"]) is False


def test_steps_that_nobody_could_complete_for_a_request_are_refused_in_words(world: World) -> None:
    made = create_workflow(world)
    waiting(world, workflow_id=made["_id"])
    address = at(world, f"policies/{made['_id']}/edit/")
    answer = confirmed(world, "Ada", address, flow({"who": "role", "votes": "20"}, reach="WAITING", key="w6"))
    assert answer.status_code == 409
    assert "more approvals than there are people" in page(answer)
    assert [state for state, _, _ in requests(world)] == ["PENDING"]
