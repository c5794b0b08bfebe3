"""Withheld taxes paid over: REMITTED with their certificates, posted from what is owed to the bank, once."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from service.approvals.models import Mandate
from service.events.models import AuditEvent, Event
from service.ledger.balances import balance
from service.ledger.chart import system_account
from service.ledger.invariants import breaches
from service.taxes.models import Remittance, TaxTransaction
from tests.days import business_day
from tests.service.house import House, code
from tests.service.ledger.conftest import at_once
from tests.service.taxes.conftest import day, deducted, remit


def owed(house: House, kind: str = "WHT_PAYABLE") -> int:
    return balance(system_account(house.business, kind, "KES")).posted


def states(house: House) -> set[str]:
    return set(TaxTransaction.objects.filter(business=house.business).values_list("status", flat=True))


def fields(answer: Any) -> set[tuple[str, str]]:
    return {(each["field"], each["code"]) for each in answer.json()["errors"]}


def test_several_are_paid_over_at_once(paying: House) -> None:
    rows = [deducted(paying), deducted(paying, 60_000, "INV-2")]
    left = deducted(paying, 50_000, "INV-3")
    before = owed(paying, "BANK_FLOAT")
    answer = remit(paying, *rows, reference="PRN-2026/17")
    assert answer.status_code == 201, answer.json()
    created = answer.json()
    assert (created["amount_minor"], created["currency"], created["count"]) == (800_000, "KES", 2)
    assert (created["reference"], created["remitted_on"]) == ("PRN-2026/17", day(paying))
    assert set(created["transactions"]) == {each["_id"] for each in rows}
    assert owed(paying) == left["tax_amount_minor"]
    assert owed(paying, "BANK_FLOAT") - before == 800_000
    shown = {each["_id"]: each for each in paying.get("/taxes/transactions").json()["docs"]}
    for each in rows:
        now = shown[each["_id"]]
        assert (now["status"], now["remittance_id"]) == ("REMITTED", created["_id"])
        assert now["certificate_no"] == f"KRAWHT{each['_id'][-6:]}"
    assert (shown[left["_id"]]["status"], shown[left["_id"]]["remittance_id"]) == ("DEDUCTED", None)
    assert paying.get("/taxes/transactions?status=REMITTED").json()["total"] == 2
    assert paying.get("/taxes/remittances", by="Apollo").json()["docs"] == [created]


def test_each_has_its_event_and_its_line_of_the_audit(paying: House) -> None:
    row = deducted(paying)
    created = remit(paying, row).json()
    event = Event.objects.get(business=paying.business, kind="tax_transaction.remitted")
    assert event.payload["object"]["_id"] == row["_id"]
    assert event.payload["previous"] == {"status": "DEDUCTED", "certificate_no": "", "remittance_id": None}
    line = AuditEvent.objects.get(resource_id=row["_id"], action="tax_transaction.remit")
    assert (line.actor, line.after and line.after["status"]) == (paying.person("Ada").id, "REMITTED")
    assert AuditEvent.objects.get(resource_id=created["_id"]).action == "tax.remit"


def test_the_same_key_pays_once(paying: House) -> None:
    row = deducted(paying)
    first, second = (remit(paying, row, key="k1") for _ in range(2))
    assert (first.json(), second["Idempotency-Replayed"]) == (second.json(), "true")
    assert Remittance.objects.filter(business=paying.business).count() == 1
    assert code(remit(paying, row, key=None)) == (400, "idempotency_key_missing")


def test_what_was_paid_over_is_not_paid_again(paying: House) -> None:
    row, other = deducted(paying), deducted(paying, 60_000, "INV-2")
    assert remit(paying, row, reference="PRN-1").status_code == 201
    assert code(remit(paying, other, row)) == (409, "invalid_state")
    assert code(remit(paying, other, reference="PRN-1")) == (409, "duplicate")
    assert TaxTransaction.objects.get(pk=other["_id"]).status == "DEDUCTED"
    assert owed(paying) == other["tax_amount_minor"]
    TaxTransaction.objects.filter(pk=other["_id"]).update(status="REVERSED")
    assert code(remit(paying, other)) == (409, "invalid_state")


def test_what_is_wrong_is_named_and_nothing_is_written(paying: House, houses: Callable[[], House]) -> None:
    other = houses()
    Mandate.objects.filter(business=other.business).update(active=False)
    row, theirs = deducted(paying), deducted(other)
    second = deducted(paying, 60_000, "INV-2")
    TaxTransaction.objects.filter(pk=second["_id"]).update(currency="USD")
    answer = remit(paying, row, row, theirs, second, remitted_on=day(paying, 1))
    assert code(answer) == (422, "validation_failed")
    assert fields(answer) == {
        ("remitted_on", "future"),
        ("transactions.1.tax_transaction_id", "duplicate"),
        ("transactions.2.tax_transaction_id", "unknown"),
        ("transactions.3.tax_transaction_id", "currency"),
    }
    early = remit(paying, row, remitted_on=day(paying, -1))
    assert fields(early) == {("transactions.0.tax_transaction_id", "too_early")}
    assert states(paying) == {"DEDUCTED"}
    assert not Remittance.objects.filter(business=paying.business).exists()


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"transactions": []}, "transactions"),
        ({"remitted_on": "2026-02-30"}, "remitted_on"),
        ({"remitted_on": None}, "remitted_on"),
        ({"reference": "\u0007"}, "reference"),
        ({"transactions": [{"tax_transaction_id": "0" * 24}]}, "transactions.0.certificate_no"),
        ({"transactions": [{"tax_transaction_id": "0" * 24, "certificate_no": "-"}]}, "transactions.0.certificate_no"),
        ({"transactions": [{"tax_transaction_id": "x", "certificate_no": "C1"}]}, "transactions.0.tax_transaction_id"),
        ({"surprise": 1}, "surprise"),
    ],
)
def test_a_body_that_makes_no_sense_is_refused(house: House, body: dict[str, Any], field: str) -> None:
    answer = remit(house, **{"transactions": [{"tax_transaction_id": "0" * 24, "certificate_no": "C1"}], **body})
    assert code(answer) == (422, "validation_failed")
    assert field in {name for name, _ in fields(answer)}


def test_in_a_closed_period_it_is_refused(paying: House) -> None:
    row = deducted(paying)
    long_ago = timezone.now() - timedelta(days=40)
    TaxTransaction.objects.filter(pk=row["_id"]).update(deducted_at=long_ago)
    paying.business.books_closed_until = business_day(-20)
    paying.business.save(update_fields=["books_closed_until"])
    assert code(remit(paying, row, remitted_on=day(paying, -30))) == (409, "invalid_state")
    assert remit(paying, row, remitted_on=day(paying, -10)).status_code == 201


@pytest.mark.parametrize("by", ["Carla", "Rita", "Apollo"])
def test_only_admins_say_that_it_was_paid_over(house: House, by: str) -> None:
    assert code(remit(house, by=by)) == (403, "insufficient_role")
    assert house.get("/taxes/remittances", by=by).status_code == (200 if by == "Apollo" else 403)


@pytest.mark.parametrize("run", range(2))
def test_two_at_once_pay_it_once(committed: None, run: int) -> None:
    house = House()
    Mandate.objects.filter(business=house.business).update(active=False)
    rows = [deducted(house), deducted(house, 60_000, "INV-2")]
    orders = (rows, rows[::-1], rows[:1])
    answers = at_once(3, lambda place: remit(house, *orders[place]).status_code)
    assert sorted(answers) == [201, 409, 409] or sorted(answers) == [201, 201, 409]  # type: ignore[type-var]
    paid = TaxTransaction.objects.filter(business=house.business, status="REMITTED")
    total = sum(Remittance.objects.filter(business=house.business).values_list("amount_minor", flat=True))
    assert total == sum(paid.values_list("tax_minor", flat=True))
    assert owed(house) == sum(each["tax_amount_minor"] for each in rows) - total
    assert not [breach for breach in breaches(sealed=False) if breach.business_id == house.business.id]


def test_some_of_them_are_listed_by_their_ids(paying: House, houses: Callable[[], House]) -> None:
    first, second, third = (deducted(paying, 60_000, f"INV-{number}") for number in range(3))
    assert remit(paying, third).status_code == 201
    named = f"{first['_id']},{third['_id']}"
    answer = paying.get(f"/taxes/transactions?ids={named}")
    assert {row["_id"] for row in answer.json()["docs"]} == {first["_id"], third["_id"]}
    assert [row["_id"] for row in paying.get(f"/taxes/transactions?status=DEDUCTED&ids={named}").json()["docs"]] == [
        first["_id"]
    ]
    assert paying.get("/taxes/transactions?ids=" + "f" * 24).json()["total"] == 0
    assert houses().get(f"/taxes/transactions?ids={second['_id']}").json()["total"] == 0
    assert paying.get("/taxes/transactions?ids=none").status_code == 400
