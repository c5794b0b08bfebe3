"""What a card spends (decisions F.5): an allocation, or a wallet of the business; who says so, and what is left of it."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from service.cards.models import Card
from service.events.models import Event
from service.expenses.models import Expense
from service.ledger.balances import balance
from tests.service.cards.conftest import WIDE, Make, allocate, do, has, is_whole, use
from tests.service.house import House, code

LIMITED = {"limits": [{"interval": "PER_MONTH", "amount": 5000_00}]}
ONE_KIND = {"limits": [{"interval": "PER_MONTH", "amount": 5000_00, "mcc": ["5812"]}]}
BUSINESS = "BUSINESS_WALLET"


def new(house: House, name: str = "Carla", by: str = "Ada", **fields: Any) -> Any:
    return house.post("/cards", {"employee_id": house.person(name).id, "name": "Card", **fields}, by=by)


def change(house: House, card: dict[str, Any], by: str = "Ada", **fields: Any) -> Any:
    return house.send("PUT", f"/cards/{card['_id']}", fields, by=by)


def wallet_has(house: House, place: int = 0) -> int:
    return balance(house.opened.wallets[place].ledger_account_id).posted


@pytest.fixture(autouse=True)
def whole(db: None) -> Any:
    """The ledger is whole after each test."""
    yield
    assert is_whole()


@pytest.mark.parametrize("name", ["Carla", "Rita", "Apollo", "Abel", "Sam"])
def test_a_card_spends_its_holder_s_allocation_unless_an_admin_says_otherwise(house: House, name: str) -> None:
    card = new(house, name).json()
    assert card["funding"] == "ALLOCATION"
    assert card["allocation"] == {"available": 0, "available_minor": 0, "on_hold": 0, "on_hold_minor": 0}


@pytest.mark.parametrize("verb", ["make", "change"])
@pytest.mark.parametrize(
    ("by", "controls", "outcome"),
    [
        ("Ada", LIMITED, (200, "")),
        ("Ada", {}, (422, "validation_failed")),
        ("Ada", {"per_transaction_limit": 500}, (422, "validation_failed")),
        ("Ada", ONE_KIND, (422, "validation_failed")),
        ("Apollo", LIMITED, (403, "insufficient_role")),
        ("Sam", LIMITED, (403, "insufficient_role")),
        (None, LIMITED, (200, "")),
    ],
)
def test_an_admin_alone_lets_it_spend_a_wallet_and_only_within_a_limit_over_time(
    house: House, verb: str, by: str | None, controls: dict[str, Any], outcome: tuple[int, str]
) -> None:
    fields = {"funding": BUSINESS, "controls": controls}
    answer = new(house, by=by, **fields) if verb == "make" else change(house, new(house).json(), by=by, **fields)
    if outcome[0] == 200:
        assert (answer.json()["funding"], answer.json()["allocation"]) == (BUSINESS, None)
    else:
        assert code(answer) == outcome
        assert not Card.objects.filter(business=house.business, funding=BUSINESS).exists()
    if outcome[0] == 422:
        assert answer.json()["errors"][0]["field"] == "controls.limits"


def test_nobody_lets_their_own_card_spend_a_wallet(house: House) -> None:
    assert code(new(house, "Ada", by="Ada", funding=BUSINESS, controls=LIMITED)) == (403, "self_approval_forbidden")
    own = new(house, "Ada", by="Abel").json()
    assert code(change(house, own, funding=BUSINESS, controls=LIMITED)) == (403, "self_approval_forbidden")
    assert change(house, own, by="Abel", funding=BUSINESS, controls=LIMITED).status_code == 200


def test_the_limit_cannot_be_taken_away_while_it_spends_a_wallet(house: House) -> None:
    card = new(house, funding=BUSINESS, controls=LIMITED).json()
    for controls in ({}, ONE_KIND, {"per_transaction_limit": 5}):
        for by in ("Ada", "Apollo"):
            assert code(change(house, card, by=by, controls=controls)) == (422, "validation_failed")
    assert change(house, card, by="Apollo", controls={"limits": [WIDE]}).status_code == 200
    assert change(house, card, by="Apollo", controls={}, funding="ALLOCATION").json()["funding"] == "ALLOCATION"
    kinds = Event.objects.filter(business=house.business, kind="card.updated").order_by("id")
    assert kinds.last().payload["previous"] == {"controls": {"limits": [WIDE]}, "funding": BUSINESS}  # type: ignore[union-attr]


@pytest.mark.parametrize("controls", [{}, ONE_KIND, {"limits": []}])
def test_the_table_itself_refuses_a_card_that_spends_a_wallet_without_a_limit(
    house: House, controls: dict[str, Any]
) -> None:
    card = new(house).json()
    with pytest.raises(IntegrityError, match="card_of_business_wallet_limited"), transaction.atomic():
        Card.objects.filter(id=card["_id"]).update(funding=BUSINESS, controls=controls)


def test_beyond_the_allocation_it_is_declined_and_told_what_is_left(house: House, make: Make) -> None:
    card = make(funds=1000)
    before = wallet_has(house)
    assert use(house, card, 600, settle=True)["approved"]
    assert use(house, card, 150)["approved"]
    declined = use(house, card, 251)
    assert (declined["code"], declined["remaining"], declined["remaining_minor"]) == (
        "insufficient_allocation", 250, 250_00,
    )  # fmt: skip
    assert declined["reason"] == "The allocation that it spends does not have enough. KES 250.00 is left."
    for who in ("Carla", "Rita"):
        [published, *_] = house.get(f"/cards/authorizations?card_id={card['_id']}&status=DECLINED", by=who).json()[
            "docs"
        ]
        assert (published["remaining"], published["funding"]) == (250, "ALLOCATION")
    event = Event.objects.filter(business=house.business, kind="card_authorization.declined").latest("id")
    assert event.payload["object"]["remaining_minor"] == 250_00
    assert use(house, card, 250)["approved"]
    assert wallet_has(house) == before, "the wallet of the business pays nothing"
    assert (has(house).posted, has(house).pending_out) == (400_00, 400_00)


def test_beyond_the_wallet_it_is_declined_and_only_who_sees_wallets_is_told_what_is_left(
    house: House, make: Make
) -> None:
    card = make(funding=BUSINESS)
    declined = use(house, card, 50_000_001)
    assert (declined["code"], declined["remaining"]) == ("insufficient_funds", 50_000_000)
    for who, left in (("Carla", None), ("Rita", None), ("Ada", 50_000_000)):
        [published] = house.get(f"/cards/authorizations?card_id={card['_id']}", by=who).json()["docs"]
        assert (published["remaining"], "is left" in published["reason"]) == (left, left is not None)
        tried = use(house, card, 50_000_001, by=who, dry_run=True)
        assert tried["remaining"] == left
    event = Event.objects.get(business=house.business, kind="card_authorization.declined")
    assert event.payload["object"]["remaining"] is None


def test_an_allocation_serves_all_of_its_holder_s_cards_in_that_currency(house: House, make: Make) -> None:
    first, second, dollars = make(funds=1000), make(), make(org_wallet_ref="2")
    assert use(house, first, 700)["approved"]
    assert use(house, second, 301)["remaining"] == 300
    assert use(house, dollars, 1)["code"] == "insufficient_allocation"
    assert allocate(house, amount=50, org_wallet_ref="2").status_code == 200
    assert use(house, dollars, 50)["approved"]
    shown = {row["_id"]: row["allocation"] for row in house.get("/cards/business").json()["docs"]}
    assert [(shown[each["_id"]]["available"], shown[each["_id"]]["on_hold"]) for each in (first, second, dollars)] == [
        (300, 700), (300, 700), (0, 50),
    ]  # fmt: skip


def test_the_balance_shows_the_source(house: House, make: Make) -> None:
    card = make(funds=1000, controls={"per_transaction_limit": 800_00})
    use(house, card, 300)
    for who in ("Carla", "Rita", "Ada"):
        shown = house.get(f"/cards/{card['_id']}/balance", by=who).json()
        assert shown["source"] == {
            "funding": "ALLOCATION", "name": "Carla Kamau's allocation", "status": "ACTIVE", "available": 700,
            "available_minor": 700_00, "on_hold": 300, "on_hold_minor": 300_00,
        }  # fmt: skip
        assert shown["available"] == 700
    other = make(funding=BUSINESS, controls=LIMITED)
    for who, event in (("Carla", None), ("Rita", None), ("Sam", 49_999_000)):
        shown = house.get(f"/cards/{other['_id']}/balance", by=who).json()
        assert (shown["source"]["funding"], shown["source"]["available"]) == (BUSINESS, event)
        assert shown["available"] == 5000


def test_funds_on_hold_cannot_be_removed(house: House, make: Make) -> None:
    held = use(house, make(funds=1000), 400)
    assert code(allocate(house, amount=601, verb="remove")) == (422, "insufficient_funds")
    assert allocate(house, amount=600, verb="remove").status_code == 200
    body = {"kind": "CAPTURE", "amount": 400}
    assert house.post(f"/cards/authorizations/{held['_id']}/clearing", body).status_code == 200
    assert (has(house).posted, has(house).pending_out) == (0, 0)


@pytest.mark.parametrize("funding", ["ALLOCATION", BUSINESS])
def test_a_refund_goes_back_where_the_money_came_from(house: House, make: Make, funding: str) -> None:
    card = make(funds=1000, funding=funding)
    before = (has(house).posted, wallet_has(house))
    done = use(house, card, 300, settle=True)
    change(house, card, funding="ALLOCATION" if funding == BUSINESS else BUSINESS, controls=LIMITED)
    house.post(f"/sandbox/businesses/{house.business.id}/refund", {"expense_id": done["expense_id"]})
    assert (has(house).posted, wallet_has(house)) == before


def test_what_is_held_stays_where_it_is_held_when_the_funding_changes(house: House, make: Make) -> None:
    card = make(funds=1000)
    held = use(house, card, 300)
    change(house, card, funding=BUSINESS, controls=LIMITED)
    before = wallet_has(house)
    path = f"/cards/authorizations/{held['_id']}/clearing"
    assert house.post(path, {"kind": "INCREASE", "amount": 200}).json()["amount"] == 500
    assert house.post(path, {"kind": "CAPTURE", "amount": 600}).json()["captured"] == 600
    assert (has(house).posted, has(house).pending_out, wallet_has(house)) == (400_00, 0, before)
    assert use(house, card, 50, settle=True)["funding"] == BUSINESS
    assert wallet_has(house) == before - 50_00


def test_single_use_and_physical_cards_that_are_asked_for_spend_the_allocation(house: House) -> None:
    requested = house.post("/cards/single-use/requests", {"amount": 500, "purpose": "Taxi"}, by="Carla").json()
    done = house.send("PATCH", f"/cards/single-use/requests/{requested['_id']}", {"action": "approve"}, by="Ada").json()
    order = house.post("/cards/physical/orders/request", {"name": "Mine"}, by="Carla").json()
    for card_id in (done["card_id"], order["card"]["_id"]):
        assert house.get(f"/cards/{card_id}").json()["funding"] == "ALLOCATION"
    once = house.get(f"/cards/{done['card_id']}").json()
    assert use(house, once, 400)["code"] == "insufficient_allocation"
    assert change(house, once, funding=BUSINESS, controls={**once["controls"], "limits": [WIDE]}).status_code == 200
    assert use(house, once, 400)["approved"]
    assert use(house, once, 1)["code"] == "card_retired"


def leave(house: House, how: str) -> Any:
    body = {
        "employee_id": house.person("Carla").id, "name": "Nia Wafula", "organization_email": "nia@example.com",
        "phone_number": "+254711222333", "existing": how,
    }  # fmt: skip
    return house.post("/employees/transfer-ownership", body)


def test_a_leaver_s_allocation_stays_until_it_is_removed_and_serves_no_heir(house: House, make: Make) -> None:
    card = make(funds=1000)
    held = use(house, card, 300)
    heir = leave(house, "SUSPEND").json()
    assert use(house, card, 1)["code"] == "employee_suspended"
    path = f"/cards/authorizations/{held['_id']}/clearing"
    assert house.post(path, {"kind": "CAPTURE"}).json()["captured"] == 300
    assert allocate(house, amount=1).status_code == 409
    assert allocate(house, amount=700, verb="remove").status_code == 200
    assert has(house).posted == 0
    house.people["Nia"] = type(house.person("Carla")).objects.get(id=heir["_id"])
    created = new(house, "Nia").json()
    assert (created["funding"], created["allocation"]["available"]) == ("ALLOCATION", 0)


def test_what_comes_after_an_account_was_deleted_goes_by_the_business_s_wallet(house: House, make: Make) -> None:
    """Nobody has an allocation any more: late captures and refunds must not end on a wallet that nobody sees."""
    card = make(funds=1000)
    spent, held = use(house, card, 300, settle=True), use(house, card, 200)
    assert code(leave(house, "DELETE")) == (409, "in_use")
    path = f"/cards/authorizations/{held['_id']}/clearing"
    assert house.post(path, {"kind": "REVERSE"}).json()["status"] == "REVERSED"
    do(house, card, "retire")
    assert allocate(house, amount=700, verb="remove").status_code == 200
    assert leave(house, "DELETE").status_code in (200, 201)
    before = wallet_has(house)
    refunded = house.post(f"/sandbox/businesses/{house.business.id}/refund", {"expense_id": spent["expense_id"]})
    assert refunded.json()["status"] == "REFUNDED"
    assert wallet_has(house) == before + 300_00
    assert house.post(path, {"kind": "CAPTURE", "amount": 200}).json()["captured"] == 200
    forced = use(house, card, 40, force_post=True)
    assert Expense.objects.get(id=forced["expense_id"]).funding == ""
    assert (has(house).posted, wallet_has(house)) == (0, before + 300_00 - 240_00)


def test_a_subscription_s_charge_spends_what_its_card_spends(house: House, make: Make) -> None:
    card = make(funds=100)
    body = {"name": "Mail", "vendor": "Post Co", "currency": "KES", "amount": 60,
            "employee_id": house.person("Carla").id, "card_id": card["_id"]}  # fmt: skip
    assert house.post("/subscriptions/create", body).status_code == 201
    assert use(house, card, 60, merchant="Post Co", channel="RECURRING", settle=True)["approved"]
    declined = use(house, card, 60, merchant="Post Co", channel="RECURRING", settle=True)
    assert (declined["code"], declined["remaining"]) == ("insufficient_allocation", 40)


def test_trying_a_purchase_leaves_no_wallet_behind_and_says_the_same(house: House, make: Make) -> None:
    card = make(funds=0)
    tried = use(house, card, 5, by="Carla", dry_run=True)
    assert (tried["approved"], tried["code"], tried["remaining"]) == (False, "insufficient_allocation", 0)
    again = house.post(
        "/cards/authorizations/try", {"card_id": card["_id"], "amount": 5, "merchant": "Java"}, by="Carla"
    )
    assert again.json()["code"] == "insufficient_allocation"


def test_another_funding_is_tried_by_those_who_see_wallets_alone(house: House, make: Make) -> None:
    card = make(funds=100)
    body = {"card_id": card["_id"], "amount": 101, "merchant": "Java", "funding": BUSINESS}
    for who, said in (
        ("Ada", (200, "")),
        ("Sam", (200, "")),
        ("Carla", (403, "insufficient_role")),
        ("Rita", (403, "insufficient_role")),
    ):
        answer = house.post("/cards/authorizations/try", body, by=who)
        assert code(answer) == said if said[1] else answer.status_code == 200, who
    tried = house.post("/cards/authorizations/try", body, by="Ada").json()
    assert (tried["approved"], tried["funding"]) == (True, BUSINESS)
    assert house.post("/cards/authorizations/try", body | {"funding": None}, by="Ada").json()["remaining"] == 100
    assert house.get(f"/cards/{card['_id']}").json()["funding"] == "ALLOCATION", "nothing stays"


def test_a_page_of_cards_costs_the_same_however_many_allocations_there_are(
    house: House, make: Make, django_assert_max_num_queries: Callable[..., Any]
) -> None:
    for name in ("Carla", "Cyrus", "Chebet", "Rita"):
        make(name)
    house.get("/cards/business")
    with django_assert_max_num_queries(8):
        assert house.get("/cards/business").json()["total"] == 4
