"""Transactions by hand: written by one, approved by another, posted through the ledger, reversed."""

from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest

from service.businesses.models import Business
from service.events.models import AuditEvent, Event
from service.journal.models import Transaction
from service.ledger.models import LedgerTransaction
from service.ledger.post import today
from service.transactions import manual_entries
from tests.service.house import House, code
from tests.service.transactions.conftest import available, posted, put, written


def test_a_topup_moves_nothing_until_another_person_approves_it(house: House) -> None:
    before = available(house)
    created = written(house)
    assert (created["status"], created["direction"], created["amount_minor"]) == ("PENDING", "IN", 250_050)
    assert available(house) == before
    approved = put(house, f"/transactions/{created['_id']}/approve").json()
    assert (approved["status"], approved["decided_by"]) == ("POSTED", house.person("Apollo").id)
    assert available(house) == before + Decimal("2500.50")
    ledger = LedgerTransaction.objects.get(id=approved["ledger_transaction_id"])
    assert (ledger.kind, str(ledger.effective_on)) == ("TOPUP", approved["effective_on"])
    kinds = Event.objects.filter(business=house.business, kind__startswith="transaction.").order_by("id")
    assert list(kinds.values_list("kind", flat=True)) == ["transaction.created", "transaction.posted"]
    assert AuditEvent.objects.filter(resource_id=created["_id"], action="transaction.approve").count() == 1


@pytest.mark.parametrize(("kind", "change"), [("EXPENSE", -40), ("REFUND", 40)])
def test_each_type_moves_its_way(house: House, kind: str, change: int) -> None:
    before = available(house)
    posted(house, type=kind, amount=40)
    assert available(house) == before + change


def test_an_internal_transfer_is_written_on_both_wallets(house: House) -> None:
    house.post("/accounts", {"currency": "KES", "walletType": "SUB:payroll"})
    posted(house, type="IFT", amount=100, to_org_wallet_ref="3", counterparty=None)
    rows = Transaction.objects.filter(business=house.business, type="IFT")
    assert {(row.org_wallet_ref, row.direction, row.amount_minor) for row in rows} == {
        ("1", "OUT", 10_000),
        ("3", "IN", 10_000),
    }
    assert available(house, "3") == 100


def test_maker_never_checks(house: House) -> None:
    created = written(house, by="Apollo")
    for verb, body in (("approve", None), ("reject", {"reason": "No"})):
        assert code(put(house, f"/transactions/{created['_id']}/{verb}", body)) == (403, "self_approval_forbidden")
    assert put(house, f"/transactions/{created['_id']}/approve", by="Zawadi").status_code == 200


def test_whose_money_it_is_and_who_changed_it_last_do_not_decide(house: House) -> None:
    created = written(house, type="EXPENSE", employee_id=house.person("Apollo").id)
    assert code(put(house, f"/transactions/{created['_id']}/approve")) == (403, "self_approval_forbidden")
    changed = written(house)
    body = {"subcategory_id": house.opened.subcategories[0].id}
    assert house.post(f"/transactions/{changed['_id']}/tag", body, by="Apollo").status_code == 200
    assert code(put(house, f"/transactions/{changed['_id']}/approve")) == (403, "self_approval_forbidden")


def test_a_rejected_one_is_over(house: House) -> None:
    before, created = available(house), written(house)
    rejected = put(house, f"/transactions/{created['_id']}/reject", {"reason": "Unknown payer"}).json()
    assert (rejected["status"], rejected["reason"]) == ("REJECTED", "Unknown payer")
    assert code(put(house, f"/transactions/{created['_id']}/approve")) == (409, "invalid_state")
    assert available(house) == before


def test_too_little_money_leaves_it_waiting(house: House) -> None:
    created = written(house, type="EXPENSE", amount=900_000_000)
    assert code(put(house, f"/transactions/{created['_id']}/approve")) == (422, "insufficient_funds")
    assert house.get(f"/transactions/{created['_id']}").json()["status"] == "PENDING"


def test_the_same_approval_again_is_the_same_answer(house: House) -> None:
    before, created = available(house), written(house)
    first = put(house, f"/transactions/{created['_id']}/approve", key="once")
    again = put(house, f"/transactions/{created['_id']}/approve", key="once")
    assert again.content == first.content
    assert again["Idempotency-Replayed"] == "true"
    assert available(house) == before + Decimal("2500.50")


def test_a_value_date_ahead_waits_for_its_day(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    ahead = today(house.business) + timedelta(days=3)
    created = written(house, value_date=ahead.isoformat())
    assert put(house, f"/transactions/{created['_id']}/approve").json()["status"] == "APPROVED"
    assert manual_entries.post_due() == 0
    monkeypatch.setattr("service.ledger.post.today", lambda _: ahead)
    Transaction.objects.filter(id=created["_id"]).update(value_date=today(house.business))
    assert manual_entries.post_due() == 1
    assert house.get(f"/transactions/{created['_id']}").json()["status"] == "POSTED"


def test_what_cannot_be_posted_on_its_day_says_so_once_and_waits(house: House) -> None:
    day = today(house.business) + timedelta(days=1)
    created = written(house, type="EXPENSE", amount=900_000_000, value_date=day.isoformat())
    put(house, f"/transactions/{created['_id']}/approve")
    Transaction.objects.filter(id=created["_id"]).update(value_date=today(house.business))
    assert [manual_entries.post_due(), manual_entries.post_due()] == [0, 0]
    found = house.get(f"/transactions/{created['_id']}").json()
    assert (found["status"], found["failure_code"]) == ("APPROVED", "insufficient_funds")
    assert Event.objects.filter(business=house.business, kind="transaction.failed").count() == 1


def test_a_reversal_restores_the_balance_once(house: House) -> None:
    before = available(house)
    created = posted(house)
    reverse = f"/transactions/{created['_id']}/reverse"
    answer = put(house, reverse, {"reason": "Wrong wallet"}, by="Zawadi")
    assert (answer.status_code, answer.json()["status"]) == (200, "REVERSED")
    assert available(house) == before
    assert code(put(house, reverse, {"reason": "Again"}, by="Zawadi")) == (409, "invalid_state")


def test_what_belongs_into_a_closed_book_is_posted_today(house: House) -> None:
    day = today(house.business)
    created = written(house, value_date=(day - timedelta(days=10)).isoformat())
    Business.objects.filter(id=house.business.id).update(books_closed_until=day - timedelta(days=5))
    answer = put(house, f"/transactions/{created['_id']}/approve").json()
    assert (answer["status"], answer["effective_on"]) == ("POSTED", str(day))
    # It happened on its own day all the same.
    assert answer["transaction_date"] < (day - timedelta(days=8)).isoformat()


def test_a_reference_is_known_once(house: House) -> None:
    written(house, ref="BANK/2026/01")
    again = house.post("/transactions/new", {"type": "TOPUP", "org_wallet_ref": "1", "amount": 1, "counterparty": "A",
                                             "ref": "BANK/2026/01"})  # fmt: skip
    assert code(again) == (409, "duplicate")


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"type": "GIFT"}, 422), ({"amount": 0}, 422), ({"amount": -1}, 422), ({"amount": 1.005}, 422),
        ({"amount": "1e400"}, 422), ({"amount": 10**17}, 422), ({"currency": "USD"}, 422),
        ({"org_wallet_ref": "99"}, 404), ({"counterparty": None}, 422), ({"to_org_wallet_ref": "2"}, 422),
        ({"type": "IFT"}, 422), ({"type": "IFT", "to_org_wallet_ref": "1"}, 422),
        ({"type": "IFT", "to_org_wallet_ref": "2"}, 422), ({"value_date": "2026-02-30"}, 422),
        ({"value_date": "1999-01-01"}, 422), ({"subcategory_id": "0" * 24}, 422), ({"employee_id": "0" * 24}, 422),
        ({"ref": "a\u0000b"}, 400), ({"extra": 1}, 422), ({"description": "x" * 501}, 422),
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused_and_writes_nothing(house: House, change: dict[str, Any], expected: int) -> None:
    body = {"type": "TOPUP", "org_wallet_ref": "1", "amount": 5, "counterparty": "Acme", **change}
    answer = house.post("/transactions/new", body)
    assert answer.status_code == expected, answer.json()
    assert Transaction.objects.filter(business=house.business, origin="MANUAL").count() == 0


def test_it_needs_a_key_a_role_and_a_person(house: House) -> None:
    body = {"type": "TOPUP", "org_wallet_ref": "1", "amount": 5, "counterparty": "Acme"}
    assert code(house.post("/transactions/new", body, key=None)) == (400, "idempotency_key_missing")
    for name in ("Carla", "Rita", "Sam"):
        assert code(house.post("/transactions/new", body, by=name)) == (403, "insufficient_role")
    created = written(house)
    for name in ("Carla", "Rita", "Ada", "Sam"):
        for verb in ("approve", "reject", "reverse"):
            answer = put(house, f"/transactions/{created['_id']}/{verb}", {"reason": "x"}, by=name)
            assert code(answer) == (403, "insufficient_role")
    assert put(house, f"/transactions/{created['_id']}/approve", by=None).status_code == 403  # type: ignore[arg-type]


def test_another_business_has_no_such_transaction(house: House, other: House) -> None:
    created = written(house)
    for verb in ("approve", "reject", "reverse"):
        answer = put(other, f"/transactions/{created['_id']}/{verb}", {"reason": "x"})
        assert code(answer) == (404, "not_found")
