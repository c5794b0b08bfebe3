"""Exchanging between wallets: by a live quote, once, with the spread as its own posting, and votes where mandated."""

from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.db.models import Sum
from django.utils import timezone

from service.approvals.mandates import NewMandate, open_mandates
from service.approvals.models import ActionType, Approval
from service.events.models import Event
from service.fx.models import FxTransfer, Quote, Rate
from service.journal.models import Transaction
from service.ledger.balances import deferred_balances
from service.ledger.chart import system_account
from service.ledger.models import LedgerEntry, LedgerTransaction
from tests.service.house import House, code


def quoted(house: House, **more: Any) -> dict[str, Any]:
    answer = house.post("/fx/conversion-rate", {"from": "USD", "to": "KES", "amount": 100, **more}, by="Apollo")
    assert answer.status_code == 200, answer.json()
    found: dict[str, Any] = answer.json()
    return found


def exchange(house: House, quote_id: str, by: str = "Apollo", key: str = "", **more: Any) -> Any:
    body = {"quote_id": quote_id, "from_org_wallet_ref": "2", "to_org_wallet_ref": "1", **more}
    return house.post("/fx/transfer", body, by=by, key=key)


def funds(house: House) -> tuple[Decimal, Decimal]:
    rows = {row["org_wallet_ref"]: row["balances"] for row in house.get("/accounts").json()["docs"]}
    return Decimal(str(rows["2"]["available"])), Decimal(str(rows["1"]["available"]))


@pytest.fixture
def mandated(house: House) -> House:
    """A business in which two approvers vote on exchanges."""
    people = [house.person(name) for name in ("Apollo", "Zawadi", "Juma")]
    open_mandates(house.business, people, [NewMandate(ActionType.FX_TRANSFER, "USD", 2, 0, None, False)])
    return house


def test_an_exchange_moves_what_the_quote_promised(house: House) -> None:
    (dollars, shillings), quote = funds(house), quoted(house)
    answer = exchange(house, quote["quote_id"])
    done = answer.json()
    assert (answer.status_code, done["status"]) == (200, "COMPLETED")
    assert (done["source_amount"], done["target_amount"]) == (100, quote["target_amount"])
    assert funds(house) == (dollars - 100, shillings + Decimal(str(quote["target_amount"])))
    rows = Transaction.objects.filter(business=house.business, channel="FX")
    assert {(row.type, row.direction, row.currency) for row in rows} == {("IFT", "OUT", "USD"), ("IFT", "IN", "KES")}
    assert Event.objects.filter(business=house.business, kind="fx.transfer.completed").count() == 1


def test_the_spread_is_a_posting_of_its_own_and_each_currency_sums_to_zero(house: House) -> None:
    quote = quoted(house)
    done = exchange(house, quote["quote_id"]).json()
    spread = LedgerTransaction.objects.get(business=house.business, external_ref=f"fx:{done['_id']}:spread")
    assert spread.id != done["ledger_transaction_id"]
    income = system_account(house.business, "FX_INCOME", "KES").pk
    assert deferred_balances([income])[income] == done["fee_minor"] == quote["fee_minor"] > 0
    shown = house.get(f"/accounting/postings/{done['ledger_transaction_id']}").json()["spread"]
    assert (shown["ledger_transaction_id"], shown["amount_minor"]) == (spread.id, quote["fee_minor"])
    assert house.get(f"/accounting/postings/{spread.id}").json()["spread"] is None
    for transaction in (spread.id, done["ledger_transaction_id"]):
        sums = LedgerEntry.objects.filter(transaction_id=transaction).values("currency").annotate(sum=Sum("amount"))
        assert {row["sum"] for row in sums} == {0}


def test_a_quote_expires_after_a_minute(house: House) -> None:
    before, quote = funds(house), quoted(house)
    Quote.objects.filter(id=quote["quote_id"]).update(expires_at=timezone.now() - timedelta(seconds=1))
    assert code(exchange(house, quote["quote_id"])) == (409, "quote_expired")
    assert funds(house) == before


def test_a_quote_is_used_once_and_a_key_answers_again(house: House) -> None:
    quote = quoted(house)
    first = exchange(house, quote["quote_id"], key="k")
    before = funds(house)
    assert exchange(house, quote["quote_id"], key="k").content == first.content
    assert code(exchange(house, quote["quote_id"])) == (409, "duplicate")
    assert funds(house) == before


def test_a_round_trip_loses_and_never_gains(house: House) -> None:
    dollars, _ = funds(house)
    there = exchange(house, quoted(house)["quote_id"]).json()
    back = quoted(house, **{"from": "KES", "to": "USD", "amount": there["target_amount"]})
    exchange(house, back["quote_id"], from_org_wallet_ref="1", to_org_wallet_ref="2")
    assert funds(house)[0] < dollars


def test_the_amount_comes_with_the_transfer_where_the_quote_has_none(house: House) -> None:
    quote = quoted(house, amount=None)
    assert code(exchange(house, quote["quote_id"])) == (422, "validation_failed")
    assert exchange(house, quote["quote_id"], amount=12.34).json()["source_amount"] == 12.34
    assert code(exchange(house, quoted(house)["quote_id"], amount=99)) == (422, "validation_failed")


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"from_org_wallet_ref": "1", "to_org_wallet_ref": "2"}, (422, "validation_failed")),
        ({"to_org_wallet_ref": "2"}, (422, "validation_failed")),
        ({"from_org_wallet_ref": "9"}, (404, "not_found")),
        ({"quote_id": "0" * 24}, (404, "not_found")),
        ({"quote_id": "nonsense"}, (422, "validation_failed")),
        ({"extra": 1}, (422, "validation_failed")),
    ],
)
def test_what_does_not_fit_the_quote_is_refused(
    house: House, change: dict[str, str], expected: tuple[int, str]
) -> None:
    before = funds(house)
    body = {"quote_id": quoted(house)["quote_id"], **change}
    assert code(exchange(house, **body)) == expected
    assert funds(house) == before


def test_too_little_too_much_and_what_is_not_there(house: House) -> None:
    assert code(exchange(house, quoted(house, amount=0.5)["quote_id"])) == (422, "validation_failed")
    assert code(exchange(house, quoted(house, amount=1_000_001)["quote_id"])) == (422, "limit_exceeded")
    assert code(exchange(house, quoted(house, amount=900_000)["quote_id"])) == (422, "insufficient_funds")
    assert FxTransfer.objects.filter(business=house.business).count() == 0


def test_a_suspended_wallet_pays_nothing_and_still_receives(house: House) -> None:
    ids = {row["org_wallet_ref"]: row["_id"] for row in house.get("/accounts").json()["docs"]}
    house.send("PUT", f"/accounts/{ids['1']}/suspend")
    assert exchange(house, quoted(house)["quote_id"]).status_code == 200
    house.send("PUT", f"/accounts/{ids['2']}/suspend")
    assert code(exchange(house, quoted(house)["quote_id"])) == (409, "invalid_state")


def test_an_approver_or_a_holder_of_wallet_fx_exchanges(house: House) -> None:
    for name in ("Carla", "Rita", "Ada", "Sam"):
        assert code(exchange(house, quoted(house)["quote_id"], by=name)) == (403, "insufficient_role")
    wallet = next(row["_id"] for row in house.get("/accounts").json()["docs"] if row["org_wallet_ref"] == "2")
    grant = {"wallet_id": wallet, "employee_id": house.person("Carla").id, "permissions": ["WALLET_FX"],
             "limits": {"per_transaction": 150}, "reason": "Travel"}  # fmt: skip
    assert house.post("/wallet-policies", grant, by="Sam").status_code == 201
    assert exchange(house, quoted(house)["quote_id"], by="Carla").status_code == 200
    assert code(exchange(house, quoted(house, amount=151)["quote_id"], by="Carla")) == (422, "limit_exceeded")
    back = quoted(house, **{"from": "KES", "to": "USD"})
    other = exchange(house, back["quote_id"], by="Carla", from_org_wallet_ref="1", to_org_wallet_ref="2")
    assert code(other) == (403, "insufficient_role")


def test_without_the_entitlement_or_a_key_there_is_no_exchange(house: House, houses: Any) -> None:
    assert code(exchange(houses(entitled=False), "0" * 24)) == (403, "entitlement_required")
    body = {"quote_id": "0" * 24, "from_org_wallet_ref": "2", "to_org_wallet_ref": "1"}
    assert code(house.post("/fx/transfer", body, by="Apollo", key=None)) == (400, "idempotency_key_missing")


def test_another_businesss_quote_is_404(house: House, houses: Any) -> None:
    assert code(exchange(houses(), quoted(house)["quote_id"])) == (404, "not_found")


def test_a_mandate_asks_for_votes_and_holds_the_money(mandated: House) -> None:
    dollars, shillings = funds(mandated)
    answer = exchange(mandated, quoted(mandated)["quote_id"])
    assert (answer.status_code, answer.json()["status"]) == (202, "PENDING_APPROVAL")
    assert funds(mandated) == (dollars - 100, shillings)
    requested = Approval.objects.get(business=mandated.business)
    assert (requested.kind, requested.action_type) == ("FX_TRANSFER", 6)
    own = mandated.post("/approvals/approve", {"approval_id": requested.id}, by="Apollo")
    assert code(own) == (403, "self_approval_forbidden")
    for name in ("Zawadi", "Juma"):
        assert mandated.post("/approvals/approve", {"approval_id": requested.id}, by=name).status_code == 200
    row = FxTransfer.objects.get(business=mandated.business)
    assert row.status == "COMPLETED"
    assert funds(mandated) == (dollars - 100, shillings + Decimal(row.target_minor) / 100)


def test_a_rejected_exchange_gives_the_money_back(mandated: House) -> None:
    before = funds(mandated)
    exchange(mandated, quoted(mandated)["quote_id"])
    requested = Approval.objects.get(business=mandated.business)
    mandated.post("/approvals/reject", {"approval_id": requested.id, "reason": "Not now"}, by="Zawadi")
    assert FxTransfer.objects.get(business=mandated.business).status == "REJECTED"
    assert funds(mandated) == before


def test_a_rate_that_moved_too_far_fails_it(mandated: House) -> None:
    before = funds(mandated)
    exchange(mandated, quoted(mandated)["quote_id"])
    kes = Rate.objects.get(currency="KES", fixing=False)
    Rate.objects.filter(id=kes.id).update(per_dollar=kes.per_dollar * Decimal("0.98"))
    requested = Approval.objects.get(business=mandated.business)
    for name in ("Zawadi", "Juma"):
        mandated.post("/approvals/approve", {"approval_id": requested.id}, by=name)
    row = FxTransfer.objects.get(business=mandated.business)
    assert (row.status, row.failure_code) == ("FAILED", "rate_moved")
    assert funds(mandated) == before


def test_without_a_fresh_rate_the_last_vote_waits(mandated: House) -> None:
    exchange(mandated, quoted(mandated)["quote_id"])
    requested = Approval.objects.get(business=mandated.business)
    mandated.post("/approvals/approve", {"approval_id": requested.id}, by="Zawadi")
    Rate.objects.update(as_of=timezone.now() - timedelta(minutes=20))
    last = mandated.post("/approvals/approve", {"approval_id": requested.id}, by="Juma")
    assert code(last) == (503, "rate_unavailable")
    assert Approval.objects.get(id=requested.id).approvals_given == 1
