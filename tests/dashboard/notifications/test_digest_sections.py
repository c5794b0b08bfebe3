"""The daily mail says what waits outside the inbox, too: payee changes, bills that are due, payouts; each leads to itself."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.core import mail
from django.urls import resolve
from django.utils import timezone

from dashboard.mirror.models import Bill, Vendor
from dashboard.mirror.schedule import today
from dashboard.notifications.digest import MOST_OF_SECTION, send_due
from tests.dashboard.notifications.test_mail import MORNING, due
from tests.dashboard.notifications.test_mail import outbox as outbox
from tests.dashboard.pages.conftest import House


def body_for(house: House, who: str) -> str:
    """The mail of a morning on which it is due, "" where none is sent."""
    mail.outbox = []
    due(house, who)
    return str(mail.outbox[0].body) if send_due(MORNING) else ""


def section(body: str, heading: str) -> str:
    return body.partition(f"\n{heading}:\n")[2].partition("\n\n")[0]


def whole(house: House, rest: str) -> str:
    return f"https://desk.example{house.address(rest)}"


def payee_change(house: House, number: int = 0, *, by: str = "Ada") -> Vendor:
    account = {
        "id": f"new-{number}", "channel": "MPESA_TILL", "last": "2345", "status": "QUARANTINED", "at": f"2026-11-{number + 1:02d}",
        "by": house.employee_id(by),
    }  # fmt: skip
    return Vendor.objects.create(**house._mirrored() | {
        "remote_id": f"vendor-{number}", "name": f"Acacia {chr(65 + number)} 0110123456", "status": "ACTIVE", "created_at": timezone.now(),
        "quarantined": True, "instructions": [account],
    })  # fmt: skip


def bill(house: House, number: int, days: int, **more: Any) -> Bill:
    day = today(house.business)
    return Bill.objects.create(**house._mirrored() | {
        "remote_id": f"bill-{number}", "bill_no": f"INV-{number}", "number_key": f"INV{number}", "vendor_id": "v",
        "vendor_name": "Paper Ltd", "currency": "KES", "total_minor": 100_00, "total_text": "KES 100.00",
        "balance_minor": 100_00, "balance_text": "KES 100.00", "issued_on": day - timedelta(days=20),
        "due_on": day + timedelta(days=days), "status": "OPEN", "approval_status": "INITIALIZED", **more,
    })  # fmt: skip


def payout(house: House, status: str, **payload: str) -> str:
    row = house.request(kind="payout", status=status, title=f"Wages {status.lower()}", payload=payload, voted=True)
    return str(row.remote_id)


def test_a_payee_change_stands_in_the_mail_of_who_may_confirm_it_and_of_nobody_else(house: House) -> None:
    vendor = payee_change(house)
    for who in ("Apollo", "Zawadi"):
        lines = section(body_for(house, who), "Payee changes to confirm")
        assert whole(house, f"vendors/{vendor.remote_id}/") in lines
        assert "···2345, proposed by Ada" in lines
        assert "0110123456" not in lines
    assert body_for(house, "Ada") == ""
    assert body_for(house, "Rita") == ""


def test_bills_that_are_due_stand_in_the_mail_of_who_may_pay_them(house: House) -> None:
    late, soon = bill(house, 1, -4), bill(house, 2, 3)
    bill(house, 3, 4)
    bill(house, 4, 0, status="PAID", balance_minor=0)
    paying = bill(house, 5, 0)
    house.request(kind="bill_payment", status="APPROVED", payload={"bill_id": paying.remote_id})
    lines = section(body_for(house, "Ada"), "Bills due")
    assert [whole(house, f"bills/{row.remote_id}/") in lines for row in (late, soon)] == [True, True]
    assert lines.count("INV-") == 2
    assert "Bill INV-1 of Paper Ltd, KES\xa0100.00 (overdue since " in lines
    assert body_for(house, "Rita") == ""


def test_payouts_that_wait_for_a_code_or_on_hold_stand_in_the_mail(house: House) -> None:
    code = payout(house, "AWAITING_CODE")
    held = payout(house, "ON_HOLD", hold_reason="payee_quarantined")
    payout(house, "DRAFT")
    payout(house, "COMPLETED")
    lines = section(body_for(house, "Apollo"), "Payouts")
    assert whole(house, f"payouts/{code}/") in lines
    assert "awaiting a one-time code" in lines
    assert whole(house, f"payouts/{held}/") in lines
    assert "on hold: an account in it is awaiting confirmation" in lines
    assert lines.count("- ") == 2
    ada = section(body_for(house, "Ada"), "Payouts")
    assert whole(house, f"payouts/{code}/") not in ada
    assert whole(house, f"payouts/{held}/") in ada


def test_however_many_wait_for_others_what_waits_for_somebody_is_found_and_all_of_it_counted(house: House) -> None:
    """Beyond the oldest 200, of which it was once looked whom they wait for."""
    newest = payout(house, "ON_HOLD", hold_reason="payee_quarantined")
    for _ in range(205):
        payout(house, "ON_HOLD", hold_reason="rail_retry")
    lines = section(body_for(house, "Ada"), "Payouts")
    assert whole(house, f"payouts/{newest}/") in lines
    assert lines.count("- ") == 1
    for _ in range(205):
        payout(house, "AWAITING_CODE")
    lines = section(body_for(house, "Apollo"), "Payouts")
    assert lines.count("awaiting a one-time code") == MOST_OF_SECTION
    assert f"And {206 - MOST_OF_SECTION} more." in lines


def test_all_are_counted_together_and_of_many_the_first_are_listed(house: House) -> None:
    house.payment()
    for number in range(MOST_OF_SECTION + 3):
        payee_change(house, number)
    body = body_for(house, "Apollo")
    assert mail.outbox[0].subject == f"{MOST_OF_SECTION + 4} items wait for you at {house.business.name}"
    assert f"{MOST_OF_SECTION + 4} items wait for you at {house.business.name}, 1 of them to approve: KES" in body
    lines = section(body, "Payee changes to confirm")
    assert lines.count("vendors/") == MOST_OF_SECTION
    assert "And 3 more." in lines
    assert "Acacia A ···3456" in lines


@pytest.mark.parametrize("who", ["Apollo", "Ada"])
def test_each_address_is_that_of_the_item_itself(house: House, who: str) -> None:
    vendor, row = payee_change(house, by="Zawadi"), bill(house, 1, 0)
    held = payout(house, "ON_HOLD", hold_reason="payee_quarantined")
    paths = re.findall(r"https://desk\.example(/\S+)", body_for(house, who).partition("Review approvals:")[0])
    leads = {(resolve(path).url_name, resolve(path).kwargs["remote_id"]) for path in paths}
    assert leads == {
        ("vendors_item", vendor.remote_id), ("bills_item", row.remote_id), ("payouts_item", held),
    }  # fmt: skip
