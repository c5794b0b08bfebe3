"""A table with more rows than may be brought is refused before it is read to its end; blank rows are none; a workbook that
declares entities is none."""

import io
import zipfile

import pytest
from openpyxl import Workbook

from dashboard.sheets import SheetError, TooManyRows, read_text, read_workbook

ROW = ["Amani", "MPESA_TILL", "512345", "1"]


def workbook(filled: int, blank: int = 0) -> io.BytesIO:
    book, out = Workbook(), io.BytesIO()
    assert book.active is not None
    for _ in range(filled):
        book.active.append(ROW)
    for number in range(filled + 1, filled + blank + 1):
        # Somebody formatted these rows, and typed nothing.
        book.active.cell(number, 1).number_format = "0.00"
    book.save(out)
    out.seek(0)
    return out


def text(filled: int, blank: int = 0) -> str:
    return "\n".join([",".join(ROW)] * filled + [",,,"] * blank)


def test_as_many_rows_as_may_be_are_read() -> None:
    assert read_workbook(workbook(20), 20) == [ROW] * 20
    assert read_text(text(20), 20) == [ROW] * 20
    assert read_text(text(20)) == [ROW] * 20


def test_one_row_more_is_refused() -> None:
    with pytest.raises(TooManyRows):
        read_workbook(workbook(21), 20)
    with pytest.raises(TooManyRows):
        read_text(text(21), 20)


def test_blank_rows_do_not_count() -> None:
    assert len(read_workbook(workbook(20, blank=30), 20)) == 50
    assert len(read_text(text(20, blank=30), 20)) == 50


def test_what_comes_after_too_many_rows_is_not_looked_at() -> None:
    # A quote that is never closed is an error of its own; it stands too far behind to be reached.
    with pytest.raises(TooManyRows):
        read_text(text(30) + '\n"open', 20)


@pytest.mark.parametrize("part", ["xl/workbook.xml", "xl/worksheets/sheet1.xml"])
def test_a_workbook_that_declares_entities_is_refused(part: str) -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(workbook(2)) as good, zipfile.ZipFile(out, "w") as bad:
        for name in good.namelist():
            content = good.read(name)
            if name == part:
                root = content.index(b"<w")
                content = content[:root] + b'<!DOCTYPE w [<!ENTITY e "e">]>' + content[root:]
            bad.writestr(name, content)
    out.seek(0)
    with pytest.raises(SheetError):
        read_workbook(out)
