"""Names of 216 characters in what is made to be saved: no text of a PDF leaves its page, names of files are short and those
of every browser, tables hold the whole name.

Every module that makes a PDF is in `MAKERS`, and no module but web/files.py writes how a file is saved: a new one fails here.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable
from dataclasses import replace
from email.message import Message
from pathlib import Path
from urllib.parse import unquote

import pypdfium2
import pytest
from django.http import HttpResponse
from django.utils import timezone
from openpyxl import load_workbook
from pypdfium2 import raw

from dashboard.access_reviews.models import AccessReview, ReviewedPerson
from dashboard.evidence.document import Report, report_pdf
from dashboard.lists.files import write
from dashboard.pages.access_reviews.presenters import review_pdf
from dashboard.pages.payouts.presenters.sheet import ClosingSheet, SheetRow, Sums, closing_csv
from dashboard.pages.payouts.presenters.sheet_pdf import closing_pdf
from dashboard.text_pdf import A4, MARGIN, REPLACED, SIZE, WIDTH, printable, text_pdf
from dashboard.web.files import LONGEST_NAME, file_name, save_as
from tests.dashboard.notifications.test_long_names import NAMES
from tests.dashboard.pages.conftest import House, make_house

ROOT = Path(__file__).resolve().parents[2]
BILLIONS = 123_456_789_012_345


@pytest.fixture
def house(db: None) -> House:
    return make_house()


def closing(house: House, name: str) -> bytes:
    return closing_pdf(sheet(name))


def sheet(name: str) -> ClosingSheet:
    sums = Sums(sent=BILLIONS, fees=BILLIONS)
    row = SheetRow(name, name, name, name, "Paid", name, name, name, BILLIONS, sums, (BILLIONS, BILLIONS))
    return ClosingSheet(
        title=name, number="PB-20260105-00001", currency="KES", locale="en_KE", seen="today", rows=[row] * 60, sums=sums,
        open_count=0, equal=False, postings=[name], differences=[f"Row 1, {name}"],
    )  # fmt: skip


def review(house: House, name: str) -> bytes:
    now = timezone.now()
    opened = AccessReview.objects.create(
        business=house.business, year=2026, quarter=4, opened_by=house.people["Ada"], opened_name=name, joined=[name] * 3,
        mandates_as_of="today",
    )  # fmt: skip
    house.business.name = name
    for member in house.people.values():
        ReviewedPerson.objects.create(
            review=opened, membership=member, name=name, email=f"{name[:200].encode().hex()[:200]}@people.test", role="ADMIN",
            money=[name], unused=[name], joined_at=now, verdict="KEEP", reason=name, decided_name=name, decided_role="ADMIN",
            decided_at=now,
        )  # fmt: skip
    # Once it is signed nothing of it changes.
    opened.signed_by, opened.signed_name, opened.signed_role, opened.signed_at = house.people["Ada"], name, "ADMIN", now
    opened.save()
    return review_pdf(house.business, opened)


def evidence(house: House, name: str) -> bytes:
    now = timezone.now()
    house.business.name = name
    line = {
        "at": now.isoformat(), "role": "ADMIN", "actor_name": name, "sentence": name, "outcome": "DONE", "reason": name,
        "id": 1,
    }  # fmt: skip
    return report_pdf(
        Report(
            business=house.business, title=name, author=name, at=now, notes=[name], items=[("expense", name, name, [name])],
            decisions=[(now.isoformat(), name, "ADMIN", "approve_expense", name, name, "DONE", [name])],
            rules=[(now, "spent", [("policy", name, 3, name)])], documents=[(name, "0" * 64, name)], lines=[(1, line, "0" * 64)],
            line_count=1,
            chain=name, fingerprint="0" * 64, script=f"print({name!r})\n",
        )
    )  # fmt: skip


MAKERS: dict[str, Callable[[House, str], bytes]] = {
    "dashboard/evidence/document.py": evidence,
    "dashboard/pages/access_reviews/presenters.py": review,
    "dashboard/pages/payouts/presenters/sheet_pdf.py": closing,
}


def test_every_maker_of_a_pdf_is_looked_at() -> None:
    modules = {str(file.relative_to(ROOT)): file.read_text() for file in (ROOT / "dashboard").rglob("*.py")}
    assert {name for name, text in modules.items() if re.search(r"\btext_pdf\(", text)} - {
        "dashboard/text_pdf.py"
    } == MAKERS.keys()
    assert [name for name, text in modules.items() if "PdfDocument.new" in text] == ["dashboard/text_pdf.py"]
    assert [name for name, text in modules.items() if '["Content-Disposition"]' in text] == ["dashboard/web/files.py"]


def assert_within_page(content: bytes) -> str:
    """Every piece of text stands between the margins of its page; all that is printed but the footers, without spaces."""
    printed = ""
    document = pypdfium2.PdfDocument(content)
    for page in document:
        assert page.get_size() == A4
        texts = list(page.get_objects(filter=[raw.FPDF_PAGEOBJ_TEXT], textpage=page.get_textpage()))
        for text in texts:
            left, bottom, right, top = text.get_bounds()
            assert left >= MARGIN - SIZE
            assert right <= A4[0] - MARGIN + SIZE
            assert bottom >= MARGIN - SIZE
            assert top <= A4[1] - MARGIN + SIZE
        # The footer is the last of a page.
        printed += "".join(text.extract() for text in texts[:-1])
    return re.sub(r"\s", "", printed)


@pytest.mark.parametrize("make", MAKERS.values(), ids=lambda make: make.__name__)
@pytest.mark.parametrize("kind", NAMES)
def test_no_text_of_a_pdf_leaves_its_page(house: House, make: Callable[[House, str], bytes], kind: str) -> None:
    printed = assert_within_page(make(house, NAMES[kind]))
    whole = re.sub(r"\s", "", printable(NAMES[kind]))
    assert whole in printed
    assert kind != "arabic" or "Charactersthatthisfile'sfontlacksareprintedas?" in printed


@pytest.mark.parametrize(
    "line", ["x" * 5_000, "  indented " + "word " * 400, " " * 400 + "far", "x" * WIDTH, "a\u0301" * 300]
)
def test_a_line_that_is_too_long_goes_on_below(line: str) -> None:
    printed = assert_within_page(text_pdf([line] * 3, "footer " * 60))
    assert printed.count(re.sub(r"\s", "", printable(line))) == 3


def test_amounts_that_fill_their_columns_are_parted() -> None:
    document = pypdfium2.PdfDocument(closing_pdf(sheet("Grace")))
    printed = "".join(page.get_textpage().get_text_range() for page in document)
    assert "345KES" not in printed
    assert ".45KES" not in printed


@pytest.mark.parametrize(
    "name",
    [
        *(f"{name}.pdf" for name in NAMES.values()), *NAMES.values(), "فاتورة.pdf", "Größe & Maß.csv", "a\r\nSet-Cookie: b=c.pdf",
        '../../etc/"passwd".pdf', ".pdf", "", "   ", "..", "\u202efdp.exe", "請求書" * 100 + ".xlsx", "a." + "b" * 300, "नमस्ते.pdf",
    ],
)  # fmt: skip
def test_a_file_is_saved_under_a_short_name_of_its_own(name: str) -> None:
    answer = HttpResponse()
    save_as(answer, name)
    header = answer["Content-Disposition"]
    saved = file_name(name)
    assert header.isascii()
    assert len(saved.encode()) <= LONGEST_NAME
    assert saved.strip(". ") == saved != ""
    assert not set(saved) & set('/\\"\r\n:;\u202e')
    for ending in (".pdf", ".csv", ".xlsx"):
        assert not name.endswith(ending) or saved.endswith(ending)
    read = Message()
    read["Content-Disposition"] = header
    assert (read.get_content_disposition(), len(read.get_params(header="Content-Disposition") or [])) == (
        "attachment", 2 if saved.isascii() else 3,
    )  # fmt: skip
    extended = re.search(r"filename\*=UTF-8''([\w%.\-]+)$", header)
    assert (extended is None) == saved.isascii()
    if extended:
        assert unquote(extended[1]) == saved
    else:
        assert read.get_filename() == saved


@pytest.mark.parametrize("kind", NAMES)
def test_a_table_holds_the_whole_name(kind: str, tmp_path: Path) -> None:
    name = NAMES[kind].replace("\u202e", "")
    for form in ("csv", "xlsx"):
        path = tmp_path / f"table.{form}"
        write(form, path, ["Vendor", "Amount"], [[(name, 5)]], [("Asked for", name)], print)
        if form == "csv":
            rows = list(csv.reader(path.read_text("utf-8-sig").splitlines()))
        else:
            sheet = load_workbook(path).active
            assert sheet is not None
            rows = [[str(cell) for cell in row if cell is not None] for row in sheet.iter_rows(values_only=True)]
        assert rows[1][0] == name
        assert name in rows[-1]


def test_a_closing_sheet_as_csv_holds_the_whole_name() -> None:
    name = NAMES["arabic"]
    assert closing_csv(replace(sheet(name), equal=True)).count(name) > 60
    assert REPLACED not in name
