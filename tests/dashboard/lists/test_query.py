"""What an address may ask of a list, and that nothing it asks for breaks the page."""

import re
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from django.http import QueryDict

from dashboard.lists.query import ListCursor, Query
from dashboard.pages.expenses.tables import EXPENSES
from tests.dashboard.markup import markup_of
from tests.dashboard.pages.conftest import House


def read(text: str) -> Query:
    return Query.read(EXPENSES, QueryDict(text))


def test_an_address_says_the_same_after_reading_it() -> None:
    text = "status=PENDING&since=2026-01-01&q=shell+kilimani&sort=-amount&cols=who%2Crisk"
    assert read(text).query() == text
    assert read("sort=-date").query() == ""
    assert read("col=risk&col=who").query() == "cols=who%2Crisk"
    # As the bar sends them while one types, without having chosen any.
    assert read("col=who&col=team&col=category&col=date&col=state").query() == ""


@pytest.mark.parametrize(
    ("text", "name"),
    [("status=NO", "status"), ("sort=name", "sort"), ("sort=--date", "sort"), ("since=yesterday", "since"),
     ("until=2026-13-01", "until"), ("currency=K1S", "currency"), ("q=%07", "q"), ("since=20261120", "since"), ("q=" + "x" * 101, "q"),
     ("team=a%0ab", "team")],
)  # fmt: skip
def test_what_makes_no_sense_is_told_by_name(text: str, name: str) -> None:
    assert set(read(text).problems) == {name}
    assert read(text).refused


@pytest.mark.parametrize(
    "cursor",
    ["", "x", "====", "MX4", str(ListCursor(12, 3)), str(ListCursor("a\x00", 3)), str(ListCursor("2026-01-01", 3))],
)
def test_a_cursor_of_another_sort_leads_to_the_first_page(cursor: str) -> None:
    query = read(f"after={cursor}")
    assert query.cursor is None
    assert not query.refused


def test_a_cursor_survives_the_address() -> None:
    for kind, value in ((datetime, datetime(2026, 1, 2, 3, 4, 5, 678, UTC)), (int, -5), (str, "Zoë ~ Co")):
        assert ListCursor.read(str(ListCursor(value, 7)), kind) == ListCursor(value, 7)


@pytest.mark.parametrize(
    ("searched", "currency", "minor"),
    [
        ("1,234.5", "KES", 123_450),
        ("1234", "JPY", 1234),
        ("1.234", "KWD", 1234),
        ("99", "KES", 9900),
        ("KES\xa01,234.50", "KES", 123_450),
        ("kes 99", "KES", 9900),
        ("1,234 JPY", "JPY", 1234),
    ],
)
def test_an_amount_is_searched_in_its_own_currencys_digits(
    house: House, searched: str, currency: str, minor: int
) -> None:
    expense = house.expense(amount_minor=minor, currency=currency)
    for other in ("KES", "JPY", "KWD"):
        if other != currency:
            house.expense(amount_minor=minor, currency=other)
    rows = Query.read(EXPENSES, _query(q=searched)).rows(house.actor("Ada"))
    assert expense in rows
    assert {row.currency for row in rows} == {currency}


def test_an_amount_is_searched_as_the_businesss_locale_writes_it(new_house: Callable[..., House]) -> None:
    house = new_house(locale="nl_NL")
    expense = house.expense(amount_minor=123_450, currency="EUR")
    for searched in ("1.234,50", "EUR\xa01.234,50", "1,234.50"):
        assert list(Query.read(EXPENSES, _query(q=searched)).rows(house.actor("Ada"))) == [expense]


@pytest.mark.parametrize(
    "text", ["1782214e3f", "12e45ab", "12E4f", "1e2e3", "1e5f6e7", "TX-12e45", "TX-12e45ab", "12ab", "TRX-77", "0x1f"]
)
def test_whatever_a_text_looks_like_to_the_database_it_is_found_as_it_is_written(house: House, text: str) -> None:
    expense = house.expense(merchant=text)
    house.expense(merchant="Another")
    for typed in (text, text.lower(), text[:-1]):
        assert list(Query.read(EXPENSES, _query(q=typed)).rows(house.actor("Ada"))) == [expense], typed


def test_a_search_for_no_word_finds_nothing(house: House) -> None:
    house.expense()
    assert not Query.read(EXPENSES, _query(q="!!!")).rows(house.actor("Ada")).exists()


def test_a_currency_may_be_typed_small() -> None:
    assert read("currency=kes").chosen["currency"] == "KES"


def test_what_is_not_understood_stays_in_its_field_and_nothing_is_counted(house: House) -> None:
    house.expense()
    answer = house.browser("Ada").get(house.address("expenses/?currency=K1S"))
    body = markup_of(answer)
    assert answer.status_code == 400
    field = re.search(r'<input[^>]*name="currency"[^>]*>', body)
    assert field is not None
    assert 'value="K1S"' in field[0]
    assert 'aria-describedby="problem-currency" autofocus' in field[0]
    assert 'id="problem-currency" role="alert">A currency is three letters' in body
    assert "No matches" in body
    assert "expenses/totals/" not in body


def test_what_is_no_choice_of_ones_own_does_not_look_as_if_it_were_not_chosen(house: House) -> None:
    body = markup_of(house.browser("Ada").get(house.address("expenses/?team=gone")))
    assert '<option value="gone" selected>None of these</option>' in body


def test_past_the_last_row_there_is_a_way_back(house: House) -> None:
    house.expense()
    past = ListCursor(datetime(2001, 1, 1, tzinfo=UTC), 1)
    body = markup_of(house.browser("Ada").get(house.address(f"expenses/?after={past}")))
    assert "No more expenses" in body
    assert "Back to the first page" in body


def _query(**values: Any) -> QueryDict:
    query = QueryDict(mutable=True)
    query.update(values)
    return query


def test_the_chosen_columns_are_those_on_the_screen(house: House) -> None:
    house.expense(risk=75)
    body = markup_of(house.browser("Ada").get(house.address("expenses/?col=risk&col=receipt")))
    assert "high 75" in body
    assert ">Receipt<" in body
    assert ">Employee</th>" not in body


@pytest.mark.parametrize(
    ("given", "summary"),
    [("view=all", "Any day"), ("since=2026-11-03", "From 3 Nov 2026"), ("until=2024-02-29", "To 29 Feb 2024"),
     ("since=2026-11-03&until=2026-11-09", "From 3 Nov 2026 to 9 Nov 2026"), ("since=yesterday", "Any day")],
)  # fmt: skip
def test_the_days_that_are_chosen_are_said_on_what_opens_them(house: House, given: str, summary: str) -> None:
    body = markup_of(house.browser("Ada").get(house.address(f"expenses/?{given}")))
    assert f"<summary>{summary}</summary>" in body
    assert body.count('type="date"') == 2


def test_a_row_has_no_blanks_between_its_cells(house: House) -> None:
    house.expense(risk=75)
    body = house.browser("Ada").get(house.address("expenses/")).content.decode()
    row = body[body.index("<tr data-row>") :]
    assert re.search(r"\s<td|</td>\s", row[: row.index("</tr>")]) is None
