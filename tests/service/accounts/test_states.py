"""The states of a wallet: every state × every move through the real actions, and closing only what is empty."""

import pytest

from service.accounts import services
from service.accounts.models import Wallet
from service.accounts.wallets import wallet_by_ref
from service.approvals.models import Mandate
from service.cards import issuance
from service.cards.models import Card
from service.cards.schemas import NewCard
from service.errors import ServiceError
from service.events.models import Event
from service.ledger.chart import system_account
from service.ledger.post import Leg, capture, hold, post
from tests.service.cards.test_at_once import at_once
from tests.service.house import House, code
from tests.service.investments.conftest import invested, move, opened

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
    created = house.post("/accounts", {"currency": "KES", "walletType": kind}).json()
    row = wallet_by_ref(house.business, created["org_wallet_ref"])
    for verb in {"SUSPENDED": ["suspend"], "CLOSED": ["close"]}.get(state, []):
        services.move(house.caller(), row.id, verb)
    return wallet_by_ref(house.business, created["org_wallet_ref"])


@pytest.mark.parametrize("state", list(Status))
@pytest.mark.parametrize("move", EXPECTED)
def test_no_transition_outside_the_table_is_reachable(house: House, state: str, move: str) -> None:
    row = empty(house, state)
    assert row.status == state
    target = EXPECTED[move][state]
    events = Event.objects.filter(business=house.business, kind__startswith="wallet.").count()
    if target is None:
        with pytest.raises(ServiceError, match="invalid_state"):
            services.move(house.caller(), row.id, move)
    else:
        assert services.move(house.caller(), row.id, move).status == target
    row.refresh_from_db()
    assert row.status == (target or state)
    event = Event.objects.filter(business=house.business, kind__startswith="wallet.").count() - events
    assert event == (0 if target in (None, state) else 1)
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
    assert wallet_by_ref(house.business, row.org_wallet_ref).status == "ACTIVE"


def hanging(house: House, row: Wallet) -> list[str]:
    """What a refusal to close it names, by area."""
    answer = house.send("PUT", f"/accounts/{row.id}", {"status": "CLOSED"})
    assert code(answer) == (409, "in_use"), answer.json()
    assert wallet_by_ref(house.business, row.org_wallet_ref).status == "ACTIVE"
    assert all(each["message"] in answer.json()["detail"] for each in answer.json()["errors"])
    return [each["field"] for each in answer.json()["errors"]]


@pytest.mark.parametrize("funding", ["ALLOCATION", "BUSINESS_WALLET"])
@pytest.mark.parametrize("state", ["ACTIVE", "BLOCKED", "REQUESTED"])
def test_a_wallet_on_which_a_card_hangs_is_not_closed(house: House, funding: str, state: str) -> None:
    row = empty(house, "ACTIVE")
    body = {
        "employee_id": house.person("Carla").id, "name": "Fuel", "org_wallet_ref": row.org_wallet_ref,
        "funding": funding, "controls": {"limits": [{"interval": "PER_MONTH", "amount": 5}]},
        "type": "PHYSICAL" if state == "REQUESTED" else "VIRTUAL",
    }  # fmt: skip
    card = house.post("/cards", body).json()
    if state == "BLOCKED":
        house.send("PUT", f"/cards/{card['_id']}/block")
    assert hanging(house, row) == ["cards"]
    if state == "REQUESTED":
        order = house.get("/cards/physical/orders").json()["docs"][0]["_id"]
        house.send("PATCH", "/cards/physical/orders", {"ids": [order], "reason": "No"}, by="Abel")
    else:
        house.send("PUT", f"/cards/{card['_id']}/retire")
    assert house.send("PUT", f"/accounts/{row.id}", {"status": "CLOSED"}).json()["status"] == "CLOSED"


def test_what_waits_for_a_decision_keeps_a_wallet_open(house: House) -> None:
    row = empty(house, "ACTIVE")
    ref = row.org_wallet_ref
    requested = {"amount": 5, "purpose": "Taxi", "org_wallet_ref": ref}
    house.post("/cards/single-use/requests", requested, by="Carla")
    items = [{"receiver_name": "P", "channel": "MPESA_SEND_MONEY", "account": "254712345678", "amount": 5}]
    assert house.post("/payments", {"name": "May", "org_wallet_ref": ref, "items": items}).status_code == 201
    Mandate.objects.filter(business=house.business, action_type=6).update(min_amount_minor=0)
    body = {"amount": 5, "from_org_wallet_ref": "1", "to_org_wallet_ref": ref}
    assert house.post("/fx/transfer", body, by="Apollo").json()["status"] == "PENDING_APPROVAL"
    account = opened(house)
    invested(house, account)
    move(house, account, "withdraw", amount=500, org_wallet_ref=ref)
    assert sorted(hanging(house, row)) == ["card_requests", "investments", "payouts", "transfers"]


def test_a_card_is_not_made_on_a_wallet_that_is_closed_at_the_same_time(committed: None) -> None:
    house = House()
    row = empty(house, "ACTIVE")
    new = NewCard.model_validate(
        {"employee_id": house.person("Carla").id, "name": "Fuel", "org_wallet_ref": row.org_wallet_ref}
    )
    said = at_once(
        lambda: issuance.create(house.caller(), new), lambda: services.move(house.caller("Apollo"), row.id, "close")
    )
    created = Card.objects.filter(business=house.business).exists()
    row.refresh_from_db()
    assert (created, row.status, said) in (
        (True, "ACTIVE", ["", "in_use"]), (False, "CLOSED", ["", "invalid_state"]),
    )  # fmt: skip


def test_a_closed_wallet_s_currency_and_type_can_be_opened_again(house: House) -> None:
    closed = empty(house, "CLOSED")
    body = {"currency": "KES", "walletType": "SUB:spare"}
    created = house.post("/accounts", body)
    assert created.status_code == 201, created.json()
    again = created.json()
    assert again["org_wallet_ref"] != closed.org_wallet_ref
    assert (again["accno"], again["ledger_account_id"]) != (closed.accno, closed.ledger_account_id)
    assert (again["status"], again["balances"]["posted"]) == ("ACTIVE", 0)
    assert code(house.post("/accounts", body)) == (409, "wallet_exists")
    into = {"type": "TOPUP", "org_wallet_ref": again["org_wallet_ref"], "amount": 5, "counterparty": "A"}
    done = house.post("/transactions/new", into).json()
    assert house.send("PUT", f"/transactions/{done['_id']}/approve", by="Apollo").json()["status"] == "POSTED"
    rows = house.get(f"/accounts/{closed.id}/transactions").json()
    assert rows["total"] == 0, "the old one's statement stays its own"
    body = {"type": "EXPENSE", "org_wallet_ref": again["org_wallet_ref"], "amount": 5, "counterparty": "A"}
    spent = house.post("/transactions/new", body).json()
    house.send("PUT", f"/transactions/{spent['_id']}/approve", by="Apollo")
    assert house.send("PUT", f"/accounts/{again['_id']}", {"status": "CLOSED"}).json()["status"] == "CLOSED"
    assert house.post("/accounts", {"currency": "KES", "walletType": "SUB:spare"}).status_code == 201, "a third time"


def test_a_closed_wallet_moves_no_money_and_keeps_its_name(house: House) -> None:
    row = empty(house, "ACTIVE")
    assert house.send("PUT", f"/accounts/{row.id}", {"status": "CLOSED"}).json()["status"] == "CLOSED"
    body = {"type": "TOPUP", "org_wallet_ref": row.org_wallet_ref, "amount": 5, "counterparty": "A"}
    assert code(house.post("/transactions/new", body)) == (409, "invalid_state")
    assert code(house.send("PUT", f"/accounts/{row.id}", {"name": "Again"})) == (409, "invalid_state")


@pytest.mark.parametrize("body", [{}, {"status": "ACTIVE"}, {"name": ""}, {"name": "x" * 101}, {"currency": "EUR"}])
def test_what_cannot_be_changed_is_422(house: House, body: dict[str, str]) -> None:
    row = wallet_by_ref(house.business, "1")
    assert code(house.send("PUT", f"/accounts/{row.id}", body)) == (422, "validation_failed")


def test_a_new_name_is_told(house: House) -> None:
    row = wallet_by_ref(house.business, "1")
    assert house.send("PUT", f"/accounts/{row.id}", {"name": "Operations"}).json()["name"] == "Operations"
    assert Event.objects.filter(business=house.business, kind="wallet.updated").count() == 1
