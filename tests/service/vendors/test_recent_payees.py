"""GET /vendors/recent/{channel}: who was paid lately, from suppliers, payouts and expenses, one row per account."""

from collections.abc import Callable

import pytest
from django.utils import timezone

from service.expenses.models import Expense
from service.payments import execution
from service.payments.models import Batch
from service.vendors import recent_payees
from service.vendors.models import PaymentInstruction
from tests.service.house import House, code
from tests.service.payments.conftest import initiated, item
from tests.service.vendors.conftest import account, vendor

CHANNEL = "MPESA_SEND_MONEY"


@pytest.fixture(autouse=True)
def no_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.enqueue.send", lambda *_: None)


@pytest.fixture
def paying(house: House) -> House:
    from service.approvals.models import Mandate

    Mandate.objects.filter(business=house.business).update(active=False)
    return house


def pay(house: House, number: str, amount: float, name: str = "Payee", **more: str) -> None:
    created = initiated(house, item(amount, number, receiver_name=name) | more)
    batch = Batch.objects.get(business=house.business, batch_no=created["batch_no"])
    assert execution.execute(batch.id) == "COMPLETED"


def test_suppliers_carry_an_id_and_the_others_lack_it(paying: House) -> None:
    created = vendor(paying, account("254712345678"))
    pay(paying, "254712345678", 100, "ACACIA")
    pay(paying, "254722000333", 200, "Somebody")
    rows = paying.get(f"/vendors/recent/{CHANNEL}").json()["docs"]
    assert [(each["name"], each["source"], each.get("_id")) for each in rows] == [
        ("Somebody", "EXPENSE", None),
        ("Acacia Supplies", "SUPPLIER", created["_id"]),
    ]
    assert "_id" not in rows[0]
    assert (rows[0]["last_amount"], rows[0]["currency"], rows[0]["count"]) == (200, "KES", 1)


def test_one_row_per_normalised_account(paying: House) -> None:
    pay(paying, "254722000333", 100)
    pay(paying, "254722000333", 150)
    person = paying.person("Carla")
    Expense.objects.create(
        business=paying.business,
        employee=person,
        org_wallet_ref="1",
        currency="KES",
        amount_minor=9900,
        transaction_ref="t-1",
        transaction_date=timezone.now(),
        payment_type="MPESA",
        channel=CHANNEL,
        receiver="Same payee",
        account_number="254-722-000-333",
        created_at=timezone.now(),
        updated_at=timezone.now(),
    )
    (row,) = paying.get(f"/vendors/recent/{CHANNEL}").json()["docs"]
    assert (row["count"], row["last_amount_minor"], row["name"]) == (3, 9900, "Same payee")


EFT = {"channel": "BANK_EFT", "account": "0110234567", "bank_code": "68"}
PAYBILL = {"channel": "MPESA_PAYBILL", "account": "247247"}


@pytest.mark.parametrize(("payee", "counts"), [(EFT, [3]), (PAYBILL, [1, 2])])
def test_a_reference_tells_payees_apart_on_a_paybill_alone(
    paying: House, monkeypatch: pytest.MonkeyPatch, payee: dict[str, str], counts: list[int]
) -> None:
    """What is free text elsewhere splits no payee, and takes no place of the few that are looked at."""
    channel, number = payee["channel"], payee["account"]
    pay(paying, "777000", 50, **payee | {"account": "777000", "account_reference": "C3"})
    for amount, reference in ((100, "B2"), (150, "B2"), (200, "A1")):
        pay(paying, number, amount, **payee | {"account_reference": reference})
    rows = paying.get(f"/vendors/recent/{channel}").json()["docs"]
    assert [row["count"] for row in rows if row["account"] == number] == counts
    assert (rows[0]["account_reference"], rows[0]["last_amount"]) == ("A1", 200)
    monkeypatch.setattr(recent_payees, "MOST_PAYEES", 2)
    recent_payees._newest.cache_clear()
    try:
        listed = {row["account"] for row in paying.get(f"/vendors/recent/{channel}").json()["docs"]}
    finally:
        recent_payees._newest.cache_clear()
    assert ("777000" in listed) == (channel == "BANK_EFT")


def test_only_that_channel_that_business_and_so_many(paying: House, houses: Callable[[], House]) -> None:
    pay(paying, "254722000333", 100)
    pay(paying, "254722000444", 100)
    assert paying.get("/vendors/recent/BANK_EFT").json() == {"docs": [], "total": 0}
    assert paying.get(f"/vendors/recent/{CHANNEL}?limit=1").json()["total"] == 1
    assert houses().get(f"/vendors/recent/{CHANNEL}").json()["total"] == 0
    assert code(paying.get("/vendors/recent/PIGEON")) == (400, "invalid_parameters")
    assert code(paying.get(f"/vendors/recent/{CHANNEL}?limit=0"))[0] == 400
    assert code(paying.get(f"/vendors/recent/{CHANNEL}", by="Carla"))[0] == 403


def test_a_quarantined_account_makes_nobody_a_supplier(paying: House) -> None:
    created = vendor(paying, account("254712345678"))
    pay(paying, "254722000333", 100)
    paying.post(f"/vendors/{created['_id']}/payment-instruction/add", account("254722000333"))
    assert PaymentInstruction.objects.filter(account="254722000333", status="QUARANTINED").exists()
    (row,) = paying.get(f"/vendors/recent/{CHANNEL}").json()["docs"]
    assert row["source"] == "EXPENSE"
