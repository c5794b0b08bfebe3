"""Budgets of a category, the period they are for, and that reaching a part of one is told once in each period."""

from datetime import date
from typing import Any

import pytest
from django.utils import timezone

from service.budgets import alerts
from service.budgets.figures import bounds
from service.budgets.models import BudgetAlert
from service.categories.models import Subcategory
from service.events.models import Event
from service.expenses.models import Expense
from tests.service.house import House, code


def budget(house: House, **more: Any) -> dict[str, Any]:
    answer = house.post("/bills/budgets", {"name": "Travel", "currency": "KES", "amount": 1000, **more})
    assert answer.status_code == 201, answer.json()
    made: dict[str, Any] = answer.json()
    return made


def expense(house: House, who: str, minor: int, filed: Subcategory | None, ref: str, status: str = "APPROVED") -> None:
    now, person = timezone.now(), house.person(who)
    Expense.objects.create(
        business=house.business, employee=person, team_id=person.team_id, org_wallet_ref="1", currency="KES",
        status=status, amount_minor=minor, subcategory=filed, transaction_ref=ref, transaction_date=now,
        created_at=now, updated_at=now,
    )  # fmt: skip


def spent(house: House, made: dict[str, Any]) -> int:
    minor: int = house.get(f"/bills/budgets/{made['_id']}").json()["spent_minor"]
    return minor


def thresholds_reached(house: House) -> list[str]:
    rows = Event.objects.filter(business=house.business, kind="budget.threshold_reached").order_by("id")
    return [row.payload["object"]["_id"] for row in rows]


def test_a_category_counts_what_is_filed_under_it_and_nothing_else(house: House) -> None:
    first, second = _two_categories(house)
    carla, team = house.person("Carla"), house.person("Carla").team_id
    assert carla.team_id
    everybodys = budget(house, category_id=first.category_id)
    teams = budget(house, name="Team travel", category_id=first.category_id, team_id=team)
    whole_team = budget(house, name="Team", team_id=team)
    plain = budget(house, name="Plain")
    assert everybodys["category_name"] == first.category.name
    expense(house, "Carla", 100_00, first, "a")
    expense(house, "Carla", 10_00, second, "b")
    expense(house, "Carla", 1_00, None, "c")
    expense(house, "Carla", 9_000_00, first, "d", status="REJECTED")
    other = Expense.objects.get(transaction_ref="a")
    other.pk, other.team_id, other.transaction_ref, other.amount_minor = "0" * 23 + "7", None, "e", 5_00
    other.save(force_insert=True)
    assert spent(house, everybodys) == 105_00
    assert spent(house, teams) == 100_00
    assert spent(house, whole_team) == 111_00
    assert spent(house, plain) == 0


def test_a_category_of_nobody_is_refused(house: House) -> None:
    other = _two_categories(House())[0]
    for category_id in (other.category_id, "0" * 24):
        body = {"name": "Travel", "currency": "KES", "amount": 10, "category_id": category_id}
        assert code(house.post("/bills/budgets", body)) == (422, "validation_failed")


def test_a_part_of_the_amount_is_told_once_in_a_period_and_the_largest_alone(house: House) -> None:
    filed = _two_categories(house)[0]
    made = budget(house, category_id=filed.category_id, alert_percents=[100, 50, 50, 80])
    assert made["alert_percents"] == [50, 80, 100]
    quiet = budget(house, name="Quiet", category_id=filed.category_id, alert_percents=[])
    assert alerts.raise_due() == 0
    expense(house, "Carla", 850_00, filed, "a")
    assert alerts.raise_due() == 1
    assert alerts.raise_due() == 0
    assert thresholds_reached(house) == [made["_id"]]
    expense(house, "Carla", 150_00, filed, "b")
    alerts.raise_due()
    alerts.raise_due()
    assert thresholds_reached(house) == [made["_id"]] * 2
    BudgetAlert.objects.filter(budget_id=made["_id"]).update(period_start=date(2020, 1, 1))
    alerts.raise_due()
    assert thresholds_reached(house) == [made["_id"]] * 3
    assert quiet["_id"] not in thresholds_reached(house)
    house.send("PUT", f"/bills/budgets/{made['_id']}", {"active": False})
    BudgetAlert.objects.all().delete()
    assert alerts.raise_due() == 0


def test_a_part_of_a_greater_amount_is_told_of_once_more(house: House) -> None:
    filed = _two_categories(house)[0]
    made = budget(house, category_id=filed.category_id, alert_percents=[50, 100])
    expense(house, "Carla", 1_000_00, filed, "a")
    assert alerts.raise_due() == 1
    # Twice the amount: 50 % of it is reached still, 100 % is not.
    house.send("PUT", f"/bills/budgets/{made['_id']}", {"amount": 2_000})
    assert list(BudgetAlert.objects.filter(budget_id=made["_id"]).values_list("percent", flat=True)) == [50]
    assert alerts.raise_due() == 0
    expense(house, "Carla", 1_000_00, filed, "b")
    assert alerts.raise_due() == 1
    assert thresholds_reached(house) == [made["_id"]] * 2
    # A new name forgets nothing.
    house.send("PUT", f"/bills/budgets/{made['_id']}", {"name": "Other"})
    assert alerts.raise_due() == 0


def test_alerts_are_changed_and_emptied(house: House) -> None:
    made = budget(house)
    assert made["alert_percents"] == [80, 100]
    path = f"/bills/budgets/{made['_id']}"
    assert house.send("PUT", path, {"alert_percents": [120, 90]}).json()["alert_percents"] == [90, 120]
    assert house.send("PUT", path, {"name": "Trips"}).json()["alert_percents"] == [90, 120]
    assert house.send("PUT", path, {"alert_percents": []}).json()["alert_percents"] == []


@pytest.mark.parametrize("percents", [[0], [1001], [80.5], ["80"], [1, 2, 3, 4, 5, 6], "80"])
def test_alerts_that_are_none_are_refused(house: House, percents: Any) -> None:
    body = {"name": "Travel", "currency": "KES", "amount": 10, "alert_percents": percents}
    answer = house.post("/bills/budgets", body)
    if percents == ["80"]:
        # Numbers may be spelt as text (decisions F.7).
        assert answer.json()["alert_percents"] == [80]
    else:
        assert code(answer) == (422, "validation_failed")


@pytest.mark.parametrize(
    ("period", "day", "first", "last"),
    [
        ("MONTH", date(2026, 2, 28), date(2026, 2, 1), date(2026, 2, 28)),
        ("MONTH", date(2026, 12, 31), date(2026, 12, 1), date(2026, 12, 31)),
        ("QUARTER", date(2026, 6, 30), date(2026, 4, 1), date(2026, 6, 30)),
        ("QUARTER", date(2026, 10, 1), date(2026, 10, 1), date(2026, 12, 31)),
        ("YEAR", date(2028, 2, 29), date(2028, 1, 1), date(2028, 12, 31)),
    ],
)
def test_the_days_of_a_period(period: str, day: date, first: date, last: date) -> None:
    assert bounds(period, day) == (first, last)


def _two_categories(house: House) -> tuple[Subcategory, Subcategory]:
    rows = Subcategory.objects.filter(business=house.business).select_related("category").order_by("category_id", "id")
    first = rows.first()
    assert first is not None
    second = rows.exclude(category_id=first.category_id).first()
    assert second is not None
    return first, second
