"""Spend policies and bill payments: asked by vendor, way, subcategory, category and hour, at the request and before paying."""

from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.utils import timezone

from service.bills import execution
from service.bills.models import BillPayment
from service.business_policies.models import BusinessPolicy
from service.events.models import AuditEvent
from tests.service.bills.conftest import add, bill, has, pay, payment_in_approval, request_votes, say, status, till
from tests.service.business_policies.conftest import create_policy, limit
from tests.service.house import House, code
from tests.service.ledger.conftest import at_once
from tests.service.payments.conftest import draft, item
from tests.service.vendors.conftest import account

EVERY_DAY = list(range(1, 8))


def draft_of(house: House, amount: float = 1000, **more: Any) -> dict[str, Any]:
    """A payment in DRAFT of all of a new bill."""
    found: dict[str, Any] = add(house, bill(house, amount, **more)).json()
    return found


def filed(house: House, *amounts: float) -> list[dict[str, Any]]:
    """Lines of so much, each of another subcategory, the first two of the same category."""
    ids = [each.id for each in house.opened.subcategories]
    return [
        {"description": "Line", "unit_price": amount, "subcategory_id": ids[place]}
        for place, amount in enumerate(amounts)
    ]


def off(policy: dict[str, Any]) -> None:
    BusinessPolicy.objects.filter(pk=policy["_id"]).update(status="INACTIVE")


def test_what_forbids_it_is_named(house: House) -> None:
    row = draft_of(house)
    first = create_policy(house, "VENDOR", row["vendor_id"])
    other = create_policy(house, "CHANNEL", "MPESA", **limit(999, None))
    refused = request_votes(house, row)
    assert code(refused) == (403, "policy_blocked")
    named = {(each["field"], each["code"]): each["message"] for each in refused.json()["errors"]}
    assert set(named) == {("vendor_id", "policy_blocked"), ("channel", "policy_blocked")}
    assert first["_id"] in named[("vendor_id", "policy_blocked")]
    assert f"{other['_id']}: KES 1,000.00 of 999.00" in named[("channel", "policy_blocked")]
    assert status(row) == "DRAFT"


@pytest.mark.parametrize(("type_", "most", "ok"), [("SUBCATEGORY", 400, True), ("SUBCATEGORY", 399, False), ("CATEGORY", 999, False), ("CATEGORY", 1000, True)])  # fmt: skip
def test_lines_count_for_what_they_are_of(house: House, type_: str, most: float, ok: bool) -> None:
    first, second = house.opened.subcategories[:2]
    assert first.category_id == second.category_id
    target = first.id if type_ == "SUBCATEGORY" else first.category_id
    create_policy(house, type_, target, **limit(most, None))
    row = draft_of(house, line_items=filed(house, 400, 600))
    assert request_votes(house, row).status_code == (200 if ok else 403)


def test_the_trace_is_shown_and_the_breach_is_on_record(house: House) -> None:
    row = draft_of(house)
    assert row["policy"] is None, "nobody has asked yet"
    flag = create_policy(house, "VENDOR", row["vendor_id"], action="FLAG")
    fine = create_policy(house, "CHANNEL", "MPESA", **limit(5000))
    said = request_votes(house, row).json()["policy"]
    assert said["decision"] == "FLAG"
    assert [(each["policy_id"], each["outcome"]) for each in said["trace"]] == [
        (flag["_id"], "BREACHED"), (fine["_id"], "PASSED"),
    ]  # fmt: skip
    assert AuditEvent.objects.filter(resource_id=row["_id"], action="policy.evaluate").count() == 1


def test_a_limit_counts_bill_payments_until_they_are_stopped(house: House) -> None:
    create_policy(house, "CHANNEL", "MPESA", **limit(1000))
    first, second = draft_of(house, 600), draft_of(house, 600, bill_no="INV-2", till=till("2222"))
    assert request_votes(house, first).status_code == 200
    assert code(request_votes(house, second)) == (403, "policy_blocked")
    payout = draft(house, item(401))
    assert code(house.send("PATCH", f"/payments/{payout['batch_no']}/initiate")) == (403, "policy_blocked")
    say(house, first, "withdraw", by="Ada")
    assert request_votes(house, second).status_code == 200


def test_what_was_paid_counts_and_so_do_portions_and_vendors(unmandated: House) -> None:
    create_policy(unmandated, "SUBCATEGORY", unmandated.opened.subcategories[0].id, **limit(500))
    row = payment_in_approval(unmandated, line_items=filed(unmandated, 400, 600))
    assert pay(row) == "SUCCEEDED"
    vendor_id = row["vendor_id"]
    again = draft_of(unmandated, line_items=filed(unmandated, 101, 5), bill_no="INV-2", vendor_id=vendor_id)
    assert code(request_votes(unmandated, again)) == (403, "policy_blocked")
    other = draft_of(unmandated, line_items=filed(unmandated, 100, 9000), bill_no="INV-3", vendor_id=vendor_id)
    assert request_votes(unmandated, other).status_code == 200
    create_policy(unmandated, "VENDOR", vendor_id, **limit(10_200))
    assert code(request_votes(unmandated, again)) == (403, "policy_blocked")


def test_it_counts_in_the_month_in_which_it_is_to_be_paid(house: House) -> None:
    create_policy(house, "CHANNEL", "MPESA", **limit(1000))
    later = (timezone.now() + timedelta(days=40)).isoformat()
    body = bill(house, 5000)
    first = add(house, body, 800, scheduled_for=later).json()
    assert request_votes(house, first).status_code == 200
    assert request_votes(house, add(house, body, 800).json()).status_code == 200
    assert code(request_votes(house, add(house, body, 800, scheduled_for=later).json())) == (403, "policy_blocked")


def test_who_is_exempt_is_not_counted(house: House) -> None:
    exempt = {"employee_ids": [house.person("Ada").id]}
    create_policy(house, "CHANNEL", "MPESA", exempt=exempt, **limit(1000))
    body = bill(house, 9000)
    first = request_votes(house, add(house, body, 2000).json())
    assert first.json()["policy"]["trace"][0]["outcome"] == "EXEMPT"
    assert request_votes(house, add(house, body, 900).json(), by="Abel").status_code == 200
    assert code(request_votes(house, add(house, body, 101).json(), by="Abel")) == (403, "policy_blocked")


def test_a_vendor_who_is_oneself(house: House) -> None:
    create_policy(house, "VENDOR", "SELF")
    own = account(house.person("Ada").phone.lstrip("+"))
    assert code(request_votes(house, draft_of(house, till=own))) == (403, "policy_blocked")
    assert request_votes(house, draft_of(house, bill_no="INV-2")).status_code == 200


@pytest.mark.parametrize(("hour", "expected"), [(10, 200), (20, 403)])
def test_the_hour_is_that_of_paying(house: House, hour: int, expected: int) -> None:
    create_policy(house, "DAY_TIME", window={"weekdays": EVERY_DAY, "from": "08:00", "to": "18:00"})
    zone = ZoneInfo(house.business.time_zone)
    day = datetime.now(zone) + timedelta(days=2)
    at = day.replace(hour=hour, minute=0)
    row = add(house, bill(house), scheduled_for=at.isoformat()).json()
    assert request_votes(house, row).status_code == expected


def test_approved_it_waits_while_a_policy_forbids_it(house: House) -> None:
    row = payment_in_approval(house)
    forbidding = create_policy(house, "VENDOR", row["vendor_id"])
    say(house, row, "approve")
    assert pay(row) == "APPROVED"
    stored = BillPayment.objects.get(pk=row["_id"])
    assert (stored.hold_reason, stored.policies["decision"], stored.ledger_hold_id) == ("policy_blocked", "BLOCK", None)
    assert pay(row) == "APPROVED"
    assert AuditEvent.objects.filter(resource_id=row["_id"], action="policy.evaluate").count() == 1
    off(forbidding)
    assert pay(row) == "SUCCEEDED"


def test_a_policy_that_wants_votes_stops_what_nobody_voted_on(unmandated: House) -> None:
    row = payment_in_approval(unmandated)
    asking = create_policy(
        unmandated, "VENDOR", row["vendor_id"], action="REQUIRE_APPROVAL", workflow_id=flow(unmandated)
    )
    assert execution.reserve(row["_id"]) == "APPROVED"
    assert BillPayment.objects.get(pk=row["_id"]).hold_reason == "policy_approval_missing"
    say(unmandated, row, "withdraw", by="Ada")
    assert request_votes(unmandated, row).json()["status"] == "PENDING_APPROVAL"
    say(unmandated, row, "approve")
    assert pay(row) == "SUCCEEDED", "it was voted on"
    assert asking["_id"] in str(BillPayment.objects.get(pk=row["_id"]).policies)


def flow(house: House) -> str:
    body = {"name": "Anybody", "steps": [{"order": 1, "role": "APPROVER"}]}
    found: str = house.post("/business-policies/workflows", body).json()["_id"]
    return found


@pytest.mark.parametrize(("action", "expected"), [("BLOCK", (403, "policy_blocked")), ("REQUIRE_APPROVAL", (409, "approvers_insufficient"))])  # fmt: skip
def test_another_attempt_asks_again(unmandated: House, action: str, expected: tuple[int, str]) -> None:
    row = payment_in_approval(unmandated, till=till("0001"))
    assert pay(row) == "FAILED"
    more = {"workflow_id": flow(unmandated)} if action == "REQUIRE_APPROVAL" else {}
    stopping = create_policy(unmandated, "VENDOR", row["vendor_id"], action=action, **more)
    refused = unmandated.post(f"/bills/payments/{row['payment_ref']}/retry")
    assert code(refused) == expected
    assert stopping["_id"] in refused.json()["errors"][0]["message"]
    assert (status(row), has(unmandated)[1]) == ("FAILED", 0)
    off(stopping)
    assert unmandated.post(f"/bills/payments/{row['payment_ref']}/retry").status_code == 200


@pytest.mark.parametrize("run", range(2))
def test_two_at_once_never_both_pass_a_limit(committed_house: House, run: int) -> None:
    create_policy(committed_house, "CHANNEL", "MPESA", **limit(1000))
    rows = [draft_of(committed_house, 600, bill_no=f"INV-{n}", till=till(f"{n}111")) for n in range(2, 5)]
    answers = at_once(3, lambda place: request_votes(committed_house, rows[place]).status_code)
    assert sorted(answers) == [200, 403, 403]  # type: ignore[type-var]
