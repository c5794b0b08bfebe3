"""Each decision leads to the version of the policy or the workflow that decided it."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from urllib.parse import urlencode

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from dashboard.mirror.models import Approval, ApprovalRequest, SpendPolicy, Workflow
from dashboard.policies.rule_links import rounds_of, rules_of_request, rules_of_requests
from tests.dashboard.conftest import World
from tests.dashboard.pages.conftest import House, make_house
from tests.dashboard.policies.conftest import create_policy, create_workflow, page

FIRST, SECOND, FLOW = "a" * 24, "b" * 24, "c" * 24


def version_marked(world: World, path: str, at: str) -> str:
    """The heading that the moment stands at; "" where it stands at none."""
    body = page(world.client("Ada").get(world.address(f"policies/{path}/history/?{urlencode({'at': at})}")))
    assert "History of" in body
    sections = [part for part in body.split("<section")[1:] if "In force on" in part]
    assert len(sections) <= 1
    return sections[0].split("<h2>")[1].split("<")[0].strip() if sections else ""


def test_the_version_of_then_is_marked(world: World) -> None:
    policy = create_policy(world, "CHANNEL", "MPESA", limit=5000, currency="KES")
    first = timezone.now().isoformat()
    world.send("PUT", f"/business-policies/{policy['_id']}", {"limit": 9000, "currency": "KES"})
    second = timezone.now().isoformat()
    assert version_marked(world, policy["_id"], first) == "Version 1"
    assert version_marked(world, policy["_id"], second) == "Version 2"
    long_ago = (timezone.now() - timedelta(days=400)).isoformat()
    assert version_marked(world, policy["_id"], long_ago) == ""
    body = page(
        world.client("Ada").get(world.address(f"policies/{policy['_id']}/history/?{urlencode({'at': long_ago})}"))
    )
    assert "has no record of the version that was in force" in body


def test_so_is_that_of_a_workflow(world: World) -> None:
    workflow = create_workflow(world, "bills", name="Large bills")
    first = timezone.now().isoformat()
    world.send("PATCH", f"/bills/workflow/{workflow['_id']}", {"name": "Larger bills"})
    assert version_marked(world, f"workflows/{workflow['_id']}", first) == "Version 1"
    assert version_marked(world, f"workflows/{workflow['_id']}", timezone.now().isoformat()) == "Version 2"


@pytest.mark.parametrize("at", ["", "yesterday", "2026-11-20", "2026-11-20T10:00:00", "9" * 500, "\x00"])
def test_what_is_no_moment_marks_nothing(world: World, at: str) -> None:
    policy = create_policy(world, "CHANNEL", "MPESA")
    answer = world.client("Ada").get(world.address(f"policies/{policy['_id']}/history/"), {"at": at})
    assert answer.status_code in {200, 400}
    assert "In force on" not in page(answer)


@pytest.fixture
def house(db: None) -> House:
    return make_house()


def stored_policy(house: House, remote_id: str, name: str) -> SpendPolicy:
    payload = {
        "_id": remote_id,
        "type": "CHANNEL",
        "name": name,
        "target": "MPESA",
        "action": "FLAG",
        "status": "ACTIVE",
    }
    return SpendPolicy.objects.create(
        **house._mirrored() | {"payload": payload}, remote_id=remote_id, name=name, type="CHANNEL", target="MPESA",
        action="FLAG", status="ACTIVE", changed_at=timezone.now(),
    )  # fmt: skip


def address(house: House, path: str, at: Any) -> str:
    return house.address(f"policies/{path}/history/") + "?" + urlencode({"at": at.isoformat()}).replace("&", "&amp;")


def test_an_expense_leads_to_the_policies_that_flagged_it(house: House) -> None:
    stored_policy(house, FIRST, "Phone money")
    expense = house.expense(payload={"policy_flags": [f"CHANNEL:{FIRST}", "APPROVAL:gone"]})
    body = page(house.browser("Ada").get(house.address(f"approvals/expense/{expense.remote_id}/")))
    assert address(house, FIRST, expense.transaction_date) in body
    assert "Policy “Phone money”" in body
    assert "Decided by" not in body
    # Entered later than it was spent: the service asks the policies that are in force by then.
    entered = expense.transaction_date + timedelta(days=19)
    payload = {"policy_flags": [f"CHANNEL:{FIRST}"], "createdAt": entered.isoformat()}
    late = house.expense(payload=payload)
    body = page(house.browser("Ada").get(house.address(f"approvals/expense/{late.remote_id}/")))
    assert address(house, FIRST, entered) in body
    own = house.expense(employee_id=house.employee_id("Carla"), payload={"policy_flags": [f"CHANNEL:{FIRST}"]})
    answer = house.browser("Carla").get(house.address(f"expenses/{own.remote_id}/"))
    assert "Phone money" not in page(answer)


def test_an_expense_that_was_voted_on_leads_to_the_workflow_though_its_mark_is_gone(house: House) -> None:
    Workflow.objects.create(
        **house._mirrored(), remote_id=FLOW, name="Odd spending", action_type=11, is_active=True,
        priority=1, step_count=1, changed_at=timezone.now(),
    )  # fmt: skip
    expense = house.expense(payload={"policy_flags": []}, status="APPROVED")
    approval = house.payment(ref=expense.transaction_ref, kind="POLICY", status="APPROVED")
    Approval.objects.filter(pk=approval.pk).update(payload={"workflow_id": FLOW})
    body = page(house.browser("Ada").get(house.address(f"approvals/expense/{expense.remote_id}/")))
    assert address(house, f"workflows/{FLOW}", approval.requested_at) in body
    assert "Workflow “Odd spending”" in body


def test_a_payment_request_leads_to_its_workflow_and_to_the_policies_that_had_a_say(house: House) -> None:
    stored_policy(house, FIRST, "Rule 1")
    stored_policy(house, SECOND, "Rule 2")
    Workflow.objects.create(
        **house._mirrored(), remote_id=FLOW, name="Large bills", action_type=3, is_active=True,
        priority=1, step_count=1, changed_at=timezone.now(),
    )  # fmt: skip
    trace = [
        {"policy_id": FIRST, "outcome": "BREACHED"},
        {"policy_id": SECOND, "outcome": "PASSED"},
    ]
    paid = house.request(kind="bill_payment", ref="BP-7", status="PENDING", payload={"policy": {"trace": trace}})
    approval = house.payment(ref="BP-7", kind="BILL_PAYMENT")
    Approval.objects.filter(pk=approval.pk).update(payload={"workflow_id": FLOW})
    body = page(house.browser("Apollo").get(house.address(f"approvals/payment/{approval.remote_id}/")))
    assert address(house, f"workflows/{FLOW}", approval.requested_at) in body
    assert address(house, FIRST, approval.requested_at) in body
    assert "Rule 2" not in body
    assert ApprovalRequest.objects.filter(pk=paid.pk).exists()


def workflow_of(house: House, name: str) -> None:
    Workflow.objects.create(
        **house._mirrored(), remote_id=FLOW, name=name, action_type=3, is_active=True,
        priority=1, step_count=1, changed_at=timezone.now(),
    )  # fmt: skip


def test_a_payout_leads_to_what_decided_its_newest_request(house: House) -> None:
    workflow_of(house, "Large payouts")
    payout = house.request(kind="payout", ref="PB-9", status="COMPLETED", org_wallet_ref="KES-1", payload={})
    first = house.payment(ref="PB-9", kind="BULK_PAYOUT", status="REJECTED")
    Approval.objects.filter(pk=first.pk).update(
        payload={"mandate_id": FIRST}, requested_at=timezone.now() - timedelta(days=2)
    )
    newest = house.payment(ref="PB-9", kind="BULK_PAYOUT", status="APPROVED")
    Approval.objects.filter(pk=newest.pk).update(payload={"workflow_id": FLOW, "mandate_id": FIRST})
    body = page(house.browser("Ada").get(house.address(f"payouts/{payout.remote_id}/")))
    assert address(house, f"workflows/{FLOW}", newest.requested_at) in body
    assert "Mandate, as it is now" not in body


def test_a_payout_that_no_workflow_asked_for_leads_to_its_mandate_of_which_no_version_is_known(house: House) -> None:
    payout = house.request(kind="payout", ref="PB-8", status="PENDING_APPROVAL", org_wallet_ref="KES-1", payload={})
    without = house.address(f"payouts/{payout.remote_id}/")
    assert "What decides on it" not in page(house.browser("Ada").get(without))
    asked = house.payment(ref="PB-8", kind="BULK_PAYOUT")
    Approval.objects.filter(pk=asked.pk).update(payload={"mandate_id": FIRST})
    body = page(house.browser("Ada").get(without))
    assert f'href="{house.address(f"mandates/{FIRST}/")}"' in body
    assert "Mandate, as it is now; 2 approvals were required then" in body


def test_a_bills_payment_leads_to_its_workflow_and_policies(house: House) -> None:
    stored_policy(house, FIRST, "Rule 1")
    workflow_of(house, "Large bills")
    trace = [{"policy_id": FIRST, "outcome": "BREACHED"}]
    paid = house.request(kind="bill_payment", ref="BP-9", status="PENDING", payload={"policy": {"trace": trace}})
    approval = house.payment(ref="BP-9", kind="BILL_PAYMENT")
    Approval.objects.filter(pk=approval.pk).update(payload={"workflow_id": FLOW, "mandate_id": SECOND})
    links = rules_of_request(house.actor("Ada"), paid).links
    then = "as it was when this was requested"
    assert [link.title for link in links] == [f"Workflow “Large bills”, {then}", f"Policy “Rule 1”, {then}"]
    assert rules_of_request(house.actor("Carla"), paid).links == []


@pytest.mark.parametrize(
    ("status", "heading"),
    [
        ("PENDING", "What decides on it:"),
        ("APPROVED", "What its newest request was decided by:"),
        ("REJECTED", "What its newest request was decided by:"),
        ("WITHDRAWN", "What its newest request was to be decided by:"),
    ],
)
def test_the_heading_says_how_the_newest_request_stands(house: House, status: str, heading: str) -> None:
    workflow_of(house, "Large payouts")
    payout = house.request(kind="payout", ref="PB-7", status="DRAFT", org_wallet_ref="KES-1", payload={})
    request = house.payment(ref="PB-7", kind="BULK_PAYOUT", status=status)
    Approval.objects.filter(pk=request.pk).update(payload={"workflow_id": FLOW})
    body = page(house.browser("Ada").get(house.address(f"payouts/{payout.remote_id}/")))
    assert heading in body
    assert sum(body.count(words) for words in ("What decides on it:", "What its newest request")) == 1


def test_the_rules_of_many_payments_are_read_at_once(house: House) -> None:
    stored_policy(house, FIRST, "Rule 1")
    workflow_of(house, "Large bills")
    trace = [{"policy_id": FIRST, "outcome": "BREACHED"}]
    paid = [
        house.request(kind="bill_payment", ref=f"BP-{place}", status="DRAFT", payload={"policy": {"trace": trace}})
        for place in range(20, 25)
    ]
    for payment in paid:
        for _ in range(2):
            request = house.payment(ref=payment.ref, kind="BILL_PAYMENT", status="REJECTED")
            Approval.objects.filter(pk=request.pk).update(payload={"workflow_id": FLOW})
    actor = house.actor("Ada")
    counts = set()
    for subjects in (paid[:1], paid):
        with CaptureQueriesContext(connection) as queries:
            rules = rules_of_requests(actor, subjects, rounds_of(actor, subjects))
        assert {len(of_ref.links) for of_ref in rules.values()} == {2}
        counts.add(len(queries))
    assert len(counts) == 1
