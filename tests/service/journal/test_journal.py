"""Everything that moves a wallet of the business is in the book: per wallet its sums are the ledger's, to the cent."""

from decimal import Decimal
from typing import Any

import pytest
from django.db import connection

from service.approvals.models import Mandate
from service.auth import system_caller
from service.expenses import posting
from service.expenses.models import Expense
from service.investments import settlement
from service.payments import execution, pushes
from service.payments.models import Batch, MobileMoneyPush
from service.rails.mobile_money import PushResult
from service.sandbox import simulation
from tests.service.house import House
from tests.service.payments.conftest import initiated, item
from tests.service.transactions.conftest import posted, put

LEDGER = """
select w.org_wallet_ref, b.posted from accounts_wallet w join ledger_balance b on b.account_id = w.ledger_account_id
where w.business_id = %(business)s and w.holder_id = ''
"""
BOOK = """
select org_wallet_ref, sum(case direction when 'IN' then 1 else -1 end * (amount_minor + fees_minor))::bigint
from transactions_transaction
where business_id = %(business)s and ledger_transaction_id is not null group by 1
"""


def sums(house: House, query: str) -> dict[str, int]:
    with connection.cursor() as cursor:
        cursor.execute(query, {"business": house.business.id})
        return {ref: total for ref, total in cursor.fetchall() if total}


@pytest.fixture
def unmandated(house: House, monkeypatch: pytest.MonkeyPatch) -> House:
    """A business in which nobody must vote, with a second wallet in shillings, and no worker."""
    Mandate.objects.filter(business=house.business).update(active=False)
    monkeypatch.setattr("service.enqueue.send", lambda *_: None)
    house.post("/accounts", {"currency": "KES", "walletType": "SUB:payroll"})
    return house


def cards_and_expenses(house: House) -> None:
    caller = system_caller(house.business)
    swipe = {"employee_id": house.person("Carla").id, "amount": 1250}
    base = f"/sandbox/businesses/{house.business.id}"
    for settle, amount in ((True, 1250), (False, 800), (False, "640.93"), (False, "500.92")):
        assert house.post(f"{base}/swipe", {**swipe, "settle": settle, "amount": amount}).status_code == 201
    simulation.settle_all(house.business)
    simulation.spend_some(house.business, [house.person("Carla")], 7, with_receipts=False)
    expense = Expense.objects.filter(business=house.business, ledger_transaction_id__isnull=False).earliest("id")
    posting.refund(caller, expense.id)


def payouts(house: House) -> None:
    accno = next(row["accno"] for row in house.get("/accounts").json()["docs"] if row["org_wallet_ref"] == "3")
    items = [item(), item(1000, "254700000002"), item(77, accno, channel="WALLET")]
    batch = Batch.objects.get(business=house.business, batch_no=initiated(house, *items)["batch_no"])
    execution.execute(batch.id)
    assert Batch.objects.get(id=batch.id).status == "PARTIALLY_COMPLETED"


def money_in(house: House) -> None:
    simulation.top_up(house.business, "1", Decimal("99.50"))
    body = {"phone": "254712345678", "amount": 300, "org_wallet_ref": "1", "account_reference": "A"}
    assert house.post("/payments/request-mpesa-payment", body).status_code == 202
    row = MobileMoneyPush.objects.get(business=house.business)
    pushes.receive(PushResult(row.checkout_request_id, 0, "ok", "RCPT1", row.amount_minor))


def treasury(house: House) -> None:
    quote = house.post("/fx/conversion-rate", {"from": "USD", "to": "KES", "amount": 10}, by="Apollo").json()
    body: dict[str, Any] = {"quote_id": quote["quote_id"], "from_org_wallet_ref": "2", "to_org_wallet_ref": "1"}
    assert house.post("/fx/transfer", body, by="Apollo").status_code == 200
    funds = house.get("/investments/funds").json()["docs"]
    fund = next(row for row in funds if row["code"] == "BAO-MMF-KES")
    created = house.post("/investments/opt-in", {"fund_id": fund["_id"]}).json()
    house.post(f"/investments/opt-in/{created['ref']}/approve", by="Apollo")
    base = f"/investments/accounts/{created['fund_account_id']}"
    for verb, body in (
        ("top-up", {"amount": 500, "org_wallet_ref": "1"}),
        ("invest", {"amount": 2000, "org_wallet_ref": "1"}),
        ("withdraw", {"amount": 700, "org_wallet_ref": "3"}),
    ):
        assert house.post(f"{base}/{verb}", body, by="Apollo").status_code in (201, 202)
        settlement.settle_due()


def people_and_hands(house: House) -> None:
    body = {"employee_id": house.person("Carla").id, "org_wallet_ref": "1", "amount": 400}
    assert house.post("/employees/allocate-funds", body, by="Apollo").status_code == 200
    assert house.post("/employees/remove-funds", {**body, "amount": 150}, by="Apollo").status_code == 200
    for kind in ("TOPUP", "EXPENSE", "REFUND"):
        posted(house, type=kind, amount=11)
    posted(house, type="IFT", to_org_wallet_ref="3", counterparty=None, amount=12)
    wrong = posted(house, type="EXPENSE", amount=13)
    put(house, f"/transactions/{wrong['_id']}/reverse", {"reason": "Twice"}, by="Zawadi")


def test_the_book_is_the_ledger_per_wallet_to_the_cent(unmandated: House) -> None:
    for happen in (cards_and_expenses, payouts, money_in, treasury, people_and_hands):
        happen(unmandated)
        assert sums(unmandated, BOOK) == sums(unmandated, LEDGER), happen.__name__
