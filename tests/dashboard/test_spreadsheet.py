"""No cell of a file is run by a spreadsheet, whatever it is written in, whatever separator the spreadsheet reads it with."""

import csv
import io
import unicodedata
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dashboard.spreadsheet import rows_writer, safe_row, text_cell
from tests.formulas import SIGNS, UNSEEN


def written(*cells: object) -> str:
    file = io.StringIO()
    rows_writer(file).writerow(safe_row(cells))
    return file.getvalue()


@pytest.mark.parametrize("sign", SIGNS)
@pytest.mark.parametrize("before", UNSEEN, ids=ascii)
def test_a_sign_at_the_beginning_gets_a_quote_in_front_whatever_stands_unseen_before_it(sign: str, before: str) -> None:
    assert text_cell(f"{before}{sign}1+1").startswith("'")


@pytest.mark.parametrize("separator", [";", "\t", "\n", "\r\n", "|"], ids=ascii)
@pytest.mark.parametrize("sign", ["=", "＝", "\u200b=", " @"], ids=ascii)
def test_a_sign_after_what_another_locale_parts_cells_with_gets_one_too(separator: str, sign: str) -> None:
    assert text_cell(f"Taxi{separator}{sign}cmd()") == f"Taxi{separator}'{sign}cmd()"


@pytest.mark.parametrize(
    "text", ["Taxi - airport", "2 + 2", "a@b.co", "KES 1,000", "", "A=B", "Café-bar", "ﬁsh - chips", "日本－東京"]
)
def test_what_runs_nowhere_stays_as_it_is(text: str) -> None:
    assert text_cell(text) == text


def test_texts_are_quoted_numbers_are_not_and_nothing_is_an_empty_text() -> None:
    assert written("a;=b", "Taxi, bus", Decimal("-5.00"), 7, None) == '"a;\'=b","Taxi, bus",-5.00,7,""\r\n'


@given(st.text(), st.sampled_from([",", ";", "\t"]))
def test_no_reader_finds_a_cell_that_begins_like_a_formula(text: str, separator: str) -> None:
    line = written("first", text, "last")
    for row in csv.reader(io.StringIO(line, newline=""), delimiter=separator):
        for cell in row:
            seen = "".join(
                one for one in unicodedata.normalize("NFKC", cell) if one.isprintable() and not one.isspace()
            )
            assert not seen.startswith(("=", "+", "@")), (line, cell)
