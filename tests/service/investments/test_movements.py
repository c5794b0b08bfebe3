"""Top-up, invest, withdraw: cash and units held from the request, settled once, at the price of the value date."""

from decimal import Decimal
from typing import Any

import pytest

from service.approvals.models import Approval
from service.events.models import Event
from service.investments import settlement
from service.investments.models import FundAccount, Movement
from service.journal.models import Transaction
from service.ledger.models import LedgerEntry
from tests.service.house import House, code
from tests.service.investments.conftest import available, due_now, held, invested, move, opened, state


def units(house: House, account: str) -> Decimal:
    return FundAccount.objects.get(id=account).units


def test_top_up_moves_cash_to_the_investment_wallet_at_once(house: House) -> None:
    before, account = available(house), opened(house)
    answer = move(house, account, "top-up", amount=5000, org_wallet_ref="1")
    assert (answer.status_code, answer.json()["status"]) == (201, "SETTLED")
    assert available(house) == before - 5000
    assert state(house, account)["cash"] == 5000
    row = Transaction.objects.get(business=house.business, channel="INVESTMENT")
    assert (row.type, row.direction, row.amount_minor) == ("IFT", "OUT", 500_000)


def test_invest_holds_the_cash_and_settles_into_units(house: House) -> None:
    account = opened(house)
    move(house, account, "top-up", amount=5000, org_wallet_ref="1")
    answer = move(house, account, "invest", amount=3000)
    assert (answer.status_code, answer.json()["status"]) == (202, "REQUESTED")
    assert (state(house, account)["cash"], units(house, account)) == (5000, 0)
    assert code(move(house, account, "invest", amount=2001)) == (422, "insufficient_funds")  # the rest is held
    assert settlement.settle_due() == 1
    after = state(house, account)
    assert (after["cash"], after["units"], after["invested"], after["market_value"]) == (2000, 3000, 3000, 3000)
    [newest, *_] = after["movements"]
    assert (newest["kind"], newest["status"], newest["price"]) == ("INVEST", "SETTLED", 1)
    assert Event.objects.filter(business=house.business, kind="investment.invested").count() == 1
    assert settlement.settle_due() == 0


def test_units_are_numeric_28_8_and_cut_off(house: House) -> None:
    account = opened(house, "BAO-BAL-KES")
    invested(house, account, 10_000)
    row = Movement.objects.get(kind="INVEST", account=account)
    assert row.price is not None
    assert row.units == (Decimal(10_000) / row.price).quantize(Decimal("0.00000001"), "ROUND_DOWN")
    assert units(house, account) == row.units
    assert row.units * row.price <= 10_000


def test_withdraw_holds_units_at_the_request(house: House) -> None:
    account = opened(house)
    invested(house, account)
    before = available(house)
    answer = move(house, account, "withdraw", amount=60_000, org_wallet_ref="1")
    assert (answer.status_code, answer.json()["units"]) == (202, 60_000)
    assert held(account) == 60_000
    assert code(move(house, account, "withdraw", amount=40_001)) == (422, "insufficient_funds")
    assert available(house) == before
    assert settlement.settle_due() == 1
    assert available(house) == before + 60_000
    assert (units(house, account), held(account)) == (40_000, 0)
    assert Event.objects.filter(business=house.business, kind="investment.withdrawn").count() == 1


def test_notice_days_pass_before_money_is_paid_out(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    account = opened(house, "BAO-FIX-KES")
    invested(house, account)
    row = move(house, account, "withdraw", all=True, org_wallet_ref="1").json()
    assert settlement.settle(row["_id"]) == 0
    due_now(row["_id"])
    assert settlement.settle(row["_id"]) == 1
    assert units(house, account) == 0
    assert state(house, account)["invested"] == 0


def test_what_units_brought_is_income_and_every_posting_balances(house: House) -> None:
    account = opened(house, "BAO-BAL-KES")
    invested(house, account, 10_000)
    row = FundAccount.objects.select_related("fund").get(id=account)
    row.fund.prices.update(price=row.fund.prices.latest("day").price * Decimal("1.1"))
    before = available(house)
    created = move(house, account, "withdraw", all=True, org_wallet_ref="1").json()
    due_now(created["_id"])
    settlement.settle(created["_id"])
    proceeds = available(house) - before
    assert Decimal("10999.98") <= proceeds <= 11_000
    entries = LedgerEntry.objects.filter(transaction_id=Movement.objects.get(id=created["_id"]).ledger_transaction_id)
    assert sum(entry.amount for entry in entries) == 0
    income = next(entry.amount for entry in entries.select_related("account") if entry.account.kind == "FUND_INCOME")
    assert income == -(int(proceeds * 100) - 1_000_000)


@pytest.mark.parametrize(("cents", "status"), [(".94", "FAILED"), (".91", "PROCESSING"), (".92", "PROCESSING")])
def test_a_manager_that_refuses_waits_or_is_silent(
    house: House, monkeypatch: pytest.MonkeyPatch, cents: str, status: str
) -> None:
    account, before = opened(house), available(house)
    row = move(house, account, "invest", amount=f"2000{cents}", org_wallet_ref="1").json()
    settlement.settle(row["_id"])
    assert Movement.objects.get(id=row["_id"]).status == status
    if status == "FAILED":
        assert available(house) == before
        assert units(house, account) == 0
        return
    sent = Movement.objects.get(id=row["_id"]).sent_at
    assert sent is not None
    Movement.objects.filter(id=row["_id"]).update(sent_at=sent.replace(year=sent.year - 1))
    assert (settlement.settle(row["_id"]), settlement.settle(row["_id"])) == (1, 0)
    assert units(house, account) == Decimal(f"2000{cents}")


def test_a_failed_withdrawal_gives_the_units_back(house: House) -> None:
    account = opened(house)
    invested(house, account)
    row = move(house, account, "withdraw", amount="500.94").json()
    settlement.settle(row["_id"])
    assert Movement.objects.get(id=row["_id"]).failure_code == "refused_by_manager"
    assert (units(house, account), held(account)) == (100_000, 0)


def test_a_mandate_asks_for_votes_on_large_movements(mandated: House) -> None:
    account, before = opened(mandated), available(mandated)
    small = move(mandated, account, "invest", amount=2000, org_wallet_ref="1").json()
    large = move(mandated, account, "invest", amount=50_000, org_wallet_ref="1").json()
    assert (small["status"], large["status"]) == ("REQUESTED", "PENDING_APPROVAL")
    assert available(mandated) == before - 52_000
    requested = Approval.objects.get(business=mandated.business, status="PENDING")
    for name in ("Zawadi", "Juma"):
        assert mandated.post("/approvals/approve", {"approval_id": requested.id}, by=name).status_code == 200
    assert settlement.settle_due() == 2
    assert units(mandated, account) == 52_000


def test_a_top_up_above_the_mandate_waits_for_its_votes(mandated: House) -> None:
    account, before = opened(mandated), available(mandated)
    assert move(mandated, account, "top-up", amount=49_999, org_wallet_ref="1").status_code == 201
    answer = move(mandated, account, "top-up", amount=50_000, org_wallet_ref="1")
    assert (answer.status_code, answer.json()["status"]) == (202, "PENDING_APPROVAL")
    assert (available(mandated), state(mandated, account)["cash"]) == (before - 99_999, 49_999)
    requested = Approval.objects.get(business=mandated.business, status="PENDING")
    assert (requested.action_type, requested.amount_minor, requested.title) == (
        7,
        50_000_00,
        "Top up Baobab Money Market",
    )
    for name in ("Zawadi", "Juma"):
        assert mandated.post("/approvals/approve", {"approval_id": requested.id}, by=name).status_code == 200
    row = Movement.objects.get(id=answer.json()["_id"])
    assert (row.status, row.ledger_transaction_id is not None) == ("SETTLED", True)
    assert (available(mandated), state(mandated, account)["cash"]) == (before - 99_999, 99_999)
    assert Transaction.objects.filter(business=mandated.business, channel="INVESTMENT").count() == 2
    assert Event.objects.filter(business=mandated.business, kind="investment.topped_up").count() == 2


def test_a_top_up_that_is_refused_gives_its_cash_back(mandated: House) -> None:
    account, before = opened(mandated), available(mandated)
    created = move(mandated, account, "top-up", amount=60_000, org_wallet_ref="1").json()
    requested = Approval.objects.get(business=mandated.business, status="PENDING")
    mandated.post("/approvals/reject", {"approval_id": requested.id, "reason": "No"}, by="Zawadi")
    assert Movement.objects.get(id=created["_id"]).status == "CANCELLED"
    assert (available(mandated), state(mandated, account)["cash"]) == (before, 0)


def test_a_top_up_of_an_account_that_was_suspended_meanwhile_takes_no_last_vote(mandated: House) -> None:
    account = opened(mandated)
    move(mandated, account, "top-up", amount=60_000, org_wallet_ref="1")
    requested = Approval.objects.get(business=mandated.business, status="PENDING")
    mandated.post("/approvals/approve", {"approval_id": requested.id}, by="Zawadi")
    FundAccount.objects.filter(id=account).update(status="SUSPENDED")
    last = mandated.post("/approvals/approve", {"approval_id": requested.id}, by="Juma")
    assert code(last) == (409, "invalid_state")
    assert Approval.objects.get(id=requested.id).approvals_given == 1
    FundAccount.objects.filter(id=account).update(status="ACTIVE")
    assert mandated.post("/approvals/approve", {"approval_id": requested.id}, by="Juma").status_code == 200


def test_a_withdrawal_above_the_mandate_waits_for_its_votes(mandated: House) -> None:
    account = opened(mandated)
    for _ in range(2):
        invested(mandated, account, 40_000)
    before = available(mandated)
    answer = move(mandated, account, "withdraw", amount=60_000, org_wallet_ref="1")
    assert (answer.json()["status"], settlement.settle_due()) == ("PENDING_APPROVAL", 0)
    requested = Approval.objects.get(business=mandated.business, status="PENDING")
    for name in ("Zawadi", "Juma"):
        mandated.post("/approvals/approve", {"approval_id": requested.id}, by=name)
    assert settlement.settle_due() == 1
    assert available(mandated) == before + 60_000


def test_a_rejected_movement_is_cancelled_and_holds_nothing(mandated: House) -> None:
    account = opened(mandated)
    before = available(mandated)
    move(mandated, account, "invest", amount=60_000, org_wallet_ref="1")
    requested = Approval.objects.get(business=mandated.business, status="PENDING")
    mandated.post("/approvals/reject", {"approval_id": requested.id, "reason": "No"}, by="Zawadi")
    assert Movement.objects.get(account=account).status == "CANCELLED"
    assert available(mandated) == before


@pytest.mark.parametrize(
    ("verb", "body", "expected"),
    [
        ("invest", {"amount": 999.99, "org_wallet_ref": "1"}, 422),
        ("invest", {"amount": 0, "org_wallet_ref": "1"}, 422),
        ("invest", {"amount": 2000.001, "org_wallet_ref": "1"}, 422),
        ("invest", {"amount": 2000, "org_wallet_ref": "2"}, 422),
        ("invest", {"amount": 2000, "org_wallet_ref": "77"}, 404),
        ("invest", {"amount": 900_000_000, "org_wallet_ref": "1"}, 422),
        ("invest", {"amount": 2000}, 422),
        ("top-up", {"amount": 5}, 422),
        ("top-up", {"amount": -5, "org_wallet_ref": "1"}, 422),
        ("withdraw", {}, 422),
        ("withdraw", {"amount": 5, "all": True}, 422),
        ("withdraw", {"all": True}, 422),
        ("withdraw", {"units": "0.000000001"}, 422),
        ("withdraw", {"units": 5}, 422),
    ],
)
def test_what_cannot_be_is_refused_and_moves_nothing(
    house: House, verb: str, body: dict[str, Any], expected: int
) -> None:
    account, before = opened(house), available(house)
    assert move(house, account, verb, **body).status_code == expected
    assert available(house) == before
    assert not Movement.objects.filter(account=account).exists()


def test_below_the_minimum_only_all_is_withdrawn(house: House) -> None:
    account = opened(house)
    invested(house, account, 1000)
    assert code(move(house, account, "withdraw", amount=99)) == (422, "validation_failed")
    assert move(house, account, "withdraw", amount=950).status_code == 202
    assert move(house, account, "withdraw", all=True).json()["amount"] == 50
    assert code(move(house, account, "invest", amount=99, org_wallet_ref="1")) == (422, "validation_failed")
    assert move(house, account, "invest", amount=100, org_wallet_ref="1").status_code == 202


def test_a_key_answers_again_and_moves_once(house: House) -> None:
    account, before = opened(house), available(house)
    first = move(house, account, "invest", key="k", amount=2000, org_wallet_ref="1")
    again = move(house, account, "invest", key="k", amount=2000, org_wallet_ref="1")
    assert first.content == again.content
    assert available(house) == before - 2000
    path = f"/investments/accounts/{account}/invest"
    assert code(house.post(path, {"amount": 1}, by="Apollo", key=None)) == (400, "idempotency_key_missing")


def test_before_the_approval_nothing_moves(house: House) -> None:
    from tests.service.investments.conftest import request_opt_in

    account = request_opt_in(house)["fund_account_id"]
    for verb, body in (
        ("invest", {"amount": 2000, "org_wallet_ref": "1"}),
        ("top-up", {"amount": 2000, "org_wallet_ref": "1"}),
        ("withdraw", {"all": True}),
    ):
        assert code(move(house, account, verb, **body)) == (409, "invalid_state")
