"""Making payouts: who may, what is checked of each item, and what the lists show."""

from collections.abc import Callable
from typing import Any

import pytest

from service.accounts.wallets import employee_wallet, wallet_by_ref
from service.events.models import Event
from service.payments.models import Batch
from tests.service.house import House, code
from tests.service.payments.conftest import PHONE, draft, item, state

BODY = {"name": "January", "items": [item()]}


@pytest.mark.parametrize("path", ["", "/channels", "/banks"])
def test_the_office_reads_and_nobody_else(house: House, path: str) -> None:
    for name, status in {"Apollo": 200, "Ada": 200, "Sam": 200, "Rita": 403, "Carla": 403}.items():
        assert house.get(f"/payments{path}", by=name).status_code == status


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", "", BODY),
        ("POST", "/intent", {"payment": item()}),
        ("POST", "/request-mpesa-payment", {"phone": PHONE, "amount": 10, "account_reference": "A"}),
        ("POST", "/payout/cancel", {"batch_no": "PB-20200101-00001"}),
        ("PATCH", "/PB-20200101-00001/initiate", None),
        ("PATCH", "/PB-20200101-00001/draft", None),
    ],
)
def test_who_may_write_and_that_strangers_payouts_are_not_there(
    house: House, houses: Callable[..., House], method: str, path: str, body: Any
) -> None:
    for name in ("Carla", "Rita", "Sam"):
        assert code(house.send(method, f"/payments{path}", body, by=name)) == (403, "insufficient_role")
    plain = houses(entitled=False)
    assert code(plain.send(method, f"/payments{path}", body)) == (403, "entitlement_required")
    reader = houses(scopes=("payments:read", "acting_employee"))
    assert code(reader.send(method, f"/payments{path}", body)) == (403, "insufficient_scope")
    if "PB-" in f"{path}{body}":
        theirs = draft(houses())["batch_no"]
        address = path.replace("PB-20200101-00001", theirs)
        named = {"batch_no": theirs} if body else None
        if not Batch.objects.filter(business=house.business, batch_no=theirs).exists():
            assert code(house.send(method, f"/payments{address}", named)) == (404, "not_found")


@pytest.mark.parametrize("path", ["", "/intent", "/request-mpesa-payment", "/confirm"])
def test_what_moves_money_needs_a_key(house: House, path: str) -> None:
    answer = house.post(f"/payments{path}", BODY, by="Apollo", key=None)
    assert code(answer) == (400, "idempotency_key_missing")


def test_a_draft_is_numbered_and_adds_up(house: House) -> None:
    first = draft(house, item(1500.5), item(200, "254722000000", note="bonus"), name="First")
    second = draft(house)
    assert (first["status"], first["item_count"]) == ("DRAFT", 2)
    assert (first["total_amount"], first["total_amount_minor"], first["total_fees"]) == (1700.5, 170050, 26)
    assert first["batch_no"][-5:] == "00001"
    assert second["batch_no"][-5:] == "00002"
    assert [row["status"] for row in first["items"]] == ["QUEUED", "QUEUED"]
    event = Event.objects.get(business=house.business, payload__object__batch_no=first["batch_no"])
    assert event.kind == "payout.created"
    assert "items" not in event.payload["object"]


def test_the_same_key_makes_one_payout(house: House) -> None:
    answers = [house.post("/payments", BODY, key="one") for _ in range(3)]
    assert {answer.json()["batch_no"] for answer in answers} == {answers[0].json()["batch_no"]}
    assert Batch.objects.filter(business=house.business).count() == 1
    assert code(house.post("/payments", {**BODY, "name": "Other"}, key="one")) == (422, "idempotency_key_reused")


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"amount": 0}, "items.0.amount"),
        ({"amount": -5}, "items.0.amount"),
        ({"amount": 1.005}, "items.0.amount"),
        ({"amount": "much"}, "items.0.amount"),
        ({"amount": 10**13 + 1}, "items.0.amount"),
        ({"channel": "PIGEON"}, "items.0.channel"),
        ({"account": "0712345678"}, "items.0.account"),
        ({"account": "x"}, "items.0.account"),
        ({"receiver_name": ""}, "items.0.receiver_name"),
        ({"channel": "MPESA_PAYBILL", "account": "400200"}, "items.0.account_reference"),
        ({"channel": "BANK_EFT", "account": "0110220330"}, "items.0.bank_code"),
        ({"channel": "BANK_EFT", "account": "0110220330", "bank_code": "99"}, "items.0.bank_code"),
        ({"channel": "WALLET", "account": "0000000000"}, "items.0.account"),
        ({"subcategory_id": "0" * 24}, "items.0.subcategory_id"),
        ({"colour": "red"}, "items.0.colour"),
    ],
)
def test_a_wrong_item_is_named_and_nothing_is_made(house: House, change: dict[str, Any], field: str) -> None:
    answer = house.post("/payments", {"name": "Bad", "items": [{**item(), **change}]})
    assert code(answer) == (422, "validation_failed")
    assert field in [error["field"] for error in answer.json()["errors"]]
    assert house.get("/payments").json()["total"] == 0


@pytest.mark.parametrize(
    ("change", "refusal"),
    [
        ({"items": []}, (422, "validation_failed")),
        ({"items": [item()] * 5001}, (422, "validation_failed")),
        ({"org_wallet_ref": "9"}, (404, "not_found")),
        ({"org_wallet_ref": "2"}, (422, "validation_failed")),  # USD does not travel by M-Pesa
        ({"currency": "USD"}, (422, "validation_failed")),
        ({"team_id": "0" * 24}, (422, "validation_failed")),
        ({"reuse": "PB-20200101-00001", "items": []}, (404, "not_found")),
        ({"name": "\x07"}, (422, "validation_failed")),
    ],
)
def test_a_wrong_payout_is_refused(house: House, change: dict[str, Any], refusal: tuple[int, str]) -> None:
    assert code(house.post("/payments", {**BODY, **change})) == refusal


def test_money_may_go_to_another_wallet_of_the_business(house: House) -> None:
    target = employee_wallet(house.business, house.person("Carla").id, "KES")
    created = draft(house, item(channel="WALLET", account=target.accno))
    assert created["items"][0]["fee"] == 0
    own = wallet_by_ref(house.business, "1").accno
    answer = house.post("/payments", {"name": "Round", "items": [item(channel="WALLET", account=own)]})
    assert code(answer) == (422, "validation_failed")


def test_an_earlier_payout_can_be_used_again(house: House) -> None:
    created = draft(house, item(10), item(20, "254722000000"))
    again = draft(house, name="February", items=[], reuse=created["batch_no"])
    assert [(row["account"], row["amount"]) for row in again["items"]] == [
        (row["account"], row["amount"]) for row in created["items"]
    ]
    assert again["batch_no"] != created["batch_no"]


def test_five_thousand_payments_are_one_payout(house: House) -> None:
    items = [
        {"receiver_name": f"P{n}", "channel": "MPESA_TILL", "account": str(100000 + n), "amount": 100}
        for n in range(5000)
    ]
    created = draft(house, *items)
    assert (created["item_count"], created["total_amount"]) == (5000, 500_000)


def test_the_list_is_filtered_and_one_alone_has_its_items(house: House) -> None:
    created = [draft(house, name=f"P{n}") for n in range(3)]
    house.post("/payments/payout/cancel", {"batch_no": created[0]["batch_no"]})
    page = house.get("/payments?limit=2").json()
    assert [row["name"] for row in page["docs"]] == ["P2", "P1"]
    assert (page["total"], page["pages"], page["nextPage"]) == (3, 2, 2)
    assert "items" not in page["docs"][0]
    assert house.get("/payments?status=CANCELLED").json()["total"] == 1
    assert house.get("/payments?kind=BANK_TRANSFER").json()["total"] == 0
    assert len(state(house, created[1]["batch_no"])["items"]) == 1
    for bad in ("page=0", "limit=1001", "limit=x", "status=NONE"):
        assert code(house.get(f"/payments?{bad}")) == (400, "invalid_parameters")


def test_channels_and_banks_are_those_of_the_country(house: House) -> None:
    here = {row["code"] for row in house.get("/payments/channels").json()["docs"]}
    assert {"MPESA_SEND_MONEY", "BANK_PESALINK", "BANK_SWIFT", "WALLET"} <= here
    there = {row["code"] for row in house.get("/payments/channels?country=NL").json()["docs"]}
    assert there == {"BANK_SWIFT", "WALLET"}
    assert "Equity Bank Kenya" in {row["name"] for row in house.get("/payments/banks").json()["docs"]}
    assert house.get("/payments/banks?country=ZZ").json() == {"docs": [], "total": 0}
    assert code(house.get("/payments/banks?country=Kenya")) == (400, "invalid_parameters")
