"""The rows of a table of payments, by the plain definition of which are filled and what a cell says."""

from __future__ import annotations

import csv
import io
from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dashboard.access.models import Business
from dashboard.pages.payouts.forms.payouts import PayoutForm
from dashboard.pages.payouts.services.lines import FIELDS, PaymentLine, with_corrections
from dashboard.sheets import SheetError, read_text
from dashboard.spreadsheet import unmarked

NUMBER = count(1)
CELL = st.one_of(
    st.sampled_from(["", " ", "\t", "'=1", "'", "a'b", " x ", "1,500.50"]), st.text("ab1' \t\"\n,;-=", max_size=6)
)
ROWS = st.lists(st.lists(CELL, max_size=9), max_size=12)


@given(ROWS)
def test_a_cell_of_text_is_what_it_says_without_the_quote_of_our_own_files(rows: list[list[str]]) -> None:
    out = io.StringIO(newline="")
    csv.writer(out).writerows([["receiver", "account"], *rows])
    text = out.getvalue()
    plain = [[unmarked(cell) for cell in row] for row in csv.reader(io.StringIO(text, newline=""), strict=True)]
    assert read_text(text) == plain
    assert read_text(text, 100) == plain


@pytest.mark.django_db
@given(ROWS)
def test_the_lines_of_a_table_are_its_filled_rows_at_their_numbers(rows: list[list[str]]) -> None:
    business = Business.objects.create(slug=f"rows-{next(NUMBER)}", name="Rows")
    form = PayoutForm({}, {}, business=business, wallets=[])
    filled = [(number, row) for number, row in enumerate(rows, 2) if any(map(str.strip, row))]
    if not filled:
        with pytest.raises(SheetError, match="no payments under the first line"):
            form._lines([list(FIELDS), *rows])
        return
    plain = []
    for number, row in filled:
        line = PaymentLine(number, {name: cell.strip() for name, cell in zip(FIELDS, row, strict=False)})
        if any(cell.strip() for cell in row[len(FIELDS) :]):
            line.problems["receiver"] = "more cells than columns"
        plain.append(line)
    lines = form._lines([list(FIELDS), *rows])
    assert list(lines) == plain
    assert list(with_corrections(lines, {"name": "Wages", "rows": "x"})) == plain
    number = plain[0].number
    plain[0].values["note"] = "seen"
    corrections = {f"cell-{number}-note": " seen ", "cell-x-note": "y", "cell-1-note": "z"}
    assert list(with_corrections(lines, corrections)) == plain
