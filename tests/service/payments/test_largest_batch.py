"""The largest payout that may be drafted can be initiated: what is weighed of its lines grows with them, not with their square."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.db import connection

from service.payments.models import Batch
from service.payments.schemas import LARGEST_BATCH
from service.risk import signals, signals_payables
from tests.service.house import House
from tests.service.payments.conftest import draft, item

# As a service in earnest has it (config/settings/base.py).
STATEMENT = "set local statement_timeout = '5s'"


def batch_of(house: House, lines: int) -> dict[str, Any]:
    """A draft of so many payments, each to another phone."""
    return draft(house, *(item(100 + number % 7, f"2547{number:08d}") for number in range(lines)))


def visited(plan: dict[str, Any]) -> int:
    """How many rows a plan reads of what the query itself has put together (its WITH), those thrown away among them. What
    it reads of tables depends on their statistics, too."""
    names = ("Actual Rows", "Rows Removed by Filter")
    own = sum(plan.get(name, 0) for name in names) * plan["Actual Loops"] if plan["Node Type"] == "CTE Scan" else 0
    return int(own) + sum(visited(below) for below in plan.get("Plans", ()))


def rows_looked_at(house: House, batch: dict[str, Any]) -> int:
    """How many such rows the risk signals of this payout look at."""
    given = {
        "keys": [Batch.objects.get(business=house.business, batch_no=batch["batch_no"]).pk],
        "business": house.business.id,
        "zone": house.business.time_zone,
        "thousands": signals.THOUSANDS,
        "documents": signals_payables.DOCUMENTS,
    }
    with connection.cursor() as cursor:
        cursor.execute(f"explain (analyze, format json) {signals._all()}", given)
        [[answer]] = cursor.fetchall()
    plan = json.loads(answer) if isinstance(answer, str) else answer
    return visited(plan[0]["Plan"])


def test_twice_the_lines_are_about_twice_the_work(house: House) -> None:
    few, many = (rows_looked_at(house, batch_of(house, lines)) for lines in (150, 300))
    assert few >= 150
    assert many < few * 3


@pytest.mark.full
def test_it_is_initiated_within_the_time_that_a_statement_has(house: House) -> None:
    batch = batch_of(house, LARGEST_BATCH)
    with connection.cursor() as cursor:
        cursor.execute(STATEMENT)
    answer = house.send("PATCH", f"/payments/{batch['batch_no']}/initiate", by="Ada")
    assert (answer.status_code, answer.json().get("status")) == (200, "PENDING_APPROVAL"), answer.json()
