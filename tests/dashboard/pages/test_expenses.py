"""The expenses page: scope, filters, sorting, and the page of one of them."""

from datetime import UTC, datetime

import pytest

from tests.dashboard.pages.conftest import House


def test_a_card_user_sees_only_their_own_everywhere(house: House) -> None:
    own = house.expense(merchant="Mine", employee_id=house.employee_id("Carla"))
    other = house.expense(merchant="Not mine")
    browser = house.browser("Carla")
    for address in ("expenses/", "home/recent/"):
        answer = browser.get(house.address(address), headers={"HX-Request": "true"} if "home" in address else {})
        body = answer.content.decode()
        assert "Mine" in body, address
        assert "Not mine" not in body, address
        assert "somebody-else" not in body, address
    totals = browser.get(house.address("expenses/totals/"), headers={"HX-Request": "true"}).content.decode()
    assert ">1 expense</span><span>KES" in totals
    assert browser.get(house.address(f"expenses/{own.remote_id}/")).status_code == 200
    assert browser.get(house.address(f"expenses/{other.remote_id}/")).status_code == 404
    assert browser.get(house.address(f"expenses/{other.remote_id}/receipt/r1/")).status_code == 404


def test_rows_are_sorted_by_amount_and_paged_without_a_gap(house: House) -> None:
    for number in range(70):
        house.expense(merchant=f"row {number:02}", amount_minor=(number % 7 + 1) * 100)
    browser, seen, query = house.browser("Ada"), [], "?sort=-amount"
    for _ in range(2):
        body = browser.get(house.address(f"expenses/{query}")).content.decode()
        seen += [part[:2] for part in body.split(">row ")[1:]]
        if "after=" in body:
            query = "?sort=-amount&after=" + body.split("after=")[1].split('"')[0]
    assert len(seen) == len(set(seen)) == 70
    amounts = [int(title) % 7 for title in seen]
    assert amounts == sorted(amounts, reverse=True)


@pytest.mark.parametrize(
    "query",
    [
        "status=NO",
        "sort=name",
        "since=yesterday",
        "until=2026-13-01",
        "currency=K1S",
        "q=%07",
        "since=20261120",
        "since=2026-W47-5",
    ],
)
def test_a_filter_that_makes_no_sense_is_told(house: House, query: str) -> None:
    answer = house.browser("Ada").get(house.address(f"expenses/?{query}"))
    assert answer.status_code == 400
    assert "error-list" in answer.content.decode()


def test_days_are_the_businesss_own(house: House) -> None:
    # 22:30 UTC on the 19th is the 20th in Nairobi.
    house.expense(merchant="Night train", transaction_date=datetime(2026, 11, 19, 22, 30, tzinfo=UTC))
    browser = house.browser("Ada")
    assert "Night train" in browser.get(house.address("expenses/?since=2026-11-20&until=2026-11-20")).content.decode()
    assert "Night train" not in browser.get(house.address("expenses/?until=2026-11-19")).content.decode()


def test_the_page_of_an_expense_offers_what_one_may_do(house: House) -> None:
    expense = house.expense(merchant="Fuel", notes="two cars")
    body = house.browser("Apollo").get(house.address(f"expenses/{expense.remote_id}/")).content.decode()
    assert "two cars" in body
    assert "Review expense" in body
    assert "Save notes" in body
    answer = house.browser("Apollo").post(
        house.address(f"expenses/{expense.remote_id}/category/"), {"subcategory_id": "no-such"}
    )
    assert answer.status_code == 422
    assert "Choose a category." in answer.content.decode()


def test_notes_and_their_key_stay_when_the_service_does_not_answer(house: House) -> None:
    expense = house.expense(employee_id=house.employee_id("Carla"), status="DETAILS_REQUESTED")
    form = {"notes": "Two cars, one to Mombasa", "key": "of-the-form"}
    answer = house.browser("Carla").post(house.address(f"expenses/{expense.remote_id}/notes/"), form)
    body = answer.content.decode()
    assert answer.status_code == 503
    assert "Two cars, one to Mombasa</textarea>" in body
    assert 'value="of-the-form"' in body
    assert "Nothing was changed." in body
