"""Which payments payouts made already: by account and amount, by a vendor's accounts, in 30 days, through an index."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from django.db import connection
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


def test_it_goes_through_the_index_whatever_the_table_holds(house: House) -> None:
    draft(house, item(100))
    pairs = "unnest(ARRAY['254712345678'], ARRAY[10000::bigint]) AS p (account_key, amount_minor)"
    key = "regexp_replace(lower(i.account), '[^a-z0-9]', '', 'g')"
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
        cursor.execute(
            f"EXPLAIN SELECT * FROM {pairs} JOIN {Item._meta.db_table} i ON i.business_id = %s AND {key} = p.account_key"
            " AND i.amount_minor = p.amount_minor",
            [house.business.id],
        )
        plan = "\n".join(row for (row,) in cursor.fetchall())
    assert "item_by_account_key" in plan
