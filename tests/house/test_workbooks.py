"""Every text of a workbook is written by dashboard/spreadsheet.py, which keeps what turns text around to its cell."""

import re

from config import ROOT

TEXTS = re.compile(r"\.write_(string|row|column|rich_string|url|formula|array_formula|comment)\(")


def test_no_other_module_writes_texts_into_a_workbook() -> None:
    files = [file for file in sorted((ROOT / "dashboard").rglob("*.py")) if "xlsxwriter" in file.read_text()]
    assert len(files) >= 2
    assert [str(file) for file in files if TEXTS.search(file.read_text())] == []
