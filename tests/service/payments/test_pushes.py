"""Asking a phone for money: the result posts once, late ones too, and what fails leaves no trace in the balance."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from service.accounts.wallets import wallet_by_ref
from service.errors import ServiceError
from service.events.models import Event
from service.ledger.balances import balance
from service.payments import pushes
from service.payments.models import MobileMoneyPush
from service.rails.mobile_money import PushResult
from tests.service.house import House, code
from tests.service.ledger.conftest import at_once

OPENING = 5_000_000_000


def push(house: House, ending: str = "5678", **more: Any) -> MobileMoneyPush:
    body = {"phone": f"25471234{ending}", "amount": 250, "account_reference": "INV-7", **more}
    answer = house.post("/payments/request-mpesa-payment", body)
    assert answer.status_code == 202, answer.json()
    assert answer.json()["status"] == "PENDING"
    return MobileMoneyPush.objects.get(checkout_request_id=answer.json()["checkout_request_id"])


def rewind(row: MobileMoneyPush, seconds: int) -> MobileMoneyPush:
    """As if it had been asked so long ago; then the rail is asked."""
    MobileMoneyPush.objects.filter(pk=row.pk).update(created_at=timezone.now() - timedelta(seconds=seconds))
    pushes.follow()
    row.refresh_from_db()
    return row


def has(house: House) -> Any:
    return balance(wallet_by_ref(house.business, "1").ledger_account_id)


def test_a_success_is_expected_first_and_posted_then(house: House) -> None:
    row = push(house)
    assert (has(house).posted, has(house).pending_in) == (OPENING, 25_000)
    row = rewind(row, 3)
    assert (row.status, row.result_code) == ("SUCCEEDED", 0)
    assert (has(house).posted, has(house).pending_in) == (OPENING + 25_000, 0)
    top_up = Event.objects.get(business=house.business, kind="topup.received").payload["object"]
    assert (top_up["amount_minor"], top_up["ref"]) == (25_000, row.receipt)


@pytest.mark.parametrize(
    ("ending", "status", "result"), [("0001", "FAILED", 1), ("0002", "FAILED", 1001), ("0003", "CANCELLED", 1032)]
)
def test_a_failure_brings_nothing(house: House, ending: str, status: str, result: int) -> None:
    row = rewind(push(house, ending), 3)
    assert (row.status, row.result_code) == (status, result)
    assert (has(house).posted, has(house).pending_in) == (OPENING, 0)


def test_silence_times_out_after_ninety_seconds(house: House) -> None:
    row = push(house, "0004")
    assert rewind(row, 60).status == "PENDING"
    assert rewind(row, 91).status == "TIMED_OUT"
    assert has(house).pending_in == 0


def test_a_late_success_still_wins_and_posts_once(house: House) -> None:
    row = rewind(push(house, "0005"), 95)
    assert row.status == "TIMED_OUT"
    row = rewind(row, 101)
    assert row.status == "SUCCEEDED"
    for _ in range(3):
        pushes.receive(PushResult(row.checkout_request_id, 0, "again", row.receipt, 25_000))
    pushes.receive(PushResult(row.checkout_request_id, 1, "no, failed"))
    assert MobileMoneyPush.objects.get(pk=row.pk).status == "SUCCEEDED"
    assert has(house).posted == OPENING + 25_000


def test_the_callback_many_times_at_once_posts_once(committed_house: House) -> None:
    row = push(committed_house, "0004")
    result = PushResult(row.checkout_request_id, 0, "ok", "RCPT" + row.id[-8:], 25_000)
    results = at_once(10, lambda _: pushes.receive(result).status)
    assert results == ["SUCCEEDED"] * 10
    assert has(committed_house).posted == OPENING + 25_000


def test_a_callback_is_read_as_the_provider_sends_it() -> None:
    names = {"Amount": 250.5, "MpesaReceiptNumber": "RKT1", "PhoneNumber": 254712345678}
    callback = {
        "MerchantRequestID": "m",
        "CheckoutRequestID": "c",
        "ResultCode": 0,
        "ResultDesc": "ok",
        "CallbackMetadata": {"Item": [{"Name": name, "Value": value} for name, value in names.items()]},
    }
    found = PushResult.from_callback({"Body": {"stkCallback": callback}}, 2)
    assert found == PushResult("c", 0, "ok", "RKT1", 25_050)
    for bad in ({}, {"Body": None}, {"Body": {"stkCallback": {}}}):
        with pytest.raises(ValueError, match="not a callback"):
            PushResult.from_callback(bad, 2)


def test_a_result_for_nothing_we_asked_is_refused(db: None) -> None:
    with pytest.raises(ServiceError, match="not_found"):
        pushes.receive(PushResult("unknown", 0, "ok", "X", 1))


@pytest.mark.parametrize(
    ("change", "refusal"),
    [
        ({"phone": "0712345678"}, (422, "validation_failed")),
        ({"amount": 0}, (422, "validation_failed")),
        ({"amount": 1.001}, (422, "validation_failed")),
        ({"account_reference": ""}, (422, "validation_failed")),
        ({"org_wallet_ref": "2"}, (422, "validation_failed")),
        ({"org_wallet_ref": "77"}, (404, "not_found")),
    ],
)
def test_bad_input_is_refused_and_nothing_is_asked(
    house: House, change: dict[str, Any], refusal: tuple[int, str]
) -> None:
    body = {"phone": "254712345678", "amount": 250, "account_reference": "A", **change}
    assert code(house.post("/payments/request-mpesa-payment", body)) == refusal
    assert not MobileMoneyPush.objects.filter(business=house.business).exists()


def test_the_requests_are_listed_with_what_became_of_them_the_newest_first(house: House) -> None:
    first = rewind(push(house), 3)
    second = push(house, "5679", account_reference="INV-8")
    listed = house.get("/payments/request-mpesa-payment").json()
    assert [row["_id"] for row in listed["docs"]] == [second.id, first.id]
    assert [(row["status"], row["account_reference"], row["receipt"]) for row in listed["docs"]] == [
        ("PENDING", "INV-8", ""), ("SUCCEEDED", "INV-7", first.receipt),
    ]  # fmt: skip
    assert house.get("/payments/request-mpesa-payment", by="Carla").status_code == 403
