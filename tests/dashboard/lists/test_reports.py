"""Reports of expenses: what the list's filters leave, summed by category and by team, scoped like the list."""

from django.http import QueryDict

from dashboard.lists.query import Query
from dashboard.pages.expenses.presenters import reports_of
from dashboard.pages.expenses.tables import EXPENSES
from tests.dashboard.markup import markup_of
from tests.dashboard.pages.conftest import House


def spent(house: House) -> None:
    for team, category, minor in (
        ("Fleet", "Travel · Fuel", 60_000), ("Fleet", "Meals", 10_000), ("Office", "Meals", 30_000), ("Office", "", 1)
    ):  # fmt: skip
        house.expense(team_name=team, team_id=team.lower(), category_name=category, amount_minor=minor)
    house.expense(currency="JPY", amount_minor=700, category_name="Meals", status="REJECTED")


def query_of(text: str = "") -> Query:
    return Query.read(EXPENSES, QueryDict(text))


def test_each_currency_by_category_and_by_team(house: House) -> None:
    spent(house)
    house.expense(currency="JPY", amount_minor=900, category_name="Meals", status="REFUNDED")
    (shillings,) = reports_of(house.actor("Ada"), query_of())
    assert (shillings.currency, shillings.measure) == ("KES", "Spent")
    assert [(group.name, group.amount, group.share) for group in shillings.categories] == [
        ("Travel · Fuel", "600.00", 60),
        ("Meals", "400.00", 40),
        ("Uncategorised", "0.01", 0),
    ]
    assert [(team.name, team.amount, [group.name for group in inside]) for team, inside in shillings.teams] == [
        ("Fleet", "700.00", ["Travel · Fuel", "Meals"]),
        ("Office", "300.01", ["Meals", "Uncategorised"]),
    ]
    assert shillings.total == "1,000.01"


def test_the_lists_filters_count_and_so_does_its_scope(house: House) -> None:
    spent(house)
    (yen,) = reports_of(house.actor("Ada"), query_of("status=REJECTED"))
    assert (yen.currency, yen.measure, yen.total, yen.count) == ("JPY", "Amount", "700", 1)
    page = markup_of(house.browser("Ada").get(house.address("expenses/reports/?status=REJECTED")))
    assert "those with this status alone" in page
    assert '<th class="num">Amount</th>' in page
    assert [team.name for team, _ in reports_of(house.actor("Rita"), query_of())[-1].teams] == ["Fleet"]
    assert reports_of(house.actor("Carla"), query_of()) == []
    body = house.browser("Carla").get(house.address("expenses/reports/")).content.decode()
    assert "Nothing to report" in body
    assert house.browser("Ada").get(house.address("expenses/reports/?status=NO")).status_code == 400
