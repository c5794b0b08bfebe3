"""A budget's figures in a period that has ended: what was spent in it, and what was still to be paid when it ended."""

from datetime import date, datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone

from service.bills.models import Bill, BillPayment
from service.budgets import figures
from service.businesses.models import Team
from service.categories.models import Subcategory
from service.credit_notes.models import CreditApplication
from service.expenses.models import Expense
from service.periods import day_of, start_of
from tests.service.bills.conftest import add, bill, pay, request_votes
from tests.service.bills.test_budgets import budget
from tests.service.bills.test_splits import line
from tests.service.credit_notes.test_credit_notes import credit
from tests.service.house import House, code


def month_before(house: House, months: int = 1) -> date:
    """The first day of the calendar month that many months ago."""
    first = day_of(timezone.now(), house.business).replace(day=1)
    for _ in range(months):
        first = (first - timedelta(days=1)).replace(day=1)
    return first


def noon(house: House, day: date) -> datetime:
    return start_of(day, house.business) + timedelta(hours=12)


def at(house: House, created: dict[str, Any], day: date) -> tuple[int, int, int]:
    """Committed, spent and left in the period that the day lies in, in whole units."""
    shown = house.get(f"/bills/budgets/{created['_id']}?on={day}").json()
    assert (shown["period_start"], shown["period_end"]) == tuple(str(end) for end in figures.bounds("MONTH", day))
    return shown["committed"], shown["spent"], shown["available"]


def entered(created: dict[str, Any], moment: datetime) -> None:
    Bill.objects.filter(pk=created["_id"]).update(created_at=moment)


def test_a_bill_is_committed_until_it_is_paid_and_spent_in_the_month_it_was(unmandated: House) -> None:
    house, now = unmandated, timezone.now()
    earlier, last, today = month_before(house, 2), month_before(house), day_of(now, house.business)
    created = budget(house)
    first = bill(house, 4000, budget_id=created["_id"])
    pay(request_votes(house, add(house, first, 1500).json()).json())
    entered(first, noon(house, earlier))
    BillPayment.objects.update(settled_at=noon(house, last))
    later = bill(house, 700, budget_id=created["_id"], bill_no="INV-2")
    draft = bill(house, 900, budget_id=created["_id"], bill_no="INV-3", status="DRAFT")
    entered(draft, noon(house, earlier))
    cancelled = bill(house, 50, budget_id=created["_id"], bill_no="INV-4")
    entered(cancelled, noon(house, earlier))
    assert house.post(f"/bills/{cancelled['_id']}/cancel", {"reason": "Wrong"}).status_code == 200
    assert at(house, created, earlier) == (4000, 0, 6000)
    assert at(house, created, last) == (2500, 1500, 6000)
    assert at(house, created, today) == (3200, 0, 6800)
    assert house.get(f"/bills/budgets/{created['_id']}").json()["committed"] == 3200
    assert later["status"] == "OPEN"


def test_a_credit_note_lowers_what_was_open_from_when_it_was_applied(house: House) -> None:
    earlier, last = month_before(house, 2), month_before(house)
    created = budget(house)
    first = bill(house, 1000, budget_id=created["_id"])
    entered(first, noon(house, earlier))
    assert credit(house, first, 300).status_code == 201
    CreditApplication.objects.update(created_at=noon(house, last))
    assert at(house, created, earlier)[0] == 1000
    assert at(house, created, last)[0] == 700


def test_the_shares_of_a_split_bill_fall_to_their_teams_in_the_past_too(unmandated: House) -> None:
    house, last = unmandated, month_before(unmandated)
    teams = [Team.objects.create(business=house.business, name=name, code=name).id for name in ("Sales", "Fleet")]
    mine, theirs = (budget(house, name=team, team_id=team) for team in teams)
    parts = [{"team_id": team, "percent": percent} for team, percent in zip(teams, (70, 30), strict=True)]
    first = bill(house, line_items=[line(*parts, price=1000)], budget_id=mine["_id"])
    pay(request_votes(house, add(house, first, 100).json()).json())
    entered(first, noon(house, last))
    BillPayment.objects.update(settled_at=noon(house, last))
    assert at(house, mine, last)[:2] == (630, 70)
    assert at(house, theirs, last)[:2] == (270, 30)


def test_expenses_and_their_fees_count_in_the_period_of_their_day(house: House) -> None:
    person, last = house.person("Carla"), month_before(house)
    filed = Subcategory.objects.filter(business=house.business).first()
    assert filed is not None
    of_team = budget(house, name="Team", team_id=person.team_id)
    of_category = budget(house, name="Category", category_id=filed.category_id)
    first, after = start_of(last, house.business), start_of(month_before(house, 0), house.business)
    moments = [first - timedelta(seconds=1), first, after - timedelta(seconds=1), after]
    for place, moment in enumerate(moments):
        Expense.objects.create(
            business=house.business, employee=person, team_id=person.team_id, org_wallet_ref="1", currency="KES",
            status="APPROVED", amount_minor=100_00 * 10**place, fees_minor=1_00, subcategory=filed,
            transaction_ref=f"t-{place}", transaction_date=moment, created_at=moment, updated_at=moment,
        )  # fmt: skip
    for created in (of_team, of_category):
        shown = house.get(f"/bills/budgets/{created['_id']}?on={last}").json()
        assert (shown["expenses_minor"], shown["expense_fees_minor"]) == (11_000_00, 2_00)
        assert shown["spent_minor"] == 11_002_00
        assert at(house, created, month_before(house, 2))[1] == 101
        assert at(house, created, day_of(timezone.now(), house.business))[1] == 100_001


def test_each_budget_of_the_list_is_in_its_own_period(house: House) -> None:
    last = month_before(house)
    for period in ("MONTH", "QUARTER", "YEAR"):
        budget(house, name=period, period=period)
    rows = house.get(f"/bills/budgets?on={last}").json()["docs"]
    for row in rows:
        assert (row["period_start"], row["period_end"]) == tuple(
            str(end) for end in figures.bounds(row["period"], last)
        )
    assert len(rows) == 3


@pytest.mark.parametrize("on", ["tomorrow", "2026-13-01", "20260101"])
def test_a_day_that_is_none_is_refused(house: House, on: str) -> None:
    created = budget(house)
    for path in (f"/bills/budgets?on={on}", f"/bills/budgets/{created['_id']}?on={on}"):
        assert code(house.get(path)) == (400, "invalid_parameters")


def test_a_day_that_has_not_come_is_refused(house: House) -> None:
    created = budget(house)
    tomorrow = day_of(timezone.now(), house.business) + timedelta(days=1)
    for path in (f"/bills/budgets?on={tomorrow}", f"/bills/budgets/{created['_id']}?on={tomorrow}"):
        assert code(house.get(path)) == (400, "invalid_parameters")
