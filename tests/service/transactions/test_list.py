"""Transactions are seen by role: own, the reviewed teams', all; filtered, newest first, never another business's."""

from typing import Any

import pytest

from service.sandbox import simulation
from tests.service.house import House, code
from tests.service.transactions.conftest import posted, spend, written


def ids(answer: Any) -> list[str]:
    assert answer.status_code == 200, answer.json()
    return [row["_id"] for row in answer.json()["docs"]]


def test_an_expense_is_in_the_book_with_what_it_was(house: House) -> None:
    [mine] = spend(house, "Carla")
    row = house.get(f"/transactions/{mine}", by="Carla").json()
    expense = house.get("/expenses", by="Carla").json()["docs"][0]
    assert (row["type"], row["status"], row["direction"]) == ("EXPENSE", "POSTED", "OUT")
    assert (row["amount"], row["currency"], row["counterparty"]) == (
        expense["amount"], expense["currency"], expense["receiver"],
    )  # fmt: skip
    assert (row["ref"], row["expense_id"]) == (expense["transaction_ref"], expense["_id"])
    assert row["subcategory"]["_id"] == expense["subcategory"]["_id"]
    assert row["transaction_date"] == expense["transaction_date"]


def test_rows_are_scoped_by_role(house: House) -> None:
    """Carla and Rita are in teams; Rita reviews Carla's and not Caleb's, or whoever spends elsewhere."""
    reviewed = {team.team_id for team in house.person("Rita").reviews.all()}
    people = {name: person for name, person in house.people.items() if person.role == "CARD_USER"}
    inside = next(name for name, person in people.items() if person.team_id in reviewed)
    outside = next(name for name, person in people.items() if person.team_id not in reviewed)
    [theirs], [others] = spend(house, inside), spend(house, outside)
    opening = {row["_id"] for row in house.get("/transactions?type=TOPUP").json()["docs"]}
    assert len(opening) == 2
    assert ids(house.get("/transactions", by=inside)) == [theirs]
    assert ids(house.get("/transactions", by="Rita")) == [theirs]
    for name in ("Apollo", "Ada", "Sam"):
        assert set(ids(house.get("/transactions", by=name))) == {theirs, others, *opening}
    for path in ("/transactions/{}", "/transactions/{}/tag"):
        for name in (inside, "Rita"):
            method = "POST" if path.endswith("tag") else "GET"
            body = {"subcategory_id": house.opened.subcategories[0].id} if method == "POST" else None
            answer = house.send(method, path.format(others), body, by=name)
            assert code(answer) == (404, "not_found")
    assert ids(house.get("/transactions/recent", by=outside)) == [others]


def test_filters_narrow_the_list(house: House) -> None:
    spent = spend(house, "Carla")
    waiting = written(house, type="EXPENSE")["_id"]
    assert ids(house.get("/transactions?status=PENDING")) == [waiting]
    assert set(ids(house.get("/transactions?type=EXPENSE"))) == {waiting, *spent}
    assert ids(house.get("/transactions?type=EXPENSE&direction=IN")) == []
    dollars = house.get("/transactions?currency=USD").json()["docs"]
    assert [row["org_wallet_ref"] for row in dollars] == ["2"]
    assert ids(house.get("/transactions?accountref=2")) == [dollars[0]["_id"]]
    assert code(house.get("/transactions?accountref=77")) == (404, "not_found")
    assert ids(house.get("/transactions?from=2001-01-01&to=2001-12-31")) == []


@pytest.mark.parametrize(
    "query",
    ["limit=0", "limit=1001", "page=0", "page=x", "type=GIFT", "status=GONE", "currency=usd", "from=2026-02-30",
     "from=2026-03-02&to=2026-03-01", "cursor=!!", "accountref=%00", f"page={10**30}"],
)  # fmt: skip
def test_a_wrong_parameter_is_400(house: House, query: str) -> None:
    assert code(house.get(f"/transactions?{query}")) == (400, "invalid_parameters")


def test_pages_run_through_all_of_it_once(house: House) -> None:
    spend(house, "Carla", count=7)
    seen, cursor = [], ""
    while True:
        page = house.get(f"/transactions?limit=3{cursor}").json()
        seen += [row["_id"] for row in page["docs"]]
        if not page["next_cursor"]:
            break
        cursor = f"&cursor={page['next_cursor']}"
    assert len(seen) == len(set(seen)) == 9
    assert len(ids(house.get("/transactions/recent?limit=4"))) == 4


def test_a_list_costs_the_same_however_long_it_is(house: House, django_assert_num_queries: Any) -> None:
    for count in (3, 40):
        spend(house, "Carla", count=count)
        house.get("/transactions")
        with django_assert_num_queries(5):
            house.get("/transactions")


def test_another_businesss_transactions_are_not_there(house: House, other: House) -> None:
    theirs = posted(other)
    assert theirs["_id"] not in ids(house.get("/transactions?limit=1000"))
    assert code(house.get(f"/transactions/{theirs['_id']}")) == (404, "not_found")


def test_money_from_the_bank_is_in_the_book(house: House) -> None:
    from decimal import Decimal

    simulation.top_up(house.business, "1", Decimal(750))
    [newest, *_] = house.get("/transactions/recent").json()["docs"]
    assert (newest["type"], newest["amount"], newest["channel"]) == ("TOPUP", 750, "BANK")
