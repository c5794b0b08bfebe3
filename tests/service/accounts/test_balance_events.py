"""wallet.balance_changed: after every posting and hold, whoever made it; once per wallet and second, with what it has."""

import time
from typing import Any

import pytest
from django.db import connection, transaction

from service.accounts.balance_events import record_balance_changes
from service.accounts.models import Wallet
from service.accounts.wallets import card_wallet, employee_wallet, investment_wallet, wallet_by_ref
from service.events.models import Event
from service.events.relay import relay
from service.ledger.chart import system_account
from service.ledger.post import Leg, capture_legs, hold, post, post_forced, release, reverse
from tests.service.house import House


@pytest.fixture(autouse=True)
def fresh_second(db: None) -> None:
    """What others left is taken, and no second has been used up."""
    new_second()
    record_balance_changes()
    new_second()


def new_second() -> None:
    """Waits until the clock shows another second."""
    now = time.time()
    time.sleep(1.005 - now % 1)


def balance_objects(house: House) -> list[dict[str, Any]]:
    """The objects of the events of all wallets, the oldest first."""
    rows = Event.objects.filter(business=house.business, kind="wallet.balance_changed").order_by("id")
    return [row.payload["object"] for row in rows]


def balance_events(house: House, ref: str = "1") -> list[dict[str, Any]]:
    """The objects of the events of one wallet of the business, the oldest first."""
    return [shown for shown in balance_objects(house) if shown["org_wallet_ref"] == ref]


def legs(house: House, minor: int, ref: str = "1") -> list[Leg]:
    own = wallet_by_ref(house.business, ref)
    return [
        Leg(own.ledger_account_id, minor),
        Leg(system_account(house.business, "BANK_FLOAT", own.currency).pk, -minor),
    ]


def minor_of(house: House, ref: str = "1") -> dict[str, int]:
    shown = house.get("/accounts").json()["docs"]
    found = next(row["balances"] for row in shown if row["org_wallet_ref"] == ref)
    return {name: found[f"{name}_minor"] for name in ("posted", "pending_in", "pending_out", "available")}


WAYS = ("post", "force", "hold", "release", "capture", "reverse", "expect", "batch")


def happen(house: House, way: str) -> None:
    own = wallet_by_ref(house.business, "1").ledger_account_id
    if way == "post":
        post(house.business, "p", "TOPUP", legs(house, 500))
    elif way == "force":
        post_forced(house.business, "f", "CAPTURE", legs(house, -500))
    elif way == "hold":
        hold(house.business, own, 700, "h")
    elif way == "expect":
        hold(house.business, own, 700, "h", incoming=True)
    elif way == "batch":
        post(house.business, "b", "EXPENSE", [*legs(house, -5), *legs(house, -6)])
    else:
        held = hold(house.business, own, 700, "h")
        posted = post(house.business, "q", "TOPUP", legs(house, 9))
        record_balance_changes()
        new_second()
        if way == "release":
            release(held, "r")
        elif way == "capture":
            capture_legs(held, legs(house, -300), "c")
        else:
            reverse(house.business, posted.id, "back")


@pytest.mark.parametrize("way", WAYS)
def test_whatever_changes_a_wallet_is_told(house: House, way: str) -> None:
    before = house.get("/accounts").json()["docs"][-1]["version"]
    happen(house, way)
    count = len(balance_events(house))
    relay()
    assert len(balance_events(house)) == count + 1
    shown, has = balance_events(house)[-1], minor_of(house)
    assert {name: shown["balances"][f"{name}_minor"] for name in has} == has
    assert shown["version"] > before
    current = next(row for row in house.get("/accounts").json()["docs"] if row["org_wallet_ref"] == "1")
    assert (shown["version"], shown["_id"]) == (current["version"], current["_id"])
    # The event is numbered with the rest: whoever reads on has it.
    assert any(row["type"] == "wallet.balance_changed" for row in house.get("/events").json()["docs"])


def test_many_postings_of_a_second_are_told_once(house: House) -> None:
    for number in range(5):
        post(house.business, f"p{number}", "TOPUP", legs(house, 100))
    relay()
    post(house.business, "later", "TOPUP", legs(house, 100))
    relay()  # still the same second, or nearly: never two for one
    seconds = [each["updated_at"][:19] for each in balance_events(house)]
    assert len(set(seconds)) == len(seconds)
    new_second()
    relay()
    assert balance_events(house)[-1]["balances"]["posted_minor"] == minor_of(house)["posted"]
    new_second()
    count = len(balance_events(house))
    relay()
    assert len(balance_events(house)) == count, "nothing changed since"


def test_each_wallet_is_told_of_by_itself(house: House) -> None:
    post(house.business, "one", "TOPUP", legs(house, 100))
    post(house.business, "two", "TOPUP", legs(house, 100, "2"))
    relay()
    assert (len(balance_events(house)), len(balance_events(house, "2"))) == (1, 1)


def test_what_a_business_begins_with_is_no_news(house: House) -> None:
    relay()
    assert balance_events(house) == []


HELD = {"EMPLOYEE": employee_wallet, "CARD": card_wallet, "INVESTMENT": investment_wallet}


@pytest.mark.parametrize("kind", HELD)
def test_wallets_of_people_cards_and_funds_are_told_of_alike(house: House, kind: str) -> None:
    theirs = HELD[kind](house.business, house.person("Carla").id, "KES")
    own = wallet_by_ref(house.business, "1")
    post(house.business, "a", "ALLOCATION", [Leg(own.ledger_account_id, -100), Leg(theirs.ledger_account_id, 100)])
    relay()
    told = {shown["_id"]: shown for shown in balance_objects(house)}
    assert set(told) == {own.id, theirs.id}
    shown = told[theirs.id]
    assert (shown["walletType"], shown["org_wallet_ref"], shown["balances"]["posted_minor"]) == (kind, "", 100)
    assert theirs.id not in {row["_id"] for row in house.get("/accounts").json()["docs"]}
    new_second()
    hold(house.business, theirs.ledger_account_id, 30, "h")
    relay()
    last = balance_objects(house)[-1]
    assert (last["_id"], last["balances"]["available_minor"]) == (theirs.id, 70)
    assert last["version"] > shown["version"]


def test_what_changed_since_is_listed(house: House) -> None:
    since = house.get("/accounts").json()["docs"][0]["as_of"]
    assert house.get(f"/accounts?updated_since={since}").json()["docs"] == []
    post(house.business, "one", "TOPUP", legs(house, 100))
    [changed] = house.get(f"/accounts?updated_since={since}").json()["docs"]
    assert changed["org_wallet_ref"] == "1"
    assert changed["updatedAt"] > since


def test_a_posting_that_is_taken_back_is_told_of_nowhere(house: House) -> None:
    before = transaction.savepoint()
    post(house.business, "gone", "TOPUP", legs(house, 100))
    transaction.savepoint_rollback(before)
    relay()
    assert balance_events(house) == []


def test_only_its_function_reads_the_note(house: House) -> None:
    with pytest.raises(Exception, match="permission denied"), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT * FROM ledger_changed")
    assert Wallet.objects.filter(business=house.business).exists()
