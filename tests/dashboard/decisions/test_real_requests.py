"""Cards, funds, bills and transactions by hand the whole way: asked for, copied, decided here, done at the service."""

from __future__ import annotations

import time
import uuid
from typing import Any

import pytest

from dashboard.decisions.bulk import submit_bulk
from dashboard.decisions.described_requests import described_request
from dashboard.decisions.dispatcher import send_due
from dashboard.decisions.models import Decision
from dashboard.decisions.preconditions import fingerprint_of
from dashboard.decisions.registry import verbs_on
from dashboard.decisions.services import submit_decision
from dashboard.errors import NotAllowed
from dashboard.mirror.models import Approval, ApprovalRequest
from dashboard.mirror.scopes import visible_requests
from dashboard.mirror.sync import follow_feed, run_band
from tests.dashboard.conftest import World
from tests.dashboard.decisions import service_requests


def waiting(world: World, kind: str) -> ApprovalRequest:
    """The one request of a kind, as a cycle of reading finds it."""
    run_band(world.business, "approvals")
    run_band(world.business, "requests")
    return ApprovalRequest.objects.get(business=world.business, kind=kind)


def decide(world: World, who: str, subject: Any, verb: str, reason: str = "") -> Decision:
    operation = verbs_on(subject)[verb]
    decision = submit_decision(
        world.actor(who), operation, subject, fingerprint=fingerprint_of(subject), key=str(uuid.uuid4()), reason=reason
    )
    Decision.objects.filter(pk=decision.pk).update(due_at=decision.created_at)
    send_due(world.business)
    decision.refresh_from_db()
    return decision


def test_a_card_order_is_approved_by_somebody_else_and_ordered(world: World) -> None:
    service_requests.card_order(world)
    order = waiting(world, "card_order")
    assert (order.holder_name.split()[0], order.status, order.voted) == ("Carla", "REQUESTED", False)
    decision = decide(world, "Ada", order, "approve")
    assert (decision.state, decision.message) == ("DONE", "Done.")
    order.refresh_from_db()
    assert order.status == "ORDERED"
    assert world.upstream("/cards/physical/orders")["docs"][0]["status"] == "ORDERED"


def test_a_card_order_that_is_ones_own_is_refused_here_and_not_asked(world: World) -> None:
    service_requests.card_order(world, "Ada")
    order = waiting(world, "card_order")
    with pytest.raises(NotAllowed, match="your own"):
        decide(world, "Ada", order, "approve")
    assert decide(world, "Abel", order, "reject", "Use a virtual one.").state == "DONE"
    assert world.upstream("/cards/physical/orders")["docs"][0]["reason"] == "Use a virtual one."


def test_several_card_orders_go_in_one_call_and_each_has_its_own_end(world: World) -> None:
    first, second = service_requests.card_order(world), service_requests.card_order(world)
    run_band(world.business, "requests")
    rows = list(ApprovalRequest.objects.filter(business=world.business, kind="card_order"))
    service_requests.ask(world, "Abel", "PATCH", "/cards/physical/orders", {"ids": [second["_id"]], "reason": "No."})
    seen = {row.remote_id: fingerprint_of(row) for row in rows}
    operation = verbs_on(rows[0])["approve"]
    bulk = submit_bulk(world.actor("Ada"), operation, rows, fingerprints=seen, key="several")
    Decision.objects.filter(bulk=bulk).update(due_at=bulk.created_at)
    send_due(world.business)
    states = {decision.object_id: decision.state for decision in bulk.decisions.all()}
    assert states == {first["_id"]: "DONE", second["_id"]: "LOST"}


def test_a_single_use_card_is_for_the_reviewer_of_the_team_not_for_a_read_only_one(world: World) -> None:
    created = service_requests.card_request(world)
    request = waiting(world, "card_request")
    assert (request.amount_minor, request.voted) == (500_000, False)
    assert visible_requests(world.actor("Carla")).get() == request
    with pytest.raises(NotAllowed):
        decide(world, "Carla", request, "approve")
    assert decide(world, "Apollo", request, "approve").state == "DONE"
    now = world.upstream(f"/cards/single-use/requests/{created['_id']}")
    assert (now["status"], bool(now["card_id"])) == ("APPROVED", True)


def request_of_event(world: World, kind: str) -> ApprovalRequest:
    """The one request of a kind, as the service's events tell it."""
    ends = time.monotonic() + 20
    while time.monotonic() < ends:
        follow_feed(world.business)
        if request := ApprovalRequest.objects.filter(business=world.business, kind=kind).first():
            return request
        time.sleep(0.2)
    raise AssertionError("no event came")


def test_an_opt_in_without_votes_comes_by_its_event_and_any_one_approver_decides(world: World) -> None:
    created = service_requests.fund_opt_in(world)
    opted = request_of_event(world, "fund_opt_in")
    assert (opted.ref, opted.voted) == (created["ref"], False)
    with pytest.raises(NotAllowed):
        decide(world, "Ada", opted, "approve")
    assert decide(world, "Apollo", opted, "approve").state == "DONE"
    assert world.upstream(f"/investments/opt-in/{created['ref']}")["status"] == "APPROVED"


@pytest.mark.parametrize("kind", ["card_order", "card_request", "hand_transaction", "bill_payment"])
def test_what_is_asked_for_comes_by_its_event(world: World, kind: str) -> None:
    getattr(service_requests, kind)(world)
    assert request_of_event(world, kind).status in {"PENDING", "REQUESTED", "DRAFT", "PENDING_APPROVAL"}


def test_a_transaction_by_hand_is_posted_once_it_is_approved(world: World) -> None:
    created = service_requests.hand_transaction(world)
    row = waiting(world, "hand_transaction")
    assert decide(world, "Apollo", row, "approve").state == "DONE"
    assert world.upstream(f"/transactions/{created['_id']}")["status"] == "POSTED"
    row.refresh_from_db()
    assert row.status == "POSTED"


@pytest.mark.parametrize(("verb", "becomes"), [("approve", "APPROVED"), ("reject", "REJECTED")])
def test_a_bill_payment_is_voted_on_under_its_bill(world: World, verb: str, becomes: str) -> None:
    paid = service_requests.bill_payment(world)
    waiting(world, "bill_payment")
    request = Approval.objects.get(business=world.business, ref=paid["payment_ref"])
    behind = described_request(request)
    assert behind is not None
    assert behind.payload["bill_id"] == paid["bill_id"]
    assert verbs_on(request)[verb].path.startswith("/bills/")
    decision = decide(world, "Apollo", request, verb, "Seen.")
    assert (decision.state, decision.message) == ("DONE", "Done.")
    request.refresh_from_db()
    assert request.status == becomes


def test_a_bill_that_is_not_known_is_voted_on_by_its_request(world: World) -> None:
    paid = service_requests.bill_payment(world)
    run_band(world.business, "approvals")
    request = Approval.objects.get(business=world.business, ref=paid["payment_ref"])
    assert verbs_on(request)["reject"].path == "/approvals/bills/reject"
    assert decide(world, "Apollo", request, "reject", "Paid twice.").state == "DONE"
    assert world.upstream("/approvals/all", ref=request.ref)["docs"][0]["status"] == "REJECTED"
