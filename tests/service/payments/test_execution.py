"""Paying: funds are held, each payment is made once, what failed is given back, and a kill in the middle loses nothing."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from service.accounts.wallets import employee_wallet, wallet_by_ref
from service.categories.models import Subcategory
from service.events.models import AuditEvent, Event
from service.journal.models import Transaction
from service.ledger.balances import balance
from service.ledger.chart import system_account
from service.ledger.invariants import breaches
from service.ledger.models import LedgerTransaction
from service.payments import execution, tasks
from service.payments.models import Batch, Item
from service.rails.outcomes import Outcome, State
from tests.service.house import House, code
from tests.service.ledger.conftest import at_once
from tests.service.payments.conftest import initiated, item, state

TILL = {"channel": "MPESA_TILL", "receiver_name": "Till"}
OPENING = 5_000_000_000


def till(ending: str, amount: float = 100) -> dict[str, Any]:
    """A payment without a fee, to an account with a magic ending (docs/rails.md)."""
    return item(amount, f"77{ending}", **TILL)


def approved(house: House, *items: dict[str, Any], **more: Any) -> Batch:
    number = initiated(house, *items, **more)["batch_no"]
    return Batch.objects.get(business=house.business, batch_no=number)


def has(house: House) -> Any:
    return balance(wallet_by_ref(house.business, "1").ledger_account_id)


def later(batch: Batch, seconds: int = 10) -> None:
    """As if its items had been sent earlier."""
    Item.objects.filter(batch=batch, status="SENT").update(sent_at=timezone.now() - timedelta(seconds=seconds))


def test_a_payout_is_paid_with_its_fees(unmandated: House) -> None:
    batch = approved(unmandated, item(1000), item(500, "254722000000"))
    assert execution.execute(batch.id) == "COMPLETED"
    assert (has(unmandated).posted, has(unmandated).pending_out) == (OPENING - 150_000 - 2 * 1_300, 0)
    assert balance(system_account(unmandated.business, "MOBILE_FLOAT", "KES")).posted == 150_000
    assert balance(system_account(unmandated.business, "FEE_INCOME", "KES")).posted == 2_600
    posted = LedgerTransaction.objects.filter(business=unmandated.business, kind="PAYOUT")
    assert [transaction.entries.count() for transaction in posted] == [8]
    shown = state(unmandated, batch.batch_no)
    assert (shown["succeeded_count"], shown["failed_count"]) == (2, 0)
    assert all(row["provider_ref"].startswith("MPX") for row in shown["items"])


def test_payments_are_booked_though_what_one_is_filed_under_is_gone(unmandated: House) -> None:
    [travel] = [row for row in unmandated.get("/categories").json()["docs"] if row["code"] == "TRAVEL"]
    [fuel] = [row["_id"] for row in travel["subcategories"] if row["code"] == "FUEL"]
    batch = approved(unmandated, item(1000, subcategory_id=fuel), item(500, "254722000000"))
    for address in (f"/categories/{travel['_id']}/subcategories/{fuel}", f"/categories/{travel['_id']}"):
        refused = unmandated.send("DELETE", address)
        assert code(refused) == (409, "in_use")
        assert "is in use: 1 payout." in refused.json()["detail"]
    Subcategory.objects.filter(id=fuel).delete()
    assert execution.execute(batch.id) == "COMPLETED"
    connection.check_constraints()
    assert (
        Transaction.objects.filter(business=unmandated.business, subcategory=None, channel=item()["channel"]).count()
        == 2
    )


def test_what_fails_is_given_back(unmandated: House) -> None:
    batch = approved(unmandated, till("1111"), till("0001"), till("0002"))
    assert execution.execute(batch.id) == "PARTIALLY_COMPLETED"
    assert (has(unmandated).posted, has(unmandated).pending_out) == (OPENING - 10_000, 0)
    shown = state(unmandated, batch.batch_no)
    assert [row["failure_code"] for row in shown["items"]] == ["", "account_not_found", "refused_by_provider"]
    kinds = Event.objects.filter(business=unmandated.business, kind__startswith="payout_item").values_list(
        "kind", flat=True
    )
    assert sorted(kinds) == ["payout_item.failed", "payout_item.failed", "payout_item.succeeded"]


def test_where_everything_fails_nothing_is_paid(unmandated: House) -> None:
    batch = approved(unmandated, till("0001"))
    assert execution.execute(batch.id) == "FAILED"
    assert (has(unmandated).posted, has(unmandated).pending_out) == (OPENING, 0)


@pytest.mark.parametrize(
    ("ending", "outcome"),
    [("0003", "COMPLETED"), ("0004", "COMPLETED"), ("0005", "FAILED"), ("0006", "FAILED")],
)
def test_silence_is_neither_success_nor_failure(unmandated: House, ending: str, outcome: str) -> None:
    batch = approved(unmandated, till(ending))
    assert execution.execute(batch.id) == "PROCESSING"
    assert has(unmandated).pending_out == 10_000
    assert execution.execute(batch.id) == "PROCESSING"  # too early to ask
    later(batch)
    assert batch.id in execution.due()
    assert execution.execute(batch.id) == outcome
    assert execution.execute(batch.id) == outcome
    assert has(unmandated).posted == OPENING - (10_000 if outcome == "COMPLETED" else 0)
    assert has(unmandated).pending_out == 0


def test_without_funds_it_waits_and_goes_on_when_there_are_some(unmandated: House) -> None:
    batch = approved(unmandated, till("1111", 50_000_001))
    assert execution.execute(batch.id) == "ON_HOLD"
    assert state(unmandated, batch.batch_no)["hold_reason"] == "insufficient_funds"
    assert execution.execute(batch.id) == "ON_HOLD"
    unmandated.post(f"/sandbox/businesses/{unmandated.business.id}/top-up", {"amount": 1})
    assert execution.execute(batch.id) == "COMPLETED"
    assert has(unmandated).posted == 0


def test_a_suspended_wallet_pays_nothing_until_it_is_active(unmandated: House) -> None:
    account = wallet_by_ref(unmandated.business, "1").id
    unmandated.send("PUT", f"/accounts/{account}/suspend")
    batch = approved(unmandated, till("1111"))
    assert execution.execute(batch.id) == "ON_HOLD"
    assert state(unmandated, batch.batch_no)["hold_reason"] == "wallet_suspended"
    unmandated.send("PUT", f"/accounts/{account}/activate")
    assert execution.execute(batch.id) == "COMPLETED"


def test_what_it_waits_for_by_now_is_said_and_recorded_once(unmandated: House) -> None:
    batch = approved(unmandated, till("1111", 50_000_001))
    account = wallet_by_ref(unmandated.business, "1").id
    assert execution.execute(batch.id) == "ON_HOLD"
    unmandated.send("PUT", f"/accounts/{account}/suspend")
    for _ in range(2):
        assert execution.execute(batch.id) == "ON_HOLD"
    assert state(unmandated, batch.batch_no)["hold_reason"] == "wallet_suspended"
    events = Event.objects.filter(business=unmandated.business, kind="payout.on_hold").order_by("id")
    assert [event.payload["object"]["hold_reason"] for event in events] == ["insufficient_funds", "wallet_suspended"]
    lines = AuditEvent.objects.filter(business=unmandated.business, action="payout.hold_back").order_by("id")
    assert [line.after["reason"] for line in lines] == ["insufficient_funds", "wallet_suspended"]


def test_it_waits_for_its_day(unmandated: House) -> None:
    batch = approved(unmandated, till("1111"), scheduled_for=(timezone.now() + timedelta(days=1)).isoformat())
    assert execution.execute(batch.id) == "APPROVED"
    assert batch.id not in execution.due()
    Batch.objects.filter(pk=batch.pk).update(scheduled_for=timezone.now())
    assert batch.id in execution.due()
    assert execution.execute(batch.id) == "COMPLETED"


def test_money_to_an_own_wallet_stays_in_the_house(unmandated: House) -> None:
    target = employee_wallet(unmandated.business, unmandated.person("Carla").id, "KES")
    batch = approved(unmandated, item(250, target.accno, channel="WALLET"))
    assert execution.execute(batch.id) == "COMPLETED"
    assert balance(target.ledger_account_id).posted == 25_000


def test_many_payments_are_few_transactions(unmandated: House) -> None:
    batch = approved(unmandated, *(till(f"{n:04d}", 1) for n in range(1000, 1450)))
    assert execution.execute(batch.id) == "COMPLETED"
    assert LedgerTransaction.objects.filter(business=unmandated.business, kind="PAYOUT").count() == 3
    assert has(unmandated).posted == OPENING - 45_000


@pytest.mark.parametrize("step", ["reserve", "claim", "_send", "settle", "close"])
def test_a_kill_after_any_step_and_the_rerun_pay_once(
    unmandated: House, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    batch = approved(unmandated, till("1111"), till("2222"), till("0001"))
    real, calls = getattr(execution, step), []

    def dies(*args: Any) -> Any:
        result = real(*args)
        if not calls:
            calls.append(step)
            raise KeyboardInterrupt
        return result

    monkeypatch.setattr(execution, step, dies)
    with pytest.raises(KeyboardInterrupt):
        execution.execute(batch.id)
    execution.execute(batch.id)
    later(batch)
    assert execution.execute(batch.id) == "PARTIALLY_COMPLETED"
    assert (has(unmandated).posted, has(unmandated).pending_out) == (OPENING - 20_000, 0)


def test_a_rail_that_raises_leaves_the_rest_for_the_sweep(unmandated: House, monkeypatch: pytest.MonkeyPatch) -> None:
    batch = approved(unmandated, till("1111"))
    monkeypatch.setattr(execution, "_send", lambda *_: 1 / 0)
    tasks.sweep()
    monkeypatch.undo()
    later(batch)
    tasks.sweep()
    assert state(unmandated, batch.batch_no)["status"] == "COMPLETED"


def test_workers_at_once_pay_once(committed_house: House) -> None:
    from service.approvals.models import Mandate

    Mandate.objects.filter(business=committed_house.business).update(active=False)
    batch = approved(committed_house, *(till(f"{n:04d}", 10) for n in range(1000, 1250)))
    results = at_once(6, lambda _: execution.execute(batch.id))
    assert "COMPLETED" in {*results, execution.execute(batch.id)}, results
    assert (has(committed_house).posted, has(committed_house).pending_out) == (OPENING - 250_000, 0)
    assert breaches(sealed=False) == []


def test_an_outcome_told_twice_is_settled_once(unmandated: House) -> None:
    batch = approved(unmandated, till("1111"))
    execution.reserve(batch.id)
    ((row, _),) = execution.claim(batch.id)
    for outcome in (State.SUCCEEDED, State.FAILED, State.SUCCEEDED):
        execution.settle(batch.id, [(row, Outcome(outcome, "X", ""))])
    assert execution.close(batch.id) == "COMPLETED"
    assert has(unmandated).posted == OPENING - 10_000
