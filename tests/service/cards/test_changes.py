"""Controls are changed by somebody else than the holder; a temporary rise falls back by itself."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from service.cards.models import Card
from service.events.models import Event
from tests.service.cards.conftest import Make, do, use
from tests.service.house import House, code


def change(house: House, card: dict[str, Any], by: str = "Ada", **body: Any) -> Any:
    return house.send("PUT", f"/cards/{card['_id']}", body, by=by)


def test_name_and_controls(house: House, make: Make) -> None:
    card = make()
    whole = {
        "mcc_blocked": ["7995"],
        "merchants_allowed": ["Java House"],
        "countries_blocked": ["US"],
        "channels_allowed": ["ECOMMERCE"],
        "per_transaction_limit": 500_00,
        "limits": [{"interval": "PER_WEEK", "amount": 900_00, "mcc": ["5812"], "counts_refunds": True}],
        "max_count": {"1h": 2, "24h": 5},
        "single_use": {"comparison": "EQUALS", "amount": 100_00},
        "active_window": {"from": "2026-01-01", "weekdays": [1, 2], "hours": {"from": "08:00", "to": "18:00"}},
        "auto_lock_at": "2030-01-01",
        "require_receipt_within_days": 7,
    }
    shown = change(house, card, name="Fuel", controls=whole, version=1).json()
    assert (shown["name"], shown["controls"], shown["version"]) == ("Fuel", whole, 2)
    event = Event.objects.get(business=house.business, kind="card.updated")
    assert event.payload["previous"] == {"name": "Carla's card", "controls": {}}
    assert change(house, card, name="Fuel").json()["version"] == 2
    assert code(change(house, card, name="Late", version=1)) == (409, "concurrent_update")


def test_not_own(house: House, make: Make) -> None:
    card = make("Ada", by="Abel")
    assert code(change(house, card, name="Mine")) == (403, "self_approval_forbidden")
    assert change(house, card, by="Apollo", name="Theirs").status_code == 200


@pytest.mark.parametrize("who", ["Carla", "Rita", "Sam"])
def test_who_changes_cards(house: House, make: Make, who: str) -> None:
    assert code(change(house, make(), by=who, name="Anew")) == (403, "insufficient_role")


def test_a_card_that_has_ended_is_not_changed(house: House, make: Make) -> None:
    card = make()
    do(house, card, "retire")
    assert code(change(house, card, name="Anew")) == (409, "invalid_state")


def rise(card_limit: int, **until: float) -> dict[str, Any]:
    moment = timezone.now() + timedelta(**until)
    return {
        "per_transaction_limit": 100_00,
        "temporary": {"per_transaction_limit": card_limit, "until": moment.isoformat()},
    }


def test_a_temporary_rise_falls_back_by_itself(house: House, make: Make) -> None:
    card = make(controls=rise(300_00, hours=1))
    assert use(house, card, 300)["approved"]
    assert use(house, card, 301)["code"] == "per_transaction_limit"
    row = Card.objects.get(pk=card["_id"])
    row.controls["temporary"]["until"] = timezone.now().isoformat()
    row.save()
    assert use(house, card, 101)["code"] == "per_transaction_limit"
    assert use(house, card, 100)["approved"]
    stored = house.get(f"/cards/{card['_id']}").json()["controls"]
    again = change(house, card, controls={**stored, "per_transaction_limit": 120_00})
    assert again.json()["controls"] == {"per_transaction_limit": 120_00}, "what is over is dropped with the next change"


def test_a_raised_limit_of_a_period(house: House, make: Make) -> None:
    limits = [{"interval": "PER_DAY", "amount": 100_00}, {"interval": "PER_WEEK", "amount": 900_00}]
    until = (timezone.now() + timedelta(hours=1)).isoformat()
    card = make(
        controls={
            "limits": limits,
            "temporary": {"limits": [{"interval": "PER_DAY", "amount": 500_00}], "until": until},
        }
    )
    assert use(house, card, 500)["approved"]
    assert use(house, card, 1)["code"] == "interval_limit"


LIMIT = {"interval": "PER_DAY", "amount": 5}


@pytest.mark.parametrize(
    "controls",
    [
        {"limits": [LIMIT, LIMIT]},
        {"limits": [{**LIMIT, "interval": "PER_HOUR"}]},
        {"max_count": {"2h": 1}},
        {"single_use": {"comparison": "GTE", "amount": 5}},
        {"active_window": {"weekdays": [0]}},
        {"active_window": {"hours": {"from": "24:00", "to": "25:00"}}},
        {"active_window": {"from": "2026-02-02", "until": "2026-02-01"}},
        {"auto_lock_at": "2026-02-30"},
        {"countries_allowed": ["Kenya"]},
        {"channels_allowed": ["FAX"]},
        {"require_receipt_within_days": 0},
        {"per_transaction_limit": 1.5},
        {"temporary": {"until": "2030-01-01T00:00:00Z"}},
        {"temporary": {"per_transaction_limit": 5, "until": "2030-01-01T00:00:00Z"}},
        {"per_transaction_limit": 9, "temporary": {"per_transaction_limit": 5, "until": "2030-01-01T00:00:00Z"}},
        {
            "limits": [LIMIT],
            "temporary": {"limits": [{**LIMIT, "interval": "PER_YEAR"}], "until": "2030-01-01T00:00:00Z"},
        },
        {"per_transaction_limit": 1, "temporary": {"per_transaction_limit": 5, "until": "2020-01-01T00:00:00Z"}},
        {"per_transaction_limit": 1, "temporary": {"per_transaction_limit": 5, "until": "2030-01-01T00:00:00"}},
    ],
)
def test_bad_controls(house: House, make: Make, controls: dict[str, Any]) -> None:
    card = make()
    assert code(change(house, card, controls=controls)) == (422, "validation_failed")
    assert code(change(house, card)) == (422, "validation_failed")
    assert Card.objects.get(pk=card["_id"]).version == 1
