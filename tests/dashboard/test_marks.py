"""The marks that keep a spreadsheet from running a cell: both programs put the same ones, and whoever reads a file of the
service takes exactly these away."""

import io
import itertools
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dashboard.journal_files.general_ledger import COLUMNS, ledger_entries
from dashboard.sheets import read_text
from dashboard.spreadsheet import rows_writer, safe_row, text_cell, unmarked
from service import spreadsheet as of_service
from tests.formulas import SIGNS, UNSEEN

SEPARATORS = ("", ";", "\t", "\n", "\r\n", "|", ";|\t")
# What nobody marked and begins as a mark does, beside what is marked.
QUOTED = ("'=1", "''=1", "' =1", "\n'=x", "\n=x", "a;'=1", "a;b'=1", "'tis", "'", "''", "a;'b", "＇=1", "'＝1")
EVERY = [
    *QUOTED,
    *(f"Taxi{between}{before}{sign}1" for between, before, sign in itertools.product(SEPARATORS, UNSEEN, SIGNS)),
    *(f"{before}{sign}1{between}{sign}" for between, before, sign in itertools.product(SEPARATORS, UNSEEN, SIGNS)),
]
TEXTS = st.text() | st.text(alphabet="=+-@;\t\"',a |\n\r\u200b＝−1")


@given(TEXTS)
@example("\n'=x")
def test_both_programs_mark_alike_and_what_is_unmarked_is_what_was_written(text: str) -> None:
    assert of_service.text_cell(text) == text_cell(text)
    assert unmarked(of_service.text_cell(text)) == text


def test_so_it_is_of_every_mark_after_every_separator() -> None:
    assert len(EVERY) > 3_000
    assert [text for text in EVERY if of_service.text_cell(text) != text_cell(text)] == []
    assert [text for text in EVERY if unmarked(of_service.text_cell(text)) != text] == []


@pytest.mark.parametrize("text", ["=1", "a;=1", "\n=x", "'=1", "\u200b＝1"])
def test_what_has_a_quote_already_gets_another(text: str) -> None:
    assert unmarked(text_cell(text)) == text
    assert text_cell(text_cell(text)) != text_cell(text)
    assert unmarked(unmarked(text_cell(text_cell(text)))) == text


def test_a_ledger_that_the_service_wrote_is_read_with_the_texts_that_were_posted(tmp_path: Path) -> None:
    path = tmp_path / "ledger.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = of_service.rows_writer(file)
        writer.writerow(COLUMNS)
        for number, text in enumerate(EVERY):
            row = [
                "2026-03-31",
                "2026-03-31T12:00:00+00:00",
                number,
                "WALLET",
                text,
                "KES",
                number,
                text,
                "TOPUP",
                text,
            ]
            writer.writerow(of_service.safe_row([*row, 5, None]))
    read = list(ledger_entries(path))
    assert [[entry.account_name, entry.ref, entry.description] for entry in read] == [[text] * 3 for text in EVERY]


def test_a_cell_of_many_empty_lines_takes_no_longer_than_one_of_letters() -> None:
    """Tried again at each of them, as it was, a reason of two thousand lines took most of a minute."""
    text = "a" + "\n" * 4000 + "x"
    code = f"from dashboard.spreadsheet import text_cell, unmarked, without_formulas as w; t = {text!r}; assert text_cell(t) == unmarked(t) == w(t) == t"
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


@pytest.mark.parametrize("name", ["=x", "-Tours", "'=x", "'tis", "a;=1"])
def test_what_is_exported_is_imported_as_it_was(name: str) -> None:
    file = io.StringIO()
    rows_writer(file).writerow(safe_row([name, "2", "3"]))
    assert read_text(file.getvalue()) == [[name, "2", "3"]]
