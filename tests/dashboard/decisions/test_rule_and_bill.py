"""What the pane reads as it is looked at: the rule by its name and version, the bill; nothing where it cannot be read."""

from __future__ import annotations

import time

from dashboard.decisions import bills, mandates
from dashboard.decisions.described_requests import described_request
from dashboard.mirror.models import Approval
from dashboard.mirror.sync import run_band
from tests.dashboard.conftest import World
from tests.dashboard.decisions import service_requests


def test_the_rule_is_named_and_the_bill_is_there_and_an_outage_costs_no_more_than_two_seconds(
    proxied_world: World,
) -> None:
    world = proxied_world
    paid = service_requests.bill_payment(world)
    run_band(world.business, "approvals")
    run_band(world.business, "requests")
    request = Approval.objects.get(business=world.business, ref=paid["payment_ref"])
    rule = mandates.approval_rule_of(world.business, request)
    assert str(rule).startswith("Mandate “1 of ")
    assert str(rule).endswith(", version 1")
    behind = described_request(request)
    assert behind is not None
    bill = bills.bill_of(world.actor("Apollo"), behind)
    assert bill is not None
    assert bill["_id"] == paid["bill_id"]
    body = world.client("Apollo").get(world.address(f"approvals/payment/{request.remote_id}/")).content.decode()
    assert "Mandate “1 of " in body
    assert "Yours is the last approval: KES\xa011,600.00 leaves immediately." in body
    assert world.proxy is not None
    world.proxy.fail("hang")
    began = time.monotonic()
    answer = world.client("Apollo").get(world.address(f"approvals/payment/{request.remote_id}/"))
    assert time.monotonic() - began < 10  # a hang guard: two seconds are wanted
    assert "could not be read" in answer.content.decode()
