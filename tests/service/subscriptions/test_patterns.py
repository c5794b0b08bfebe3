"""Subscriptions generated from patterns with evidence: a table of histories, then over HTTP."""

from datetime import UTC, datetime, timedelta

import pytest

from service.subscriptions.models import Subscription
from service.subscriptions.patterns import Seen, proposals
from tests.service.house import House
from tests.service.subscriptions.conftest import charge, subscription

START = datetime(2026, 1, 5, tzinfo=UTC)


def seen(days: list[float], amounts: list[int], merchant: str = "Cloud Co") -> list[Seen]:
    return [
        Seen(f"e{place}", merchant, "KES", amount, START + timedelta(days=day))
        for place, (day, amount) in enumerate(zip(days, amounts, strict=True))
    ]


@pytest.mark.parametrize(
    ("days", "amounts", "frequency"),
    [
        ([0, 30, 61], [100, 100, 100], "MONTHLY"),
        ([0, 7, 14, 21], [100, 110, 95, 100], "WEEKLY"),
        ([0, 91, 183], [100, 100, 100], "QUARTERLY"),
        ([0, 365, 730], [100, 100, 100], "ANNUAL"),
        ([0, 30], [100, 100], None),  # two are none
        ([0, 30, 66], [100, 100, 100], "MONTHLY"),  # 36 days is within 15 % of the median of 33
        ([0, 30, 72], [100, 100, 100], None),  # 42 days is not within 15 % of 36
        ([0, 30, 61], [100, 120, 100], "MONTHLY"),
        ([0, 30, 61], [100, 121, 100], None),  # more than 20 % above the usual amount
        ([0, 12, 24], [100, 100, 100], None),  # regular, but no billing frequency
        ([0, 3, 33, 63, 93], [9, 500, 100, 100, 100], "MONTHLY"),  # the latest run counts
    ],
)
def test_a_table_of_histories(days: list[float], amounts: list[int], frequency: str | None) -> None:
    found = proposals(seen(days, amounts))
    assert [each.frequency for each in found] == ([frequency] if frequency else [])


def test_more_and_more_alike_is_surer() -> None:
    few = proposals(seen([0, 30, 61], [100, 118, 100]))[0]
    many = proposals(seen([30.44 * n for n in range(9)], [100] * 9))[0]
    assert 0.5 <= few.confidence < many.confidence == 1.0


def test_merchants_are_kept_apart_and_spellings_together() -> None:
    rows = seen([0, 30], [100, 100]) + seen([61], [100], "CLOUD-CO") + seen([0, 30], [100, 100], "Other")
    (found,) = proposals(rows)
    assert len(found.charges) == 3


def test_proposals_come_with_evidence_and_make_nothing_by_default(house: House) -> None:
    rows = [charge(house, days_ago=days) for days in (61, 30, 0)]
    answer = house.post("/subscriptions/auto-generate", {}).json()
    assert (answer["dry_run"], answer["created"]) == (True, [])
    (found,) = answer["proposals"]
    assert (found["vendor"], found["billing_frequency"], found["amount"]) == ("Cloud Co", "MONTHLY", 1500)
    assert found["evidence"]["expense_ids"] == [row.id for row in rows]
    assert found["evidence"]["charges"] == 3
    assert 0.5 <= found["confidence"] <= 1
    assert found["team_id"] == house.person("Carla").team_id
    assert not Subscription.objects.filter(business=house.business).exists()


def test_made_for_good_once(house: House) -> None:
    for days in (61, 30, 0):
        charge(house, days_ago=days)
    assert house.post("/subscriptions/auto-generate", {"dry_run": False, "min_confidence": 1}).json()["created"] == []
    (created,) = house.post("/subscriptions/auto-generate", {"dry_run": False}).json()["created"]
    assert (created["generated"], created["billing_frequency"]) == (True, "MONTHLY")
    assert house.get(f"/subscriptions/expenses?subscription_id={created['_id']}").json()["total"] == 3
    assert house.post("/subscriptions/auto-generate", {"dry_run": False}).json()["proposals"] == []


def test_what_is_a_subscription_already_is_not_proposed(house: House) -> None:
    for days in (61, 30, 0):
        charge(house, days_ago=days)
    subscription(house)
    assert house.post("/subscriptions/auto-generate", {}).json()["proposals"] == []
