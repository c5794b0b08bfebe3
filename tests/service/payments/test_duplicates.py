"""Which payments payouts made already: by account and amount, by a vendor's accounts, in 30 days, through an index."""

import json
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from service.payments.models import Batch, Item
from tests.service.house import House, code
from tests.service.payments.conftest import PHONE, draft, item
from tests.service.vendors.conftest import account, vendor


def found(house: House, *payments: dict[str, Any], **more: Any) -> list[dict[str, Any]]:
    answer = house.post("/payments/duplicates", {"currency": "KES", "payments": list(payments), **more})
    assert answer.status_code == 200, answer.json()
    rows: list[dict[str, Any]] = answer.json()["docs"]
    return rows


def to_phone(amount: float = 100, number: str = PHONE, **more: Any) -> dict[str, Any]:
    return {"channel": "MPESA_SEND_MONEY", "account": number, "amount": amount, **more}


def test_the_same_account_and_amount_is_found_in_a_draft_and_nothing_else_is(
    house: House, houses: Callable[[], House]
) -> None:
    made = draft(house, item(5), item(100), item(100, "254722000111"))
    draft(houses(), item(100))
    [row] = found(house, to_phone(7), to_phone(100), to_phone(101))
    assert (row["place"], row["batch_no"], row["payout_id"], row["position"]) == (1, made["batch_no"], made["_id"], 1)
    assert (row["status"], row["item_status"], row["account_ends"], row["amount_minor"]) == (
        "DRAFT", "QUEUED", PHONE[-4:], 10000,
    )  # fmt: skip
    assert PHONE not in str(row)
    assert found(house, to_phone(100), besides=made["_id"]) == []
    assert [found_row["place"] for found_row in found(house, to_phone(100), to_phone(100))] == [0, 1]


def test_an_account_is_the_same_however_it_is_written_and_another_sort_of_it_is_not(house: House) -> None:
    draft(house, item(100, "0110234567", channel="BANK_EFT", bank_code="68"))
    assert len(found(house, {"channel": "BANK_PESALINK", "account": "0110-234567", "amount": 100})) == 1
    assert found(house, {"channel": "MPESA_TILL", "account": "0110234567", "amount": 100}) == []
    draft(house, item(100, "400200", channel="MPESA_PAYBILL", account_reference="M-1"))
    paybill = {"channel": "MPESA_PAYBILL", "account": "400200", "amount": 100}
    assert len(found(house, paybill | {"account_reference": "m 1"})) == 1
    assert found(house, paybill | {"account_reference": "M-2"}) == []
    draft(house, item(100))
    assert found(house, {"channel": "AIRTIME", "account": PHONE, "amount": 100}) == []
    assert len(found(house, {"channel": "MPESA_POCHI", "account": PHONE, "amount": 100})) == 1


def test_a_vendor_is_known_by_every_account_that_it_has_or_had(house: House) -> None:
    paid = vendor(house, account(PHONE), account("254722000111"))
    draft(house, item(100, "254722000111"))
    assert [row["place"] for row in found(house, {"vendor_id": paid["_id"], "amount": 100})] == [0]
    assert found(house, {"vendor_id": paid["_id"], "amount": 99}) == []
    assert found(house, {"vendor_id": vendor(house, account("254733000111"))["_id"], "amount": 100}) == []


def test_what_is_over_or_older_than_thirty_days_is_compared_only_where_it_is_named(house: House) -> None:
    old, cancelled = draft(house, item(100)), draft(house, item(100))
    Batch.objects.filter(id=old["_id"]).update(created_at=timezone.now() - timedelta(days=31))
    house.post("/payments/payout/cancel", {"batch_no": cancelled["batch_no"]}, by="Ada")
    assert found(house, to_phone()) == []
    named = found(house, to_phone(), payouts=[old["_id"], cancelled["_id"]])
    assert [row["status"] for row in named] == ["CANCELLED", "DRAFT"]


def test_of_very_many_the_newest_are_found(house: House) -> None:
    """Of forty-one payouts, where a page compared the newest twenty."""
    first = draft(house, item(100))
    for number in range(40):
        draft(house, item(200 + number))
    assert [row["batch_no"] for row in found(house, to_phone(100))] == [first["batch_no"]]


def test_what_names_nobody_and_what_the_currency_has_not_is_refused_at_its_place(house: House) -> None:
    body = {"currency": "KES", "payments": [to_phone(), {"amount": 5}]}
    assert code(house.post("/payments/duplicates", body)) == (422, "validation_failed")
    refused = house.post("/payments/duplicates", {"currency": "KES", "payments": [to_phone(), to_phone(1.005)]})
    assert refused.json()["errors"][0]["field"] == "payments.1.amount"


def test_of_named_ones_that_were_cancelled_none_hides_one_that_was_paid(house: House) -> None:
    """Three newer ones, each named as what a bank was given a file of, where of each payment three are answered."""
    paid = draft(house, item(100))
    Batch.objects.filter(id=paid["_id"]).update(status="COMPLETED")
    cancelled = [draft(house, item(100)) for _ in range(3)]
    for row in cancelled:
        house.post("/payments/payout/cancel", {"batch_no": row["batch_no"]}, by="Ada")
    rows = found(house, to_phone(), payouts=[row["_id"] for row in cancelled])
    assert [row["status"] for row in rows] == ["CANCELLED", "CANCELLED", "CANCELLED", "COMPLETED"]
    assert rows[-1]["batch_no"] == paid["batch_no"]
    assert len(found(house, to_phone(), payouts=[paid["_id"]])) == 1


def long_paid(house: House, days: int) -> None:
    """A payout of so many days ago, of two hundred payments that are the same."""
    row = Batch.objects.get(id=draft(house, item(100))["_id"])
    at = timezone.now() - timedelta(days=days)
    [of] = row.items.values()
    prefix = f"{int(at.timestamp() * 1000):012x}"
    Item.objects.filter(batch=row).delete()
    Item.objects.bulk_create(
        Item(**of | {"id": f"{prefix}{place:012x}", "position": place, "status": "SUCCEEDED"}) for place in range(200)
    )
    Batch.objects.filter(pk=row.pk).update(created_at=at, status="COMPLETED")


def test_it_goes_through_an_index_and_visits_nothing_older_than_thirty_days(house: House) -> None:
    """The statement that is sent, explained as it is run: of two thousand that are the same and older none is visited, whether
    PostgreSQL looks up each payment that is compared or reads what these days paid, which are 1,501."""
    for days in range(40, 240, 20):
        long_paid(house, days)
    draft(house, item(100), *(item(200 + n, f"2547{n:08}") for n in range(1500)))
    with CaptureQueriesContext(connection) as captured:
        assert len(found(house, to_phone())) == 1
    [same] = [
        row["sql"] for row in captured.captured_queries if "unnest(" in row["sql"] and "payments_item" in row["sql"]
    ]
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE payments_item, payments_batch")
        cursor.execute("SET LOCAL enable_seqscan = off")
        cursor.execute(f"EXPLAIN (ANALYZE, FORMAT JSON) {same}".replace("%", "%%"), [])
        [(plan,)] = cursor.fetchall()
    scans = list(items_read((plan if isinstance(plan, list) else json.loads(plan))[0]["Plan"]))
    # By which index depends on what else is in the table when it is analysed; never without one.
    assert scans
    assert "Seq Scan" not in {step for step, _ in scans}, scans
    assert sum(count for _, count in scans) <= 1501, scans


def items_read(node: dict[str, Any]) -> Iterator[tuple[str, float]]:
    """How each step of a plan reads payments of payouts, and how many it visits."""
    if node.get("Relation Name") == "payments_item":
        visited = (
            node["Actual Rows"] + node.get("Rows Removed by Filter", 0) + node.get("Rows Removed by Join Filter", 0)
        )
        yield node["Node Type"], visited * node["Actual Loops"]
    for child in node.get("Plans", ()):
        yield from items_read(child)
