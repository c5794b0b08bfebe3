"""Subscriptions: made, found, changed; whose they are to see, and who may change them."""

from collections.abc import Callable
from typing import Any

import pytest

from service.events.models import Event
from tests.service.house import House, code
from tests.service.subscriptions.conftest import charge, subscription


def put(house: House, what: str, created: dict[str, Any], by: str | None = "Ada", **body: Any) -> Any:
    return house.send("PUT", f"/subscriptions/{what}", {"subscription_id": created["_id"], **body}, by=by)


def card_of(house: House, name: str) -> str:
    from service.cards.models import Card

    card = Card.objects.create(
        business=house.business, employee=house.person(name), org_wallet_ref="1", currency="KES", name="Card",
        token=f"vcn_{house.business.id}", last_four="1111", expiry_month=1, expiry_year=2031,
    )  # fmt: skip
    return card.id


def test_a_subscription_with_the_past_charges_of_its_vendor(house: House) -> None:
    old = charge(house, days_ago=10, vendor="CLOUD-CO.")
    charge(house, days_ago=5, vendor="Other")
    created = subscription(house, limit=5000)
    assert (created["status"], created["amount"], created["limit"], created["generated"]) == (
        "ACTIVE",
        1500,
        5000,
        False,
    )
    assert created["next_charge_at"] > created["last_charge_at"]
    rows = house.get(f"/subscriptions/expenses?subscription_id={created['_id']}").json()
    assert [each["_id"] for each in rows["docs"]] == [old.id]
    assert code(house.post("/subscriptions/create", {"name": "X", "vendor": "cloud co", "currency": "KES", "amount": 1})) == (
        409, "duplicate",
    )  # fmt: skip


@pytest.mark.parametrize(
    "body",
    [
        {"amount": 0},
        {"amount": 1.001},
        {"currency": "XXX"},
        {"vendor": "--"},
        {"billing_frequency": "DAILY"},
        {"team_id": "0" * 24},
        {"employee_id": "0" * 24},
        {"card_id": "0" * 24},
        {"subcategory_id": "0" * 24},
        {"limit": -1},
    ],
)
def test_what_is_wrong_is_refused(house: House, body: dict[str, Any]) -> None:
    whole = {"name": "Drive", "vendor": "Cloud Co", "currency": "KES", "amount": 1500, **body}
    assert code(house.post("/subscriptions/create", whole)) == (422, "validation_failed")


def test_found_by_name_vendor_and_status(house: House) -> None:
    created = subscription(house)
    other = subscription(house, name="Paper", vendor="Press Ltd")
    put(house, "status", other, status="PAUSED")
    for query, expected in (
        ("search=driv", created),
        ("search=PRESS", other),
        ("status=PAUSED", other),
        ("status=ACTIVE", created),
    ):
        assert [each["_id"] for each in house.get(f"/subscriptions?{query}").json()["docs"]] == [expected["_id"]]


def test_paused_and_resumed_with_its_events(house: House) -> None:
    created = subscription(house)
    paused = put(house, "status", created, status="PAUSED").json()
    assert (paused["status"], paused["next_charge_at"]) == ("PAUSED", None)
    assert put(house, "status", created, status="PAUSED").json()["version"] == paused["version"]
    assert put(house, "status", created, status="ACTIVE").json()["next_charge_at"] is not None
    kinds = Event.objects.filter(business=house.business, kind__startswith="subscription").order_by("id")
    assert [each.kind for each in kinds] == ["subscription.created", "subscription.paused", "subscription.resumed"]
    assert code(put(house, "status", created, status="GONE")) == (422, "validation_failed")


def test_team_limits_subcategory_and_employee_with_card(house: House) -> None:
    created = subscription(house)
    team = house.person("Carla").team_id
    assert put(house, "team", created, team_id=team).json()["team_id"] == team
    assert put(house, "team", created, team_id=None).json()["team_id"] is None
    limited = put(house, "limits-billing-frequency", created, limit=9000, billing_frequency="ANNUAL").json()
    assert (limited["limit"], limited["billing_frequency"]) == (9000, "ANNUAL")
    stored = put(house, "limits-billing-frequency", created, billing_frequency="WEEKLY").json()
    assert (stored["limit"], stored["billing_frequency"]) == (9000, "WEEKLY")
    assert put(house, "limits-billing-frequency", created, limit=None).json()["limit"] is None
    sub = house.opened.subcategories[0].id
    assert put(house, "subcategory", created, subcategory_id=sub).json()["subcategory_id"] == sub
    card = card_of(house, "Carla")
    given = put(house, "assign-employee", created, employee_id=house.person("Carla").id, card_id=card).json()
    assert (given["employee_id"], given["card_id"]) == (house.person("Carla").id, card)
    for body in ({"employee_id": house.person("Rita").id, "card_id": card}, {"employee_id": "0" * 24}):
        assert code(put(house, "assign-employee", created, **body)) == (422, "validation_failed")
    assert code(put(house, "team", created, team_id="0" * 24)) == (422, "validation_failed")
    assert code(put(house, "limits-billing-frequency", created)) == (422, "validation_failed")


def test_a_reviewer_sees_those_of_the_teams_they_review_now(house: House) -> None:
    from service.businesses.models import TeamReviewer

    mine = TeamReviewer.objects.filter(employee=house.person("Rita")).values_list("team_id", flat=True)[0]
    shown = subscription(house, team_id=mine)
    hidden = subscription(house, vendor="Elsewhere")
    assert [each["_id"] for each in house.get("/subscriptions", by="Rita").json()["docs"]] == [shown["_id"]]
    path = "/subscriptions/expenses?subscription_id="
    assert house.get(path + shown["_id"], by="Rita").status_code == 200
    assert code(house.get(path + hidden["_id"], by="Rita")) == (404, "not_found")
    spent = house.post("/subscriptions/amount-spent", {}, by="Rita").json()
    assert [each["subscription_id"] for each in spent["docs"]] == [shown["_id"]]
    requested = house.post("/subscriptions/amount-spent", {"subscription_ids": [hidden["_id"]]}, by="Rita").json()
    assert requested["total"] == 0


CHANGES: list[tuple[str, dict[str, Any]]] = [
    ("status", {"status": "PAUSED"}),
    ("team", {"team_id": None}),
    ("limits-billing-frequency", {"limit": 5}),
    ("assign-employee", {"employee_id": "0" * 24}),
    ("subcategory", {"subcategory_id": "0" * 24}),
]


@pytest.mark.parametrize("by", ["Carla", "Rita", "Sam"])
def test_only_approvers_and_admins_change_them(house: House, by: str) -> None:
    created = subscription(house)
    for what, body in CHANGES:
        assert code(put(house, what, created, by=by, **body)) == (403, "insufficient_role")
    assert code(house.post("/subscriptions/create", {}, by=by))[0] == 403
    assert code(house.post("/subscriptions/auto-generate", {}, by=by))[0] == 403
    for seen in (
        house.get("/subscriptions", by=by),
        house.get(f"/subscriptions/expenses?subscription_id={created['_id']}", by=by),
        house.post("/subscriptions/amount-spent", {}, by=by),
    ):
        assert seen.status_code in ({"Carla": (403,), "Rita": (200, 404), "Sam": (200,)}[by])


def test_another_business_has_no_such_subscription(house: House, houses: Callable[[], House]) -> None:
    other = subscription(houses())
    for what, body in CHANGES:
        assert code(put(house, what, other, **body)) == (404, "not_found")
    assert code(house.get(f"/subscriptions/expenses?subscription_id={other['_id']}")) == (404, "not_found")
    assert house.post("/subscriptions/amount-spent", {"subscription_ids": [other["_id"]]}).json()["total"] == 0
