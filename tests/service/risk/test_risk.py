"""The risk score: each signal is seen by its evidence, the sum is capped, and the level has its consequences."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone

from service.approvals.models import Approval
from service.approvals.risk_scores import Question
from service.businesses.models import Employee
from service.payments import execution
from service.payments.models import Batch, Item
from service.risk.services import WEIGHTS, Risk, assess
from tests.service.approvals.conftest import request_approval, vote
from tests.service.house import House
from tests.service.payments.conftest import initiated, item

ACCOUNT = "254712345678"


def signals(row: Approval) -> dict[str, Any]:
    return {signal["code"]: signal["evidence"] for signal in row.risk_at_request["signals"]}


def paid(house: House, amount: float = 1500, account: str = ACCOUNT, days_ago: int = 0, **more: Any) -> Batch:
    """A payout that was approved and paid, some days ago."""
    row = Approval.objects.get(id=initiated(house, item(amount, account, **more))["approvals"][-1])
    for name in ("Apollo", "Zawadi", "Juma"):
        if vote(house, row, name).json().get("status") == "APPROVED":
            break
    execution.execute(row.subject_id)
    then = timezone.now() - timedelta(days=days_ago)
    Batch.objects.filter(pk=row.subject_id).update(created_at=then)
    Item.objects.filter(batch_id=row.subject_id).update(settled_at=then)
    return Batch.objects.get(pk=row.subject_id, status="COMPLETED")


@pytest.fixture
def settled(house: House) -> House:
    """A business whose people have had their roles for long, and that has paid the account before."""
    Employee.objects.filter(business=house.business).update(role_changed_at=timezone.now() - timedelta(days=99))
    paid(house, 1499, days_ago=60)
    return house


def test_an_ordinary_payment_shows_nothing_but_perhaps_its_hour(settled: House) -> None:
    assert set(signals(request_approval(settled, 1510))) <= {"odd_time"}


def test_a_first_payment_and_a_new_requester(house: House) -> None:
    found = signals(request_approval(house))
    assert found["new_vendor_first_payment"] == {"receiver": "Payee 5678", "count": 1}
    assert "since" in found["requester_new_or_elevated"]


def test_the_same_amount_to_the_same_account_within_thirty_days(settled: House) -> None:
    before = paid(settled, 777.5, days_ago=5)
    assert signals(request_approval(settled, 777.5))["duplicate_invoice"]["earlier"] == before.batch_no
    Batch.objects.filter(pk=before.pk).update(created_at=timezone.now() - timedelta(days=31))
    Batch.objects.filter(business=settled.business, status="PENDING_APPROVAL").update(status="CANCELLED")
    assert "duplicate_invoice" not in signals(request_approval(settled, 777.5))


def test_another_account_for_a_known_name(settled: House) -> None:
    found = signals(_to(settled, "254799000111", "Payee 5678"))
    assert found["payee_details_changed"]["account_ends"] == "0111"
    assert found["payee_details_changed"]["before_ends"] == "5678"


def _to(house: House, account: str, name: str, amount: float = 1510, **more: Any) -> Approval:
    created = initiated(house, item(amount, account, receiver_name=name), **more)
    return Approval.objects.get(id=created["approvals"][-1])


def test_one_account_under_two_names_or_of_an_employee(settled: House) -> None:
    assert signals(_to(settled, ACCOUNT, "Somebody Else"))["shared_payee_account"]["also"] == "Payee 5678"
    phone = settled.person("Carla").phone
    Employee.objects.filter(pk=settled.person("Carla").pk).update(phone="+254733000111")
    assert phone != "+254733000111"
    found = signals(_to(settled, "254733000111", "A Vendor"))
    assert found["shared_payee_account"]["also"] == "employee Carla Kamau"


def test_an_amount_far_from_what_the_payee_gets(settled: House) -> None:
    for amount in (1500, 1505, 1510, 1495, 1502):
        paid(settled, amount, days_ago=20)
    assert "amount_outlier" not in signals(request_approval(settled, 1512))
    found = signals(request_approval(settled, 9_000))["amount_outlier"]
    assert (found["amount_minor"], found["payments"]) == (900_000, 6)


def test_just_below_a_threshold_and_more_so_again(settled: House) -> None:
    row = request_approval(settled, 99_000.5)
    assert signals(row)["just_below_threshold"]["threshold_minor"] == 10_000_000
    again = request_approval(settled, 98_000.5)
    weights = {s["code"]: s["weight"] for s in again.risk_at_request["signals"]}
    assert weights["just_below_threshold"] == WEIGHTS["just_below_threshold"] + 5
    assert "just_below_threshold" not in signals(request_approval(settled, 94_000.5))


def test_one_payment_in_three_parts(settled: House) -> None:
    parts = [request_approval(settled, amount) for amount in (40_000.5, 35_000.5)]
    found = signals(request_approval(settled, 30_000.5))["split_payments"]
    assert (found["payments"], found["threshold_minor"]) == (3, 10_000_000)
    assert set(found["others"]) == {part.ref for part in parts}


def test_round_amounts_in_any_currency(settled: House) -> None:
    assert "round_amount" in signals(request_approval(settled, 3_000))
    assert "round_amount" not in signals(request_approval(settled, 3_000.5))


@pytest.mark.parametrize(("day", "hour", "odd"), [(5, 9, False), (5, 20, True), (5, 3, True), (10, 9, True)])
def test_odd_hours_are_those_of_the_business(house: House, day: int, hour: int, odd: bool) -> None:
    moment = datetime(2026, 1, day, hour, tzinfo=UTC) - timedelta(hours=3)  # Nairobi is three hours ahead
    question = Question("none", 1, 100, "KES", None, moment)
    found = assess(house.business, [question])["none"]
    assert ("odd_time" in [signal["code"] for signal in found.signals]) is odd


def test_a_changed_account_that_is_due_today(settled: House) -> None:
    row = _to(settled, "254799000111", "Payee 5678", scheduled_for=timezone.now().isoformat())
    assert "urgency_bank_change" in signals(row)


def test_the_score_is_capped_and_has_its_level() -> None:
    risk = Risk()
    assert (risk.score, risk.level) == (0, "LOW")
    levels = []
    for name in WEIGHTS:
        risk.add(name, {})
        levels.append((risk.score, risk.level))
    assert levels[0] == (35, "MEDIUM")
    assert levels[1] == (65, "HIGH")
    assert levels[2] == (95, "CRITICAL")
    assert risk.score == 100


def test_a_high_risk_asks_one_more_approver(settled: House) -> None:
    row = _to(settled, "254799000111", "Payee 5678", 1510)
    assert row.approvals_required == 1
    _to(settled, "254799000222", "Somebody Else", 1510)
    risky = _to(settled, "254799000222", "Payee 5678", 1510)
    assert risky.risk_level in {"HIGH", "CRITICAL"}
    assert risky.approvals_required == 2
    assert vote(settled, risky, "Apollo").json()["status"] == "PENDING"
    assert vote(settled, risky, "Zawadi").json()["status"] == "APPROVED"


def test_both_scores_are_kept_and_the_same_question_gets_the_same_answer(settled: House) -> None:
    row = request_approval(settled, 1510)
    paid(settled, 1510, days_ago=1)
    now = settled.get("/approvals/all/digest?status=PENDING").json()["docs"][0]
    assert "duplicate_invoice" in [signal["code"] for signal in now["risk"]["signals"]]
    assert now["risk"] == settled.get("/approvals/all/digest?status=PENDING").json()["docs"][0]["risk"]
    shown = vote(settled, row, "Apollo").json()
    assert shown["risk_at_decision"] == now["risk"]
    assert shown["risk_at_request"] == now["risk_at_request"]


def test_what_another_business_does_is_not_seen(settled: House, houses: Callable[[], House]) -> None:
    paid(houses(), 1510)
    assert "duplicate_invoice" not in signals(request_approval(settled, 1510))
