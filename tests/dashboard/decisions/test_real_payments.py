"""Payments the whole way: an admin prepares, approvers vote, the running service counts the votes and pays once."""

import threading
import uuid
from typing import Any

import pytest

from dashboard import operations
from dashboard.access.subject import Subject
from dashboard.client.gateway import send
from dashboard.decisions.dispatcher import send_due
from dashboard.decisions.models import Decision
from dashboard.decisions.preconditions import fingerprint_of
from dashboard.decisions.services import submit_decision
from dashboard.errors import NotAllowed
from dashboard.mirror.apply import upsert_approvals
from dashboard.mirror.models import Approval
from tests.dashboard.conftest import World

ITEM = {"receiver_name": "Grace Achieng", "channel": "MPESA_SEND_MONEY", "account": "254712345678"}


def requested(world: World, amount: int = 900_000) -> Approval:
    """A payout that Ada made and initiated, with its request in the copy."""
    world.sandbox("top-up", org_wallet_ref="1", amount=5_000_000)
    ada = world.actor("Ada")
    body = {"name": "Salaries", "org_wallet_ref": "1", "items": [{**ITEM, "amount": amount}]}
    batch = send(ada, operations.CREATE_PAYOUT, body=body, key=str(uuid.uuid4())).data["batch_no"]
    payout = Subject(business_id=world.business.pk, kind="payout", id=batch, title=batch)
    send(ada, operations.INITIATE_PAYOUT, path={"batch_no": batch}, subject=payout, key=str(uuid.uuid4()))
    rows = world.upstream("/approvals/all", ref=batch)["docs"]
    upsert_approvals(world.business, rows, "POLL")
    return Approval.objects.get(business=world.business, ref=batch)


def vote(world: World, who: str, row: Approval, operation: Any = operations.APPROVE_PAYMENT_REQUEST) -> Decision:
    seen = fingerprint_of(row)
    return submit_decision(world.actor(who), operation, row, fingerprint=seen, key=str(uuid.uuid4()), reason="Seen.")


def voters(world: World, row: Approval) -> list[str]:
    seats = {seat["employee_id"] for seat in row.eligible}
    return [name for name in ("Apollo", "Zawadi", "Juma") if world.employee(name)["employee_id"] in seats]


def test_votes_are_counted_and_the_last_one_pays(world: World) -> None:
    row = requested(world)
    assert row.approvals_required >= 2
    for number, who in enumerate(voters(world, row)[: row.approvals_required], start=1):
        decision = vote(world, who, Approval.objects.get(pk=row.pk))
        send_due(world.business)
        decision.refresh_from_db()
        assert decision.state == "DONE", decision.message
        last = number == row.approvals_required
        assert decision.message == ("Done." if last else f"Your approval counts: {number} of {row.approvals_required}.")
    row.refresh_from_db()
    assert row.status == "APPROVED"
    [payout] = world.upstream("/payments", batch_no=row.ref)["docs"]
    assert payout["status"] not in {"DRAFT", "PENDING_APPROVAL", "REJECTED"}


def test_whoever_made_it_and_whoever_has_voted_are_refused_here(world: World) -> None:
    row = requested(world)
    with pytest.raises(NotAllowed):
        vote(world, "Ada", row)
    first = voters(world, row)[0]
    vote(world, first, row)
    send_due(world.business)
    with pytest.raises(NotAllowed, match="already decided"):
        vote(world, first, Approval.objects.get(pk=row.pk))


def test_two_last_votes_at_once_make_one_payout(world: World) -> None:
    row = requested(world)
    able = voters(world, row)
    for who in able[: row.approvals_required - 1]:
        vote(world, who, Approval.objects.get(pk=row.pk))
    send_due(world.business)
    row.refresh_from_db()
    last = able[row.approvals_required - 1 :]
    assert last
    for who in last:
        vote(world, who, row)
    threads = [threading.Thread(target=send_due, args=(world.business,)) for _ in last]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    settled = list(Decision.objects.filter(business=world.business).order_by("created_at"))[-len(last) :]
    assert sorted(decision.state for decision in settled)[0] == "DONE"
    assert [decision.state for decision in settled].count("DONE") == 1
    [payout] = world.upstream("/payments", batch_no=row.ref)["docs"]
    assert payout["item_count"] == 1
    [approval] = world.upstream("/approvals/all", ref=row.ref)["docs"]
    assert approval["approvals_given"] == approval["approvals_required"]


def test_a_rejection_waits_its_seconds_and_says_why(world: World) -> None:
    row = requested(world)
    decision = vote(world, voters(world, row)[0], row, operations.REJECT_PAYMENT_REQUEST)
    assert decision.can_be_undone
    assert send_due(world.business) == 0
    Decision.objects.filter(pk=decision.pk).update(due_at=decision.created_at)
    send_due(world.business)
    decision.refresh_from_db()
    row.refresh_from_db()
    assert (decision.state, row.status) == ("DONE", "REJECTED")
