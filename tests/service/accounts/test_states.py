"""The states of a wallet: every state × every move through the real actions, and closing only what is empty."""

import pytest

from service.accounts import actions
from service.accounts.models import Wallet
from service.accounts.wallets import wallet
from service.errors import ServiceError
from service.events.models import Event
from service.ledger.chart import system_account
from service.ledger.post import Leg, capture, hold, post
from tests.service.house import House, code

Status = Wallet.Status
# What each move leads to from each state; None: refused with 409.
EXPECTED = {
    "suspend": {"PENDING": None, "ACTIVE": "SUSPENDED", "SUSPENDED": "SUSPENDED", "CLOSED": None},
    "activate": {"PENDING": "ACTIVE", "ACTIVE": "ACTIVE", "SUSPENDED": "ACTIVE", "CLOSED": None},
    "close": {"PENDING": "CLOSED", "ACTIVE": "CLOSED", "SUSPENDED": "CLOSED", "CLOSED": "CLOSED"},
}


def empty(house: House, state: str) -> Wallet:
    """A wallet without money, brought into a state by the actions themselves."""
    kind = "BANK_LINKED" if state == "PENDING" else "SUB:spare"
    made = house.post("/accounts", {"currency": "KES", "walletType": kind}).json()
    row = wallet(house.business, made["org_wallet_ref"])
    for verb in {"SUSPENDED": ["suspend"], "CLOSED": ["close"]}.get(state, []):
        actions.move(house.caller(), row.id, verb)
    return wallet(house.business, made["org_wallet_ref"])


@pytest.mark.parametrize("state", list(Status))
@pytest.mark.parametrize("move", EXPECTED)
def test_no_transition_outside_the_table_is_reachable(house: House, state: str, move: str) -> None:
    row = empty(house, state)
    assert row.status == state
    target = EXPECTED[move][state]
    events = Event.objects.filter(business=house.business, kind__startswith="wallet.").count()
    if target is None:
        with pytest.raises(ServiceError, match="invalid_state"):
            actions.move(house.caller(), row.id, move)
    else:
        assert actions.move(house.caller(), row.id, move).status == target
    row.refresh_from_db()
    assert row.status == (target or state)
    told = Event.objects.filter(business=house.business, kind__startswith="wallet.").count() - events
    assert told == (0 if target in (None, state) else 1)
    assert row.ledger_account.frozen == (row.status != Status.ACTIVE)


def test_a_wallet_with_money_reservations_or_expected_money_is_not_closed(house: House) -> None:
    close = {"status": "CLOSED"}
    row = empty(house, "ACTIVE")
    float_ = system_account(house.business, "BANK_FLOAT", "KES")
    post(house.business, "in", "TOPUP", [Leg(float_.pk, -5), Leg(row.ledger_account_id, 5)])
    assert code(house.send("PUT", f"/accounts/{row.id}", close)) == (409, "invalid_state")
    held = hold(house.business, row.ledger_account_id, 5, "h")
    assert code(house.send("PUT", f"/accounts/{row.id}", close)) == (409, "invalid_state")
    capture(held, 5, "c", float_)
    hold(house.business, row.ledger_account_id, 9, "expected", incoming=True)
    assert code(house.send("PUT", f"/accounts/{row.id}", close)) == (409, "invalid_state")
    assert wallet(house.business, row.org_wallet_ref).status == "ACTIVE"


def test_a_closed_wallet_moves_no_money_and_keeps_its_name(house: House) -> None:
    row = empty(house, "ACTIVE")
    assert house.send("PUT", f"/accounts/{row.id}", {"status": "CLOSED"}).json()["status"] == "CLOSED"
    body = {"type": "TOPUP", "org_wallet_ref": row.org_wallet_ref, "amount": 5, "counterparty": "A"}
    assert code(house.post("/transactions/new", body)) == (409, "invalid_state")
    assert code(house.send("PUT", f"/accounts/{row.id}", {"name": "Again"})) == (409, "invalid_state")


@pytest.mark.parametrize("body", [{}, {"status": "ACTIVE"}, {"name": ""}, {"name": "x" * 101}, {"currency": "EUR"}])
def test_what_cannot_be_changed_is_422(house: House, body: dict[str, str]) -> None:
    row = wallet(house.business, "1")
    assert code(house.send("PUT", f"/accounts/{row.id}", body)) == (422, "validation_failed")


def test_a_new_name_is_told(house: House) -> None:
    row = wallet(house.business, "1")
    assert house.send("PUT", f"/accounts/{row.id}", {"name": "Operations"}).json()["name"] == "Operations"
    assert Event.objects.filter(business=house.business, kind="wallet.updated").count() == 1
