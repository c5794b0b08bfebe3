"""A pack of what was paid has what the rail calls the payment, though the copy has not followed: at the running service."""

from __future__ import annotations

import json
import re
from datetime import timedelta
from typing import Any

import pytest

from dashboard.mirror.models import ApprovalRequest, Mirrored
from tests.dashboard.bills import upstream
from tests.dashboard.bills.test_paying import payments
from tests.dashboard.bills.test_ten_pdfs import paid
from tests.dashboard.conftest import World
from tests.dashboard.evidence.conftest import files_of, made
from tests.dashboard.evidence.test_documents import packed, printed
from tests.dashboard.payouts.test_payouts import (
    GRACE,
    PESALINK,
    approve,
    make,
    only,
    pay_with_code,
    post,
    settled,
    table,
)
from tests.dashboard.payouts.test_payouts import upstream as at_the_service
from tests.days import business_day


def requested(world: World) -> Any:
    """A bill with a payment whose approval was requested, as the copy knows it."""
    world.sandbox("top-up", org_wallet_ref="1", amount=50_000)
    bill = upstream.bill(world, number="INV-77", amount=1200)
    upstream.payment(world, bill)
    world.sync("vendors", "bills_whole", "approvals", "requests")
    return bill


def items_of(files: dict[str, bytes]) -> dict[str, Any]:
    return {item["kind"]: item for item in json.loads(files["item.json"])}


def notes_of(files: dict[str, bytes]) -> str:
    return " ".join(json.loads(files["manifest.json"])["notes"])


@pytest.mark.parametrize("followed", [False, True])
def test_the_pack_of_a_paid_bill_has_the_rails_reference(world: World, followed: bool) -> None:
    bill = requested(world)
    payment = paid(world, bill)
    if followed:
        upstream.numbered(world, "bill_payment.succeeded", payment["payment_ref"])
        world.sync("bills_whole")
    else:
        assert not ApprovalRequest.objects.get(ref=payment["payment_ref"]).payload.get("provider_ref")
    assert payment["provider_ref"]
    files = packed(world, upstream.copied(world, "INV-77"))
    items = items_of(files)
    assert (items["bill"]["data"]["status"], items["bill_payment"]["data"]["status"]) == ("PAID", "SUCCEEDED")
    assert f"provider_ref: {payment['provider_ref']}" in items["bill_payment"]["references"]
    assert payment["provider_ref"] in printed(files["evidence.pdf"])
    # What was voted is in it as it ended, too.
    assert items["approval"]["data"]["status"] == "APPROVED"


def test_the_pack_of_a_payout_has_the_rails_reference_of_each_payment_and_no_account(world: World) -> None:
    world.sandbox("top-up", org_wallet_ref="1", amount=100_000)
    assert make(world, table(GRACE, PESALINK)).status_code == 302
    payout = only(world)
    assert post(world, "Ada", f"{payout.remote_id}/initiate").status_code == 302
    approve(world, payout)
    if at_the_service(world, payout)["status"] == "AWAITING_CODE":
        pay_with_code(world, payout)
    references = [item["provider_ref"] for item in settled(world, payout)["items"]]
    assert len(set(filter(None, references))) == 2
    files = packed(world, payout)
    item = items_of(files)["payout"]
    assert item["data"]["status"] == "COMPLETED"
    assert {f"provider_ref: {reference}" for reference in references} <= set(item["references"])
    assert [row["account"] for row in item["data"]["items"]] == ["···5678", "···4567"]
    assert not re.search("254712345678|0110234567", files["item.json"].decode())
    assert "items" not in ApprovalRequest.objects.get(pk=payout.pk).payload


def test_what_the_service_does_not_answer_for_is_as_it_was_and_the_pack_says_so(proxied_world: World) -> None:
    world = proxied_world
    bill = requested(world)
    [payment] = payments(world, bill)
    assert world.proxy is not None
    world.proxy.fail("reset", path=f"/bills/payments/{payment['payment_ref']}/status")
    row: Mirrored = upstream.copied(world, "INV-77")
    files = packed(world, row)
    assert items_of(files)["bill_payment"]["data"]["status"] == "PENDING_APPROVAL"
    assert "the finance service did not answer, so it is as the copy has it" in notes_of(files)


def test_the_pack_of_a_vote_has_the_payment_it_was_on_with_its_reference(world: World) -> None:
    bill = requested(world)
    payment = paid(world, bill)
    [vote] = world.upstream("/approvals/all", ref=payment["payment_ref"])["docs"]
    answer = world.client("Ada").post(world.address(f"audit/packs/item/approval/{vote['_id']}/"), {"key": "p" * 32})
    items = items_of(files_of(made(world, answer)))
    assert f"provider_ref: {payment['provider_ref']}" in items["bill_payment"]["references"]


def test_the_pack_of_a_period_has_the_references_of_the_payments_that_were_decided_on(world: World) -> None:
    bill = requested(world)
    payment = paid(world, bill)
    upstream.numbered(world, "bill_payment.succeeded", payment["payment_ref"])
    world.sync("bills_whole")
    days = {
        "first": business_day().isoformat(),
        "last": (business_day() + timedelta(days=1)).isoformat(),
        "key": "d" * 32,
    }
    files = files_of(made(world, world.client("Ada").post(world.address("audit/packs/"), days)))
    decisions = json.loads(files["decisions.json"])
    assert decisions
    for decision in decisions:
        assert decision["about"].startswith("approval/")
        assert f"provider_ref: {payment['provider_ref']}" in decision["references"]
        assert any(payment["payment_ref"] in reference for reference in decision["references"])
    assert payment["provider_ref"] in printed(files["evidence.pdf"])
