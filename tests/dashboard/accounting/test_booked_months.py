"""Whichever clock a business has, and however its rows lie around the turn of a month: what the filters of a month leave is what
their plain definition leaves."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.db import connection

from dashboard.lists.query import Query
from dashboard.mirror.late import booked_in, expenses_booked_in, late_in
from dashboard.mirror.models import Expense, Transaction
from dashboard.mirror.scopes import visible_expenses, visible_transactions
from dashboard.pages.transactions.tables import TRANSACTIONS
from tests.dashboard.pages.conftest import House
from tests.dashboard.pages.conftest import house as house
from tests.dashboard.pages.conftest import new_house as new_house
from tests.dashboard.uncategorised.conftest import transaction

MONTHS = ("2026-09", "2026-10", "2026-11")
# Around the turn of October to November, by the hour and the second, and some days away.
TURN = datetime(2026, 11, 1, tzinfo=UTC)
MOMENTS = [
    *(TURN + timedelta(hours=hours) for hours in (-15, -11, -8, -3, 0, 2, 5, 12, 15)),
    *(TURN + timedelta(hours=hours, seconds=-1) for hours in (-3, 0, 8)), TURN - timedelta(days=40), TURN + timedelta(days=12),
]  # fmt: skip
POSTED = (None, date(2026, 9, 30), date(2026, 10, 1), date(2026, 10, 31), date(2026, 11, 1), date(2026, 11, 30))


def month_of(day: date) -> str:
    return f"{day:%Y-%m}"


@pytest.mark.parametrize("zone", ["Africa/Nairobi", "America/Los_Angeles", "Pacific/Kiritimati", "UTC"])
def test_a_month_of_the_books_has_just_its_rows(new_house: Callable[..., House], zone: str) -> None:
    house = new_house(time_zone=zone)
    actor, clock = house.actor("Apollo"), ZoneInfo(zone)
    rows: list[Transaction] = []
    for at, day in itertools.product(MOMENTS, POSTED):
        expense = house.expense(transaction_date=at)
        rows.append(transaction(house, type="EXPENSE", expense_id=expense.remote_id, occurred_at=at, effective_on=day))
    spent_on = dict(Expense.objects.filter(business=house.business).values_list("remote_id", "transaction_date"))

    def own(row: Transaction) -> str:
        return month_of(row.occurred_at.astimezone(clock).date())

    for month in MONTHS:
        booked = {row.pk for row in rows if (month_of(row.effective_on) if row.effective_on else own(row)) == month}
        late = {row.pk for row in rows if row.effective_on and month_of(row.effective_on) == month and own(row) < month}
        assert set(visible_transactions(actor).filter(booked_in(actor, month)).values_list("pk", flat=True)) == booked
        assert set(visible_transactions(actor).filter(late_in(actor, month)).values_list("pk", flat=True)) == late
        of_expenses = visible_expenses(actor).filter(expenses_booked_in(actor, month))
        posted = {row.expense_id: month_of(row.effective_on) for row in rows if row.effective_on}
        assert set(of_expenses.values_list("remote_id", flat=True)) == {
            remote_id
            for remote_id, at in spent_on.items()
            if posted.get(remote_id, month_of(at.astimezone(clock).date())) == month
        }


def test_what_is_no_month_has_none(house: House) -> None:
    transaction(house)
    actor = house.actor("Apollo")
    for word in ("2026-13", "x", "1960-01"):
        assert not visible_transactions(actor).filter(booked_in(actor, word) | late_in(actor, word)).exists()


# What a filter leaves of a million rows is found by an index of its own, in the order of the list: by which column.
FILTERS = {
    "status=REJECTED": "status", "type=REFUND": "type", "currency=JPY": "currency", "uncategorised=1": "category_name",
    "to_file=1": "category_name",
}  # fmt: skip
# A table of the test's own, with the same indexes: what the database knows of it is of these rows, not of another test's.
COPY = "create temporary table mirror_transaction (like public.mirror_transaction including all) on commit drop"


@pytest.mark.parametrize("query", FILTERS)
def test_a_filter_has_an_index_in_the_order_of_the_list(house: House, query: str) -> None:
    at = datetime(2026, 10, 5, 12, tzinfo=UTC)
    first: Any = transaction(house, occurred_at=at, effective_on=at.date(), type="EXPENSE", category_name="Costs")
    values = {
        field.attname: getattr(first, field.attname)
        for field in Transaction._meta.concrete_fields
        if not field.primary_key and not field.generated
    }
    with connection.cursor() as cursor:
        cursor.execute(COPY)
    Transaction.objects.bulk_create(
        Transaction(**{**values, "remote_id": f"a{number:023x}", "occurred_at": at - timedelta(minutes=number)})
        for number in range(3_000)
    )
    with connection.cursor() as cursor:
        cursor.execute("analyze mirror_transaction")
    plan = Query.parse(TRANSACTIONS, query).ordered(house.actor("Apollo"))[:51].explain()
    # The column is the index's, and so is the order.
    assert "Index Scan" in plan, plan
    assert FILTERS[query] not in plan.partition("Filter:")[2], plan
    assert "Sort" not in plan, plan
