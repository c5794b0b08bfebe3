"""A document is opened within limits: whatever it holds, there is a sentence and nothing of ours ends."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pypdfium2
import pytest
from PIL import Image, ImageEnhance, ImageFilter

from dashboard.documents import cache, drawing, limits, process
from dashboard.documents.looks import NEAR_BITS
from dashboard.documents.opening import opened, page_picture
from dashboard.documents.readings import PROBLEMS
from tests.dashboard.documents import papers

HANG_S = 60


def test_each_page_of_a_pdf_is_drawn_as_a_picture_of_ours_in_each_width() -> None:
    content = papers.pdf(papers.INVOICE, ["Page two"])
    found = opened(content)
    assert (found.kind, found.page_count, found.sizes, found.problem) == ("pdf", 2, ((595, 842), (595, 842)), "")
    for page in (1, 2):
        for width in limits.WIDTHS:
            drawn, problem = page_picture(content, page, width, 0)
            picture = Image.open(io.BytesIO(drawn))
            assert (picture.format, picture.width, problem) == ("WEBP", width, "")
    assert page_picture(content, 1, limits.READABLE, 0)[0] != page_picture(content, 2, limits.READABLE, 0)[0]


def test_a_page_is_turned_by_quarters() -> None:
    content = papers.pdf(papers.INVOICE)
    upright, right, over = (
        Image.open(io.BytesIO(page_picture(content, 1, limits.READABLE, turns)[0])) for turns in (0, 1, 2)
    )
    assert upright.size == right.size[::-1] == over.size
    dark = [sum(picture.convert("L").crop(box).point(lambda ink: ink < 128).get_flattened_data()) for picture, box in (
        (upright, (0, 0, upright.width, 300)), (over, (0, 0, over.width, 300)),
    )]  # fmt: skip
    assert dark[0] > 0
    assert dark[1] == 0


def test_a_photograph_stands_upright_as_the_camera_was_held_and_says_nothing_else_of_it() -> None:
    content = papers.photograph(["TOTAL KES 1,248.00"], size=(600, 400), orientation=6)
    assert opened(content).sizes == ((400, 600),)
    picture = Image.open(io.BytesIO(page_picture(content, 1, limits.READABLE, 0)[0]))
    assert picture.size == (400, 600)
    assert not picture.getexif()


def test_what_lets_something_through_is_drawn_on_white() -> None:
    out = io.BytesIO()
    Image.new("RGBA", (50, 50), (0, 0, 0, 0)).save(out, "PNG")
    picture = Image.open(io.BytesIO(page_picture(out.getvalue(), 1, limits.READABLE, 0)[0])).convert("RGB")
    assert all(channel > 250 for channel in picture.getpixel((25, 25)))  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (papers.changed(papers.pdf(papers.INVOICE), password="let me in"), "encrypted"),
        (papers.pdf(papers.INVOICE)[:200], "broken"),
        (b"%PDF-1.7\n" + os.urandom(4000), "broken"),
        (b"\x89PNG\r\n\x1a\n" + os.urandom(400), "broken"),
        (papers.photograph(["x"])[:300], "broken"),
        (papers.picture_bomb(), "pixels"),
        (b"PK\x03\x04" + os.urandom(400), "kind"),
        (b"Name;Amount\nTyres;1248.00\n", "kind"),
        (b"", "kind"),
        (b"<html><script>alert(1)</script></html>", "kind"),
        (b"%PDF-" + bytes(limits.MOST_BYTES), "bytes"),
    ],
    ids=[
        "password",
        "truncated",
        "noise",
        "png-noise",
        "half-a-jpeg",
        "picture-bomb",
        "zip",
        "csv",
        "nothing",
        "html",
        "too-many-bytes",
    ],
)
def test_what_cannot_be_shown_ends_in_a_sentence(content: bytes, problem: str) -> None:
    found = opened(content)
    assert found.problem == problem
    assert PROBLEMS[found.problem].endswith(".")
    assert page_picture(content, 1, limits.READABLE, 0) == (b"", problem)


def test_a_page_without_end_is_stopped_in_time_and_the_next_document_is_opened() -> None:
    began = time.monotonic()
    found = opened(papers.content_bomb())
    assert found.problem == "costly"
    assert time.monotonic() - began < HANG_S
    assert opened(papers.pdf(papers.INVOICE)).problem == ""


def test_of_five_hundred_pages_the_first_are_shown() -> None:
    content = papers.pdf(*([f"Page {number}", ("Total", f"{number}.00")] for number in range(1, 501)))
    found = opened(content)
    assert (found.page_count, len(found.sizes), found.problem) == (500, limits.MOST_PAGES, "")
    assert found.reading.total is not None
    assert found.reading.total.text == "500.00", "the sum stands on the last page"
    assert page_picture(content, limits.MOST_PAGES, limits.THUMBNAIL, 0)[0]
    assert page_picture(content, limits.MOST_PAGES + 1, limits.THUMBNAIL, 0) == (b"", "page")


@pytest.mark.parametrize("size", [(14_400, 10), (10, 14_400), (14_400, 14_400), (1, 1)])
def test_no_page_is_drawn_larger_than_it_may_be(size: tuple[int, int]) -> None:
    drawn, problem = page_picture(papers.pdf(["x"], size=size), 1, limits.ENLARGED, 0)
    assert not problem
    picture = Image.open(io.BytesIO(drawn))
    assert picture.width * picture.height <= limits.MOST_PAGE_PIXELS * 1.01
    assert max(picture.size) <= limits.LONGEST_SIDE


def test_the_program_has_no_secret_of_ours_and_writes_no_file(tmp_path: Path) -> None:
    source = (
        "import os, sys, resource; from dashboard.documents import program; sys.argv = ['x', 'open'];"
        "program.main(); sys.stderr.write(repr(sorted(os.environ)) + repr(resource.getrlimit(resource.RLIMIT_FSIZE)));"
        f"sys.stderr.flush(); os.write(os.open({str(tmp_path / 'written')!r}, os.O_CREAT | os.O_WRONLY), b'x' * 100)"
    )
    ended = subprocess.run(
        [sys.executable, "-s", "-c", source], input=papers.pdf(papers.INVOICE), capture_output=True, cwd=process.ROOT,
        env={"PYTHONDONTWRITEBYTECODE": "1", "MALLOC_ARENA_MAX": "2"}, timeout=HANG_S, check=False,
    )  # fmt: skip
    assert b"SECRET_KEY" not in ended.stderr
    assert b"DATABASE_URL" not in ended.stderr
    assert b"(0, 0)" in ended.stderr
    assert ended.returncode != 0
    assert not (tmp_path / "written").exists() or (tmp_path / "written").read_bytes() == b""


def test_scripts_in_a_pdf_find_no_engine(tmp_path: Path) -> None:
    plain = papers.pdf(papers.INVOICE)
    scripted = papers.changed(plain, script="app.alert('run'); this.getField('x').value = 1;")
    assert b"/JavaScript" in scripted
    assert "V8" not in pypdfium2.PDFIUM_INFO.flags
    assert "XFA" not in pypdfium2.PDFIUM_INFO.flags
    assert page_picture(scripted, 1, limits.READABLE, 0) == page_picture(plain, 1, limits.READABLE, 0)


def test_more_documents_at_once_than_there_are_turns_wait_and_the_last_one_hears_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(limits, "TURN_S", 0.05)
    bomb, found = papers.content_bomb(), []
    threads = [
        threading.Thread(target=lambda: found.append(process.open_document(bomb))) for _ in range(limits.AT_ONCE)
    ]
    for thread in threads:
        thread.start()
    time.sleep(0.5)
    assert process.open_document(papers.pdf(papers.INVOICE)).opened.problem == "busy"
    for thread in threads:
        thread.join(HANG_S)
    assert [answer.opened.problem for answer in found] == ["costly"] * limits.AT_ONCE


def test_what_is_stored_never_grows_past_its_size_and_what_was_used_last_stays(
    settings: Any, documents_folder: Path
) -> None:
    settings.DOCUMENTS_CACHE_BYTES = 100_000
    names = [cache.digest(str(number)) for number in range(20)]
    for number, name in enumerate(names):
        cache.store(name, bytes(10_000))
        os.utime(documents_folder / name[:2] / name, ns=(number, number))
        if number > 2:
            assert cache.load(names[0]) is not None, "it was used again each time"
        assert sum(path.stat().st_size for path in documents_folder.glob("*/*")) <= 100_000
    assert cache.load(names[-1]) is not None
    assert cache.load(names[1]) is None
    cache.store(cache.digest("large"), bytes(50_000))
    assert cache.load(cache.digest("large")) is None, "one alone must not empty it"


def test_nobody_else_reads_what_is_stored(documents_folder: Path) -> None:
    cache.store(cache.digest("x"), b"x")
    for path in (documents_folder, *documents_folder.glob("*"), *documents_folder.glob("*/*")):
        assert path.stat().st_mode & 0o077 == 0, path


def test_copies_of_a_picture_look_alike_and_other_pictures_do_not() -> None:
    words = [
        "OTIENO & SONS LTD",
        "Invoice 2291",
        "Paper A4  550.00",
        "Toner  525.86",
        "VAT 16 %  172.14",
        "Total 1248.00",
    ]
    picture = Image.open(io.BytesIO(papers.photograph(words, size=(900, 1200))))
    look = int(drawing.look_of(picture), 16)

    def bits_apart(other: Image.Image) -> int:
        return (int(drawing.look_of(other), 16) ^ look).bit_count()

    copies = [
        picture.resize((450, 600)), picture.filter(ImageFilter.GaussianBlur(1)), ImageEnhance.Brightness(picture).enhance(0.8),
    ]  # fmt: skip
    assert all(bits_apart(copy) <= NEAR_BITS for copy in copies), [bits_apart(copy) for copy in copies]
    for other in (
        ["OTIENO & SONS LTD", "Invoice 2292", "Staples  55.00", "Total 63.80"],
        [*words, "Thank you for your order"],
    ):
        assert bits_apart(Image.open(io.BytesIO(papers.photograph(other, size=(900, 1200))))) > NEAR_BITS, other
    # Of an empty sheet nothing is said: each looks like any other.
    assert drawing.look_of(Image.new("RGB", (900, 1200), "white")) == ""
