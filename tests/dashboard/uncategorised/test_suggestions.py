"""What is likely is a plain count of what people chose before: shown with its reason, ties beside each other, never too little."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from dashboard.categorisation.suggestions import LEAST_CHOICES, MOST_TIED, Suggestion, likeliest, suggestions_for
from dashboard.mirror.choices import categories_of
from dashboard.mirror.models import Bill, Expense, Vendor
from tests.dashboard.pages.conftest import House, make_house
from tests.dashboard.uncategorised.conftest import choose, transaction
from tests.days import business_day


def likely(house: House, item: object, name: str = "Ada") -> list[Suggestion]:
    actor = house.actor(name)
    [suggestions] = suggestions_for(actor, [item], dict(categories_of(actor))).values()  # type: ignore[list-item]
    return suggestions


def test_the_merchant_counts_first_and_the_reason_says_how_often(house: House) -> None:
    choose(house, "Meals", 11, merchant="Java House")
    choose(house, "Travel", 1, merchant="Java House")
    best, *_ = likely(house, house.expense(merchant="Java House"))
    assert (best.subcategory_id, best.count, best.total) == ("cat-meals", 11, 12)
    assert best.reason == "11 of 12 from Java House went to Costs · Meals"


def test_less_than_three_choices_say_nothing(house: House) -> None:
    choose(house, "Meals", LEAST_CHOICES - 1, merchant="Java House", team_id="other")
    assert likely(house, house.expense(merchant="Java House")) == []


def test_what_most_choices_do_not_say_is_not_likely(house: House) -> None:
    for name, times in (("Meals", 4), ("Travel", 3), ("Fuel", 3)):
        choose(house, name, times, merchant="Java House", team_id="other")
    item = house.expense(merchant="Java House")
    assert likely(house, item) == []
    choose(house, "Meals", 2, merchant="Java House", team_id="other")
    assert [(row.count, row.total) for row in likely(house, item)] == [(6, 12)]


def test_what_is_equally_frequent_is_suggested_beside_it(house: House) -> None:
    choose(house, "Meals", 2, merchant="Java House", team_id="other")
    choose(house, "Travel", 2, merchant="Java House", team_id="other")
    assert [(row.label, row.count) for row in likely(house, house.expense(merchant="Java House"))] == [
        ("Costs · Meals", 2), ("Costs · Travel", 2),
    ]  # fmt: skip


def test_where_the_merchant_says_nothing_card_and_team_do(house: House) -> None:
    choose(house, "Fuel", 3, team_id="other", payload={"card_vcn": "tok-1"}, employee_id="ann")
    choose(house, "Travel", 4, team_id="fleet")
    item = house.expense(merchant="Never seen", payload={"card_vcn": "tok-1"}, employee_id="ann")
    assert [row.reason for row in likely(house, item)] == [
        "3 of 3 with the same card went to Costs · Fuel", "4 of 4 of Fleet went to Costs · Travel",
    ]  # fmt: skip


def test_the_bills_of_a_vendor_of_that_name_count_line_by_line(house: House) -> None:
    now = timezone.now()
    Vendor.objects.create(**house._mirrored(), remote_id="v1", name="Acme Ltd", status="ACTIVE", created_at=now)
    Bill.objects.create(
        **house._mirrored() | {"payload": {"line_items": [{"subcategory_id": "cat-software"}] * 3}},
        remote_id="b1", bill_no="1", number_key="1", vendor_id="v1", vendor_name="Acme Ltd", currency="KES",
        total_minor=1, total_text="1", balance_minor=0, balance_text="0", issued_on=business_day(), due_on=business_day(),
        status="PAID", approval_status="APPROVED",
    )  # fmt: skip
    [best] = likely(house, house.expense(merchant="ACME ltd"))
    assert best.reason == "3 of 3 bill lines of ACME ltd went to Costs · Software"
    assert likely(house, house.expense(merchant="ACME ltd", employee_id=house.employee_id("Carla")), "Carla") == []


def test_a_transaction_is_suggested_by_its_counterparty(house: House) -> None:
    for _ in range(3):
        transaction(house, category_name="Travel", payload={"subcategory": {"_id": "cat-travel"}})
    [best] = likely(house, transaction(house))
    assert best.reason == "3 of 3 transactions with Savanna Farms went to Costs · Travel"


def test_what_one_may_not_see_what_is_old_and_what_is_not_approved_counts_for_nothing(house: House) -> None:
    choose(house, "Meals", 5, merchant="Java House")
    own = house.expense(merchant="Java House", employee_id=house.employee_id("Carla"))
    assert likely(house, own, "Carla") == []
    assert likely(house, own)
    Expense.objects.filter(business=house.business, status="APPROVED").update(
        transaction_date=timezone.now() - timedelta(days=400)
    )
    assert likely(house, own) == []
    choose(house, "Meals", 5, merchant="Java House", status="PENDING")
    assert likely(house, own) == []


def test_an_archived_category_is_not_suggested(house: House) -> None:
    choose(house, "Meals", 5, merchant="Java House")
    actor, item = house.actor("Ada"), house.expense(merchant="Java House")
    assert suggestions_for(actor, [item], {"cat-travel": "Costs · Travel"}) == {item.remote_id: []}


def test_fifty_items_take_as_many_queries_as_one(house: House) -> None:
    items = [house.expense(merchant=f"Shop {number}", payload={"card_vcn": f"t{number}"}) for number in range(50)]
    for number in range(50):
        choose(house, "Meals", 3, merchant=f"Shop {number}")
    actor, labels = house.actor("Ada"), dict(categories_of(house.actor("Ada")))
    with CaptureQueriesContext(connection) as few:
        suggestions_for(actor, items[:1], labels)
    with CaptureQueriesContext(connection) as many:
        assert all(suggestions_for(actor, items, labels).values())
    assert len(many) == len(few) <= 5


@given(st.dictionaries(st.sampled_from("abcdef"), st.integers(0, 9)))
def test_the_likeliest_are_the_most_frequent_and_nothing_else(counts: dict[str, int]) -> None:
    chosen = likeliest(counts)
    most = max(counts.values(), default=0)
    assert all(count == most for _, count in chosen)
    tied = [name for name in counts if counts[name] == most]
    total = sum(counts.values())
    enough = total >= LEAST_CHOICES and len(tied) <= MOST_TIED and 2 * most * len(tied) >= total
    assert sorted(name for name, _ in chosen) == (sorted(tied) if enough else [])


@pytest.mark.parametrize("seed", range(3))
def test_the_counts_of_sql_are_those_of_a_count_by_hand(house: House, seed: int, draw: Callable[..., object]) -> None:
    rows = draw(seed)
    assert isinstance(rows, list)
    for merchant, name in rows:
        choose(house, name, merchant=merchant, team_id="")
    for merchant in {merchant for merchant, _ in rows}:
        by_hand = Counter(f"cat-{name.lower()}" for other, name in rows if other == merchant)
        suggested = likely(house, house.expense(merchant=merchant, team_id=""))
        assert {(row.subcategory_id, row.count) for row in suggested} == set(likeliest(by_hand))
        assert all(row.total == sum(by_hand.values()) for row in suggested)


@pytest.fixture
def draw() -> Callable[..., object]:
    """`draw(seed)`: purchases of a few merchants, each with the category that somebody chose."""
    import random

    def drawn(seed: int) -> list[tuple[str, str]]:
        chance = random.Random(seed)
        return [
            (chance.choice(["A", "B", "C"]), chance.choice(["Meals", "Meals", "Meals", "Travel", "Fuel"]))
            for _ in range(30)
        ]

    return drawn


def test_another_business_says_nothing(house: House) -> None:
    other = make_house()
    choose(other, "Meals", 5, merchant="Java House")
    assert likely(house, house.expense(merchant="Java House")) == []
