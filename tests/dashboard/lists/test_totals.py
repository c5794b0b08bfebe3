"""Counts and sums: exact up to ten thousand, "more than" beyond, calculated when somebody asks."""

import pytest
from django.http import QueryDict

from dashboard.lists import first_rows, totals
from dashboard.lists.query import Query
from dashboard.lists.totals import totals_of
from dashboard.pages.expenses.tables import EXPENSES
from tests.dashboard.pages.conftest import House


def query(text: str = "") -> Query:
    return Query.read(EXPENSES, QueryDict(text))


def test_sums_are_per_currency_and_of_the_filtered_rows(house: House) -> None:
    for amount, currency, status in (
        (100, "KES", "PENDING"),
        (250, "KES", "PENDING"),
        (7, "JPY", "PENDING"),
        (1, "KES", "REJECTED"),
    ):
        house.expense(amount_minor=amount, currency=currency, status=status)
    totals = totals_of(house.actor("Ada"), query("status=PENDING"), EXPENSES.noun)
    assert totals.figures == ["3 expenses", "JPY\xa07", "KES\xa03.50"]


def test_nothing_is_nothing(house: House) -> None:
    assert totals_of(house.actor("Ada"), query(), EXPENSES.noun).figures == ["0 expenses"]
    assert totals_of(house.actor("Carla"), query("team=elsewhere"), EXPENSES.noun).count == 0


@pytest.mark.parametrize("few", [-1, 1000])
def test_a_search_adds_up_the_same_among_few_rows_and_by_the_index(
    house: House, monkeypatch: pytest.MonkeyPatch, few: int
) -> None:
    monkeypatch.setattr(first_rows, "FEW", few)
    for amount, merchant in ((100, "Shell Ngong"), (250, "Shell Kilimani"), (7, "Naivas")):
        house.expense(amount_minor=amount, merchant=merchant)
    actor = house.actor("Ada")
    assert totals_of(actor, query("q=shell"), EXPENSES.noun).figures == ["2 expenses", "KES\xa03.50"]
    assert totals_of(actor, query("q=shell&status=REJECTED"), EXPENSES.noun).count == 0
    assert totals_of(actor, query("q=---"), EXPENSES.noun).count == 0
    monkeypatch.setattr(totals, "COUNTED", 1)
    assert totals_of(actor, query("q=shell"), EXPENSES.noun).figures == ["more than 1 expense"]


def test_beyond_the_limit_nothing_is_summed_until_it_is_asked_for(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(totals, "COUNTED", 3)
    for _ in range(5):
        house.expense(amount_minor=100)
    browser = house.browser("Ada")
    first = browser.get(house.address("expenses/totals/"), headers={"HX-Request": "true"}).content.decode()
    assert "more than 3 expenses" in first
    assert "Calculate" in first
    whole = browser.get(house.address("expenses/totals/?whole=1"), headers={"HX-Request": "true"}).content.decode()
    assert "5 expenses</span><span>KES" in whole
    assert "5.00" in whole


def test_without_scripts_the_totals_stand_on_the_whole_page(house: House) -> None:
    house.expense(merchant="Fuel")
    body = house.browser("Ada").get(house.address("expenses/totals/?q=fuel")).content.decode()
    assert "<span>1 expense</span>" in body
    assert "Fuel" in body
