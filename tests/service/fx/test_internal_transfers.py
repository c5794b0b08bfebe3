"""Between wallets of one currency an exchange is a transfer at rate one, with the same votes and roles."""

from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.utils import timezone

from service.approvals.mandates import NewMandate, open_mandates
from service.approvals.models import ActionType, Approval
from service.fx.models import FxTransfer, Rate
from service.journal.models import Transaction
from service.ledger.models import LedgerEntry, LedgerTransaction
from tests.service.house import House, code


def inside(house: House, by: str = "Apollo", key: str = "", **more: Any) -> Any:
    """A transfer between two wallets in shillings."""
    house.post("/accounts", {"currency": "KES", "walletType": "SUB:payroll"})
    body = {"amount": 1500.5, "from_org_wallet_ref": "1", "to_org_wallet_ref": "3", **more}
    return house.post("/fx/transfer", body, by=by, key=key)


def has(house: House, ref: str) -> Decimal:
    rows = {row["org_wallet_ref"]: row["balances"] for row in house.get("/accounts").json()["docs"]}
    return Decimal(str(rows[ref]["available"]))


def test_between_wallets_of_one_currency_it_is_a_transfer_at_rate_one(house: House) -> None:
    before = has(house, "1")
    answer = inside(house, note="Payroll of May")
    done = answer.json()
    assert (answer.status_code, done["status"], done["quote_id"], done["rate_applied"]) == (200, "COMPLETED", None, "1")
    assert (done["source_amount"], done["target_amount"], done["fee_minor"]) == (1500.5, 1500.5, 0)
    assert (has(house, "1"), has(house, "3")) == (before - Decimal("1500.5"), Decimal("1500.5"))
    posted = LedgerTransaction.objects.get(id=done["ledger_transaction_id"])
    assert (posted.kind, posted.external_ref, posted.description) == ("IFT", f"fx:{done['_id']}", "Payroll of May")
    assert LedgerEntry.objects.filter(transaction=posted).count() == 2
    assert not LedgerTransaction.objects.filter(business=house.business, kind="FX_SPREAD").exists()


def test_an_internal_transfer_is_on_neither_side_of_money_movement_and_cashflow(house: House) -> None:
    def sides() -> Any:
        [movement] = [
            row for row in house.get("/transactions/money-movement").json()["docs"] if row["currency"] == "KES"
        ]
        [flow] = [row for row in house.get("/accounts/cashflow-report").json()["docs"] if row["currency"] == "KES"]
        return movement["money_in"], movement["money_out"], flow["money_in"], flow["money_out"], flow["closing"]

    before, fees = sides(), house.get("/transactions/fees").json()
    assert inside(house).status_code == 200
    assert sides() == before
    assert house.get("/transactions/fees").json() == fees
    rows = Transaction.objects.filter(business=house.business, ref__startswith="fx:")
    assert {(row.type, row.direction, row.org_wallet_ref, row.channel) for row in rows} == {
        ("IFT", "OUT", "1", "WALLET"), ("IFT", "IN", "3", "WALLET"),
    }  # fmt: skip


def test_the_same_mandate_asks_for_votes_on_an_internal_transfer(house: House) -> None:
    people = [house.person(name) for name in ("Apollo", "Zawadi", "Juma")]
    open_mandates(house.business, people, [NewMandate(ActionType.FX_TRANSFER, "KES", 2, 0, None, False)])
    before = has(house, "1")
    answer = inside(house)
    assert (answer.status_code, answer.json()["status"]) == (202, "PENDING_APPROVAL")
    assert (has(house, "1"), has(house, "3")) == (before - Decimal("1500.5"), 0)
    requested = Approval.objects.get(business=house.business)
    assert (requested.action_type, requested.title) == (6, "Transfer to KES sub:payroll")
    Rate.objects.update(as_of=timezone.now() - timedelta(minutes=20))
    for name in ("Zawadi", "Juma"):
        voted = house.post("/approvals/approve", {"approval_id": requested.id}, by=name)
        assert voted.status_code == 200, "no rate is asked for"
    assert FxTransfer.objects.get(business=house.business).status == "COMPLETED"
    assert (has(house, "1"), has(house, "3")) == (before - Decimal("1500.5"), Decimal("1500.5"))


def test_a_rejected_internal_transfer_gives_the_money_back(house: House) -> None:
    people = [house.person(name) for name in ("Apollo", "Zawadi")]
    open_mandates(house.business, people, [NewMandate(ActionType.FX_TRANSFER, "KES", 1, 0, None, False)])
    before = has(house, "1")
    inside(house)
    requested = Approval.objects.get(business=house.business)
    house.post("/approvals/reject", {"approval_id": requested.id, "reason": "No"}, by="Zawadi")
    assert (has(house, "1"), has(house, "3")) == (before, 0)


@pytest.mark.parametrize("name", ["Carla", "Rita", "Ada", "Sam"])
def test_the_same_roles_move_money_inside(house: House, name: str) -> None:
    assert code(inside(house, by=name)) == (403, "insufficient_role")
    wallet = next(row["_id"] for row in house.get("/accounts").json()["docs"] if row["org_wallet_ref"] == "1")
    grant = {"wallet_id": wallet, "employee_id": house.person(name).id, "permissions": ["WALLET_FX"],
             "limits": {"per_transaction": 2000}, "reason": "Payroll"}  # fmt: skip
    assert house.post("/wallet-policies", grant, by="Sam" if name != "Sam" else "Selma").status_code == 201
    assert inside(house, by=name).status_code == 200
    assert code(inside(house, by=name, amount=2001)) == (422, "limit_exceeded")


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"to_org_wallet_ref": "1"}, "to_org_wallet_ref"),
        ({"to_org_wallet_ref": "2"}, "quote_id"),
        ({"amount": None}, "amount"),
        ({"amount": 1.005}, "amount"),
        ({"amount": 0}, "amount"),
    ],
)
def test_an_internal_transfer_that_cannot_be_names_the_field(house: House, change: dict[str, Any], field: str) -> None:
    answer = inside(house, **change)
    assert (code(answer), answer.json()["errors"][0]["field"]) == ((422, "validation_failed"), field)
    assert not FxTransfer.objects.filter(business=house.business).exists()


def test_more_than_there_is_is_not_moved_and_a_key_moves_once(house: House) -> None:
    assert code(inside(house, amount=50_000_001)) == (422, "insufficient_funds")
    first = inside(house, key="k")
    assert inside(house, key="k").content == first.content
    assert has(house, "3") == Decimal("1500.5")


def test_a_currency_that_is_not_exchanged_is_moved_between_its_wallets_all_the_same(house: House) -> None:
    for kind in ("MAIN", "SUB:mozambique"):
        assert house.post("/accounts/add-new-account", {"currency": "MZN", "walletType": kind}).status_code == 201
    answer = inside(house, from_org_wallet_ref="3", to_org_wallet_ref="4")
    assert code(answer) == (422, "insufficient_funds"), "it came as far as the ledger"
