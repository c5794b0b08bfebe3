"""Files of a bank that cannot be taken as they are: each is told at its place, and nothing of it is kept or imported."""

from __future__ import annotations

import html
import io
from datetime import date, timedelta
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from dashboard.bank_statements.models import StatementDraft
from dashboard.web.upload_fields import LARGEST_BYTES
from dashboard.web.upload_limit import READ_ON_BYTES
from tests.dashboard.accounting.test_periods import page
from tests.dashboard.bank_statements.samples import CAMT, CSV, MT940, OFX
from tests.dashboard.conftest import World
from tests.dashboard.reconciliation.test_desk import COLUMNS, bring, camt, entries, upload, wallet

TOO_LARGE = "The file is larger than 10 MB: split it."
MB = 1024 * 1024


class Unread(io.RawIOBase):
    """A body that fails the test where anybody reads it."""

    def read(self, size: int = -1) -> bytes:
        raise AssertionError("the body was read")

    readline = read


def error_at(answer: Any, name: str) -> str:
    """What stands as an error beside a field; "" for nothing."""
    shown, mark = html.unescape(answer.content.decode()), f'id="id_{name}_error">'
    return shown[shown.index(mark) + len(mark) :].split("</span>")[0].strip() if mark in shown else ""


def test_200_mb_are_refused_unread_at_the_field(world: World) -> None:
    client = world.client("Ada")
    extra: dict[str, Any] = {
        "CONTENT_LENGTH": str(200 * MB), "CONTENT_TYPE": "multipart/form-data; boundary=b", "wsgi.input": Unread(),
    }  # fmt: skip
    answer = client.generic("POST", world.address("reconciliation/upload/"), b"", **extra)
    assert answer.status_code == 413
    assert "Import a bank statement" in page(answer)
    assert (error_at(answer, "file"), error_at(answer, "wallet")) == (TOO_LARGE, "")
    assert not StatementDraft.objects.exists()


@pytest.mark.parametrize("size", [LARGEST_BYTES + 10, LARGEST_BYTES + 3 * READ_ON_BYTES])
def test_one_that_is_cut_is_too_large_and_not_missing(world: World, size: int) -> None:
    data = {"wallet": wallet(world).remote_id, "file": SimpleUploadedFile("bank.xml", b"<" + b" " * size)}
    answer = world.client("Ada").post(world.address("reconciliation/upload/"), data)
    assert answer.status_code in {413, 422}
    assert error_at(answer, "file") == TOO_LARGE
    assert not StatementDraft.objects.exists()


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        (CAMT.replace("200.00", "two").replace("2026-03-09", "2026-02-30"), (1, 2)),
        (MT940.replace("C200,00", "Cmuch").replace(":61:260309", ":61:261309"), (1, 2)),
        (MT940.replace(":61:260309", ":61:261309"), (2,)),
        (OFX.replace("200.00", "two").replace("20260309", "20260231"), (1, 2)),
        (OFX.replace("<FITID>B2", ""), (2,)),
        (CSV.replace("05.03.2026", "x").replace("-50,50", "y"), (2, 3)),
    ],
)
def test_every_wrong_row_is_told_at_its_place_in_words_and_nothing_is_imported(
    world: World, text: str, rows: tuple[int, ...]
) -> None:
    answer = upload(world, text, name="bank.csv" if text.startswith("Buchungstag") else "bank.xml")
    client = world.client("Ada")
    if text.startswith("Buchungstag"):
        columns = {"day": "Buchungstag", "amount": "Betrag", "description": "Text", "day_format": "%d.%m.%Y"}
        assert client.post(f"{answer.url}columns/", {**COLUMNS, **columns}).status_code == 302
    shown = page(client.get(answer.url))
    told = shown[shown.index("It cannot be imported") : shown.index("Nothing was imported.")]
    assert [number for number in range(1, 9) if f"Row {number}: " in told] == list(rows)
    # In our words: of the library's own nobody can mend a file.
    assert "object at 0x" not in told
    assert "<class" not in told
    assert client.post(f"{answer.url}import/").status_code == 422
    assert world.upstream("/accounting/bank-lines")["total"] == 0


def test_another_account_blocks_and_a_gap_and_an_overlap_are_notes(world: World) -> None:
    assert bring(world, camt(world, [-5_00])).status_code == 302
    day = date.fromisoformat(entries(world)[0]["effective_on"])
    other = page(world.client("Ada").get(upload(world, camt(world, [-7_00]).replace("KE-1", "KE-2")).url))
    assert "It cannot be imported as it is. Nothing was imported." in other
    overlap = page(world.client("Ada").get(upload(world, camt(world, [-5_00, -7_00])).url))
    assert "Import 1 line" in overlap
    assert "It overlaps with bank.xml" in overlap
    before = str(day - timedelta(days=9))
    gap = page(world.client("Ada").get(upload(world, camt(world, [-7_00], -30_00).replace(str(day), before)).url))
    assert "Import 1 line" in gap
    assert f"This statement ends on {before}, the next one begins on {day}." in gap
    assert world.upstream("/accounting/bank-lines")["total"] == 1
