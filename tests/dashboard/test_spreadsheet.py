"""No cell of a file is run by a spreadsheet, whatever it is written in, whatever separator the spreadsheet reads it with."""

import csv
import io
import re
import unicodedata
from datetime import UTC, date, datetime
from decimal import Decimal

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dashboard.journal_exports.formats.file import import_table
from dashboard.journal_exports.formats.registry import chosen
from dashboard.journal_exports.journal import JournalLine
from dashboard.journal_exports.mapped_lines import MappedCode, MappedLine
from dashboard.spreadsheet import rows_writer, safe_row, text_cell, without_formulas
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


def assert_runs_nowhere(written_table: str, separator: str) -> None:
    for row in csv.reader(io.StringIO(written_table, newline=""), delimiter=separator):
        for cell in row:
            seen = "".join(
                one for one in unicodedata.normalize("NFKC", cell) if one.isprintable() and not one.isspace()
            )
            # A number below nothing is one.
            assert not seen.startswith(("=", "+", "@", "-", "−")) or NUMBER.match(cell), (written_table, cell)


# Whatever there is, and the few characters that matter, thrown together.
TEXTS = st.text() | st.text(alphabet="=+-@;\t\"',a |\n\u200b＝−1")
SEPARATORS = st.sampled_from([",", ";", "\t"])
NUMBER = re.compile(r"-[0-9.]+(,|$)")


@given(TEXTS, SEPARATORS)
@example('x;"=1', ";")
def test_no_reader_finds_a_cell_that_begins_like_a_formula(text: str, separator: str) -> None:
    assert_runs_nowhere(written("first", text, "last"), separator)


@pytest.mark.parametrize("name", ["quickbooks", "xero", "sage", "erpnext", "csv"])
@given(text=TEXTS, separator=SEPARATORS)
@example(text="Taxi;=HYPERLINK(1)", separator=";")
@example(text='x;"=1', separator=";")
@example(text="=1+1", separator=",")
def test_no_file_for_a_package_has_one_either(name: str, text: str, separator: str) -> None:
    """Whoever wrote it: the merchant, the accountant's codes and names, the company."""
    day, now = date(2026, 3, 31), datetime(2026, 3, 31, tzinfo=UTC)
    lines = [
        JournalLine(
            number, day, now, 7, "CARD_SPEND", text, description, 5, number, "WALLET", text, "KES", minor, "c", "t", "x"
        )
        for number, (description, minor) in enumerate([(text, -12_50), ("", 12_50)], start=1)
    ]
    rows = [
        MappedLine(line, MappedCode(text, account), text, text, (text,)) for line in lines for account in (text, "")
    ]
    [form] = chosen([name])
    for file in form.write(rows, "stem", text):
        content = file.content.decode("utf-8-sig", "surrogatepass")
        assert_runs_nowhere(content, separator)
        table = list(csv.reader(io.StringIO(content, newline="")))
        assert name == "csv" or {len(row) for row in table} == {len(table[0])}


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Taxi;=HYPERLINK(1)", "Taxi;HYPERLINK(1)"), ("=1+1", "1+1"), ("=+-@x", "x"), ("a; ＝1|-2", "a;1|2"), ("Café - bar", "Café - bar"),
        ("a@b.co", "a@b.co"), ("", ""), ("-", ""), ("日本－東京", "日本－東京"),
    ],
)  # fmt: skip
def test_signs_are_taken_out_where_a_mark_would_be_read(text: str, left: str) -> None:
    assert without_formulas(text) == left


def test_the_cells_of_a_package_are_quoted_texts_and_bare_amounts() -> None:
    table = import_table(
        ("Account", "Debit", "Credit"), [('a;=b "c"', Decimal("-5.00"), None), ("", Decimal("1E+3"), "x")]
    )
    assert table.decode() == '"Account","Debit","Credit"\r\n"a;b ""c""",-5.00,\r\n,1000,"x"\r\n'
