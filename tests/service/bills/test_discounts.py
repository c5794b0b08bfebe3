"""Early-payment discounts: the reduced amount is paid, the rest is credited to the cent once it was paid in time, and nothing
is credited for a payment that fails, waits, or comes too late."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from service.bills import payments
from service.bills.models import Bill
from service.bills.schemas_payments import NewPayment
from service.errors import ServiceError
from service.ledger.balances import balance
from tests.days import business_day
from tests.service.bills.conftest import OPENING, add, bill, pay, request_votes, say, till
from tests.service.house import House, code
from tests.service.ledger.conftest import at_once


def until(days: int) -> str:
    return business_day(days).isoformat()


def early(house: House, amount: float = 1160.45, percent: float = 2, days: int = 5, **more: Any) -> dict[str, Any]:
    return bill(house, amount, discount_percent=percent, discount_until=until(days), **more)


def shown(house: House, created: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = house.get(f"/bills/{created['_id']}").json()
    return found


def test_the_terms_and_what_they_save_stand_on_the_bill(house: House) -> None:
    created = early(house)
    assert (created["discount_percent"], created["discount_until"]) == (2, until(5))
    assert (created["discount_minor"], created["discounted_minor"]) == (2321, 0)
    path = f"/bills/{created['_id']}"
    assert house.send("PUT", path, {"memo": "x"}).json()["discount_percent"] == 2
    off = house.send("PUT", path, {"discount_percent": 0}).json()
    assert (off["discount_percent"], off["discount_until"], off["discount"]) == (0, None, 0)


@pytest.mark.parametrize(
    "terms",
    [
        {"discount_percent": 2},
        {"discount_until": "2026-02-01"},
        {"discount_percent": 100, "discount_until": "2026-02-01"},
        {"discount_percent": -1, "discount_until": "2026-02-01"},
        {"discount_percent": 1.234, "discount_until": "2026-02-01"},
    ],
)
def test_terms_that_are_none_are_refused(house: House, terms: dict[str, Any]) -> None:
    created = bill(house)
    assert code(house.send("PUT", f"/bills/{created['_id']}", terms)) == (422, "validation_failed")


def test_the_reduced_amount_is_paid_and_the_rest_credited_to_the_cent(unmandated: House) -> None:
    created = early(unmandated)
    payment = add(unmandated, created, take_discount=True).json()
    assert (payment["amount_minor"], payment["discount_minor"]) == (113724, 2321)
    assert shown(unmandated, created)["balance_minor"] == 116045
    assert code(add(unmandated, created, 1))[0] == 422
    assert request_votes(unmandated, payment).status_code == 200
    assert pay(payment) == "SUCCEEDED"
    paid = shown(unmandated, created)
    assert (paid["status"], paid["balance_minor"], paid["amount_paid_minor"]) == ("PAID", 0, 113724)
    assert (paid["amount_credited_minor"], paid["discounted_minor"]) == (2321, 2321)
    wallet = Bill.objects.get(pk=created["_id"]).payments.get().wallet
    assert balance(wallet.ledger_account_id).posted == OPENING - 113724


def test_it_is_taken_only_by_who_says_so(unmandated: House) -> None:
    payment = add(unmandated, early(unmandated)).json()
    assert (payment["amount_minor"], payment["discount_minor"]) == (116045, 0)


def test_of_a_bill_that_is_paid_in_part_the_discount_is_of_what_is_open(unmandated: House) -> None:
    created = early(unmandated)
    first = add(unmandated, created, 160.45).json()
    request_votes(unmandated, first)
    assert pay(first) == "SUCCEEDED"
    rest = add(unmandated, created, take_discount=True).json()
    assert (rest["amount_minor"], rest["discount_minor"]) == (98000, 2000)


def test_what_cannot_be_taken_is_refused(house: House) -> None:
    plain, over = bill(house), early(house, days=-1, bill_no="INV-2")
    assert code(add(house, plain, take_discount=True)) == (409, "invalid_state")
    assert code(add(house, over, take_discount=True)) == (409, "invalid_state")
    created = early(house, bill_no="INV-3")
    assert code(add(house, created, 5, take_discount=True)) == (422, "validation_failed")
    late = (timezone.now() + timedelta(days=30)).isoformat()
    assert code(add(house, created, take_discount=True, scheduled_for=late)) == (422, "validation_failed")
    tiny = early(house, 0.1, bill_no="INV-4")
    assert code(add(house, tiny, take_discount=True)) == (422, "validation_failed")


def test_sent_after_the_last_day_the_rest_stays_open(unmandated: House) -> None:
    created = early(unmandated)
    payment = add(unmandated, created, take_discount=True).json()
    request_votes(unmandated, payment)
    Bill.objects.filter(pk=created["_id"]).update(discount_until=business_day(-2))
    assert pay(payment) == "SUCCEEDED"
    left = shown(unmandated, created)
    assert (left["status"], left["balance_minor"], left["discounted_minor"]) == ("PARTIALLY_PAID", 2321, 0)


def test_a_payment_that_fails_or_is_withdrawn_credits_nothing(unmandated: House) -> None:
    created = early(unmandated, till=till("0001"))
    payment = add(unmandated, created, take_discount=True).json()
    request_votes(unmandated, payment)
    pay(payment)
    left = shown(unmandated, created)
    assert (left["balance_minor"], left["amount_credited_minor"]) == (116045, 0)


def test_under_way_the_terms_stay(house: House) -> None:
    created = early(house)
    payment = add(house, created, take_discount=True).json()
    request_votes(house, payment)
    assert code(house.send("PUT", f"/bills/{created['_id']}", {"discount_percent": 0}))[0] == 409
    assert say(house, payment, "withdraw", by="Ada").status_code == 200
    assert house.send("PUT", f"/bills/{created['_id']}", {"discount_percent": 0}).status_code == 200


def test_taken_many_times_at_once_it_is_taken_once(committed_house: House) -> None:
    created, caller = early(committed_house), committed_house.caller("Ada")

    def take(_: int) -> str:
        try:
            payments.add(caller, created["_id"], NewPayment(take_discount=True))
        except ServiceError as refusal:
            return refusal.code
        return "added"

    assert at_once(6, take).count("added") == 1
