"""The risk signals that vendors, bills, files, budgets, taxes and policies show; and that many cost no more queries."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from service.approvals.models import Approval
from service.bills import execution
from service.bills.models import BillPayment
from service.vendors.models import PaymentInstruction, Vendor
from tests.days import business_day
from tests.service.approvals.conftest import request_approval as payout_in_approval
from tests.service.bills.conftest import add, bill, request_votes, say, till
from tests.service.bills.test_budgets import budget
from tests.service.bills.test_duplicates import upload
from tests.service.house import House
from tests.service.vendors.conftest import account, decide, vendor

pytestmark = pytest.mark.usefixtures("settled_people")
LINES = [{"description": "Chairs", "unit_price": 1230.5}]


def request_payment(house: House, created: dict[str, Any], amount: float | None = None) -> Approval:
    answer = request_votes(house, add(house, created, amount).json())
    assert answer.status_code == 200, answer.json()
    return Approval.objects.get(id=answer.json()["approvals"][-1])


def signals(row: Approval) -> dict[str, Any]:
    return {signal["code"]: signal["evidence"] for signal in row.risk_at_request["signals"]}


def paid(house: House, created: dict[str, Any], amount: float | None = None) -> None:
    row = add(house, created, amount).json()
    request_votes(house, row)
    for name in ("Apollo", "Zawadi"):
        if say(house, row, "approve", by=name).json()["status"] == "APPROVED":
            break
    assert execution.execute(row["_id"]) == "SUCCEEDED"


def known(house: House) -> dict[str, Any]:
    """A vendor who was paid before, and whose account is not new."""
    created = vendor(house, till())
    paid(house, bill(house, 990.5, vendor_id=created["_id"], bill_no="OLD", issued_at="2025-01-05"))
    BillPayment.objects.filter(business=house.business).update(
        settled_at=timezone.now() - timedelta(days=60), created_at=timezone.now() - timedelta(days=60)
    )
    return created


def test_an_ordinary_bill_shows_nothing_but_perhaps_its_hour(house: House) -> None:
    created = bill(house, line_items=LINES, vendor_id=known(house)["_id"])
    assert set(signals(request_payment(house, created))) <= {"odd_time"}


def test_duplicate_invoice_by_the_flag_of_the_bill(house: House) -> None:
    first = bill(house, 700.5, bill_no="A-1")
    second = bill(house, 700.5, bill_no="A-2", vendor_id=first["vendor_id"])
    found = signals(request_payment(house, second))["duplicate_invoice"]
    assert found == {"bill": "A-2", "earlier": "A-1", "earlier_id": first["_id"], "reason": "SAME_AMOUNT"}


def test_duplicate_invoice_across_bills_and_payouts(house: House) -> None:
    number = "254712345678"
    payout_in_approval(house, 700.5)
    created = bill(house, 700.5, till=account(number))
    assert signals(request_payment(house, created))["duplicate_invoice"]["earlier"].startswith("PB-")


def test_two_equal_payments_of_one_bill_are_no_duplicates(house: House) -> None:
    created = bill(house, 1001, vendor_id=known(house)["_id"])
    paid(house, created, 500.5)
    assert "duplicate_invoice" not in signals(request_payment(house, created, 500.5))


def test_payee_details_changed_for_fourteen_days_and_urgent_when_due(house: House) -> None:
    created = known(house)
    changed = house.post(
        f"/vendors/{created['_id']}/payment-instruction", account("772222", channel="MPESA_TILL")
    ).json()
    decide(house, changed, "confirm")
    today = business_day().isoformat()
    due = bill(house, line_items=LINES, vendor_id=created["_id"], issued_at=today)
    found = signals(request_payment(house, due))
    assert (found["payee_details_changed"]["account_ends"], found["payee_details_changed"]["before_ends"]) == (
        "2222",
        "1111",
    )
    assert "urgency_bank_change" in found
    assert "new_vendor_first_payment" not in found  # the vendor was paid before, on the old account
    Approval.objects.filter(business=house.business).update(status="CANCELLED")
    PaymentInstruction.objects.filter(business=house.business).update(
        changed_at=timezone.now() - timedelta(days=15), decided_at=timezone.now() - timedelta(days=15)
    )
    paid(house, bill(house, 88.5, vendor_id=created["_id"], bill_no="MID"))
    BillPayment.objects.filter(business=house.business, amount_minor=8850).update(
        settled_at=timezone.now() - timedelta(days=20)
    )
    later = bill(house, line_items=LINES, vendor_id=created["_id"], bill_no="INV-9")
    assert "payee_details_changed" not in signals(request_payment(house, later))


def test_shared_payee_account_of_another_vendor(house: House) -> None:
    created = known(house)
    vendor(house, till(), name="Same account")
    found = signals(request_payment(house, bill(house, line_items=LINES, vendor_id=created["_id"])))
    assert found["shared_payee_account"]["also"] == "vendor Same account"


@pytest.mark.parametrize(("field", "value"), [("taxPin", "P051234567Q"), ("phone", "254733999888")])
def test_shared_tax_pin_or_phone_of_another_vendor(house: House, field: str, value: str) -> None:
    created = known(house)
    house.send("PUT", f"/vendors/{created['_id']}", {field: value})
    vendor(house, account("254700111222"), name="Twin", **{field: value})
    found = signals(request_payment(house, bill(house, line_items=LINES, vendor_id=created["_id"])))
    assert found["shared_payee_account"]["also"] == "vendor Twin"


def test_a_vendor_with_the_phone_of_an_employee(house: House) -> None:
    created = known(house)
    house.send("PUT", f"/vendors/{created['_id']}", {"phone": house.person("Carla").phone})
    found = signals(request_payment(house, bill(house, line_items=LINES, vendor_id=created["_id"])))
    assert found["shared_payee_account"]["also"] == "employee Carla Kamau"


def test_new_vendor_first_payment(house: House) -> None:
    assert signals(request_payment(house, bill(house, line_items=LINES)))["new_vendor_first_payment"]["count"] == 1


def test_an_amount_far_from_what_the_vendor_gets(house: House) -> None:
    created = vendor(house, till())
    for place, amount in enumerate((1500.5, 1505.5, 1510.5, 1495.5, 1502.5)):
        paid(house, bill(house, amount, vendor_id=created["_id"], bill_no=f"B-{place}"))
    found = signals(request_payment(house, bill(house, 9000.5, vendor_id=created["_id"], bill_no="B-9")))
    assert found["amount_outlier"]["payments"] == 5


def test_a_missing_document_from_an_amount_on(house: House) -> None:
    created = known(house)
    small = bill(house, 9999.5, vendor_id=created["_id"], bill_no="S")
    large = bill(house, 10_000.5, vendor_id=created["_id"], bill_no="L")
    assert "missing_document" not in signals(request_payment(house, small))
    assert signals(request_payment(house, large))["missing_document"]["bill"] == "L"
    proved = bill(house, 10_001.5, vendor_id=created["_id"], bill_no="P", attachments=[upload(house).json()["_id"]])
    assert "missing_document" not in signals(request_payment(house, proved))


def test_a_budget_that_it_would_overrun(house: House) -> None:
    of = budget(house, amount=1000)["_id"]
    created = known(house)
    within = bill(house, 900.5, vendor_id=created["_id"], bill_no="W", budget_id=of)
    assert "budget_overrun" not in signals(request_payment(house, within))
    over = bill(house, 200.5, vendor_id=created["_id"], bill_no="O", budget_id=of)
    assert signals(request_payment(house, over))["budget_overrun"] == {
        "budget": "Office",
        "amount_minor": 100_000,
        "over_minor": 10_100,
    }


def test_a_tax_without_a_pin(house: House) -> None:
    tax = house.get("/taxes").json()["docs"][0]["_id"]
    created = known(house)
    first = bill(house, line_items=LINES, vendor_id=created["_id"], withholding_tax_ids=[tax], bill_no="T-1")
    assert "tax_pin_missing" in signals(request_payment(house, first))
    Vendor.objects.filter(pk=created["_id"]).update(tax_pin="P051234567Q")
    second = bill(house, 1230.5, vendor_id=created["_id"], withholding_tax_ids=[tax], bill_no="T-2")
    assert "tax_pin_missing" not in signals(request_payment(house, second))


def test_round_amounts_only_without_lines(house: House) -> None:
    created = known(house)
    assert "round_amount" in signals(request_payment(house, bill(house, 3000, vendor_id=created["_id"], bill_no="R")))
    lines = [{"description": "Chairs", "unit_price": 4000}]
    assert "round_amount" not in signals(
        request_payment(house, bill(house, line_items=lines, vendor_id=created["_id"]))
    )


def test_just_below_where_a_workflow_begins(house: House) -> None:
    body = {
        "name": "Over 2,000",
        "conditions": {"currency": "KES", "min_amount": 2000},
        "steps": [{"order": 1, "role": "APPROVER"}],
    }
    assert house.post("/bills/workflow", body).status_code == 201
    found = signals(request_payment(house, bill(house, 1950.5, vendor_id=known(house)["_id"])))
    assert found["just_below_threshold"]["threshold_minor"] == 200_000


def test_one_bill_payment_in_three_parts(house: House) -> None:
    created = known(house)
    parts = [
        request_payment(house, bill(house, amount, vendor_id=created["_id"], bill_no=f"P-{place}"))
        for place, amount in enumerate((40_000.5, 35_000.5))
    ]
    found = signals(request_payment(house, bill(house, 30_000.5, vendor_id=created["_id"], bill_no="P-3")))
    assert (found["split_payments"]["payments"], found["split_payments"]["threshold_minor"]) == (3, 10_000_000)
    assert set(found["split_payments"]["others"]) == {part.ref for part in parts}


def test_what_another_business_does_is_not_seen(house: House, houses: Callable[[], House]) -> None:
    other = houses()
    vendor(other, till(), name="Same account", taxPin="P051234567Q")
    created = known(house)
    house.send("PUT", f"/vendors/{created['_id']}", {"taxPin": "P051234567Q"})
    assert set(signals(request_payment(house, bill(house, line_items=LINES, vendor_id=created["_id"])))) <= {"odd_time"}


def test_a_digest_of_many_costs_twelve_queries_at_most(house: House, django_assert_max_num_queries: Any) -> None:
    for place in range(6):
        payout_in_approval(house, 100.5 + place)
        request_payment(house, bill(house, 300.5 + place, till=till(f"3{place:03d}"), bill_no=f"M-{place}"))
    house.get("/approvals/all/digest?limit=1000")
    with django_assert_max_num_queries(12) as counted:
        assert len(house.get("/approvals/all/digest?limit=1000").json()["docs"]) == 12
    few = len(counted)
    for place in range(6):
        payout_in_approval(house, 200.5 + place)
    with django_assert_max_num_queries(few):
        assert house.get("/approvals/all/digest?limit=1000").json()["total"] == 18
