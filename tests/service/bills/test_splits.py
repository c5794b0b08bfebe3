"""Lines of a bill split over teams: the shares come to the line to the cent, and the teams' budgets count them."""

from typing import Any

import pytest

from service.bills.models import Bill, LineSplit
from service.bills.splits import largest_remainders
from service.businesses.models import Team
from tests.service.bills.conftest import add, bill, pay, request_votes
from tests.service.bills.test_budgets import budget, figures
from tests.service.house import House, code


def team(house: House, name: str) -> str:
    return Team.objects.create(business=house.business, name=name, code=name).id


def line(*splits: dict[str, Any], price: float = 100, tax: float = 0, **more: Any) -> dict[str, Any]:
    return {"description": "Paper", "unit_price": price, "tax_rate": tax, "splits": list(splits), **more}


@pytest.mark.parametrize(
    ("total", "weights", "shares"),
    [
        (10_000, [3333, 3333, 3334], [3333, 3333, 3334]),
        (100, [3333, 3333, 3334], [33, 33, 34]),
        (101, [5000, 5000], [51, 50]),
        (1, [3000, 3000, 4000], [0, 0, 1]),
        (999_999_999_999, [1, 9999], [100_000_000, 999_899_999_999]),
    ],
)
def test_what_is_left_goes_to_who_lacks_most(total: int, weights: list[int], shares: list[int]) -> None:
    assert largest_remainders(total, weights) == shares
    assert sum(shares) == total


def test_percentages_come_to_the_line_with_its_tax(house: House) -> None:
    teams = [team(house, name) for name in ("Sales", "Fleet", "Office")]
    parts = [{"team_id": each, "percent": percent} for each, percent in zip(teams, (33.33, 33.33, 33.34), strict=True)]
    created = bill(house, line_items=[line(*parts, price=0.86, tax=16)])
    [shown] = created["line_items"]
    assert [share["amount_minor"] for share in shown["splits"]] == [33, 33, 34]
    assert [share["percent"] for share in shown["splits"]] == [33.33, 33.33, 33.34]
    assert sum(share["amount_minor"] for share in shown["splits"]) == created["total_minor"] == 100


def test_amounts_come_to_the_line_or_are_refused(house: House) -> None:
    first, second = team(house, "Sales"), team(house, "Fleet")
    parts = [{"team_id": first, "amount": 16}, {"team_id": second, "amount": 100}]
    created = bill(house, line_items=[line(*parts, tax=16)])
    assert [share["amount"] for share in created["line_items"][0]["splits"]] == [16, 100]
    assert created["line_items"][0]["splits"][0]["percent"] is None
    short = [line(*parts[:1], tax=16)]
    answer = house.send("PUT", f"/bills/{created['_id']}", {"line_items": short})
    assert code(answer) == (422, "validation_failed")
    assert "come to 16.00, the line with its tax to 116.00" in answer.text


@pytest.mark.parametrize(
    "parts",
    [
        [{"percent": 60}, {"percent": 30}],
        [{"percent": 50}, {"amount": 50}],
        [{"percent": 50, "amount": 50}, {"percent": 50}],
        [{}, {"percent": 100}],
        [{"percent": 0}, {"percent": 100}],
        [{"percent": 33.333}, {"percent": 66.667}],
        [{"amount": 33.333}, {"amount": 66.667}],
    ],
)
def test_shares_that_are_none_are_refused(house: House, parts: list[dict[str, Any]]) -> None:
    created = bill(house)
    sent = [part | {"team_id": team(house, f"Team {at}")} for at, part in enumerate(parts)]
    assert code(house.send("PUT", f"/bills/{created['_id']}", {"line_items": [line(*sent)]})) == (
        422,
        "validation_failed",
    )


def test_a_team_is_the_business_s_own_and_there_once(house: House, houses: Any) -> None:
    created, own, other = bill(house), team(house, "Sales"), team(houses(), "Theirs")
    for named in ([own, own], [own, other]):
        parts = [{"team_id": each, "percent": 50} for each in named]
        assert code(house.send("PUT", f"/bills/{created['_id']}", {"line_items": [line(*parts)]}))[0] == 422


def test_lines_that_are_replaced_take_their_shares_with_them(house: House) -> None:
    half = [{"team_id": team(house, name), "percent": 50} for name in ("Sales", "Fleet")]
    created = bill(house, line_items=[line(*half), line(*half)])
    assert LineSplit.objects.filter(bill_id=created["_id"]).count() == 4
    changed = house.send("PUT", f"/bills/{created['_id']}", {"line_items": [line()]}).json()
    assert changed["line_items"][0]["splits"] == []
    assert not LineSplit.objects.filter(bill_id=created["_id"]).exists()


def test_budgets_of_the_teams_count_their_shares_and_no_cent_twice(unmandated: House) -> None:
    sales, fleet = team(unmandated, "Sales"), team(unmandated, "Fleet")
    of_sales = budget(unmandated, name="Sales", team_id=sales)
    of_fleet = budget(unmandated, name="Fleet", team_id=fleet)
    whole = budget(unmandated, name="Whole")
    parts = [{"team_id": sales, "amount": 75}, {"team_id": fleet, "amount": 25}]
    # A hundred split, and a hundred that is the budget's own.
    created = bill(unmandated, line_items=[line(*parts), line()], budget_id=of_sales["_id"])
    assert figures(unmandated, of_sales)[0] == 175
    assert figures(unmandated, of_fleet)[0] == 25
    assert figures(unmandated, whole)[0] == 0
    pay(request_votes(unmandated, add(unmandated, created, 100.01).json()).json())
    spent = [figures(unmandated, each)[1] for each in (of_sales, of_fleet)]
    left = [figures(unmandated, each)[0] for each in (of_sales, of_fleet)]
    assert round(sum(spent), 2) == 100.01
    assert round(sum(left), 2) == 99.99
    assert Bill.objects.get(pk=created["_id"]).balance_minor == 9999


def test_a_budget_without_a_team_counts_all_of_its_bills(unmandated: House) -> None:
    whole = budget(unmandated, name="Whole")
    half = [{"team_id": team(unmandated, name), "percent": 50} for name in ("Sales", "Fleet")]
    bill(unmandated, line_items=[line(*half)], budget_id=whole["_id"])
    assert figures(unmandated, whole)[0] == 100
