"""Rates over HTTP: quotes of a minute, rates of past days, and a feed that falls silent."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.utils import timezone

from service.fx import rates
from service.fx.models import Quote, Rate
from service.ledger.post import today
from service.rails import fx_feed
from service.rails.fx_feed import FeedDownError, SimulatedFeed
from tests.service.house import House, code

RATE = {"from": "USD", "to": "KES", "amount": 100}


class Silent(SimulatedFeed):
    """A feed that does not answer."""

    def now(self, moment: datetime) -> Any:
        raise FeedDownError

    def fixing(self, day: Any) -> Any:
        raise FeedDownError


def test_a_quote_is_stored_and_promises_both_sides_for_a_minute(house: House) -> None:
    found = house.post("/fx/conversion-rate", RATE, by="Rita").json()
    row = Quote.objects.get(id=found["quote_id"])
    assert (found["side"], found["source_amount"], found["rate_applied"]) == ("SELL", 100, found["sell"])
    assert Decimal(found["sell"]) < Decimal(found["mid"]) < Decimal(found["buy"])
    assert row.expires_at - row.created_at <= timedelta(seconds=61)
    assert Decimal(str(found["target_amount"])) == (100 * Decimal(found["sell"])).quantize(
        Decimal("0.01"), "ROUND_DOWN"
    )
    assert len(found["mid"].split(".")[1]) == 10


def test_buy_fixes_what_is_received(house: House) -> None:
    found = house.post("/fx/conversion-rate", {**RATE, "side": "BUY", "amount": 1000}).json()
    assert found["target_amount"] == 1000
    assert Decimal(str(found["source_amount"])) * Decimal(found["sell"]) >= 1000


def test_without_an_amount_only_the_rate_is_promised(house: House) -> None:
    found = house.post("/fx/conversion-rate", {"from": "EUR", "to": "JPY"}).json()
    assert (found["source_amount"], found["target_amount"], found["fee"]) == (None, None, None)


def test_a_stale_feed_is_503_rate_unavailable(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    assert house.post("/fx/conversion-rate", RATE).status_code == 200
    monkeypatch.setattr(fx_feed, "feed", Silent())
    Rate.objects.update(as_of=timezone.now() - timedelta(minutes=14))
    assert house.post("/fx/conversion-rate", RATE).status_code == 200
    Rate.objects.update(as_of=timezone.now() - timedelta(minutes=16))
    answer = house.post("/fx/conversion-rate", RATE)
    assert code(answer) == (503, "rate_unavailable")
    assert answer["Retry-After"] == "30"


def test_a_past_day_has_the_rate_of_the_last_fixing(house: House) -> None:
    day = today(house.business) - timedelta(days=20)
    sunday = day - timedelta(days=(day.weekday() + 1) % 7)
    found = house.post("/fx/historic-rate", {"from": "USD", "to": "KES", "date": sunday.isoformat()}).json()
    assert found["effective_date"] == (sunday - timedelta(days=2)).isoformat()
    assert found["date"] == sunday.isoformat()
    fixed = SimulatedFeed().fixing(sunday - timedelta(days=2))
    assert fixed is not None
    assert Decimal(found["mid"]) == fixed.per_dollar["KES"].quantize(Decimal("0.0000000001"))


def test_a_kept_day_needs_no_feed(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    day = datetime.now(UTC).date() - timedelta(days=100)
    body = {"from": "USD", "to": "EUR", "date": day.isoformat()}
    first = house.post("/fx/historic-rate", body).json()
    monkeypatch.setattr(fx_feed, "feed", Silent())
    assert house.post("/fx/historic-rate", body).json() == first


def test_the_history_is_400_days_long_and_minutes_are_forgotten(db: None) -> None:
    rates.refresh()
    Rate.objects.filter(fixing=False).update(as_of=timezone.now() - timedelta(days=3))
    new = rates.remember_history()
    assert 280 <= new <= 290
    assert rates.remember_history() == 0
    assert Rate.objects.filter(fixing=False).count() == 0
    oldest = Rate.objects.order_by("day").values_list("day", flat=True).first()
    assert oldest is not None
    assert 396 <= (timezone.now().date() - oldest).days <= 400


@pytest.mark.parametrize(("days", "expected"), [(1, (400, "invalid_parameters")), (-500, (422, "validation_failed"))])
def test_a_day_to_come_is_400_and_one_too_long_ago_422(house: House, days: int, expected: tuple[int, str]) -> None:
    day = today(house.business) + timedelta(days=days)
    assert code(house.post("/fx/historic-rate", {"from": "USD", "to": "KES", "date": day.isoformat()})) == expected


def test_currencies_name_their_pairs_and_bounds(house: House) -> None:
    rows = {row["code"]: row for row in house.get("/fx/currencies", by="Sam").json()["docs"]}
    assert (rows["JPY"]["exponent"], rows["KWD"]["exponent"]) == (0, 3)
    assert set(rows["KES"]["pairs"]) == set(rows) - {"KES"}
    assert 0 < rows["KES"]["min"] < rows["KES"]["max"]


@pytest.mark.parametrize(
    "change",
    [{"to": "USD"}, {"to": "XYZ"}, {"to": "usd"}, {"amount": 0}, {"amount": 1.001}, {"amount": 10**16},
     {"amount": 0.01, "from": "KES", "to": "KWD"}, {"side": "HOLD"}, {"more": 1}, {"from": None}],
)  # fmt: skip
def test_what_cannot_be_quoted_is_422(house: House, change: dict[str, Any]) -> None:
    assert code(house.post("/fx/conversion-rate", {**RATE, **change})) == (422, "validation_failed")
    assert Quote.objects.filter(business=house.business).count() == 0


def test_a_card_user_has_no_rates(house: House) -> None:
    for answer in (
        house.post("/fx/conversion-rate", RATE, by="Carla"),
        house.post("/fx/historic-rate", {"from": "USD", "to": "KES", "date": "2026-01-05"}, by="Carla"),
        house.get("/fx/currencies", by="Carla"),
    ):
        assert code(answer) == (403, "insufficient_role")
