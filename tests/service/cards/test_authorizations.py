"""A use of a card: the questions in their fixed order with a trace, tried out or played, declines in words."""

import hashlib
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from service.businesses.models import Employee
from service.cards import declines
from service.cards.authorizations import Swipe, authorize
from service.cards.models import Authorization, Card
from service.events.models import Event
from service.expenses.models import Expense
from service.journal.models import Transaction
from service.ledger.models import LedgerHold
from service.rails import card_network
from tests.service.cards.conftest import WIDE, Make, do, use
from tests.service.cards.conftest import has as allocated
from tests.service.house import House, code

ORDER = ["card_state", "employee_status", "wallet_state"]
LAST = ["business_policies", "wallet_policy", "available_balance", "risk"]


def has(house: House) -> tuple[int, int]:
    found = allocated(house)
    return found.posted, found.pending_out


def test_controls_evaluated_in_one_place_in_a_fixed_order_with_a_trace(house: House, make: Make) -> None:
    names = [each["check"] for each in use(house, make())["checks"]]
    assert names == ORDER + LAST
    controlled = make(
        controls={"per_transaction_limit": 500_00, "max_count": {"1h": 9}, "require_receipt_within_days": 3}
    )
    names = [each["check"] for each in use(house, controlled)["checks"]]
    assert names[:3] == ORDER
    assert names[-4:] == LAST
    assert names[3:-4] == [
        "mcc", "merchant", "countries", "channel", "per_transaction_limit", "max_count 1h", "single_use",
        "active_window", "auto_lock_at", "require_receipt_within_days",
    ]  # fmt: skip


def test_the_first_refusal_in_the_order_is_the_reason(house: House, make: Make) -> None:
    """Everything is wrong at once; each thing put right, the next in the order is the reason."""
    card = make(
        controls={"mcc_blocked": ["5812"], "per_transaction_limit": 50_00, "limits": [WIDE]}, funding="BUSINESS_WALLET"
    )
    do(house, card, "block")
    Employee.objects.filter(pk=house.person("Carla").id).update(status="SUSPENDED")
    house.send("PUT", f"/accounts/{house.opened.wallets[0].id}/suspend", by="Apollo")
    big = {"amount": 999_000_000, "mcc": "5812", "dry_run": True}
    assert use(house, card, **big)["code"] == "card_blocked"
    do(house, card, "unblock")
    assert use(house, card, **big)["code"] == "employee_suspended"
    Employee.objects.filter(pk=house.person("Carla").id).update(status="ACTIVE")
    assert use(house, card, **big)["code"] == "wallet_suspended"
    house.send("PUT", f"/accounts/{house.opened.wallets[0].id}/activate", by="Apollo")
    assert use(house, card, **big)["code"] == "mcc_blocked"
    house.send("PUT", f"/cards/{card['_id']}", {"controls": {"per_transaction_limit": 50_00, "limits": [WIDE]}})
    assert use(house, card, **big)["code"] == "per_transaction_limit"
    house.send("PUT", f"/cards/{card['_id']}", {"controls": {"limits": [WIDE]}})
    assert use(house, card, **big)["code"] == "insufficient_funds"
    house.send("PUT", f"/cards/{card['_id']}", {"controls": {}, "funding": "ALLOCATION"})
    house.send("PUT", f"/accounts/{house.opened.wallets[0].id}/suspend", by="Apollo")
    assert use(house, card, **big)["code"] == "insufficient_allocation", "the suspended wallet does not pay"


def test_a_dry_run_says_what_would_happen_and_leaves_nothing(house: House, make: Make) -> None:
    card = make(type="SINGLE_USE")
    before, events = has(house), Event.objects.filter(business=house.business).count()
    for who in ("Carla", "Rita", "Ada", "Sam"):
        tried = use(house, card, by=who, dry_run=True)
        assert (tried["approved"], tried["code"], tried["_id"], len(tried["checks"])) == (True, None, None, 15)
    assert has(house) == before
    assert not LedgerHold.objects.filter(business_id=house.business.id).exists()
    assert not Authorization.objects.filter(business=house.business).exists()
    assert Event.objects.filter(business=house.business).count() == events
    assert Card.objects.get(pk=card["_id"]).status == "ACTIVE"
    at = timezone.now() + timedelta(days=4000)
    assert use(house, card, dry_run=True, at=at.isoformat())["code"] == "card_expired"


def test_a_purchase_is_tried_under_controls_that_the_card_does_not_have_yet(house: House, make: Make) -> None:
    card = make(controls={"per_transaction_limit": 50_00})
    what = {"card_id": card["_id"], "amount": 100, "merchant": "Java House", "mcc": "5812"}
    before = Card.objects.values().get(pk=card["_id"])

    def tried(controls: dict[str, Any] | None, by: str = "Carla") -> Any:
        answer = house.post(
            "/cards/authorizations/try", what | ({"controls": controls} if controls is not None else {}), by=by
        )
        return answer.json()

    assert tried(None)["code"] == "per_transaction_limit"
    assert tried({"per_transaction_limit": 100_00})["approved"]
    assert tried({"mcc_blocked": ["5812"]}, by="Ada")["code"] == "mcc_blocked"
    assert tried({})["approved"]
    wrong = tried({"mcc_blocked": ["5812"], "mcc_allowed": ["5812"]})
    assert wrong["code"] == "validation_failed"
    assert Card.objects.values().get(pk=card["_id"]) == before
    assert not Authorization.objects.filter(business=house.business).exists()
    assert not LedgerHold.objects.filter(business_id=house.business.id).exists()
    assert house.post("/cards/authorizations/try", what, by="Juma").status_code == 200


def test_who_tries_out_and_who_plays(house: House, make: Make, houses: Callable[..., House], settings: Any) -> None:
    card = make()
    body = {"card_id": card["_id"], "amount": 5, "merchant": "Java"}

    def post(by: str, **fields: Any) -> Any:
        return house.post("/cards/authorizations", {**body, **fields}, by=by)

    assert code(post("Cyrus", dry_run=True)) == (404, "not_found")
    assert code(houses().post("/cards/authorizations", {**body, "dry_run": True})) == (404, "not_found")
    for who in ("Carla", "Rita", "Sam"):
        assert code(post(who)) == (403, "insufficient_role")
    assert post("Apollo").status_code == 201
    settings.SANDBOX = False
    assert code(post("Ada")) == (409, "invalid_state")
    assert post("Ada", dry_run=True).status_code == 200


def test_declines_in_words(house: House, make: Make) -> None:
    card = make(controls={"per_transaction_limit": 50_00, "active_window": {"until": "2020-01-01"}})
    declined = use(house, card, 51)
    assert (declined["status"], declined["code"]) == ("DECLINED", "per_transaction_limit")
    assert declined["reason"] == declines.DECLINES["per_transaction_limit"]
    assert use(house, card, 50)["reason"] == declines.CHECKS["active_window"]
    listed = house.get(f"/cards/authorizations?card_id={card['_id']}&status=DECLINED", by="Carla").json()["docs"]
    assert [each["reason"] for each in listed] == [declines.CHECKS["active_window"], declined["reason"]]
    event = Event.objects.filter(business=house.business, kind="card_authorization.declined").latest("id")
    assert event.payload["object"]["reason"] == declines.CHECKS["active_window"]


def test_each_sees_the_uses_of_their_cards(house: House, make: Make, houses: Callable[..., House]) -> None:
    carlas, cyrus = make("Carla"), make("Cyrus")
    mine, other = use(house, carlas), use(house, cyrus)
    for who, ids in (("Carla", [mine]), ("Rita", [mine]), ("Cyrus", [other]), ("Sam", [other, mine])):
        rows = house.get("/cards/authorizations", by=who).json()["docs"]
        assert [row["_id"] for row in rows] == [each["_id"] for each in ids]
    assert code(house.get(f"/cards/authorizations?card_id={cyrus['_id']}", by="Carla")) == (404, "not_found")
    assert houses().get("/cards/authorizations").json()["total"] == 0


def test_single_use_closes_on_the_first_approved_authorisation(house: House, make: Make) -> None:
    card = make(controls={"single_use": {"comparison": "EQUALS", "amount": 100_00}})
    assert use(house, card, 99)["code"] == "per_transaction_limit"
    assert use(house, card, 100)["approved"]
    shown = house.get(f"/cards/{card['_id']}").json()
    assert (shown["status"], shown["reason"]) == ("RETIRED", "SPENT")
    assert Event.objects.filter(business=house.business, kind="card.retired").count() == 1


def test_an_overdue_receipt_blocks_the_next_spend(house: House, make: Make) -> None:
    card = make(controls={"require_receipt_within_days": 3})
    caller, old = house.caller("Ada"), timezone.now() - timedelta(days=4)
    expense = authorize(caller, card["_id"], Swipe(100, "Java", at=old)).expense
    assert expense is not None
    declined = use(house, card)
    assert (declined["code"], declined["reason"]) == ("policy_blocked", declines.CHECKS["require_receipt_within_days"])
    house.post(f"/sandbox/businesses/{house.business.id}/receipt", {"expense_id": expense.id})
    assert expense.receipts.exists()
    assert use(house, card)["approved"]


def test_a_settled_capture_is_in_the_book(house: House, make: Make) -> None:
    done = use(house, make(), 123, settle=True)
    row = Transaction.objects.get(business=house.business, expense_id=done["expense_id"])
    assert (row.amount_minor, row.direction, row.counterparty) == (123_00, "OUT", "Java House")
    [shown] = house.get(f"/cards/{done['card_id']}/transactions", by="Carla").json()["docs"]
    assert (shown["status"], shown["amount"], shown["expense_id"]) == ("POSTED", 123, done["expense_id"])


def test_declined_over_and_over_or_in_two_countries_looks_like_fraud(house: House, make: Make) -> None:
    card = make(controls={"per_transaction_limit": 50_00})
    assert use(house, card, 5)["approved"]
    abroad = use(house, card, 5, country="NL")
    assert (abroad["code"], abroad["checks"][-1]["check"]) == ("suspected_fraud", "risk")
    assert use(house, card, 5, country="NL", channel="ECOMMERCE")["approved"]
    for _ in range(9):
        assert use(house, card, 51)["code"] == "per_transaction_limit"
    before = has(house)
    assert use(house, card, 5)["code"] == "suspected_fraud"
    assert has(house) == before, "no hold is left behind"


def test_balance(house: House, make: Make) -> None:
    limits = [{"interval": "PER_DAY", "amount": 900_00}, {"interval": "PER_MONTH", "amount": 9000_00, "mcc": ["4121"]}]
    card = make(controls={"per_transaction_limit": 500_00, "limits": limits})
    use(house, card, 300)
    shown = house.get(f"/cards/{card['_id']}/balance", by="Carla").json()
    assert (shown["held"], shown["spend"]["day"], shown["available"]) == (300, 300, 500)
    assert [(each["interval"], each["remaining"]) for each in shown["limits"]] == [
        ("PER_DAY", 600),
        ("PER_MONTH", 9000),
    ]
    use(house, card, 400, settle=True)
    assert house.get(f"/cards/{card['_id']}/balance").json()["available"] == 200
    bare = make()
    for who in ("Carla", "Rita", "Ada"):
        assert house.get(f"/cards/{bare['_id']}/balance", by=who).json()["available_minor"] == has(house)[0] - 300_00
    do(house, bare, "block")
    assert house.get(f"/cards/{bare['_id']}/balance").json()["available"] == 0


def test_a_fingerprint_says_nothing_of_the_number(house: House, make: Make) -> None:
    card, other = make(), make()
    first, again, second = (
        house.get(f"/cards/{each['_id']}/fingerprint", by="Carla").json() for each in (card, card, other)
    )
    number = card_network._number(hashlib.sha256(card["_id"].encode()).hexdigest())
    assert (len(number), number[-4:], card_network._passes(number)) == (16, card["last_four"], True)
    assert first == again
    assert first["fingerprint"] not in (second["fingerprint"], hashlib.sha256(number.encode()).hexdigest())
    assert number not in str([first, card, house.get(f"/cards/{card['_id']}").json()])


@pytest.mark.parametrize(
    "fields",
    [
        {"amount": 0}, {"amount": 1.005}, {"amount": -5}, {"merchant": ""}, {"mcc": "58"}, {"channel": "FAX"},
        {"country": "Kenya"}, {"dry_run": True, "settle": True}, {"at": "2026-01-01T00:00:00Z"}, {"at": "now"}, {"at": "9999-12-31T23:59:59Z", "dry_run": True}, {"at": "0001-01-01T00:00:00Z", "dry_run": True},
    ],
)  # fmt: skip
def test_bad_purchases(house: House, make: Make, fields: dict[str, Any]) -> None:
    body = {"card_id": make()["_id"], "amount": 5, "merchant": "Java", **fields}
    assert code(house.post("/cards/authorizations", body)) == (422, "validation_failed")
    assert not Expense.objects.filter(business=house.business).exists()
