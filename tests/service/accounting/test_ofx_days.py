"""Lines of OFX that were imported on the day of UTC are not doubled by a file that is read by the days it writes."""

from typing import Any

import pytest

from service.accounting.models import StatementLine
from tests.service.accounting.test_matches import PATH, body
from tests.service.house import House

Row = tuple[int, int, str]


def statement(house: House, rows: list[Row], name: str, form: str = "OFX", **more: Any) -> dict[str, Any]:
    """A statement of the last month: rows are days after its first, minor units and the bank's number."""
    whole = body(house, [(day, minor, "") for day, minor, _ in rows], file_name=name, source_format=form, **more)
    for line, (_, _, bank_id) in zip(whole["lines"], rows, strict=True):
        line["bank_id"] = bank_id
    return whole


def bring(house: House, rows: list[Row], name: str, form: str = "OFX") -> tuple[int, int]:
    """How many lines were new, and how many are left out."""
    answer = house.post(PATH, statement(house, rows, name, form))
    assert answer.status_code == 201, answer.json()
    return answer.json()["line_count"], answer.json()["skipped"]


def count(house: House) -> int:
    return StatementLine.objects.filter(business=house.business).count()


@pytest.mark.parametrize("apart", [-1, 1])
def test_the_same_lines_a_day_apart_are_known(house: House, apart: int) -> None:
    rows = [(5, -10_00, "20261031F1"), (6, -10_00, "20261031F2"), (6, 7_00, "20261031F3"), (9, -10_00, "20261031F4")]
    assert bring(house, [(day + apart, minor, bank) for day, minor, bank in rows], "utc.ofx") == (4, 0)
    again = statement(house, rows, "written.ofx")
    findings = house.post("/accounting/bank-statements/check", again).json()["findings"]
    assert sorted(row["number"] for row in findings if row["code"] == "known") == [1, 2, 3, 4]
    assert "alike" not in {row["code"] for row in findings}
    assert bring(house, [*rows, (12, -1_00, "20261031F5")], "written.ofx") == (1, 4)
    assert count(house) == 5
    # Downloaded once more, and once more.
    assert bring(house, [*rows, (12, -1_00, "20261031F5"), (13, -2_00, "20261031F6")], "later.ofx") == (1, 5)
    assert house.post(PATH, statement(house, rows, "written.ofx")).status_code in {200, 201}
    assert count(house) == 6


def test_what_only_resembles_them_is_imported(house: House) -> None:
    assert bring(house, [(5, -10_00, "20261031F1"), (7, -10_00, "")], "first.ofx") == (2, 0)
    # Another amount, another number, two days apart, none of the bank's numbers, and the same number beside the line itself.
    rows = [
        (6, -11_00, "20261031F1"),
        (6, -10_00, "20261031F9"),
        (7, -10_00, "20261031F1"),
        (8, -10_00, ""),
        (5, -10_00, "20261031F1"),
        (6, -10_00, "20261031F1"),
    ]
    assert bring(house, rows, "second.ofx") == (5, 1)
    assert count(house) == 7


@pytest.mark.parametrize("number", ["1", "000001", "CHG-00001", "12345"])
def test_a_number_that_a_bank_counts_anew_each_day_makes_two_days_no_one_line(house: House, number: str) -> None:
    assert bring(house, [(5, -10_00, number)], "first.ofx") == (1, 0)
    second = statement(house, [(6, -10_00, number)], "second.ofx")
    findings = house.post("/accounting/bank-statements/check", second).json()["findings"]
    assert "known" not in {row["code"] for row in findings}
    assert bring(house, [(6, -10_00, number)], "second.ofx") == (1, 0)
    assert count(house) == 2
    # On its own day it is known by whatever number the bank gives it.
    assert bring(house, [(5, -10_00, number), (6, -10_00, number)], "third.ofx") == (0, 2)


@pytest.mark.parametrize("field", ["description", "reference"])
def test_what_says_something_else_a_day_apart_is_another_line(house: House, field: str) -> None:
    assert bring(house, [(5, -10_00, "20261031F1")], "first.ofx") == (1, 0)
    other = statement(house, [(6, -10_00, "20261031F1")], "second.ofx")
    other["lines"][0][field] = "Something else"
    assert house.post(PATH, other).json()["line_count"] == 1
    assert count(house) == 2


def test_other_formats_write_the_day_of_booking(house: House) -> None:
    assert bring(house, [(5, -10_00, "20261031F1")], "first.xml", "CAMT053") == (1, 0)
    assert bring(house, [(6, -10_00, "20261031F1")], "second.xml", "CAMT053") == (1, 0)
    assert bring(house, [(7, -10_00, "20261031F1")], "third.ofx") == (1, 0)
