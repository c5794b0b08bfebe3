"""Votes that a policy wants on a bill payment: by its workflow, never easier than what is asked for anyway."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service.approvals.models import Approval, MandateApprover
from service.bills import amounts
from service.bills.models import Bill, BillLine
from tests.service.bills.conftest import add, bill, request_votes, say
from tests.service.business_policies.conftest import create_policy, limit, workflow
from tests.service.house import House, code
from tests.service.payments.conftest import draft, item


def ids(house: House, *names: str) -> list[str]:
    return [house.person(name).id for name in names]


def request(house: House, row: dict[str, Any]) -> Approval:
    answer = request_votes(house, row)
    assert answer.status_code == 200, answer.json()
    return Approval.objects.get(id=answer.json()["approvals"][-1])


def under(house: House, amount: float = 1000, **policy: Any) -> dict[str, Any]:
    """A draft whose vendor needs votes, by the workflow of the policy if it names one."""
    row: dict[str, Any] = add(house, bill(house, amount)).json()
    create_policy(house, "VENDOR", row["vendor_id"], action="REQUIRE_APPROVAL", **policy)
    return row


def test_the_workflow_that_the_policy_names_decides(house: House) -> None:
    steps = [{"order": n, "approver_ids": ids(house, name)} for n, name in enumerate(("Zawadi", "Juma"), start=1)]
    flow = workflow(house, steps=steps)
    row = under(house, workflow_id=flow["_id"])
    assert request(house, row).mandate_snapshot["workflow_id"] == flow["_id"]
    assert code(say(house, row, "approve", by="Apollo")) == (403, "insufficient_role")
    assert say(house, row, "approve", by="Zawadi").json()["status"] == "PENDING_APPROVAL"
    assert say(house, row, "approve", by="Juma").json()["status"] == "APPROVED"


def test_it_asks_for_no_fewer_votes_than_the_mandate(house: House) -> None:
    flow = workflow(house)
    row = under(house, 200_000, workflow_id=flow["_id"])  # of which the usual mandate asks for two
    assert request(house, row).mandate_snapshot["steps"][0]["min_approvals"] >= 2


def test_it_lets_nobody_vote_beyond_their_cap(house: House) -> None:
    capped = MandateApprover.objects.filter(mandate__business=house.business, employee=house.person("Apollo"))
    capped.update(max_amount_minor=100)
    flow = workflow(house)
    requested = request(house, under(house, workflow_id=flow["_id"]))
    assert house.person("Apollo").id not in [seat["employee_id"] for seat in requested.mandate_snapshot["approvers"]]


def test_where_its_people_are_too_few_it_is_refused(house: House) -> None:
    flow = workflow(house, steps=[{"order": 1, "approver_ids": ids(house, "Juma")}])
    row = under(house, 200_000, workflow_id=flow["_id"])
    assert code(request_votes(house, row)) == (409, "approvers_insufficient")


def test_a_policy_that_names_none_is_content_with_the_mandates_votes(house: House) -> None:
    workflow(house)
    assert request(house, under(house)).mandate_snapshot.get("mandate_id")


def test_nor_with_the_workflow_of_bills(house: House) -> None:
    body = {"name": "Bills", "steps": [{"order": 1, "approver_ids": ids(house, "Juma")}]}
    of_bills = house.post("/bills/workflow", body).json()
    workflow(house)
    assert request(house, under(house)).mandate_snapshot["workflow_id"] == of_bills["_id"]


def test_where_neither_asks_one_that_fits_is_taken(unmandated: House) -> None:
    row = under_any(unmandated)
    assert request(unmandated, row).mandate_snapshot["name"] == "Anybody"


def test_where_nobody_can_be_asked_it_does_not_pass(unmandated: House) -> None:
    row = under_any(unmandated, conditions={"currency": "USD"})
    refused = request_votes(unmandated, row)
    assert code(refused) == (409, "approvers_insufficient")
    assert [(each["field"], each["code"]) for each in refused.json()["errors"]] == [("vendor_id", "approval_required")]


def under_any(house: House, **conditions: Any) -> dict[str, Any]:
    workflow(house, **conditions)
    return under(house)


def test_a_payout_goes_through_the_policys_workflow_too(house: House) -> None:
    flow = workflow(house, steps=[{"order": 1, "approver_ids": ids(house, "Zawadi", "Juma")}])
    asking = create_policy(house, "CHANNEL", "MPESA", action="REQUIRE_APPROVAL", workflow_id=flow["_id"], **limit(100))
    begun = house.send("PATCH", f"/payments/{draft(house, item(150))['batch_no']}/initiate").json()
    assert begun["policy"]["decision"] == "REQUIRE_APPROVAL"
    assert begun["policy"]["trace"][0]["policy_id"] == asking["_id"]
    requested = Approval.objects.get(id=begun["approvals"][-1])
    assert requested.mandate_snapshot["workflow_id"] == flow["_id"]
    [signal] = [each for each in requested.risk_at_request["signals"] if each["code"] == "policy_exception"]
    assert signal["evidence"]["policy"] == asking["_id"], "a limit over time shows in the digest"


@pytest.mark.parametrize("action", ["FLAG", "REQUIRE_APPROVAL"])
def test_a_limit_over_time_that_is_passed_shows_in_the_digest(house: House, action: str) -> None:
    row: dict[str, Any] = add(house, bill(house)).json()
    more = {"workflow_id": workflow(house)["_id"]} if action == "REQUIRE_APPROVAL" else {}
    flag = create_policy(house, "VENDOR", row["vendor_id"], action=action, **limit(10), **more)
    requested = request(house, row)
    digest = house.get("/approvals/all/digest").json()["docs"]
    [mine] = [each for each in digest if each["_id"] == requested.id]
    evidence = [each["evidence"] for each in mine["risk"]["signals"] if each["code"] == "policy_exception"]
    [found] = evidence
    assert found.pop("says").endswith("of 10.00 this month")
    assert found == {"policy": flag["_id"], "type": "VENDOR", "outcome": "BREACHED", "action": action}


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(1, 10_000)), max_size=8), st.integers(1, 10**7))
@settings(max_examples=60)
def test_portions_add_up_to_the_payment(lines: list[tuple[int, int]], amount: int) -> None:
    rows = [BillLine(subcategory_id=f"s{kind}", amount_minor=minor, tax_minor=minor // 7) for kind, minor in lines]
    found = amounts.portions(Bill(subcategory_id="own"), amount, rows)
    assert sum(found.values()) == amount
    assert set(found) <= {f"s{kind}" for kind, _ in lines} | {"own"}
    assert all(minor > 0 for minor in found.values())
