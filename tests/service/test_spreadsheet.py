"""No cell of the service's files is run by a spreadsheet: the same signs and characters as for the dashboard's files."""

import pytest

from service.spreadsheet import safe_row, text_cell
from tests.formulas import SIGNS, UNSEEN


@pytest.mark.parametrize("sign", SIGNS)
@pytest.mark.parametrize("before", UNSEEN, ids=ascii)
def test_a_sign_at_the_beginning_gets_a_quote_in_front_whatever_stands_unseen_before_it(sign: str, before: str) -> None:
    assert text_cell(f"{before}{sign}1+1").startswith("'")


@pytest.mark.parametrize("separator", [";", "\t", "\n", "\r\n", "|"], ids=ascii)
def test_a_sign_after_what_another_locale_parts_cells_with_gets_one_too(separator: str) -> None:
    assert safe_row([f"Taxi{separator}\u0378=cmd()", None, 7]) == [f"Taxi{separator}'\u0378=cmd()", "", 7]


def test_a_quote_before_a_sign_is_no_shelter() -> None:
    # In the middle of a line another locale reads x;""=1 as the cell =1.
    assert text_cell('x;"=1') == "x;'\"=1"


@pytest.mark.parametrize("text", ["Taxi - airport", "2 + 2", "a@b.co", "KES 1,000", "", "日本－東京"])
def test_what_runs_nowhere_stays_as_it_is(text: str) -> None:
    assert text_cell(text) == text
