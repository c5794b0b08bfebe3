"""What an address may ask of a list, and that nothing it asks for breaks the page."""

import re
from datetime import UTC, datetime
from typing import Any

import pytest
from django.http import QueryDict

from dashboard.lists.query import Cursor, Query
from dashboard.pages.expenses.table import EXPENSES
from tests.dashboard.markup import markup_of
from tests.dashboard.pages.conftest import House


def read(text: str) -> Query:
    return Query.read(EXPENSES, QueryDict(text))


def test_an_address_says_the_same_after_reading_it() -> None:
    text = "status=PENDING&since=2026-01-01&q=shell+kilimani&sort=-amount&cols=who%2Crisk"
    assert read(text).query() == text
    assert read("sort=-date").query() == ""
    assert read("col=risk&col=who").query() == "cols=who%2Crisk"


@pytest.mark.parametrize(
    ("text", "name"),
    [("status=NO", "status"), ("sort=name", "sort"), ("sort=--date", "sort"), ("since=yesterday", "since"),
     ("until=2026-13-01", "until"), ("currency=K1S", "currency"), ("q=%00", "q"), ("q=" + "x" * 101, "q"),
     ("team=%00", "team")],
)  # fmt: skip
def test_what_makes_no_sense_is_told_by_name(text: str, name: str) -> None:
    assert set(read(text).problems) == {name}
    assert read(text).refused


@pytest.mark.parametrize(
    "cursor", ["", "x", "====", "MX4", str(Cursor(12, 3)), str(Cursor("a\x00", 3)), str(Cursor("2026-01-01", 3))]
)
def test_a_cursor_of_another_sort_leads_to_the_first_page(cursor: str) -> None:
    found = read(f"after={cursor}")
    assert found.cursor is None
    assert not found.refused


def test_a_cursor_survives_the_address() -> None:
    for kind, value in ((datetime, datetime(2026, 1, 2, 3, 4, 5, 678, UTC)), (int, -5), (str, "Zoë ~ Co")):
        assert Cursor.read(str(Cursor(value, 7)), kind) == Cursor(value, 7)


@pytest.mark.parametrize(
    ("searched", "currency", "minor"),
    [("1,234.5", "KES", 123_450), ("1234", "JPY", 1234), ("1.234", "KWD", 1234), ("99", "KES", 9900)],
)
def test_an_amount_is_searched_in_its_own_currencys_digits(
    house: House, searched: str, currency: str, minor: int
) -> None:
    wanted = house.expense(amount_minor=minor, currency=currency)
    for other in ("KES", "JPY", "KWD"):
        if other != currency:
            house.expense(amount_minor=minor, currency=other)
    found = Query.read(EXPENSES, _query(q=searched)).rows(house.actor("Ada"))
    assert wanted in found
    assert {one.currency for one in found} == {currency}


def _query(**values: Any) -> QueryDict:
    query = QueryDict(mutable=True)
    query.update(values)
    return query


def test_the_chosen_columns_are_those_on_the_screen(house: House) -> None:
    house.expense(risk=75)
    body = markup_of(house.browser("Ada").get(house.address("expenses/?col=risk&col=receipt")))
    assert "high 75" in body
    assert ">Receipt<" in body
    assert ">Who</th>" not in body


@pytest.mark.parametrize(
    ("given", "said"),
    [("view=all", "Any day"), ("since=2026-11-03", "From 3 Nov 2026"), ("until=2024-02-29", "To 29 Feb 2024"),
     ("since=2026-11-03&until=2026-11-09", "From 3 Nov 2026 to 9 Nov 2026"), ("since=yesterday", "Any day")],
)  # fmt: skip
def test_the_days_that_are_chosen_are_said_on_what_opens_them(house: House, given: str, said: str) -> None:
    body = markup_of(house.browser("Ada").get(house.address(f"expenses/?{given}")))
    assert f"<summary>{said}</summary>" in body
    assert body.count('type="date"') == 2


def test_a_row_has_no_blanks_between_its_cells(house: House) -> None:
    house.expense(risk=75)
    body = house.browser("Ada").get(house.address("expenses/")).content.decode()
    row = body[body.index("<tr data-row>") :]
    assert re.search(r"\s<td|</td>\s", row[: row.index("</tr>")]) is None
