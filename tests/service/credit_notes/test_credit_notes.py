"""Credit notes lower what is open on bills, never by more than the note or the bill holds, and move no money."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from service.approvals.models import Mandate
from service.bills.models import Bill
from service.credit_notes.models import CreditApplication, CreditNote
from service.events.models import Event
from service.ledger.invariants import breaches
from service.ledger.models import LedgerTransaction
from tests.service.bills.conftest import add, bill, committed_house, has, no_worker, pay, request_votes
from tests.service.house import House, code
from tests.service.ledger.conftest import at_once
from tests.service.vendors.conftest import vendor

__all__ = ["committed_house", "no_worker"]
EXAMPLE = {"credit_no": "CN-1", "issued_at": "2026-01-20", "reason": "Two boxes came back."}


def credit(house: House, of: dict[str, Any], amount: float, *, by: str | None = "Ada", **more: Any) -> Any:
    """The raw answer of recording a credit note for a bill."""
    return house.post("/credit-notes", {**EXAMPLE, "bill_id": of["_id"], "amount": amount, **more}, by=by)


def apply(house: House, note: dict[str, Any], of: dict[str, Any], amount: float | None = None, by: str = "Ada") -> Any:
    """The raw answer of applying a credit note to a bill."""
    body = {"bill_id": of["_id"]} | ({} if amount is None else {"amount": amount})
    return house.post(f"/credit-notes/{note['_id']}/apply", body, by=by)


def shown(house: House, of: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = house.get(f"/bills/{of['_id']}").json()
    return found


def test_what_fits_lowers_its_bill_and_the_rest_waits_for_another(house: House) -> None:
    first = bill(house, 1000)
    second = bill(house, 500, vendor_id=first["vendor_id"], bill_no="INV-2")
    answer = credit(house, first, 1200)
    assert answer.status_code == 201, answer.json()
    note = answer.json()
    assert (note["applied"], note["remaining"], note["vendor_id"]) == (1000, 200, first["vendor_id"])
    now = shown(house, first)
    assert (now["status"], now["balance"], now["amount_credited"], now["amount_paid"]) == ("PAID", 0, 1000, 0)
    applied = apply(house, note, second)
    assert applied.json()["remaining"] == 0
    assert [part["bill_no"] for part in applied.json()["applications"]] == ["INV-1", "INV-2"]
    assert (shown(house, second)["status"], shown(house, second)["balance"]) == ("OPEN", 300)
    assert code(apply(house, note, second)) == (422, "limit_exceeded")
    assert house.get(f"/credit-notes?bill_id={second['_id']}").json()["total"] == 1
    assert house.get("/credit-notes?open=true").json()["total"] == 0


def test_it_posts_nothing_and_what_is_paid_then_is_what_was_left(committed_house: House) -> None:
    house = committed_house
    Mandate.objects.filter(business=house.business).update(active=False)
    created, posted = bill(house, 1000), LedgerTransaction.objects.count()
    before = has(house)
    credit(house, created, 400)
    assert (LedgerTransaction.objects.count(), has(house)) == (posted, before)
    row = request_votes(house, add(house, created).json()).json()
    assert row["amount"] == 600
    assert pay(row) == "SUCCEEDED"
    assert has(house) == (before[0] - 60_000, 0)
    now = shown(house, created)
    assert (now["status"], now["amount_paid"], now["amount_credited"]) == ("PAID", 600, 400)
    assert breaches(sealed=False) == []


def test_what_a_payment_claims_is_not_open_to_a_credit_note(house: House) -> None:
    created = bill(house, 1000)
    add(house, created, 700)
    note = credit(house, created, 500).json()
    assert (note["applied"], note["remaining"]) == (300, 200)
    assert code(apply(house, note, created, 1)) == (422, "limit_exceeded")
    assert code(add(house, created, 1)) == (422, "limit_exceeded")


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"amount": 0}, "validation_failed"),
        ({"amount": 1.001}, "validation_failed"),
        ({"credit_no": "--"}, "validation_failed"),
        ({"reason": ""}, "validation_failed"),
        ({"bill_id": "0192f0c0ffee000012345678"}, "validation_failed"),
        ({"issued_at": "yesterday"}, "validation_failed"),
    ],
)
def test_what_is_no_credit_note_is_refused(house: House, change: dict[str, Any], problem: str) -> None:
    created = bill(house, 1000)
    answer = house.post("/credit-notes", {**EXAMPLE, "bill_id": created["_id"], "amount": 5, **change}, by="Ada")
    assert code(answer) == (422, problem)
    assert not CreditNote.objects.exists()


def test_a_number_is_used_once_and_another_vendors_bill_takes_none_of_it(house: House) -> None:
    created = bill(house, 1000)
    note = credit(house, created, 100).json()
    assert credit(house, created, 100, credit_no="cn 1").status_code == 409
    other = bill(house, 1000, bill_no="INV-9")
    larger = credit(house, created, 2000, credit_no="CN-2").json()
    assert larger["remaining"] > 0
    assert apply(house, larger, other).status_code == 422
    assert code(apply(house, note, created)) == (409, "invalid_state")  # the bill is paid by now


def test_a_credited_bill_keeps_its_amounts_and_is_not_cancelled(house: House) -> None:
    created = bill(house, 1000)
    credit(house, created, 100)
    assert code(house.post(f"/bills/{created['_id']}/cancel", {"reason": "No"}, by="Ada")) == (409, "invalid_state")
    assert house.send("PUT", f"/bills/{created['_id']}", {"subtotal": 5, "tax_amount": 0}, by="Ada").status_code == 409


def test_events_and_the_audit_tell_of_note_and_bill(house: House) -> None:
    created = bill(house, 1000)
    credit(house, created, 1000)
    kinds = list(Event.objects.filter(business=house.business).order_by("id").values_list("kind", flat=True))
    assert kinds[-4:] == ["bill.created", "credit_note.created", "credit_note.applied", "bill.paid"]
    trail = house.get("/audit-events?limit=10", by="Ada").json()["docs"]
    assert {"credit_note.create", "credit_note.apply", "bill.credit"} <= {entry["action"] for entry in trail}


@pytest.mark.parametrize(("by", "status"), [("Apollo", 201), ("Ada", 201), ("Carla", 403), ("Rita", 403)])
def test_who_records_one(house: House, by: str, status: int) -> None:
    assert credit(house, bill(house, 100), 10, by=by).status_code == status


def test_nobody_sees_those_of_another_business(house: House) -> None:
    note = credit(house, bill(house, 100), 10).json()
    assert House().get(f"/credit-notes/{note['_id']}").status_code == 404


def test_the_tables_refuse_what_is_too_much(house: House) -> None:
    created = bill(house, 1000)
    credit(house, created, 100)
    for change in (
        lambda: CreditNote.objects.update(applied_minor=10_001),
        lambda: Bill.objects.filter(pk=created["_id"]).update(credited_minor=100_001),
        lambda: CreditApplication.objects.update(amount_minor=0),
    ):
        with pytest.raises(IntegrityError), transaction.atomic():
            change()


def test_applied_at_once_from_two_sides_it_is_not_more_than_the_note(committed_house: House) -> None:
    house = committed_house
    first = bill(house, 100)
    note = credit(house, first, 300).json()
    bills = [bill(house, 150, vendor_id=first["vendor_id"], bill_no=f"INV-{n}") for n in (2, 3)]
    at_once(2, lambda place: apply(house, note, bills[place], 150))
    row = CreditNote.objects.get(pk=note["_id"])
    parts = CreditApplication.objects.filter(note=row).values_list("amount_minor", flat=True)
    assert row.applied_minor == sum(parts) <= row.amount_minor
    assert row.updated_at - row.created_at < timedelta(minutes=5)


def test_after_a_merge_of_vendors_what_is_left_lowers_bills_of_the_one_that_stays(house: House) -> None:
    first = bill(house, 1000)
    note = credit(house, first, 1200).json()
    keeper = bill(house, 500, bill_no="INV-K", vendor_id=vendor(house, name="Keeper")["_id"])
    body = {"duplicate_id": first["vendor_id"], "reason": "Entered twice."}
    plan = house.get(f"/vendors/{keeper['vendor_id']}/merge/{first['vendor_id']}").json()
    assert {"noun": "credit note", "count": 1} in plan["moves"]
    assert house.post(f"/vendors/{keeper['vendor_id']}/merge", body).status_code == 200
    assert apply(house, note, keeper).json()["remaining"] == 0
    assert shown(house, keeper)["balance"] == 300


def test_the_same_number_at_both_stands_in_the_way_of_a_merge(house: House) -> None:
    first = bill(house, 1000)
    second = bill(house, 1000, bill_no="INV-K", vendor_id=vendor(house, name="Keeper")["_id"])
    for each in (first, second):
        assert credit(house, each, 100).status_code == 201
    plan = house.get(f"/vendors/{second['vendor_id']}/merge/{first['vendor_id']}").json()
    assert "Both have a credit note with the number CN-1." in plan["obstacles"]
    body = {"duplicate_id": first["vendor_id"], "reason": "Entered twice."}
    assert code(house.post(f"/vendors/{second['vendor_id']}/merge", body)) == (409, "in_use")
